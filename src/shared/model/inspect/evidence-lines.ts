import { timeOfDay } from '../../kubernetes/timestamps.ts'
import type { EvidenceLine, Fact, FactOrigin, PodEvidence } from './evidence.ts'
import type { Pod } from '../../kubernetes/objects.ts'
import {
  deletionAt,
  differingVersion,
  endedByKubeletAt,
  lastEndOf,
  runningByStatus,
} from './pod-facts.ts'

/** Events that say how a stop goes. */
const telling =
  /^(Killing|FailedKillPod|FailedPreStopHook|ExceededGracePeriod|Evicted|Preempting|FailedMount|FailedUnMount)$/

function ofPod({ value: pod, at }: Fact<Pod | null>, origin: FactOrigin): readonly EvidenceLine[] {
  const line = (fact: string, value: string): EvidenceLine => ({ fact, value, origin, at })
  if (pod === null) return [line('object', 'not there')]
  const deletion = deletionAt(pod)
  const grace = pod.metadata.deletionGracePeriodSeconds
  const evicted = endedByKubeletAt(pod)
  const running = runningByStatus(pod)
  const end = lastEndOf(pod)
  const finalizers = pod.metadata.finalizers ?? []
  return [
    ...(deletion === null ? [] : [line('deletionTimestamp', timeOfDay(deletion))]),
    ...(grace === undefined ? [] : [line('grace', `${grace} s`)]),
    ...(evicted === null ? [] : [line('DisruptionTarget', 'TerminationByKubelet')]),
    line('phase', pod.status?.phase ?? 'none'),
    ...(running.length > 0 ? [line('containers', `${running.join(', ')} running`)] : []),
    ...(running.length === 0 && end !== null
      ? [line('containers', `ended ${timeOfDay(end)}`)]
      : []),
    ...(finalizers.length === 0 ? [] : [line('finalizers', finalizers.join(', '))]),
  ]
}

/** Which of two copies that differ is older. */
function versionLines(evidence: PodEvidence): readonly EvidenceLine[] {
  const { api, told } = evidence
  if (told === null || differingVersion(evidence) === '') return []
  return ([['API', api] as const, ['/pods', told] as const] as const).map(
    ([origin, { value, at }]): EvidenceLine => ({
      fact: 'resourceVersion',
      value: value?.metadata.resourceVersion ?? '',
      origin,
      at,
    }),
  )
}

function runningLines({ running }: PodEvidence): readonly EvidenceLine[] {
  if (running === null) return []
  const { value, at } = running
  const words = value === null ? 'not there' : value.containers.join(', ') || 'sandbox only'
  return [{ fact: 'running', value: words, origin: '/runningpods', at }]
}

/** The facts that a conclusion rests on, the API's first. */
export function evidenceLines(evidence: PodEvidence): readonly EvidenceLine[] {
  const { api, told, events, lease, kubelet } = evidence
  const isAway = kubelet === 'refused' || kubelet === 'away'
  return [
    ...ofPod(api, 'API'),
    ...(told === null ? [] : ofPod(told, '/pods')),
    ...versionLines(evidence),
    ...runningLines(evidence),
    ...events
      .filter(({ reason }) => telling.test(reason))
      .slice(0, 3)
      .map(({ reason, message, at }): EvidenceLine => ({
        fact: reason,
        value: message,
        origin: 'events',
        at,
      })),
    ...(isAway && lease.value !== null
      ? [
          {
            fact: 'lease renewed',
            value: timeOfDay(lease.value),
            origin: 'lease',
            at: lease.at,
          } as const,
        ]
      : []),
  ]
}
