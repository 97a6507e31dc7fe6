import { allNodesLostText } from '../../../shared/model/node-act.ts'
import { countOf } from './plural.ts'

export const nodes = {
  act: 'Node actions',
  actTitle: (node: string) => `Restart, stop or shut down ${node}…`,
  actsOn: (node: string) => `Actions on ${node}`,
  gone: 'This node no longer exists.',
  goneButton: 'Not here',
  controlPlane: 'What the control plane sees',
  /** The acts on the link from all nodes of a cluster to its API server. */
  link: {
    cutOff: {
      title: 'Cut all nodes off from the API server',
      summary:
        'No kubelet of this cluster can reach its API server; kubectl and this page still can. Kubelets keep syncing their current pods: they restart containers, read manifests and enforce grace periods. Updates of statuses, mirrors, events and leases wait, and the kubelets receive no API changes.',
      cluster: `No lease is renewed. ${allNodesLostText}`,
    },
    reconnect: {
      title: 'Reconnect all nodes',
      summary:
        'The kubelets can reach the API server again. Each kubelet lists its pods, writes the pending statuses, and terminates pods that were deleted in the meantime.',
      cluster:
        'Leases are renewed within seconds. A node is Ready again when its kubelet has listed its Node and written its status: after a long outage, the next attempt can take up to a minute.',
    },
  },
  callFault: {
    call: 'Runtime call',
    how: 'How',
    fails: 'Fails',
    failsTitle: 'The runtime answers at once with an error',
    hangs: 'Hangs',
    hangsTitle: 'The runtime takes the call and does not answer',
    pod: 'Pod',
    allPods: 'All pods',
    noPod: (call: string) => `${call} does not name a pod`,
  },
  shutdown: {
    /** Names the request if it fails. */
    asked: 'pods of the node',
    total: 'Whole shutdown',
    critical: 'Kept for critical pods',
    noTime: 'The whole shutdown needs at least 1 s: 0 disables it.',
    criticalOverTotal: 'Critical pods cannot have more time than the whole shutdown.',
    groups: {
      low: { short: 'pods', title: 'Pods of priority below 2000000000' },
      critical: { short: 'critical pods', title: 'Critical pods, priority 2000000000 and more' },
    },
    axis: (groups: readonly string[], end: number) =>
      `You click; ${groups.join('; ')}; the machine powers off after ${end} s at the latest`,
    axisGroup: (group: string, from: number, seconds: number, pods: number) =>
      `${group} from ${from} s, ${seconds} s at most, ${pods} of them`,
    off: 'machine off',
    atLatest: 'At the latest: a group ends as soon as all its pods have stopped.',
    atMost: (seconds: number) => `${seconds} s at most`,
    groupWithoutTime: 'No time: they are killed with the runtime’s minimum grace period.',
    noPods: 'None.',
    priority: (priority: number) => `priority ${priority}`,
    grace: (seconds: number, specSeconds: number) =>
      `${seconds} s${seconds < specSeconds ? ` of its ${specSeconds} s` : ''}`,
    loading: 'Loading the pods from the kubelet.',
    more: (count: number) =>
      `And ${countOf(count, 'pod')} more, each with its own grace or its group’s, whichever is less.`,
  },
}
