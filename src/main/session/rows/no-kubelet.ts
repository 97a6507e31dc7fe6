import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { ended } from '../../../shared/model/explanation/explanation-words.ts'
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

function notScheduled({ spec, status }: Pod): NoKubelet {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  const message = scheduled?.message ?? ''
  const gates = (spec.schedulingGates ?? []).map(({ name }) => name)
  if (gates.length > 0) return lasting(`Waiting for scheduling gates: ${gates.join(', ')}.`)
  if (message !== '') return lasting(message)
  const scheduler = spec.schedulerName ?? 'default-scheduler'
  return scheduler === 'default-scheduler'
    ? momentary('The scheduler has not processed it yet.')
    : lasting(
        `The scheduler ${scheduler} must schedule it; the sandbox runs default-scheduler only.`,
      )
}

/** Why no kubelet has a pod that the API server has. `node`: undefined if this cluster has no such node here. Pure. */
export function whyNoKubelet(pod: Pod, node: BoundNode | undefined): NoKubelet {
  const { nodeName = '' } = pod.spec
  if (nodeName === '') return notScheduled(pod)
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
