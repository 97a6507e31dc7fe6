import type { ActFacts } from '../../shared/model/act.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import { noFaults } from '../../shared/model/node/node-faults.ts'
import { noShutdown } from '../../shared/model/node/node-shutdown-view.ts'
import type { NodeObject } from '../../shared/model/node/node-object.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { WorkerView } from '../../shared/model/worker-view.ts'

/** 2026-11-21 14:02:31.480 UTC: the time of the fake cluster. */
export const fakeNow = Date.UTC(2026, 10, 21, 14, 2, 31, 480)

/** A regular pod that runs; a test sets only the differences. */
export function fakeRow(part: Partial<PodRow> & { readonly name: string }): PodRow {
  const uid = part.uid ?? `uid-of-${part.name}`
  return {
    key: `sandbox/scope-node-1/${uid}`,
    cluster: 'sandbox',
    node: 'scope-node-1',
    namespace: 'default',
    readyContainers: 1,
    totalContainers: 1,
    status: 'Running',
    statusAside: null,
    tone: 'plain',
    restarts: 0,
    lastRestartAt: null,
    createdAt: fakeNow - 34 * 60_000,
    owner: null,
    source: 'api',
    kind: 'regular',
    worker: 'SyncPod',
    workerReason: '',
    grace: null,
    mirror: null,
    mirrorUid: null,
    mirrorReason: '',
    notSimulated: 0,
    heldBy: [],
    labels: {},
    fields: {},
    bricks: [{ name: 'main', state: 'running' }],
    ...part,
    uid,
  }
}

/** A static pod with its mirror. */
export function fakeStaticRow(part: Partial<PodRow> & { readonly name: string }): PodRow {
  return fakeRow({
    source: 'file',
    kind: 'static',
    mirror: 'matched',
    mirrorUid: `mirror-of-${part.name}`,
    ...part,
  })
}

export const fakeNodeObject: NodeObject = {
  labels: { 'kubernetes.io/hostname': 'scope-node-1' },
  roles: [],
  kubeletVersion: 'v1.34.1',
  createdAt: fakeNow - 3_600_000,
  taints: [],
  isUnschedulable: false,
  conditions: [
    { type: 'MemoryPressure', status: 'False' },
    { type: 'Ready', status: 'True' },
  ],
}

export function fakeCluster(part: Partial<ClusterView> = {}): ClusterView {
  return {
    id: 'sandbox',
    label: 'sandbox',
    server: 'https://127.0.0.1:38213',
    kind: 'sandbox',
    connection: { kind: 'connected' },
    clock: { now: fakeNow, virtual: true, paused: false, speed: 1, achieved: null },
    nodes: [
      {
        name: 'scope-node-1',
        registered: true,
        status: 'Ready',
        runtime: 'simulated',
        object: fakeNodeObject,
        leaseRenewedAt: fakeNow - 4000,
        leaseDurationSeconds: 40,
        sources: [
          {
            source: 'file',
            location: '/home/ada/.nodescope/manifests',
            ready: true,
            pods: 2,
            problems: [],
            revision: 0,
          },
          {
            source: 'api',
            location: 'https://127.0.0.1:38213',
            ready: true,
            pods: 2,
            problems: [],
            revision: 0,
          },
        ],
        unsentStatuses: { count: 0, names: [] },
        heldEvents: 0,
        shutdown: noShutdown,
        shutdownGrace: null,
        agent: 'running',
        machine: 'on',
        isCutOff: part.isCutOff === undefined ? false : part.isCutOff,
        faults: noFaults,
      },
    ],
    loops: [{ node: 'scope-node-1', iterations: 0, recent: [] }],
    exportLine: 'export KUBECONFIG=/home/ada/.nodescope/sandbox.kubeconfig',
    manifestsPath: '/home/ada/.nodescope/manifests',
    isPageJoined: false,
    isCutOff: false,
    scenario: null,
    seen: null,
    recording: null,
    recorder: null,
    ...part,
  }
}

/** The input of `forecastAct` for the pod of a row. */
export function fakeFacts(row: PodRow, part: Partial<ActFacts> = {}): ActFacts {
  return {
    namespace: row.namespace,
    name: row.name,
    kind: row.kind,
    criticalBecause: row.kind === 'regular' ? '' : row.kind,
    priority: 0,
    phase: 'Running',
    apiPhase: 'Running',
    isScheduled: true,
    ends:
      row.kind === 'regular'
        ? { exitZero: 'Succeeded', killed: 'Failed' }
        : { exitZero: 'Running', killed: 'Running' },
    specGraceSeconds: 30,
    graceInUseSeconds: row.grace?.seconds ?? null,
    worker: row.worker,
    isSyncing: false,
    terminationRequested: row.worker === 'TerminatingPod',
    deletionTimestamp: null,
    deletionGraceSeconds: null,
    runningContainers: row.worker === 'SyncPod' || row.worker === 'TerminatingPod' ? 1 : 0,
    runningSidecars: 0,
    sigkillInSeconds: null,
    preStopSleepSeconds: 0,
    hasOtherPreStop: false,
    finalizers: [],
    controlledBy: '',
    kubelet: 'running',
    apiServerReachable: true,
    hasApiObject: row.kind !== 'static' || row.mirrorUid !== null,
    isListed: true,
    budget: { kind: 'unknown' },
    runtime: 'answers',
    containers: [],
    readOnly: '',
    seenIn: '',
    ...part,
  }
}

export function fakeWorker(row: PodRow, part: Partial<WorkerView> = {}): WorkerView {
  const isStopping = row.worker === 'TerminatingPod'
  return {
    state: row.worker,
    reason: row.workerReason,
    fullName: `${row.name}_${row.namespace}`,
    working: isStopping,
    pendingUpdate: null,
    activeUpdate: null,
    currentSync: null,
    cancelled: false,
    syncedAt: row.createdAt,
    startedAt: row.worker === 'waiting' ? null : row.createdAt,
    blockedByUid: null,
    terminatingAt: row.grace?.startedAt ?? null,
    terminatingBecause: isStopping ? 'deletionTimestamp' : '',
    acknowledgedTerminating: isStopping,
    gracePeriodSeconds: row.grace?.seconds ?? null,
    waitingForEnd: 0,
    statusFunctions: 0,
    terminatedAt: null,
    deleted: isStopping,
    evicted: false,
    finished: row.worker === 'finished',
    restartRequested: row.worker === 'TerminatedAndRecreatedPod',
    observedRuntime: false,
    knownTerminated: row.worker === 'finished',
    couldHaveRunningContainers: row.worker === 'SyncPod' || isStopping,
    shouldBeFinished: row.worker === 'finished',
    terminationRequested: isStopping,
    containersShouldBeTerminating: isStopping,
    runtimeMayBeRemoved: false,
    contentMayBeRemoved: false,
    mirrorIsGuarded: isStopping && row.kind === 'static',
    nextSyncAt: isStopping ? null : fakeNow + 41_000,
    statusVersion: 7,
    statusVersionSent: 7,
    ...part,
  }
}

export function fakeDetail(row: PodRow, part: Partial<PodDetail> = {}): PodDetail {
  return {
    row,
    worker: row.worker === 'none' ? null : fakeWorker(row),
    containers: row.bricks.map(({ name, state }) => ({
      name,
      image: `registry.k8s.io/${name}:1.28`,
      state: state === 'running' || state === 'notready' ? 'running' : 'waiting',
      reason: '',
      ready: state === 'running',
      restarts: row.restarts,
      startedAt: row.createdAt === null ? null : new Date(row.createdAt).toISOString(),
      exitCode: null,
      lastExitCode: null,
      kind: 'container' as const,
      containerId: `containerd://${name}`,
      finishedAt: null,
      message: '',
      backOffUntil: null,
      lastTermination: null,
    })),
    facts: fakeFacts(row),
    why: null,
    notSimulated: [],
    behavior: {},
    podIP: '10.88.0.14',
    message: '',
    trace: [],
    ...part,
  }
}
