import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { ended } from '../../../shared/model/explanation/explanation-words.ts'
import { configHashAnnotation, isMirrorPod } from '../../kubelet/pod/identity.ts'
import { malformedPodReason } from '../../sources/api-pods.ts'

/** The node that a pod is bound to. */
interface BoundNode {
  readonly name: string
  readonly isRunning: boolean
  readonly isCutOff: boolean
}

/** Why no kubelet has a pod. */
export interface NoKubelet {
  /** One sentence. */
  readonly reason: string
  /** It ends without an action: the pod is new and not refused. */
  readonly isMomentary: boolean
}

function lasting(reason: string): NoKubelet {
  return { reason, isMomentary: false }
}

function momentary(reason: string): NoKubelet {
  return { reason, isMomentary: true }
}

/** Why a pod is not bound, in the scheduler's words where it has said it; `others`: if another scheduler must bind it. */
function notScheduled({ spec, status }: Pod, others: (scheduler: string) => string): NoKubelet {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  const message = scheduled?.message ?? ''
  const gates = (spec.schedulingGates ?? []).map(({ name }) => name)
  if (gates.length > 0) return lasting(`Waiting for scheduling gates: ${gates.join(', ')}.`)
  if (message !== '') return lasting(message)
  const scheduler = spec.schedulerName ?? 'default-scheduler'
  return scheduler === 'default-scheduler'
    ? momentary('The scheduler has not processed it yet.')
    : lasting(others(scheduler))
}

/** Why no kubelet has a pod that the API server has. `node`: undefined if this cluster has no such node here. Pure. */
export function whyNoKubelet(pod: Pod, node: BoundNode | undefined): NoKubelet {
  const { nodeName = '' } = pod.spec
  if (nodeName === '')
    return notScheduled(
      pod,
      (scheduler) =>
        `The scheduler ${scheduler} must schedule it; the sandbox runs default-scheduler only.`,
    )
  if (node === undefined)
    return lasting(`It is bound to ${nodeName}, and no kubelet for that node runs here.`)
  if (!node.isRunning) return lasting(`It is bound to ${node.name}, whose kubelet does not run.`)
  if (node.isCutOff)
    return lasting(`It is bound to ${node.name}, whose kubelet is cut off from the API server.`)
  const wrong = malformedPodReason(pod)
  return wrong === undefined
    ? momentary(`It is bound to ${node.name}; the kubelet has not seen it yet.`)
    : lasting(`It is bound to ${node.name}, whose kubelet ignores it as malformed: ${ended(wrong)}`)
}

/** Why the worker of a pod is not shown whose kubelet is not this program. Pure. */
export function whyNotSeen(pod: Pod): NoKubelet {
  const { nodeName = '' } = pod.spec
  if (nodeName === '')
    return notScheduled(pod, (scheduler) => `The scheduler ${scheduler} has not processed it yet.`)
  if (isMirrorPod(pod)) {
    const uid = pod.metadata.annotations?.[configHashAnnotation] ?? ''
    const which = uid === '' ? 'a static pod' : `the static pod with UID ${uid}`
    return momentary(`It is the mirror of ${which}, which only the kubelet of ${nodeName} has.`)
  }
  return momentary(
    `It is bound to ${nodeName}. The API does not show the worker that its kubelet has for it.`,
  )
}
