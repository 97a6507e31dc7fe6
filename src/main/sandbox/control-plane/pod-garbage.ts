import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { repeat } from './control-loop.ts'
import type { PodInformer } from './pod-informer.ts'

const periodMs = 20_000
const quarantineMs = 40_000

interface PodGarbageDeps {
  readonly client: TransportApiClient
  readonly pods: PodInformer
  readonly nodes: Informer<'nodes'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Pods of a node that has been gone for 40 s are marked Failed and deleted at once: nobody else could
 * ever confirm their end. api-server#missing-heartbeats; pkg/controller/podgc gcOrphaned.
 */
export class PodGarbage {
  readonly #deps: PodGarbageDeps
  readonly #stop: () => void
  /** Node name -> since when it has been missing. */
  readonly #missing = new Map<string, number>()

  constructor(deps: PodGarbageDeps) {
    this.#deps = deps
    this.#stop = repeat(deps.clock, periodMs, () => this.#collect(), deps.log)
  }

  stop(): void {
    this.#stop()
  }

  async #collect(): Promise<void> {
    const { pods, nodes, clock } = this.#deps
    if (!nodes.hasSynced() || !pods.hasSynced()) return
    const orphans = pods.list().filter((pod) => this.#isOrphan(pod))
    const now = clock.now()
    const names = new Set(orphans.map(({ spec }) => spec.nodeName ?? ''))
    for (const name of this.#missing.keys()) if (!names.has(name)) this.#missing.delete(name)
    for (const name of names) if (!this.#missing.has(name)) this.#missing.set(name, now)
    for (const pod of orphans) {
      const name = pod.spec.nodeName ?? ''
      const since = this.#missing.get(name) ?? now
      if (now - since >= quarantineMs && !(await this.#exists(name))) await this.#delete(pod)
    }
  }

  #isOrphan({ spec: { nodeName = '' } }: Pod): boolean {
    return nodeName !== '' && this.#deps.nodes.get('', nodeName) === undefined
  }

  async #exists(name: string): Promise<boolean> {
    const node = await this.#deps.client.get({ resource: 'nodes', name })
    return node.ok || node.error.kind !== 'not-found'
  }

  async #delete(pod: Pod): Promise<void> {
    const { client, clock } = this.#deps
    const { uid } = pod.metadata
    const key = addressOf('pods', pod)
    const phase = pod.status?.phase
    if (phase !== 'Succeeded' && phase !== 'Failed') {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        lastTransitionTime: toTimestamp(clock.now()),
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      }
      const body = { metadata: { uid }, status: { phase: 'Failed', conditions: [condition] } }
      await client.patch(key, { type: 'strategic', body, subresource: 'status' })
    }
    await client.delete(key, { preconditions: { uid }, gracePeriodSeconds: 0 })
  }
}
