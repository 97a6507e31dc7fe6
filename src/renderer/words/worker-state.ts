import type { PodRow, WorkerStateWord } from '../../shared/model/pod-row.ts'

/** Whether the pod has a worker in its kubelet. */
export function hasWorker({ worker }: Pick<PodRow, 'worker'>): boolean {
  return worker !== 'none' && worker !== 'noKubelet'
}

/** For sorting: pods that change first, pods that run last. */
export const workerRanks: Readonly<Record<WorkerStateWord, number>> = {
  TerminatingPod: 0,
  waiting: 1,
  TerminatedAndRecreatedPod: 2,
  TerminatedPod: 3,
  noKubelet: 4,
  none: 5,
  finished: 6,
  SyncPod: 7,
}
