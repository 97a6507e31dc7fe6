import { listAt, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { toTimestamp } from '../../../src/shared/kubernetes/timestamps.ts'
import type { Side } from './side.ts'

/** What the image of a pod says that the pod does: `run`, `fail`, `succeed`, `stay-pending`, `unready`. */
function behaviorOf(pod: JsonObject): string {
  const image = textAt(objectsAt(objectAt(pod, 'spec'), 'containers')[0] ?? {}, 'image')
  return /^registry\.example\/([a-z-]+)/.exec(image)?.[1] ?? 'run'
}

/** The status that a kubelet gives a pod, by what its image says; undefined: none yet. `now`: ms since the epoch. */
export function statusOf(pod: JsonObject, address: string, now: number): JsonObject | undefined {
  const [container = {}] = objectsAt(objectAt(pod, 'spec'), 'containers')
  const name = textAt(container, 'name')
  const image = textAt(container, 'image')
  const same = { name, image, imageID: 'x', restartCount: 0 }
  const ended = (exitCode: number, phase: string): JsonObject => ({
    phase,
    podIP: address,
    podIPs: [{ ip: address }],
    conditions: [{ type: 'Ready', status: 'False', reason: 'PodCompleted' }],
    containerStatuses: [
      {
        ...same,
        ready: false,
        state: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } },
      },
    ],
  })
  switch (behaviorOf(pod)) {
    case 'stay-pending':
      return undefined
    case 'fail':
      return ended(Number(textAt(container, 'image').split(':')[1] ?? '1') || 1, 'Failed')
    case 'succeed':
      return ended(0, 'Succeeded')
    default: {
      const ready = behaviorOf(pod) !== 'unready'
      const lastTransitionTime = toTimestamp(now)
      return {
        phase: 'Running',
        podIP: address,
        podIPs: [{ ip: address }],
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }],
        containerStatuses: [{ ...same, ready, state: { running: {} } }],
      }
    }
  }
}

/** The only node that a pod of a DaemonSet is for. */
function nodeFor(pod: JsonObject): string | undefined {
  const affinity = objectAt(objectAt(objectAt(pod, 'spec'), 'affinity'), 'nodeAffinity')
  const required = objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution')
  const [term = {}] = objectsAt(required, 'nodeSelectorTerms')
  const [field = {}] = objectsAt(term, 'matchFields')
  const [name] = listAt(field, 'values')
  return typeof name === 'string' ? name : undefined
}

/**
 * Acts for the kubelets and the scheduler of a namespace, by the same rule on both sides: one pod after the other, in an order
 * that does not depend on chance, and the next one when the controllers have come to rest.
 */
export class FakeKubelet {
  readonly #side: Side
  readonly #namespace: string
  /** How long nothing changes when the controllers have come to rest. */
  readonly #quietMs: number
  #addresses = 0

  constructor(side: Side, namespace: string, quietMs: number) {
    this.#side = side
    this.#namespace = namespace
    this.#quietMs = quietMs
  }

  get pods(): string {
    return `/api/v1/namespaces/${this.#namespace}/pods`
  }

  /** Runs pods until there is nothing to do. */
  async settle(): Promise<void> {
    for (let steps = 0; steps < 200; steps++) {
      await this.#side.untilQuiet(this.#namespace, this.#quietMs)
      if (!(await this.#step())) return
    }
    throw new Error(`${this.#side.name}: no end in ${this.#namespace}`)
  }

  async #step(): Promise<boolean> {
    const { body } = await this.#side.send('GET', this.pods)
    const pods = objectsAt(body, 'items').toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    for (const pod of pods) if (await this.#handle(pod)) return true
    return false
  }

  async #handle(pod: JsonObject): Promise<boolean> {
    const metadata = objectAt(pod, 'metadata')
    const path = `${this.pods}/${textAt(metadata, 'name')}`
    if (textAt(metadata, 'deletionTimestamp') !== '') {
      if (listAt(metadata, 'finalizers').length > 0 && metadata['deletionGracePeriodSeconds'] === 0)
        return false
      await this.#side.send('DELETE', path, { gracePeriodSeconds: 0 })
      return true
    }
    const node = nodeFor(pod)
    const spec = objectAt(pod, 'spec')
    if (node !== undefined && textAt(spec, 'nodeName') === '') {
      const body = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: textAt(metadata, 'name') },
        target: { kind: 'Node', name: node },
      }
      await this.#side.send('POST', `${path}/binding`, body)
      return true
    }
    if (textAt(objectAt(pod, 'status'), 'phase') !== 'Pending') return false
    this.#addresses++
    const status = statusOf(
      pod,
      `10.1.${this.#addresses >> 8}.${this.#addresses & 255}`,
      this.#side.now(),
    )
    if (status === undefined) return false
    await this.writeStatus(path, status)
    return true
  }

  async writeStatus(path: string, status: JsonObject): Promise<void> {
    const type = 'application/merge-patch+json'
    const { code, body } = await this.#side.send('PATCH', `${path}/status`, { status }, type)
    if (code !== 200 && code !== 404)
      throw new Error(`${this.#side.name}: ${textAt(body, 'message')}`)
  }
}

/** Terminating pods first, then by owner, completion index and state; those that are the same in all this, by name. */
export function orderOf(pod: JsonObject): string {
  const metadata = objectAt(pod, 'metadata')
  const [owner = {}] = objectsAt(metadata, 'ownerReferences')
  const annotations = objectAt(metadata, 'annotations')
  const index = textAt(annotations, 'batch.kubernetes.io/job-completion-index').padStart(4, '0')
  const isGoing = textAt(metadata, 'deletionTimestamp') !== ''
  const status = objectAt(pod, 'status')
  const ready = objectsAt(status, 'conditions').find(({ type }) => type === 'Ready') ?? {}
  const state = [textAt(status, 'phase'), textAt(ready, 'status'), behaviorOf(pod)]
  const { app } = objectAt(metadata, 'labels')
  const { nodeName } = objectAt(pod, 'spec')
  const kind = [isGoing ? 0 : 1, nodeName, textAt(owner, 'name'), index, ...state, app]
  return [...kind, textAt(metadata, 'name')].join(' ')
}
