import { minTolerationMs } from '../../../shared/kubernetes/taints.ts'
import { lossTaint } from '../../../shared/model/loss/loss.ts'
import type { LossFacts } from '../../../shared/model/loss/loss.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { ClusterSession } from '../cluster/cluster-session.ts'
import { drainVerdict } from '../seen/drain/drain-filters.ts'

const drainOptions = {
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: true,
  gracePeriodSeconds: null,
} as const

/** Of a pod as the session knows it; undefined: there is none. */
export function lossFacts(
  session: Pick<ClusterSession, 'actTarget' | 'knowledge'>,
  key: PodKey,
): LossFacts | undefined {
  const facts = session.actTarget(key)?.facts
  const pod = session.knowledge(key)?.pod
  if (facts === undefined || pod === undefined) return undefined
  const tolerationMs = minTolerationMs(pod, [lossTaint])
  return {
    facts,
    tolerationMs: tolerationMs === Infinity ? null : tolerationMs,
    drain: drainVerdict(pod, drainOptions, { kind: 'exists' }),
  }
}
