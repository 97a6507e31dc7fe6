import { isConditionTrue } from '../../../shared/kubernetes/conditions.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import { patchStatus } from './controller.ts'
import type { ControllerContext } from './controller.ts'
import { changedCondition } from './pod-conditions.ts'
import { repeat } from './work-queue.ts'
import { isTerminal } from './workloads/active-pods.ts'

const periodMs = 20_000
const quarantineMs = 40_000
/** `--terminated-pod-gc-threshold` of kube-controller-manager. */
const terminatedPodThreshold = 12_500

const nodeIsGone = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
} as const

function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined
}

function isEvicted({ status }: Pod): boolean {
  return status?.phase === 'Failed' && status.reason === 'Evicted'
}

function byEvictionAndCreation(a: Pod, b: Pod): number {
  const [ofA, ofB] = [a, b].map((pod) => [
    isEvicted(pod) ? 0 : 1,
    pod.metadata.creationTimestamp ?? '',
    pod.metadata.name,
  ])
  return String(ofA) < String(ofB) ? -1 : 1
}

/** The pods that have ended, as far as there are more than `most`: evicted ones first, then the oldest. Source: gcTerminated. */
export function excessOf(pods: readonly Pod[], most: number): readonly Pod[] {
  const terminated = pods.filter(({ status }) => isTerminal(status?.phase))
  if (terminated.length <= most) return []
  return terminated.toSorted(byEvictionAndCreation).slice(0, terminated.length - most)
}

/**
 * Marks pods that no kubelet ends as Failed and deletes them without a grace period: those of a node that has been missing for
 * 40 s, those that are to go and never had a node, or whose node is not ready and marked as out of service, and the oldest of
 * more than 12,500 that have ended. Returns a function that stops it. api-server#missing-heartbeats; pkg/controller/podgc.
 */
export function startPodGc(context: ControllerContext): () => void {
  const { client, pods, nodes, clock } = context
  /** Node name -> since when it has been missing. */
  const missing = new Map<string, number>()

  async function nodeExists(name: string): Promise<boolean> {
    const node = await client.get({ resource: 'nodes', name })
    return node.ok || node.error.kind !== 'not-found'
  }

  async function markFailedAndDelete(pod: Pod, given?: typeof nodeIsGone): Promise<void> {
    const { uid, generation } = pod.metadata
    if (!isTerminal(pod.status?.phase)) {
      const condition = given && changedCondition(pod, given, clock.now())
      const patched = await patchStatus(client, 'pods', pod, {
        phase: 'Failed',
        observedGeneration: generation,
        ...(condition === undefined ? {} : { conditions: [condition] }),
      })
      if (!patched.ok) return
    }
    await client.delete(addressOf('pods', pod), { preconditions: { uid }, gracePeriodSeconds: 0 })
  }

  function isOutOfService({ spec: { nodeName = '' } }: Pod): boolean {
    const node = nodes.get('', nodeName)
    const taints = node?.spec?.taints ?? []
    const isMarked = taints.some(({ key }) => key === 'node.kubernetes.io/out-of-service')
    return isMarked && !isConditionTrue(node?.status, 'Ready')
  }

  async function deleteOrphans(all: readonly Pod[]): Promise<void> {
    const orphans = all.filter(
      ({ spec: { nodeName = '' } }) => nodeName !== '' && nodes.get('', nodeName) === undefined,
    )
    const now = clock.now()
    const names = new Set(orphans.map(({ spec }) => spec.nodeName ?? ''))
    for (const name of missing.keys()) if (!names.has(name)) missing.delete(name)
    for (const name of names) if (!missing.has(name)) missing.set(name, now)
    for (const pod of orphans) {
      const name = pod.spec.nodeName ?? ''
      const since = missing.get(name) ?? now
      if (now - since >= quarantineMs && !(await nodeExists(name)))
        await markFailedAndDelete(pod, nodeIsGone)
    }
  }

  return repeat(context, periodMs, async () => {
    if (!nodes.hasSynced() || !pods.hasSynced()) return
    const all = pods.list()
    for (const pod of excessOf(all, terminatedPodThreshold)) await markFailedAndDelete(pod)
    for (const pod of all)
      if (isTerminating(pod) && isOutOfService(pod)) await markFailedAndDelete(pod)
    await deleteOrphans(all)
    for (const pod of all)
      if (isTerminating(pod) && !pod.spec.nodeName) await markFailedAndDelete(pod)
  })
}
