import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { oracleParameters } from './driving.ts'
import { type Oracle } from './oracle.ts'
import { describeOracle } from './oracle-suite.ts'
import { fullNames, sequences, uids } from './pod-workers-operations.ts'
import type { Operation } from './pod-workers-operations.ts'
import { byUid, OurWorkers } from './pod-workers-ours.ts'

const counted = { sequences: 0, operations: 0, syncs: 0 }

interface SeenRecord {
  readonly syncedAt: number
  readonly startedAt: number | null
  readonly terminatedAt: number | null
  readonly startedTerminating: boolean
  readonly gracePeriod: number
  readonly restartRequested: boolean
  readonly evicted: boolean
  readonly finished: boolean
  readonly observedRuntime: boolean
}

/** What nodescope_workers.go says after an operation, as far as it is read here; all of it is compared. */
interface Seen {
  readonly records: Readonly<Record<string, SeenRecord>>
  readonly waiting: Readonly<Record<string, readonly string[]>>
  readonly killsNow: readonly { readonly result: string }[]
  readonly open: readonly { readonly uid: string; readonly isCancelled: boolean }[]
  readonly given: readonly { readonly uid: string; readonly kind: string }[]
  readonly events: readonly string[]
  readonly known: Readonly<
    Record<string, { readonly orphan: boolean; readonly state: string }>
  > | null
}

async function theirs(oracle: Oracle, operations: readonly Operation[]): Promise<readonly Seen[]> {
  // What nodescope_workers.go writes.
  const seen = (await oracle.ask('run', { uids, fullNames, operations })) as readonly Seen[]
  // Workers of different pods run concurrently; only the order within one pod is deterministic.
  return seen.map((each) => ({
    ...each,
    open: byUid(each.open),
    given: byUid(each.given),
    events: each.events.toSorted(),
  }))
}

async function ours(operations: readonly Operation[]): Promise<readonly object[]> {
  const workers = new OurWorkers()
  const seen: object[] = []
  for (const operation of operations) {
    const running = workers.take(operation)
    // Without an await there is no turn in which a worker could run.
    if (running !== undefined) await running
    seen.push(workers.look())
  }
  expect(workers.broken).toEqual([])
  return seen
}

const isSync = ({ kind }: { readonly kind: string }): boolean => kind !== 'cache'

/** The situations in the sequences, as sentences: all of them must occur. */
function metIn(seen: Seen, before: Seen | undefined): readonly string[] {
  const records = Object.entries(seen.records)
  const grew = records.some(([uid, record]) => {
    const was = before?.records[uid]
    return (
      was?.syncedAt === record.syncedAt &&
      0 < was.gracePeriod &&
      was.gracePeriod < record.gracePeriod
    )
  })
  const held: readonly (readonly [string, boolean])[] = [
    ['a name is waited for', Object.keys(seen.waiting).length > 0],
    ['a sync is cancelled', seen.open.some(({ isCancelled }) => isCancelled)],
    ['restart requested', records.some(([, { restartRequested }]) => restartRequested)],
    ['evicted', records.some(([, { evicted }]) => evicted)],
    ['finished', records.some(([, { finished }]) => finished)],
    ['a grace grew', grew],
    [
      'over at first sight',
      records.some(
        ([, one]) => one.terminatedAt === one.syncedAt && one.startedTerminating && !one.finished,
      ),
    ],
    [
      'finished without a start',
      records.some(([, one]) => one.finished && one.startedAt === null && !one.startedTerminating),
    ],
    [
      'a known pod is seen in the runtime only',
      records.some(([, one]) => one.observedRuntime && one.startedAt !== null),
    ],
    ['an orphan is driven on', Object.values(seen.known ?? {}).some(({ orphan }) => orphan)],
    [
      'forgotten',
      Object.keys(before?.records ?? {}).some((uid) => seen.records[uid] === undefined),
    ],
    [
      'the cache fails while a kill is waited for',
      seen.killsNow.some(({ result }) => result === '') &&
        seen.events.some((event) => event.includes('FailedSync')),
    ],
  ]
  return [
    ...held.filter(([, isSo]) => isSo).map(([words]) => words),
    ...seen.killsNow.map(({ result }) => result).filter((result) => result !== ''),
    ...seen.given.map(({ kind }) => kind),
    ...seen.events.map((event) => event.split(' ').slice(2).join(' ')),
  ]
}

/** The first difference, with the number of the operation that it came after. */
function compare(own: readonly object[], real: readonly Seen[]): void {
  // Much faster than to expect each; nearly all are equal.
  if (isDeepStrictEqual(own, real)) return
  for (const [after, seen] of real.entries())
    expect({ after, ...own[after] }).toEqual({ after, ...seen })
  expect(own).toStrictEqual(real)
}

await describeOracle(
  {
    name: 'pod workers',
    subject: 'podWorkers',
    title: 'pod workers, compared with the kubelet’s',
    summary: () => {
      const { sequences: many, operations, syncs } = counted
      return `${many} sequences of ${operations} operations, with ${syncs} calls of sync functions, as the kubelet’s podWorkers`
    },
  },
  (oracle) => {
    it(
      'have the same state, events and calls after any sequence',
      { timeout: 120_000 },
      async () => {
        const met = new Set<string>()
        await fc.assert(
          fc.asyncProperty(sequences, async (operations) => {
            const [real, own] = await Promise.all([theirs(oracle, operations), ours(operations)])
            compare(own, real)
            for (const [index, seen] of real.entries())
              for (const each of metIn(seen, real[index - 1])) met.add(each)
            counted.sequences++
            counted.operations += operations.length
            counted.syncs += real.flatMap(({ given }) => given.filter(isSync)).length
          }),
          oracleParameters(1500),
        )
        expect([...met].toSorted()).toEqual([
          'ExceededGracePeriod: Container runtime did not kill the pod within specified grace period.',
          'FailedSync: error determining status: runtime is down',
          'a grace grew',
          'a known pod is seen in the runtime only',
          'a name is waited for',
          'a sync is cancelled',
          'an orphan is driven on',
          'cache',
          'evicted',
          'finished',
          'finished without a start',
          'forgotten',
          'killed',
          'over at first sight',
          'restart requested',
          'runtimePod',
          'sync',
          'terminated',
          'terminating',
          'the cache fails while a kill is waited for',
          'timeout waiting to kill pod',
        ])
      },
    )

    // docs/differences.md: the only row about the workers.
    it('never sync one UID twice at the same time, unlike the kubelet', async () => {
      const update = (resourceVersion: string, isInOneTurn: boolean): Operation => ({
        kind: 'update',
        updateType: 'create',
        pod: fakePod({ uid: 'u1', metadata: { resourceVersion } }),
        isInOneTurn,
      })
      const operations: readonly Operation[] = [
        update('1', true),
        // Its worker has not run yet, is forgotten, and does not run before the next one is there.
        { kind: 'known', uids: [], isInOneTurn: true, isClosedLeft: true },
        update('2', false),
        update('3', false),
      ]
      const [real, own] = await Promise.all([theirs(oracle, operations), ours(operations)])
      const sync = { uid: 'u1', kind: 'sync', isCancelled: false }
      expect(real.at(-1)?.open).toEqual([sync, sync])
      expect(own.at(-1)).toMatchObject({ open: [sync] })
      compare(own.slice(0, 3), real.slice(0, 3))
    })
  },
)
