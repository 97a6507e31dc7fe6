import type {
  LossBudget,
  LossReplacement,
  LossResult,
  LossWay,
  LossWriter,
  LostObject,
} from '../../../../shared/model/loss/loss.ts'

const writers: Readonly<Record<LossWriter, string>> = {
  kubelet: 'kubelet',
  'kube-scheduler': 'kube-scheduler',
  'kube-controller-manager': 'kube-controller-manager',
  caller: 'API server, for the caller',
}

/** What the page says of the ways in which a pod is lost. */
export const losses = {
  request: 'ways to lose the pod',
  title: 'Ways to lose a pod',
  meaning:
    'Each row runs on a copy of the pod, alone on a node of a sandbox in memory. The pod and this cluster stay as they are.',
  pod: 'Pod',
  noPods: 'The kubelet of this node has no pod.',
  loading: 'Asking what each way would do…',
  runAll: 'Run all',
  clear: 'Clear',
  run: 'Run',
  running: 'Running',
  runWay: (way: string) => `Run ${way}`,
  failed: (reason: string) => `Not run: ${reason}`,
  count: (run: number, same: number) => `${run} of 9 run, ${same} as forecast`,
  forecast: 'Forecast',
  happened: 'Happened',
  differs: 'differs from the forecast',
  columns: {
    way: 'Way',
    grace: 'Grace',
    end: 'Last status',
    condition: 'DisruptionTarget',
    object: 'API object',
    budget: 'Budget',
    owner: 'Owner',
    run: 'Copy',
  },
  ways: {
    pressure: 'Kubelet, node pressure',
    byHand: 'Kubelet, by hand',
    evictionApi: 'Eviction API',
    drain: 'Drain',
    schedulerPreemption: 'Preemption by scheduler',
    kubeletPreemption: 'Preemption at admission',
    taint: 'NoExecute taint',
    shutdown: 'Graceful shutdown',
    podGc: 'Pod garbage collection',
  } satisfies Readonly<Record<LossWay, string>>,
  how: {
    pressure: 'less than 50Mi of memory left, hard threshold 100Mi',
    byHand: 'Evict by the kubelet, in a pod’s menu',
    evictionApi: 'one Eviction, with the pod’s own grace period',
    drain: 'kubectl drain --force --ignore-daemonsets --delete-emptydir-data',
    schedulerPreemption: 'a pod of priority 1000000000 needs the only place on the node',
    kubeletPreemption: 'a system-node-critical pod is bound to the full node',
    taint: 'nodescope.dev/lost:NoExecute on the node',
    shutdown: 'grace 30 s, of which 10 s for critical pods',
    podGc: 'the machine loses power and the Node is deleted',
  } satisfies Readonly<Record<LossWay, string>>,
  kept: (why: string) => `Not lost. ${why}`,
  isKept: 'Not lost: the copy runs on.',
  seconds: (seconds: number) => `${Number(seconds.toFixed(1))} s`,
  after: (seconds: number) => `${seconds} s tolerated first`,
  noGrace: 'none: no kubelet stops it',
  unknownEnd: 'not known: a sync is under way',
  orZero: (end: string, isSure: boolean) =>
    isSure
      ? `${end} if all exit 0`
      : `${end} if all exit 0 and the kubelet reads that before it removes them`,
  by: (writer: LossWriter) => `by ${writers[writer]}`,
  object: {
    stays: 'stays',
    goes: 'deleted',
    held: 'Terminating: a finalizer holds it',
  } satisfies Readonly<Record<LostObject, string>>,
  deletedBy: (writer: LossWriter) => `deletion: ${writers[writer]}`,
  removedBy: (writer: LossWriter) => `removal: ${writers[writer]}`,
  writes: (list: string) => `Writes: ${list}`,
  write: (at: number, writer: LossWriter, what: string) =>
    `${at.toFixed(1)} s ${what} ${writers[writer]}`,
  budget: {
    obeyed: 'obeyed',
    preferred: 'avoided if possible',
    notAsked: 'not asked',
  } satisfies Readonly<Record<LossBudget, string>>,
  budgetSeen: {
    none: 'the pod has none',
    refused: 'refused',
    counted: 'counted',
    notCounted: 'not counted',
  } satisfies Readonly<Record<LossResult['budget'], string>>,
  replacement: {
    yes: 'replaces it',
    no: 'no replacement',
    ownerDecides: 'the Job decides',
    unknown: 'not known',
  } satisfies Readonly<Record<LossReplacement, string>>,
  noReplacement: 'none in 1 min',
  keys: [
    { keys: ['A'], does: 'run all' },
    { keys: ['R'], does: 'clear' },
    { keys: ['H'], does: 'handbook' },
  ],
  foot: 'copies of API pods of a sandbox only',
}
