import type { Right, RightId } from '../../../../shared/model/seen/rights.ts'

/** A right of the page, before the server was asked. */
export interface NeededRight {
  readonly id: RightId
  readonly title: string
  readonly verbs: readonly string[]
  readonly apiGroup: string
  /** As RBAC writes them; each verb is needed of each. */
  readonly resources: readonly string[]
  /** `chosen`: the one that the page asks about. */
  readonly scope: 'cluster' | 'chosen' | 'kube-node-lease'
  /** What does not work without it, as a sentence. */
  readonly without: string
  readonly warning: Right['warning']
  /** Whether the list of all missing rules leaves it out: a narrower right does nearly the same. */
  readonly isBroad?: true
}

const look = ['list', 'watch'] as const

/** What looking needs, in the order of the page. */
export const lookRights: readonly NeededRight[] = [
  {
    id: 'nodes',
    title: 'Nodes',
    verbs: look,
    apiGroup: '',
    resources: ['nodes'],
    scope: 'cluster',
    without: 'The list of nodes stays empty.',
    warning: '',
  },
  {
    id: 'pods',
    title: 'Pods',
    verbs: look,
    apiGroup: '',
    resources: ['pods'],
    scope: 'chosen',
    without: 'No pods are shown.',
    warning: '',
  },
  {
    id: 'events',
    title: 'Events',
    verbs: look,
    apiGroup: '',
    resources: ['events'],
    scope: 'chosen',
    without: 'No events are shown.',
    warning: '',
  },
  {
    id: 'leases',
    title: 'Leases of the nodes',
    verbs: look,
    apiGroup: 'coordination.k8s.io',
    resources: ['leases'],
    scope: 'kube-node-lease',
    without: 'When a kubelet last renewed its lease is not shown.',
    warning: '',
  },
  {
    id: 'budgets',
    title: 'Disruption budgets',
    verbs: look,
    apiGroup: 'policy',
    resources: ['poddisruptionbudgets'],
    scope: 'chosen',
    without: 'Whether a budget would refuse an eviction is known only when the server is asked.',
    warning: '',
  },
  {
    id: 'logs',
    title: 'Logs of pods',
    verbs: ['get'],
    apiGroup: '',
    resources: ['pods/log'],
    scope: 'chosen',
    without: 'The Logs tab stays empty.',
    warning: 'Logs may hold secrets.',
  },
  {
    id: 'kubelet',
    title: 'Ask a node’s kubelet',
    verbs: ['get'],
    apiGroup: '',
    resources: ['nodes/pods', 'nodes/healthz', 'nodes/configz', 'nodes/metrics', 'nodes/stats'],
    scope: 'cluster',
    without: 'The workers of a node are inferred from the API alone.',
    warning: '',
  },
  {
    id: 'kubeletProxy',
    title: 'Ask a kubelet through the API server',
    verbs: ['get'],
    apiGroup: '',
    resources: ['nodes/proxy'],
    scope: 'cluster',
    without: 'Kubelets before 1.33, and those that cannot be reached from here, are not asked.',
    warning:
      'It also allows commands to be run in any container of the node: grant it to people, for a time.',
    isBroad: true,
  },
]

/** What changing needs. */
export const changeRights: readonly NeededRight[] = [
  {
    id: 'deletePods',
    title: 'Delete pods',
    verbs: ['delete'],
    apiGroup: '',
    resources: ['pods'],
    scope: 'chosen',
    without: 'Pods and mirror pods cannot be deleted.',
    warning: '',
  },
  {
    id: 'evictPods',
    title: 'Evict pods',
    verbs: ['create'],
    apiGroup: '',
    resources: ['pods/eviction'],
    scope: 'chosen',
    without: 'Pods cannot be evicted, and nodes cannot be drained.',
    warning: '',
  },
  {
    id: 'cordon',
    title: 'Cordon and uncordon',
    verbs: ['patch'],
    apiGroup: '',
    resources: ['nodes'],
    scope: 'cluster',
    without: 'Nodes cannot be cordoned or drained.',
    warning: 'It also allows labels, annotations and taints of nodes to be changed.',
  },
  {
    id: 'drain',
    title: 'Look up DaemonSets for a drain',
    verbs: ['get'],
    apiGroup: 'apps',
    resources: ['daemonsets'],
    scope: 'chosen',
    without: 'A drain does not begin on a node that has pods of DaemonSets, like kubectl drain.',
    warning: '',
  },
  {
    id: 'exec',
    title: 'Terminal in a container',
    // A WebSocket begins with a GET; from 1.35 on, a server also wants create.
    verbs: ['get', 'create'],
    apiGroup: '',
    resources: ['pods/exec'],
    scope: 'chosen',
    without: 'The Terminal tab stays empty.',
    warning: 'It allows everything that the containers may do to be done.',
  },
  {
    id: 'forward',
    title: 'Forward ports of pods',
    verbs: ['create'],
    apiGroup: '',
    resources: ['pods/portforward'],
    scope: 'chosen',
    without: 'Ports of pods cannot be forwarded.',
    warning: 'It reaches every port of the pod, also those that network policies close.',
  },
]

/** What no right allows. */
export const impossibleActs = [
  {
    title: 'Kill at the worker, evict by the kubelet',
    why: 'A kubelet has no such request.',
  },
  {
    title: 'Restart a container',
    why: 'Only the container runtime of the node can stop one container.',
  },
] as const
