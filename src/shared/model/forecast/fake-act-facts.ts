import type { ActFacts, ContainerActFacts } from '../act.ts'

/** A container that runs and that the kubelet always starts again. */
export const container: ContainerActFacts = {
  name: 'c',
  kind: 'container',
  id: '12ab',
  isRunning: true,
  state: 'running',
  restarts: 0,
  restartPolicy: 'Always',
  after: {
    exitZero: { next: 'restarts', phase: 'Running' },
    failed: { next: 'restarts', phase: 'Running' },
  },
  backOff: { seconds: 0, expiresInSeconds: 0 },
  probes: [],
  hasPreStop: false,
  isPulledAgain: false,
}

/** An ordinary pod that runs; a test says only what is different. */
export const apiPod: ActFacts = {
  namespace: 'default',
  name: 'loud',
  kind: 'regular',
  criticalBecause: '',
  priority: 0,
  phase: 'Running',
  apiPhase: 'Running',
  isScheduled: true,
  ends: { exitZero: 'Succeeded', killed: 'Failed' },
  specGraceSeconds: 30,
  graceInUseSeconds: null,
  worker: 'SyncPod',
  isSyncing: false,
  terminationRequested: false,
  deletionTimestamp: null,
  deletionGraceSeconds: null,
  runningContainers: 1,
  runningSidecars: 0,
  sigkillInSeconds: null,
  preStopSleepSeconds: 0,
  hasOtherPreStop: false,
  finalizers: [],
  controlledBy: '',
  kubelet: 'running',
  apiServerReachable: true,
  hasApiObject: true,
  isListed: true,
  budget: { kind: 'unknown' },
  runtime: 'answers',
  containers: [],
  readOnly: '',
  seenIn: '',
}

/** A static pod that runs. */
export const staticPod: ActFacts = {
  ...apiPod,
  name: 'web-n',
  kind: 'static',
  criticalBecause: 'static',
  ends: { exitZero: 'Running', killed: 'Running' },
}
