import { assertNever } from '../../shared/assert-never.ts'
import type { PodRow, WorkerStateWord } from '../../shared/model/pod-row.ts'

/** The words on the screen: the kubelet's where it has one, plain English where it has none. */
export function workerWord(state: WorkerStateWord): string {
  switch (state) {
    case 'waiting':
      return 'waiting to start'
    case 'none':
      return 'no worker'
    case 'noKubelet':
      return 'no kubelet yet'
    case 'SyncPod':
    case 'TerminatingPod':
    case 'TerminatedPod':
    case 'TerminatedAndRecreatedPod':
    case 'finished':
      return state
    default:
      return assertNever(state, 'worker state')
  }
}

/** Whether the pod has a worker in its kubelet. */
export function hasWorker({ worker }: Pick<PodRow, 'worker'>): boolean {
  return worker !== 'none' && worker !== 'noKubelet'
}

/** For sorting: what is under way first, what rests last. */
export function workerRank(state: WorkerStateWord): number {
  switch (state) {
    case 'TerminatingPod':
      return 0
    case 'waiting':
      return 1
    case 'TerminatedAndRecreatedPod':
      return 2
    case 'TerminatedPod':
      return 3
    case 'noKubelet':
      return 4
    case 'none':
      return 5
    case 'finished':
      return 6
    case 'SyncPod':
      return 7
    default:
      return assertNever(state, 'worker state')
  }
}
