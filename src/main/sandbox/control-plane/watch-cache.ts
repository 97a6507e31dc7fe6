import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { WatchEvent, WatchStream } from '../../../shared/kubernetes/request.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import type { ControlClient } from './control-client.ts'

/** What changed, as the cache knows it. `causes` are the trace events of the write. */
export interface CacheChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubeObject
  readonly causes: readonly number[]
}

const retryMs = 1000

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

function isInitialEnd(event: WatchEvent): boolean {
  if (!isJsonObject(event.object)) return false
  const annotations = objectAt(objectAt(event.object, 'metadata'), 'annotations')
  return annotations['k8s.io/initial-events-end'] === 'true'
}

/**
 * A controller's view of one collection, kept by a watch that is renewed when it ends. Listeners hear
 * of every change after it is in the cache; of what vanished while no watch ran, as DELETED.
 */
export class WatchCache {
  readonly #client: ControlClient
  readonly #clock: Clock
  readonly #log: Log
  readonly #collection: string
  readonly #objects = new Map<string, KubeObject>()
  readonly #listeners: ((change: CacheChange) => void)[] = []
  #stream: WatchStream | undefined
  #cancelRetry: (() => void) | undefined
  #isStopped = false
  #hasSynced = false

  constructor(deps: {
    readonly client: ControlClient
    readonly clock: Clock
    readonly log: Log
    readonly collection: string
  }) {
    this.#client = deps.client
    this.#clock = deps.clock
    this.#log = deps.log
    this.#collection = deps.collection
  }

  /** True once it has seen everything that was there at the start. */
  get hasSynced(): boolean {
    return this.#hasSynced
  }

  list(): readonly KubeObject[] {
    return [...this.#objects.values()]
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.#objects.get(`${namespace}/${name}`)
  }

  /** Before `start`, to hear of everything. */
  listen(listener: (change: CacheChange) => void): void {
    this.#listeners.push(listener)
  }

  start(): void {
    void this.#run()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelRetry?.()
    this.#stream?.stop()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#stream = await this.#client.watchAll(this.#collection)
      if (this.#stream !== undefined) await this.#follow(this.#stream)
      if (!this.#isStopped) await this.#pause()
    }
    this.#stream?.stop()
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(retryMs, resolve)
      this.#cancelRetry = () => {
        cancel()
        resolve()
      }
    })
  }

  async #follow(stream: WatchStream): Promise<void> {
    // Everything known before counts as gone until the watch shows it again.
    const unseen = new Map(this.#objects)
    for await (const event of stream.events) {
      switch (event.type) {
        case 'ADDED':
        case 'MODIFIED':
        case 'DELETED':
          this.#apply(event.type, event.object as KubeObject, event.causes ?? [], unseen)
          break
        case 'BOOKMARK':
          if (!isInitialEnd(event)) break
          this.#hasSynced = true
          for (const object of unseen.values()) this.#change('DELETED', object, [])
          unseen.clear()
          break
        case 'ERROR':
          this.#log.warn('a watch of the control plane ended', { collection: this.#collection })
          return
      }
    }
  }

  #apply(
    type: CacheChange['type'],
    object: KubeObject,
    causes: readonly number[],
    unseen: Map<string, KubeObject>,
  ): void {
    const key = keyOf(object)
    unseen.delete(key)
    const known = this.#objects.get(key)
    if (type === 'DELETED') this.#change('DELETED', object, causes)
    else if (known?.metadata.resourceVersion !== object.metadata.resourceVersion) {
      // Deleted and created anew while nobody watched: two changes, not one.
      const isAnother = known !== undefined && known.metadata.uid !== object.metadata.uid
      if (known !== undefined && isAnother) this.#change('DELETED', known, causes)
      this.#change(known === undefined || isAnother ? 'ADDED' : 'MODIFIED', object, causes)
    }
  }

  #change(type: CacheChange['type'], object: KubeObject, causes: readonly number[]): void {
    if (type === 'DELETED') this.#objects.delete(keyOf(object))
    else this.#objects.set(keyOf(object), object)
    for (const listener of this.#listeners) listener({ type, object, causes })
  }
}
