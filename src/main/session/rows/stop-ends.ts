import type { ContainerStatus, PodPhase } from '../../../shared/kubernetes/objects.ts'
import type { ActFacts } from '../../../shared/model/act.ts'
import { isStaticPod } from '../../kubelet/pod/identity.ts'
import { podPhase } from '../../kubelet/status/phase.ts'
import type { PodKnowledge } from './pod-knowledge.ts'
import { terminatedStatus } from '../../kubelet/status/terminated-status.ts'

function ended(
  statuses: readonly ContainerStatus[] | undefined,
  exitCode: number,
  isRestarted: boolean,
): readonly ContainerStatus[] {
  return (statuses ?? []).map((status): ContainerStatus => {
    const { running, terminated } = status.state ?? {}
    if (running !== undefined) return { ...status, state: { terminated: { exitCode } } }
    // It waits in its back-off: so says the next status, with this termination in lastState (status#phase).
    return isRestarted && terminated !== undefined
      ? { ...status, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } }
      : status
  })
}

/** The pod's phase after a stop, by the exit code of the containers that run now. Pure. */
export function stopEnds({ pod, worker, localStatus }: PodKnowledge): ActFacts['ends'] {
  const status = localStatus ?? pod.status
  const isRestarted =
    worker?.state === 'SyncPod' && (pod.spec.restartPolicy ?? 'Always') === 'Always'
  const phaseIf = (exitCode: number): PodPhase => {
    const { containerStatuses, initContainerStatuses } = status ?? {}
    const phase = podPhase(
      pod,
      [
        ...ended(containerStatuses, exitCode, isRestarted),
        ...ended(initContainerStatuses, exitCode, false),
      ],
      { podIsTerminal: true, podHasInitialized: false, isStatic: isStaticPod(pod) },
    )
    return terminatedStatus(pod, { ...status, phase }).phase ?? phase
  }
  return { exitZero: phaseIf(0), killed: phaseIf(137) }
}
