import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import { patchStatus } from './controller.ts'
import type { ControllerContext } from './controller.ts'
import { repeat } from './work-queue.ts'

const periodMs = 20_000
const quarantineMs = 40_000

/**
 * Marks the pods of a node that has been missing for 40 s as Failed and deletes them without a grace period: no kubelet is left
 * to confirm their end. Returns a function that stops it. api-server#missing-heartbeats; pkg/controller/podgc gcOrphaned.
 */
export function startPodGc(context: ControllerContext): () => void {
  const { client, pods, nodes, clock } = context
  /** Node name -> since when it has been missing. */
  const missing = new Map<string, number>()

  function isOrphan({ spec: { nodeName = '' } }: Pod): boolean {
    return nodeName !== '' && nodes.get('', nodeName) === undefined
  }

  async function nodeExists(name: string): Promise<boolean> {
    const node = await client.get({ resource: 'nodes', name })
    return node.ok || node.error.kind !== 'not-found'
  }

  async function deletePod(pod: Pod): Promise<void> {
    const { uid } = pod.metadata
    const phase = pod.status?.phase
    if (phase !== 'Succeeded' && phase !== 'Failed') {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        lastTransitionTime: toTimestamp(clock.now()),
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
      }
      await patchStatus(client, 'pods', pod, { phase: 'Failed', conditions: [condition] })
    }
    await client.delete(addressOf('pods', pod), { preconditions: { uid }, gracePeriodSeconds: 0 })
  }

  return repeat(context, periodMs, async () => {
    if (!nodes.hasSynced() || !pods.hasSynced()) return
    const orphans = pods.list().filter(isOrphan)
    const now = clock.now()
    const names = new Set(orphans.map(({ spec }) => spec.nodeName ?? ''))
    for (const name of missing.keys()) if (!names.has(name)) missing.delete(name)
    for (const name of names) if (!missing.has(name)) missing.set(name, now)
    for (const pod of orphans) {
      const name = pod.spec.nodeName ?? ''
      const since = missing.get(name) ?? now
      if (now - since >= quarantineMs && !(await nodeExists(name))) await deletePod(pod)
    }
  })
}
