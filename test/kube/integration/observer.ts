import type { KubeEvent, Lease, Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Transport, WatchStream } from '../../../src/shared/kubernetes/request.ts'

/** What is watched, with the type of its objects. */
interface Watched {
  readonly pods: Pod
  readonly nodes: Node
  readonly leases: Lease
  readonly events: KubeEvent
}

/** One event of a watch. */
export interface ObjectChange<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: T
}

const paths = {
  pods: '/api/v1/pods',
  nodes: '/api/v1/nodes',
  leases: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
  events: '/api/v1/events',
} as const satisfies Record<keyof Watched, string>

/** Longer than any scenario takes on a busy machine. */
const patienceMs = 90_000

/** Records all events of an administrator's watches of a server, in order. */
export class Observer {
  readonly #seen: { readonly [K in keyof Watched]: ObjectChange<Watched[K]>[] } = {
    pods: [],
    nodes: [],
    leases: [],
    events: [],
  }
  readonly #streams: WatchStream[] = []
  readonly #wakers = new Set<() => void>()
  #failure: Error | undefined

  /** Opens the watches; existing objects are ADDED. */
  async start(transport: Transport): Promise<void> {
    await this.#watch(transport, 'pods')
    await this.#watch(transport, 'nodes')
    await this.#watch(transport, 'leases')
    await this.#watch(transport, 'events')
  }

  stop(): void {
    this.#failure ??= new Error('the observer was stopped')
    for (const stream of this.#streams) stream.stop()
    this.#wake()
  }

  /** All of one object, or of one namespace. */
  of<K extends keyof Watched>(
    resource: K,
    which: { readonly namespace?: string; readonly name?: string },
  ): readonly ObjectChange<Watched[K]>[] {
    return this.#seen[resource].filter(
      ({ object: { metadata } }) =>
        (which.namespace === undefined || metadata.namespace === which.namespace) &&
        (which.name === undefined || metadata.name === which.name),
    )
  }

  /** Waits until `find` returns a value; checks after each event. Throws after a time limit. */
  async until<T>(what: string, find: () => T | undefined, state: () => unknown): Promise<T> {
    const limit = Date.now() + patienceMs
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (this.#failure !== undefined) throw this.#failure
      const left = limit - Date.now()
      if (left <= 0) throw new Error(`${what} did not happen: ${JSON.stringify(state(), null, 1)}`)
      await this.#next(left)
    }
  }

  #next(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#wakers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, limitMs)
      this.#wakers.add(wake)
    })
  }

  #wake(): void {
    for (const wake of this.#wakers) wake()
  }

  async #watch(transport: Transport, resource: keyof Watched): Promise<void> {
    const answer = await transport.send({
      method: 'GET',
      path: paths[resource],
      query: { watch: 'true', timeoutSeconds: '7200' },
      headers: { accept: 'application/json' },
    })
    if (answer.kind !== 'watch') throw new Error(`no watch of ${resource}: ${answer.status}`)
    this.#streams.push(answer.stream)
    void this.#read(resource, answer.stream)
  }

  async #read(resource: keyof Watched, stream: WatchStream): Promise<void> {
    try {
      for await (const { type, object } of stream.events) {
        if (type === 'BOOKMARK') continue
        if (type === 'ERROR') throw new Error(JSON.stringify(object))
        // The path named the resource, so the objects are of its type.
        const seen = this.#seen[resource] as ObjectChange<unknown>[]
        seen.push({ type, object })
        this.#wake()
      }
      throw new Error('the server ended it')
    } catch (error) {
      this.#failure ??= new Error(`the watch of ${resource} failed`, { cause: error })
      this.#wake()
    }
  }
}
