import type { WorkerRecord } from './worker-record.ts'

/** Of an unknown uid nothing is certain until the workers were compared with the desired pods once. */
interface WorkersState {
  readonly podsSynced: boolean
}

export type WorkerAnswer = (record: WorkerRecord | undefined, workers: WorkersState) => boolean

/** What the rest of the kubelet asks about a uid (pod-workers#queries): the truth table 4.12. */
export const workerAnswers = {
  isPodKnownTerminated: (record) => record?.terminatedAt !== undefined,
  couldHaveRunningContainers: (record, { podsSynced }) =>
    record === undefined ? !podsSynced : record.terminatedAt === undefined,
  shouldPodBeFinished: (record, { podsSynced }) => record?.finished ?? podsSynced,
  isPodTerminationRequested: (record) => record?.terminatingAt !== undefined,
  shouldPodContainersBeTerminating: (record, { podsSynced }) =>
    record?.startedTerminating ?? podsSynced,
  shouldPodRuntimeBeRemoved: (record, { podsSynced }) =>
    record === undefined ? podsSynced : record.terminatedAt !== undefined,
  shouldPodContentBeRemoved: (record, { podsSynced }) =>
    record === undefined
      ? podsSynced
      : record.evicted || (record.deleted && record.terminatedAt !== undefined),
} as const satisfies Readonly<Record<string, WorkerAnswer>>
