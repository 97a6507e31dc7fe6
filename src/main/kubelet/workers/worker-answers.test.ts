import { describe, expect, it } from 'vitest'
import { newWorkerRecord } from './worker-record.ts'
import type { WorkerRecord } from './worker-record.ts'
import { workerAnswers } from './worker-answers.ts'
import type { WorkerAnswers } from './worker-answers.ts'

function record(over: Partial<WorkerRecord> = {}): WorkerRecord {
  return { ...newWorkerRecord({ uid: 'u', name: 'web', namespace: 'default', now: 1 }), ...over }
}

/** The rows of the table in its order, T or F. */
function row(letters: string): WorkerAnswers {
  const [known, running, finished, requested, terminating, runtime, content] = letters
    .split('')
    .map((letter) => letter === 'T')
  return {
    isPodKnownTerminated: known === true,
    couldHaveRunningContainers: running === true,
    shouldPodBeFinished: finished === true,
    isPodTerminationRequested: requested === true,
    shouldPodContainersBeTerminating: terminating === true,
    shouldPodRuntimeBeRemoved: runtime === true,
    shouldPodContentBeRemoved: content === true,
  }
}

const started = { startedAt: 2 }
const requested = { ...started, terminatingAt: 3 }
const acknowledged = { ...requested, startedTerminating: true }
const stopped = { ...acknowledged, terminatedAt: 4 }
const done = { ...stopped, finished: true }

describe('the truth table (semantics 4.12)', () => {
  it.each<readonly [string, WorkerRecord | undefined, boolean, string]>([
    ['unknown before the first comparison', undefined, false, 'FTFFFFF'],
    ['unknown after it', undefined, true, 'FFTFTTT'],
    ['waiting to start', record(), true, 'FTFFFFF'],
    ['waiting, before the first comparison', record(), false, 'FTFFFFF'],
    ['waiting, termination requested', record({ terminatingAt: 3 }), true, 'FTFTFFF'],
    ['sync', record(started), true, 'FTFFFFF'],
    ['terminating, not acknowledged', record(requested), true, 'FTFTFFF'],
    ['the same, deleted', record({ ...requested, deleted: true }), true, 'FTFTFFF'],
    ['the same, evicted', record({ ...requested, evicted: true }), true, 'FTFTFFT'],
    ['terminating', record(acknowledged), true, 'FTFTTFF'],
    ['terminating, deleted', record({ ...acknowledged, deleted: true }), true, 'FTFTTFF'],
    ['terminating, evicted', record({ ...acknowledged, evicted: true }), true, 'FTFTTFT'],
    ['terminated', record(stopped), true, 'TFFTTTF'],
    ['terminated, deleted', record({ ...stopped, deleted: true }), true, 'TFFTTTT'],
    ['terminated, evicted', record({ ...stopped, evicted: true }), true, 'TFFTTTT'],
    ['finished', record(done), true, 'TFTTTTF'],
    ['finished, deleted', record({ ...done, deleted: true }), false, 'TFTTTTT'],
    ['finished, evicted', record({ ...done, evicted: true }), false, 'TFTTTTT'],
    [
      'finished without ever having started',
      record({ terminatingAt: 3, terminatedAt: 4, finished: true }),
      true,
      'TFTTFTF',
    ],
  ])('%s', (_, known, podsSynced, letters) => {
    expect(workerAnswers(known, { podsSynced })).toEqual(row(letters))
  })
})
