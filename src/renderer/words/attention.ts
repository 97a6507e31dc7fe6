import type { PodRow } from '../../shared/model/pod-row.ts'

function sentence(text: string): string {
  const upper = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(upper) ? upper : `${upper}.`
}

/** What a bad STATUS means, without the `Init:` of an init container. */
const badStatuses: ReadonlyMap<string, string> = new Map([
  ['CrashLoopBackOff', 'A container keeps exiting; the kubelet waits before the next restart.'],
  ['ErrImagePull', 'An image cannot be pulled.'],
  ['ImagePullBackOff', 'An image cannot be pulled; the kubelet waits before the next try.'],
  ['ErrImageNeverPull', 'An image is not on the node, and imagePullPolicy is Never.'],
  ['InvalidImageName', 'The name of an image is not valid.'],
  ['CreateContainerConfigError', 'The configuration of a container cannot be resolved.'],
  ['CreateContainerError', 'The runtime cannot create a container.'],
  ['RunContainerError', 'The runtime cannot start a container.'],
  ['Error', 'A container exited with an error.'],
  ['OOMKilled', 'A container ran out of memory.'],
  ['Evicted', 'The pod was evicted; its object stays until it is deleted.'],
  ['DeadlineExceeded', 'The pod ran longer than activeDeadlineSeconds.'],
])

function badStatus({ status }: PodRow): string {
  const word = status.replace(/^Init:/, '')
  return badStatuses.get(word) ?? `STATUS is ${status}.`
}

/** Why a pod needs attention, in one sentence; empty where it gets on by itself. Pure. */
export function attentionReason(row: PodRow): string {
  if (row.heldBy.length > 0)
    return `${row.heldBy.length === 1 ? 'Finalizer' : 'Finalizers'} ${row.heldBy.join(', ')} ${row.heldBy.length === 1 ? 'holds' : 'hold'} the API object.`
  if (row.kind === 'mirror') return 'Orphaned mirror: no static pod of this name is on the node.'
  if (row.worker === 'waiting')
    return row.workerReason === '' ? 'The worker waits to start.' : sentence(row.workerReason)
  if (row.worker === 'noKubelet') return row.isMomentary === true ? '' : sentence(row.workerReason)
  if (row.worker === 'none' && row.tone === 'bad' && row.workerReason !== '')
    return sentence(row.workerReason)
  if (row.tone === 'bad') return badStatus(row)
  if (row.mirror === 'missing' || row.mirror === 'stale')
    return row.mirrorReason === '' ? `The mirror is ${row.mirror}.` : sentence(row.mirrorReason)
  if (row.isCutOff === true && row.worker !== 'finished')
    return `Node ${row.node} is cut off from the API server; its kubelet cannot report the pod's status.`
  return ''
}
