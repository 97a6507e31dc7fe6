import type { Anchor } from '../handbook/anchors.ts'
import type { PodPhase } from '../kubernetes/objects.ts'
import type { Span } from './span.ts'
import { callFaultRefusal, callFaultWords, runtimeLoss } from './node/call-fault-words.ts'
import type { CallFault, NodeFaults } from './node/node-faults.ts'
import { filledDiskShare, slowMountMs } from './node/node-faults.ts'
import { afterLoss } from './node/node-loss.ts'

/** What a person can do to a node: to its kubelet, to the machine and the runtime below it, or to its way to the API server. */
export const nodeActs = [
  'restartAgent',
  'stopAgent',
  'startAgent',
  'shutDown',
  'cancelShutDown',
  'powerOff',
  'boot',
  'cutOff',
  'reconnect',
  'runtimeDown',
  'runtimeHangs',
  'runtimeAnswers',
  'failCall',
  'callsAnswer',
  'fillDisk',
  'freeDisk',
  'slowMounts',
  'usualMounts',
] as const

export type NodeAct = (typeof nodeActs)[number]

/**
 * shutdownGracePeriod and shutdownGracePeriodCriticalPods where none are named, in seconds, as in the documentation of
 * Kubernetes: a kubelet has none of its own, and without them no graceful shutdown.
 */
export const usualShutdownGrace = { total: 30, critical: 10 } as const

/** What must be known of a node to say what may be done to it. Made of its view, on both sides. */
export interface NodeActFacts {
  readonly node: string
  readonly agent: 'running' | 'stopped'
  readonly machine: 'on' | 'off'
  /** A graceful shutdown is under way, or has ended and the machine is about to go off. */
  readonly isShuttingDown: boolean
  /** Whether its way to the API server was cut by hand; null where it cannot be. */
  readonly isCutOff: boolean | null
  readonly faults: NodeFaults
  /** Whether another node works; null: not known. Without one, the control plane deletes no pods of lost nodes. */
  readonly hasOtherNodes: boolean | null
  /** Whether the cluster is a sandbox; on a real cluster a node is started again only after the lease check. */
  readonly sandbox: boolean
  readonly readOnly: boolean
}

/** What an act on a node does, as facts that its words are made of. Seconds are after the click. */
export interface NodeActEffect {
  /** What the node's condition Ready becomes; null: it stays as it is. */
  readonly ready: { readonly status: 'True' | 'False' | 'Unknown'; readonly after: Span } | null
  /** When pods with the default tolerations get a deletionTimestamp; null: not because of this act. */
  readonly podsDeleted: Span | null
  /** `stop`: with SIGTERM and their grace; `gone`: without a signal; `restart`: those that are still wanted. */
  readonly containers: 'keepRunning' | 'stop' | 'gone' | 'restart'
  /** How the pods end whose containers are stopped: where one was killed, and where all exit 0. */
  readonly podEnds: readonly { readonly phase: PodPhase; readonly reason: string }[]
}

/** Said before the click. Texts are whole sentences in plain English. */
export interface NodeActForecast {
  readonly act: NodeAct
  /** False: the act is not offered, and `refusal` says why in one sentence. */
  readonly isAllowed: boolean
  readonly refusal: string
  /** `Restart the kubelet`, `Shut the node down`, … */
  readonly title: string
  /** What happens to the kubelet and to the containers. */
  readonly summary: string
  /** What the cluster sees of it, and when. */
  readonly cluster: string
  /** The section of the handbook. */
  readonly section: Anchor
  readonly effect: NodeActEffect
}

type NodeActWords = Pick<
  NodeActForecast,
  'title' | 'summary' | 'cluster' | 'section' | 'effect'
> & {
  /** When the control plane deletes the pods, if another node is Ready. */
  readonly deletion?: string
}

const noEffect: NodeActEffect = {
  ready: null,
  podsDeleted: null,
  containers: 'keepRunning',
  podEnds: [],
}

const lost: NodeActEffect = {
  ...noEffect,
  ready: { status: 'Unknown', after: afterLoss.unknown },
  podsDeleted: afterLoss.podsDeleted,
}

/** The kubelet writes its status when it starts, and as soon as something changes. */
const soon: Span = { earliest: 0, latest: 15 }

const back: NodeActEffect = { ...noEffect, ready: { status: 'True', after: soon } }

function from({ earliest, latest }: Span): string {
  return `${earliest} to ${latest} s`
}

const nodeLossText = `After ${from(afterLoss.unknown)}, the node is Unknown and its pods are not Ready.`

const deletionText = `After ${from(afterLoss.podsDeleted)}, the control plane deletes the pods, except those that tolerate the taint for longer; they stay Terminating until a kubelet confirms it.`

const noDeletionText =
  'No other node is Ready: the control plane stops evictions and deletes no pods.'

/** What the control plane does when it loses all nodes of the sandbox, or some of another cluster. */
export const allNodesLostText = `After ${from(afterLoss.unknown)}, the nodes are Unknown and their pods are not Ready. While no node of the cluster is Ready, the control plane deletes no pods; otherwise it deletes them after ${from(afterLoss.podsDeleted)}.`

const afterRuntimeLoss: Pick<NodeActEffect, 'ready' | 'podsDeleted'> = {
  ready: { status: 'False', after: runtimeLoss.after },
  podsDeleted: runtimeLoss.podsDeleted,
}

const runtimeLossText =
  'The lease is renewed all the time. After half a minute the node is NotReady with “container runtime is down”, and its pods are not Ready.'

const runtimeDeletionText =
  '300 s later the control plane deletes them, except those that tolerate the taint for longer; they stay Terminating until the runtime answers.'

const actWords: Readonly<Record<NodeAct, NodeActWords>> = {
  restartAgent: {
    title: 'Restart the kubelet',
    summary:
      'The kubelet process exits without notice and starts again with nothing in memory. Containers keep running; it finds them in the runtime, and its pods in their sources.',
    cluster: 'Nothing: the kubelet is back before its lease runs out.',
    section: 'sync-loop#housekeeping',
    effect: noEffect,
  },
  stopAgent: {
    title: 'Stop the kubelet',
    summary:
      'The kubelet process exits without notice. Containers keep running, but nothing restarts a container that exits, reads manifests or stops deleted pods.',
    cluster: `The lease is no longer renewed. ${nodeLossText}`,
    deletion: deletionText,
    section: 'api-server#missing-heartbeats',
    effect: lost,
  },
  startAgent: {
    title: 'Start the kubelet',
    summary:
      'A kubelet starts with nothing in memory. It finds containers in the runtime and pods in their sources; containers of pods that no longer exist are killed.',
    cluster: 'The lease is renewed at once, and the node is Ready again.',
    section: 'sync-loop#housekeeping',
    effect: back,
  },
  shutDown: {
    title: 'Shut the node down',
    summary:
      'The kubelet rejects new pods and kills the ones it has, group by group, those of lower priority first. Then the machine powers off.',
    cluster:
      'The node is NotReady at once, with the message “node is shutting down”. Pods that were killed stay: Failed with the reason Terminated, or Succeeded where their containers exit 0.',
    section: 'node#graceful-shutdown',
    effect: {
      ready: { status: 'False', after: soon },
      podsDeleted: null,
      containers: 'stop',
      podEnds: [
        { phase: 'Failed', reason: 'Terminated' },
        { phase: 'Succeeded', reason: '' },
      ],
    },
  },
  cancelShutDown: {
    title: 'Cancel the shutdown',
    summary:
      'The kubelet hears of it when it has been through all groups: pods of those still to come are killed too, as a real kubelet does. Then it takes pods again; none that was killed is started again.',
    cluster: 'The node is Ready again with the first status after that.',
    section: 'node#graceful-shutdown',
    effect: { ...noEffect, ready: { status: 'True', after: { earliest: 0, latest: null } } },
  },
  powerOff: {
    title: 'Cut the power',
    summary:
      'Machine, kubelet and containers are gone at once. No container gets a signal and the API server is not notified.',
    cluster: `Until the lease runs out, nothing; the pods still say Running. ${nodeLossText}`,
    deletion: deletionText,
    section: 'node#graceful-shutdown',
    effect: { ...lost, containers: 'gone' },
  },
  boot: {
    title: 'Boot the machine',
    summary:
      'The machine comes up, and the runtime finds its containers ended with exit code 255. A kubelet starts with nothing in memory and gives the pods that are still wanted new sandboxes.',
    cluster: 'The lease is renewed at once, and restart counts go up.',
    section: 'node#graceful-shutdown',
    effect: { ...back, containers: 'restart' },
  },
  cutOff: {
    title: 'Cut this node off from the API server',
    summary:
      'The kubelet of this node no longer reaches the API server; other nodes, kubectl and this page still do. It continues with the pods it knows: containers are restarted, manifests are read, grace periods run. Statuses, mirrors, events and the lease wait, and what changes in the API is not seen.',
    cluster: `The lease is not renewed. ${nodeLossText}`,
    deletion: deletionText,
    section: 'api-server#missing-heartbeats',
    effect: lost,
  },
  reconnect: {
    title: 'Reconnect this node',
    summary:
      'The kubelet reaches the API server again. It lists the pods it should run, writes the statuses that waited, and stops pods that were deleted meanwhile.',
    cluster:
      'The lease is renewed within seconds. The node is Ready again when the kubelet has listed its Node again and written its status: after a long outage its next try can be a minute away.',
    section: 'api-server#missing-heartbeats',
    effect: { ...back, ready: { status: 'True', after: { earliest: 0, latest: 75 } } },
  },
  runtimeDown: {
    title: 'Make the container runtime unreachable',
    summary:
      'Every call that the kubelet makes to the runtime fails at once, as when containerd has crashed. Containers keep running, but the kubelet starts and stops none and sees none exit; what it says of them is what it saw last.',
    cluster: runtimeLossText,
    deletion: runtimeDeletionText,
    section: 'containers#pleg',
    effect: { ...noEffect, ...afterRuntimeLoss },
  },
  runtimeHangs: {
    title: 'Let calls of the container runtime hang',
    summary:
      'The runtime takes calls and answers none. The kubelet gives most of them up after 2 minutes with “context deadline exceeded”; workers, probes and the PLEG wait in them. Containers keep running.',
    cluster: `${runtimeLossText} After 3 minutes the message also says that the PLEG is not healthy.`,
    deletion: runtimeDeletionText,
    section: 'containers#pleg',
    effect: { ...noEffect, ...afterRuntimeLoss },
  },
  runtimeAnswers: {
    title: 'Let the container runtime answer again',
    summary:
      'Calls reach the runtime again, and those that hang are made now. The PLEG lists all containers and finds what has changed; workers go on when their back-off is over.',
    cluster: 'The node is Ready again after at most two looks at the runtime.',
    section: 'containers#pleg',
    effect: { ...back, ready: { status: 'True', after: { earliest: 0, latest: 20 } } },
  },
  failCall: {
    title: 'Make one runtime call fail',
    summary:
      'One kind of call that the kubelet makes to the runtime fails or hangs; the runtime answers all others.',
    cluster: 'That depends on the call.',
    section: 'containers#pleg',
    effect: noEffect,
  },
  callsAnswer: {
    title: 'Let the runtime call answer again',
    summary:
      'The call reaches the runtime again, and calls that hang are made now. Workers go on when their back-off is over.',
    cluster: 'If the node is NotReady, it is Ready again after at most two looks at the runtime.',
    section: 'containers#pleg',
    effect: noEffect,
  },
  fillDisk: {
    title: 'Fill the disk of the images',
    summary: `Other data takes ${filledDiskShare * 100} % of the disk. Within 10 s the kubelet removes dead containers and unused images, and then evicts one pod after another as long as its disk is full.`,
    cluster:
      'The node stays Ready and reports DiskPressure, also for 5 minutes after the disk has room again. It admits no pod but critical ones.',
    section: 'eviction#eviction-loop',
    effect: {
      ...noEffect,
      containers: 'stop',
      podEnds: [
        { phase: 'Failed', reason: 'Evicted' },
        { phase: 'Succeeded', reason: '' },
      ],
    },
  },
  freeDisk: {
    title: 'Free the disk of the images',
    summary:
      'The other data is gone. Images that were removed are pulled again when a pod needs them.',
    cluster: 'DiskPressure becomes False 5 minutes after the kubelet last found too little space.',
    section: 'eviction#node-conditions',
    effect: noEffect,
  },
  slowMounts: {
    title: 'Make volumes slow to set up',
    summary: `Each volume takes ${slowMountMs / 60_000} minutes to be set up. The kubelet waits 2 min 3 s for the volumes of a pod and tries again, without an event; the containers of a new pod start when all its volumes are there. Volumes that are set up stay.`,
    cluster: 'Nothing for pods that run. New ones stay Pending with ContainerCreating for minutes.',
    section: 'containers#volumes',
    effect: noEffect,
  },
  usualMounts: {
    title: 'Let volumes be set up at once',
    summary: 'Volumes that wait are set up now, and pods that wait for them start.',
    cluster: 'Nothing for pods that run.',
    section: 'containers#volumes',
    effect: noEffect,
  },
}

const notOurWay = 'Only the way to the API server of a sandbox can be cut here.'

const needsSandbox =
  'On a real cluster end Nodescope and start it again: it looks first whether another kubelet has taken the node meanwhile.'

/** Why the act may not be done; empty when it may. */
function refusalOf(act: NodeAct, facts: NodeActFacts, call: CallFault | null): string {
  if (facts.readOnly) return 'Nodescope was started with --read-only.'
  const { node, agent, machine, isShuttingDown, isCutOff, sandbox, faults } = facts
  const isOff = `The machine of ${node} is off.`
  const isStopped = `The kubelet of ${node} does not run.`
  switch (act) {
    case 'restartAgent':
    case 'stopAgent':
    case 'shutDown':
      if (machine === 'off') return isOff
      if (agent === 'stopped') return isStopped
      return isShuttingDown ? `${node} is shutting down already.` : ''
    case 'cancelShutDown':
      return isShuttingDown ? '' : `${node} is not shutting down.`
    case 'startAgent':
      if (!sandbox) return needsSandbox
      if (machine === 'off') return `${isOff} Boot it.`
      return agent === 'running' ? `The kubelet of ${node} runs already.` : ''
    case 'powerOff':
      if (!sandbox)
        return 'On a real cluster end Nodescope instead: the containers of its nodes exist only inside it.'
      return machine === 'off' ? isOff : ''
    case 'boot':
      if (!sandbox) return needsSandbox
      return machine === 'on' ? `The machine of ${node} is on.` : ''
    case 'cutOff':
      if (isCutOff === null) return notOurWay
      return isCutOff ? `${node} is already cut off from the API server.` : ''
    case 'reconnect':
      if (isCutOff === null) return notOurWay
      return isCutOff ? '' : `${node} is not cut off.`
    case 'runtimeDown':
      if (machine === 'off') return isOff
      return faults.runtime === 'down' ? `The runtime of ${node} is unreachable already.` : ''
    case 'runtimeHangs':
      if (machine === 'off') return isOff
      return faults.runtime === 'hangs' ? `The calls of ${node} hang already.` : ''
    case 'runtimeAnswers':
      return faults.runtime === 'answers' ? `The runtime of ${node} answers.` : ''
    case 'failCall':
      return machine === 'off' ? isOff : callFaultRefusal(call)
    case 'callsAnswer':
      return faults.call === null ? `No single runtime call of ${node} was made to fail.` : ''
    case 'fillDisk':
      if (faults.isDiskFull === null) return 'Only the disk of a simulated node can be filled here.'
      return machine === 'off'
        ? isOff
        : faults.isDiskFull
          ? `The disk of ${node} is full already.`
          : ''
    case 'freeDisk':
      return faults.isDiskFull === true ? '' : `The disk of ${node} was not filled.`
    case 'slowMounts':
      if (machine === 'off') return isOff
      return faults.hasSlowMounts ? `Volumes of ${node} are slow already.` : ''
    case 'usualMounts':
      return faults.hasSlowMounts ? '' : `Volumes of ${node} are set up at once.`
  }
}

function failedCallWords(call: CallFault): Omit<NodeActWords, 'title'> {
  const { notReady, ...words } = callFaultWords(call)
  if (notReady === null) return { ...words, effect: noEffect }
  const { after, podsDeleted } = notReady
  return { ...words, effect: { ...noEffect, ready: { status: 'False', after }, podsDeleted } }
}

/** The only place that decides what may be done to a node and what the effect is. `call`: for `failCall` alone. */
export function forecastNodeAct(
  act: NodeAct,
  facts: NodeActFacts,
  call: CallFault | null = null,
): NodeActForecast {
  const refusal = refusalOf(act, facts, call)
  const words = act === 'failCall' && call !== null ? failedCallWords(call) : {}
  const { deletion, cluster, effect, ...rest } = { ...actWords[act], ...words }
  const isKept = deletion !== undefined && facts.hasOtherNodes === false
  return {
    act,
    isAllowed: refusal === '',
    refusal,
    ...rest,
    cluster: deletion === undefined ? cluster : `${cluster} ${isKept ? noDeletionText : deletion}`,
    effect: isKept ? { ...effect, podsDeleted: null } : effect,
  }
}
