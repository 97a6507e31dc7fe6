import type { Pod } from '../../shared/kubernetes/objects.ts'

/** The node that a pod is bound to, where it runs here. */
interface BoundNode {
  readonly name: string
  readonly isRunning: boolean
  readonly isCutOff: boolean
}

function notScheduled({ spec, status }: Pod): string {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  const message = scheduled?.message ?? ''
  const gates = (spec.schedulingGates ?? []).map(({ name }) => name)
  if (gates.length > 0) return `Waiting for scheduling gates: ${gates.join(', ')}.`
  if (message !== '') return message
  const scheduler = spec.schedulerName ?? 'default-scheduler'
  return scheduler === 'default-scheduler'
    ? 'The scheduler has not processed it yet.'
    : `The scheduler ${scheduler} must schedule it; the sandbox runs default-scheduler only.`
}

/** Why no kubelet has a pod that the API server has, in one sentence. `node`: undefined where none of that name runs here. Pure. */
export function whyNoKubelet(pod: Pod, node: BoundNode | undefined): string {
  const { nodeName = '' } = pod.spec
  if (nodeName === '') return notScheduled(pod)
  if (node === undefined)
    return `It is bound to ${nodeName}, and no kubelet for that node runs here.`
  if (!node.isRunning) return `It is bound to ${node.name}, whose kubelet does not run.`
  if (node.isCutOff)
    return `It is bound to ${node.name}, whose kubelet is cut off from the API server.`
  return `It is bound to ${node.name}; the kubelet has not seen it yet.`
}
