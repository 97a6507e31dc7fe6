import type { ReactNode } from 'react'
import type { CallFault } from '../../../shared/model/node/node-faults.ts'
import { faultyCall } from '../../../shared/model/node/node-faults.ts'
import { capitalized } from '../../../shared/model/explanation/explanation-words.ts'
import type {
  NodeShutdownView,
  ShutdownGroupView,
} from '../../../shared/model/node/node-shutdown-view.ts'
import { countOf } from './plural.ts'

/** Why a pod needs attention. */
const reasons = {
  finalizers: (names: readonly string[]) =>
    `${names.length === 1 ? 'Finalizer' : 'Finalizers'} ${names.join(', ')} ${names.length === 1 ? 'holds' : 'hold'} the API object.`,
  orphanedMirror: 'Orphaned mirror: no static pod of this name is on the node.',
  waiting: 'The worker waits to start.',
  mirror: (state: string) => `The mirror is ${state}.`,
  cutOff: (node: string) =>
    `Node ${node} is cut off from the API server; its kubelet cannot report the pod's status.`,
  status: (status: string) => `STATUS is ${status}.`,
  /** By STATUS, without the `Init:` of an init container. */
  failing: {
    CrashLoopBackOff: 'A container keeps exiting; the kubelet waits before the next restart.',
    ErrImagePull: 'An image cannot be pulled.',
    ImagePullBackOff: 'An image cannot be pulled; the kubelet waits before the next try.',
    ErrImageNeverPull: 'An image is not on the node, and imagePullPolicy is Never.',
    InvalidImageName: 'The name of an image is not valid.',
    CreateContainerConfigError: 'The configuration of a container cannot be resolved.',
    CreateContainerError: 'The runtime cannot create a container.',
    RunContainerError: 'The runtime cannot start a container.',
    Error: 'A container exited with an error.',
    OOMKilled: 'A container ran out of memory.',
    Evicted: 'The pod was evicted; its object stays until it is deleted.',
    DeadlineExceeded: 'The pod ran longer than activeDeadlineSeconds.',
  },
}

const keepRunning = 'They keep running'
const markedPods =
  'the node’s pods for deletion, except static pods and pods that tolerate the taint'

/** How the control plane considers a node that does not renew its lease. */
const lease = {
  never: 'This node has never renewed its lease, so the control plane does not consider it yet.',
  axis: (age: string, last: string, unknown: string, deleted: string) =>
    `Lease last renewed ${age} ago, at ${last}. Unknown by ${unknown}, pods deleted by ${deleted}.`,
  last: 'last lease',
  now: (age: string) => `now, ${age}`,
  unknownMark: 'Unknown',
  deletedMark: 'pods deleted',
  by: (time: string) => `by ${time}`,
  reported: (status: string) =>
    `The control plane considers the node ${status}, its last reported status.`,
  ready: 'The control plane considers the node Ready: its lease is current.',
  expired: `The lease has expired: at its next check, the control plane considers the node Unknown and its pods not ready. ${keepRunning}.`,
  unknown: `The control plane considers the node Unknown and its pods not ready. ${keepRunning}.`,
  deleting: `The control plane is about to mark ${markedPods}. ${keepRunning}.`,
  deleted: `The control plane has marked ${markedPods}. ${keepRunning} until the kubelet receives the deletion.`,
  shownFromKubelet: (mark: ReactNode) => (
    <> The pods here are shown from the kubelet itself; what only the API knows is marked {mark}.</>
  ),
  asOf: (time: string) => `as of ${time}`,
  defaults: (before132: number) =>
    `${before132} s before Kubernetes 1.32. Times are the latest, with the defaults of the controller manager; a cluster may be configured differently.`,
}

/** What continues and what waits while the API server does not respond. */
const outage = {
  continuing: { title: 'Continues', caption: 'the kubelet needs no API server for these' },
  waiting: { title: 'Waits', caption: 'sent when it responds again' },
  names: (names: string, more: number) => (more > 0 ? `${names} and ${more} more` : names),
  /** Null: their number is not known. */
  workers: (count: number | null) => ({
    title: count === null ? 'Pod workers' : capitalized(countOf(count, 'worker')),
    text: 'syncs, restarts and kills continue',
  }),
  sources: {
    title: 'File and http sources',
    text: 'new manifests start; removed ones stop once every source has answered',
  },
  grace: (pod: string, killAt: string) => ({
    title: `Grace of ${pod}`,
    text: `SIGKILL at ${killAt}, as planned`,
  }),
  eviction: { title: 'Eviction by the kubelet', text: 'needs no API server' },
  /** Null: their number is not known. */
  statuses: (count: number | null, names: string) =>
    count === null || count === 0
      ? {
          title: 'Statuses',
          text: `${count === null ? '' : 'none is waiting; '}new ones are cached and written when the API server responds`,
        }
      : { title: `${capitalized(countOf(count, 'status', 'statuses'))} unsent`, text: names },
  mirrors: (count: number, names: string) => ({
    title: capitalized(countOf(count, 'mirror')),
    text: `created or recreated only then: ${names}`,
  }),
  ended: (names: string) => ({
    title: 'Deleted pods stay as objects',
    text: `the kubelet’s last DELETE cannot be sent: ${names}`,
  }),
  /** The queue of the event recorder holds 1000 and drops the newest. */
  events: (count: number) => ({
    title: count === 0 ? 'Events' : `${capitalized(countOf(count, 'event'))} held`,
    text: 'more than 1000 are dropped',
  }),
  newPods: {
    title: 'New pods from the API',
    text: 'not received; evictions through the API are impossible',
  },
}

function shutdownGroup({ priority, seconds, pods, stopped, state }: ShutdownGroupView): string {
  const count = `${stopped} of ${pods.length} stopped`
  const words: Readonly<Record<ShutdownGroupView['state'], string>> = {
    waiting: `waits, ${pods.length} to stop in ${seconds} s at most`,
    running: `${count}, ${seconds} s at most`,
    done: `done, ${count}`,
    timedOut: `timed out, ${count}`,
    empty: 'no pods',
  }
  return `priority ${priority}: ${words[state]}`
}

export const attention = {
  reasons,
  lease,
  outage,
  controlPlane: 'What the control plane will do',
  banner: {
    lasting: ', for ',
    since: (time: string) => `Since ${time} UTC. `,
    retry: 'next try in',
    retryNow: 'Try now',
    less: 'Show less',
    more: 'What continues, what waits',
  },
  /** The banner of a node. */
  node: {
    off: {
      title: (node: string) => `The machine of ${node} is off`,
      act: 'Boot…',
      meaning: () =>
        'Frozen: no kubelet and no container runs. Shown are the last state known to the kubelet and the last status in the API.',
    },
    stopped: {
      title: (node: string) => `The kubelet of ${node} is stopped`,
      act: 'Start the kubelet…',
      meaning: () =>
        'Frozen: last state known to the kubelet. Containers keep running without supervision.',
    },
    shuttingDown: {
      title: (node: string) => `${node} is shutting down`,
      act: 'Cancel the shutdown…',
      /** Group by group, in the order in which they end. */
      meaning: ({ groups, cancelRequested }: NodeShutdownView) =>
        `It rejects new pods and terminates its own. ${groups.map(shutdownGroup).join('; ')}.${cancelRequested ? ' It is canceled, which takes effect after the last group.' : ''}`,
    },
  },
  manifests: {
    title: 'Manifest problems',
    onNode: (node: string) => `on ${node}`,
    open: 'Open in Manifests',
    openTitle: 'Explanation, with what happens to the running pod',
  },
  notCurrent: (names: string) => `Not current: ${names}`,
  notCurrentMeaning: (failure: string) =>
    `Nodescope did not answer: ${failure} The page shows the last answer and asks again.`,
  reconnect: 'Reconnect…',
  /** What a user has made to fail on a node. */
  faults: {
    down: {
      title: (node: string) => `The container runtime of ${node} is unreachable`,
      act: 'Let it answer…',
      meaning:
        'Containers keep running; the kubelet starts and stops none, and shows what it saw last.',
    },
    hangs: {
      title: (node: string) => `Calls of the container runtime of ${node} hang`,
      act: 'Let it answer…',
      meaning:
        'Containers keep running; the kubelet waits up to 2 minutes for each call, and shows what it saw last.',
    },
    diskFull: {
      title: (node: string) => `The disk of the images of ${node} is full`,
      act: 'Free it…',
      meaning: 'Every 5 minutes the kubelet removes images that no container uses.',
    },
    slowMounts: {
      title: (node: string) => `Volumes of ${node} are slow to set up`,
      act: 'Set them up at once…',
      meaning: 'New pods wait 3 minutes for each of their volumes.',
    },
  },
  /** One runtime call that fails or hangs. */
  callFault: {
    title: (node: string, fault: CallFault) => `${faultyCall(fault)} ${fault.how} on ${node}`,
    act: 'Let it answer…',
  },
  nodeCutOff: (node: string) => `${node} is cut off from the API server`,
  nodeCutOffMeaning:
    'Its pods continue; their statuses, mirrors and the lease wait. Other nodes, kubectl and this page still reach the API server.',
  gotcha: 'the gotcha',
  /** `whose`: a cluster, or empty. */
  allCutOff: (whose: string) => `The nodes${whose === '' ? '' : ` of ${whose}`} are cut off`,
  allCutOffMeaning:
    'The nodes were disconnected from the API server in Nodescope. kubectl and this page still reach it.',
  notStarted: (cluster: string) =>
    `The node ${cluster === '' ? '' : `of ${cluster} `}is not started yet`,
  noAnswer: (cluster: string) =>
    `The API server ${cluster === '' ? '' : `of ${cluster} `}does not answer`,
  plugin: {
    title: (cluster: string) => `The credential plugin of ${cluster} is running`,
    silent: 'It has printed nothing so far. It is ended after 5 minutes.',
    copy: 'Copy the address',
  },
  unread: (cluster: string) => `${cluster} cannot be read`,
  retried: 'Retried.',
  retryLost: 'The connection to Nodescope was lost before the retry.',
  tokenRejected: 'Access token rejected',
  linkLost: 'Connection to Nodescope lost',
  linkLostMeaning:
    'The page shows the state of that moment; ages keep counting. The node may still run or may have stopped. The page reconnects automatically.',
}
