import type { Anchor } from '../../handbook/anchors.ts'
import type { CallFault, RuntimeCallName } from './node-faults.ts'
import { faultyCall, runtimeCalls } from './node-faults.ts'
import type { Span } from '../span.ts'

interface CallFaultWords {
  readonly summary: string
  readonly cluster: string
  /** When the control plane deletes the pods, if another node is Ready; absent: it does not. */
  readonly deletion?: string
  readonly section: Anchor
  /** When the node becomes NotReady and its pods are deleted, in seconds; null: it stays Ready. */
  readonly notReady: { readonly after: Span; readonly podsDeleted: Span } | null
}

/** The runtime's status is read every 5 s and counts for 30 s; the node's status is looked at every 10 s. */
export const runtimeLoss = {
  after: { earliest: 25, latest: 45 },
  podsDeleted: { earliest: 325, latest: 355 },
} as const

/** The PLEG is not healthy when its last relist is 3 minutes old. */
const plegStall = {
  after: { earliest: 178, latest: 200 },
  podsDeleted: { earliest: 478, latest: 510 },
} as const

const none = 'Nothing for pods that run; the node stays Ready.'

const lost = 'Its pods are not Ready then.'

const deletion =
  '300 s later the control plane deletes them, except those that tolerate the taint for longer.'

const stalled = {
  cluster: `After 3 minutes the node is NotReady with “PLEG is not healthy”. ${lost}`,
  deletion,
  section: 'containers#pleg',
  notReady: plegStall,
} as const

const noChanges =
  'The PLEG cannot list and sees no change: no container that exits is restarted. After 3 minutes the kubelet also skips all syncs, so that new and deleted pods wait.'

const words: Readonly<Record<RuntimeCallName, CallFaultWords>> = {
  StartContainer: {
    summary:
      'New containers are created and do not start: RunContainerError, with the event Failed. The kubelet tries again at each sync with a new container, without a back-off, and RESTARTS grows.',
    cluster: none,
    section: 'containers#reasons',
    notReady: null,
  },
  CreateContainer: {
    summary:
      'No container is created: CreateContainerError, with the event Failed. The kubelet tries again at each sync.',
    cluster: none,
    section: 'containers#reasons',
    notReady: null,
  },
  StopContainer: {
    summary:
      'The kubelet records FailedKillPod when a pod ends, and stops its sandbox all the same, which kills its containers without a SIGTERM. A container that failed its liveness probe or was changed keeps running.',
    cluster: none,
    section: 'containers#runtime-sync',
    notReady: null,
  },
  RemoveContainer: {
    summary:
      'Ended containers are not removed, without an event. The kubelet tries again every minute.',
    cluster: none,
    section: 'containers#garbage-collection',
    notReady: null,
  },
  RunPodSandbox: {
    summary:
      'New pods get no sandbox and stay ContainerCreating, with the event FailedCreatePodSandBox.',
    cluster: none,
    section: 'containers#runtime-sync',
    notReady: null,
  },
  StopPodSandbox: {
    summary:
      'The containers of a deleted pod stop, but its sandbox does not: FailedKillPod again and again.',
    cluster: 'Deleted pods stay Terminating; the node stays Ready.',
    section: 'containers#runtime-sync',
    notReady: null,
  },
  RemovePodSandbox: {
    summary:
      'Stopped sandboxes are not removed, without an event. The kubelet tries again every minute.',
    cluster: none,
    section: 'containers#garbage-collection',
    notReady: null,
  },
  ContainerStatus: {
    summary:
      'The kubelet cannot learn what has become of a container that changed: FailedSync (“error determining status”). Its pod stays as it was seen last, and a deleted one stays Terminating.',
    cluster:
      'The node stays Ready while calls fail. While they hang, so does the PLEG: after 3 minutes without a relist the node is NotReady.',
    section: 'containers#pleg',
    notReady: null,
  },
  PodSandboxStatus: {
    summary:
      'The kubelet cannot learn what has become of a pod that changed: FailedSync (“error determining status”). It stays as it was seen last, and a deleted one stays Terminating.',
    cluster:
      'The node stays Ready while calls fail. While they hang, so does the PLEG: after 3 minutes without a relist the node is NotReady.',
    section: 'containers#pleg',
    notReady: null,
  },
  ExecSync: {
    summary:
      'Probes and hooks that run a command in a container do not run it. A call that fails is an unknown result, which changes nothing but fails a hook; a call that hangs is a failed probe after 2 minutes.',
    cluster: none,
    section: 'containers#probes',
    notReady: null,
  },
  PullImage: {
    summary:
      'No image is pulled: ErrImagePull, then ImagePullBackOff. A pull that hangs never times out: its pods stay ContainerCreating, and other pulls wait behind it.',
    cluster: none,
    section: 'images#pull-back-off',
    notReady: null,
  },
  ImageStatus: {
    summary:
      'The kubelet does not learn whether an image is there, so that no container starts: ImageInspectError, with the event InspectFailed.',
    cluster: none,
    section: 'images#pull-policy',
    notReady: null,
  },
  ListContainers: { summary: noChanges, ...stalled },
  ListPodSandbox: { summary: noChanges, ...stalled },
  Status: {
    summary:
      'The kubelet does not learn whether the runtime works. After half a minute it skips all syncs: pods stay as they are, and new and deleted ones wait.',
    cluster: `After half a minute the node is NotReady with “container runtime is down”. ${lost}`,
    deletion,
    section: 'node#node-conditions',
    notReady: runtimeLoss,
  },
}

/** What a call that was made to fail means. Pure. */
export function callFaultWords(fault: CallFault): CallFaultWords {
  const { summary, ...rest } = words[fault.call]
  const how =
    fault.how === 'fails'
      ? 'fails at once'
      : fault.call === 'PullImage'
        ? 'hangs'
        : 'hangs until the kubelet gives it up, usually after 2 minutes'
  return { ...rest, summary: `Each ${faultyCall(fault)} ${how}. ${summary}` }
}

/** Why a call cannot be made to fail; empty when it can. */
export function callFaultRefusal(fault: CallFault | null): string {
  if (fault === null) return 'Name the runtime call that is to fail.'
  return fault.pod !== null && !runtimeCalls[fault.call].ofPod
    ? `${fault.call} does not name a pod: it can fail for the whole node only.`
    : ''
}
