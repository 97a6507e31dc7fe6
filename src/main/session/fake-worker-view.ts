import type { WorkerView } from '../../shared/model/worker-view.ts'

/** A worker that keeps its pod running and has nothing to do. */
export const idleWorker: WorkerView = {
  state: 'SyncPod',
  reason: '',
  working: false,
  pendingUpdate: null,
  syncedAt: 1,
  startedAt: 2,
  terminatingAt: null,
  terminatingBecause: '',
  acknowledgedTerminating: false,
  gracePeriodSeconds: null,
  terminatedAt: null,
  deleted: false,
  evicted: false,
  finished: false,
  restartRequested: false,
  couldHaveRunningContainers: true,
  terminationRequested: false,
  runtimeMayBeRemoved: false,
  contentMayBeRemoved: false,
  nextSyncAt: null,
  statusVersion: null,
  statusVersionSent: null,
}
