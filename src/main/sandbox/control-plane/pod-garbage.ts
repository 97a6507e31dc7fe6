import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { asPod } from '../pod-strategy.ts'
import { collectionPath, placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { repeat } from './control-loop.ts'
import type { WatchCache } from './watch-cache.ts'

const periodMs = 20_000
const quarantineMs = 40_000

/**
 * Pods of a node that has been gone for 40 s are marked Failed and deleted at once: nobody else could
 * ever confirm their end. Semantics 9.5; pkg/controller/podgc gcOrphaned.
 */
export class PodGarbage {
  readonly #client: ControlClient
  readonly #pods: WatchCache
  readonly #nodes: WatchCache
  readonly #clock: Clock
  readonly #stop: () => void
  /** Node name -> since when it has been missing. */
  readonly #missing = new Map<string, number>()

  constructor(deps: {
    readonly client: ControlClient
    readonly pods: WatchCache
    readonly nodes: WatchCache
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#client = deps.client
    this.#pods = deps.pods
    this.#nodes = deps.nodes
    this.#clock = deps.clock
    this.#stop = repeat(deps.clock, periodMs, () => this.#collect(), deps.log)
  }

  stop(): void {
    this.#stop()
  }

  async #collect(): Promise<void> {
    if (!this.#nodes.hasSynced || !this.#pods.hasSynced) return
    const orphans = this.#pods.list().filter((object) => this.#isOrphan(object))
    const now = this.#clock.now()
    const names = new Set(orphans.map((object) => asPod(object).spec.nodeName ?? ''))
    for (const name of this.#missing.keys()) if (!names.has(name)) this.#missing.delete(name)
    for (const name of names) if (!this.#missing.has(name)) this.#missing.set(name, now)
    for (const object of orphans) {
      const name = asPod(object).spec.nodeName ?? ''
      const since = this.#missing.get(name) ?? now
      if (now - since >= quarantineMs && !(await this.#exists(name))) await this.#delete(object)
    }
  }

  #isOrphan(object: KubeObject): boolean {
    const { nodeName } = asPod(object).spec
    return Boolean(nodeName) && this.#nodes.get('', nodeName ?? '') === undefined
  }

  async #exists(name: string): Promise<boolean> {
    const node = await this.#client.get({ collection: collectionPath('nodes', undefined), name })
    return node.ok || node.error.code !== 404
  }

  async #delete(object: KubeObject): Promise<void> {
    const { uid } = object.metadata
    const place = placeOf('pods', object)
    const phase = asPod(object).status?.phase
    if (phase !== 'Succeeded' && phase !== 'Failed') {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        lastTransitionTime: apiTime(this.#clock.now()),
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      }
      const status = { phase: 'Failed', conditions: [condition] }
      await this.#client.patch(
        place,
        { metadata: { uid }, status },
        { causes: [], subresource: '/status' },
      )
    }
    await this.#client.delete(place, { uid, gracePeriodSeconds: 0, causes: [] })
  }
}
