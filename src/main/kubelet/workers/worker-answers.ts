import type { WorkerRecord } from './worker-record.ts'

/** What the rest of the kubelet asks about a uid (pod-workers#queries). */
export interface WorkerAnswers {
  readonly isPodKnownTerminated: boolean
  readonly couldHaveRunningContainers: boolean
  readonly shouldPodBeFinished: boolean
  readonly isPodTerminationRequested: boolean
  readonly shouldPodContainersBeTerminating: boolean
  readonly shouldPodRuntimeBeRemoved: boolean
  readonly shouldPodContentBeRemoved: boolean
}

/**
 * The answers of the truth table 4.12. Of an unknown uid nothing is certain until the workers were
 * compared with the desired pods once (`podsSynced`); afterwards it counts as gone.
 */
export function workerAnswers(
  record: WorkerRecord | undefined,
  options: { readonly podsSynced: boolean },
): WorkerAnswers {
  if (record === undefined)
    return {
      isPodKnownTerminated: false,
      couldHaveRunningContainers: !options.podsSynced,
      shouldPodBeFinished: options.podsSynced,
      isPodTerminationRequested: false,
      shouldPodContainersBeTerminating: options.podsSynced,
      shouldPodRuntimeBeRemoved: options.podsSynced,
      shouldPodContentBeRemoved: options.podsSynced,
    }
  const isTerminated = record.terminatedAt !== undefined
  return {
    isPodKnownTerminated: isTerminated,
    couldHaveRunningContainers: !isTerminated,
    shouldPodBeFinished: record.finished,
    isPodTerminationRequested: record.terminatingAt !== undefined,
    shouldPodContainersBeTerminating: record.startedTerminating,
    shouldPodRuntimeBeRemoved: isTerminated,
    shouldPodContentBeRemoved: record.evicted || (record.deleted && isTerminated),
  }
}
