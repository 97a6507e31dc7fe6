import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, EventRecorder } from '../ports.ts'
import type { PodWorkers } from './pod-workers.ts'
import type { PodStatusFunc } from './update-pod-options.ts'

/** Waited for at least, in seconds: the runtime needs some time beyond the grace. */
const minimumWaitSeconds = 10

/** What a kill asks for. Seconds; absent: the pod's own grace. */
export interface KillPodRequest {
  readonly evict: boolean
  readonly gracePeriodSecondsOverride?: number | undefined
  readonly podStatusFunc?: PodStatusFunc | undefined
  readonly causes: TraceCauses
}

/** Kills a pod and waits for it; the error is a sentence, and the kill continues in the background. */
export type KillPodFunc = (pod: Pod, request: KillPodRequest) => Promise<Result<undefined, string>>

/**
 * kubelet killPodNow (termination#killpodnow), for evictions and by hand. Waits max(10 s, 1.5 times the grace) for
 * the containers to stop; a finished worker never reports, so its kill times out too.
 */
export function killPodNow(deps: {
  readonly podWorkers: Pick<PodWorkers, 'updatePod'>
  readonly recorder: EventRecorder
  readonly clock: Clock
}): KillPodFunc {
  return async (pod, request) => {
    const { gracePeriodSecondsOverride: override, evict, podStatusFunc, causes } = request
    const grace = override ?? pod.spec.terminationGracePeriodSeconds ?? 0
    const waitSeconds = Math.max(minimumWaitSeconds, grace + Math.trunc(grace / 2))
    const isDone = await new Promise<boolean>((resolve) => {
      const cancelTimer = deps.clock.after(waitSeconds * 1000, () => {
        resolve(false)
      })
      deps.podWorkers.updatePod({
        updateType: 'kill',
        pod,
        killPodOptions: {
          onCompleted: () => {
            cancelTimer()
            resolve(true)
          },
          evict,
          podStatusFunc,
          gracePeriodSecondsOverride: override,
        },
        causes,
      })
    })
    if (isDone) return ok(undefined)
    const message = 'Container runtime did not kill the pod within specified grace period.'
    deps.recorder.event({ kind: 'pod', pod }, 'Warning', 'ExceededGracePeriod', message, causes)
    return err('timeout waiting to kill pod')
  }
}
