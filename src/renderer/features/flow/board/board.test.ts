import { describe, expect, it } from 'vitest'
import { fakeRow, fakeStaticRow, fakeNow } from '../../../bridge/fake-views.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import type { Board, PodGroup } from './board.ts'
import { deriveBoard, drawnIn, emptyBoard, groupRules, workersOf } from './board.ts'

function derive(
  rows: readonly PodRow[],
  { before = emptyBoard, isHeld = false }: { before?: Board; isHeld?: boolean } = {},
): Board {
  return deriveBoard(rows, {
    before,
    isHeld,
    find: (key) => rows.find((row) => row.key === key),
  })
}

function names(group: PodGroup): readonly string[] {
  return group.shown.map(({ row }) => row.name)
}

function quietRows(count: number): readonly PodRow[] {
  return Array.from({ length: count }, (_, index) =>
    fakeRow({ name: `quiet-${String(index).padStart(4, '0')}` }),
  )
}

describe('the lanes of PodWorkers', () => {
  it('list the most urgent pods first: failing, without mirror, not ready, then the others', () => {
    const board = derive([
      fakeRow({ name: 'a-quiet' }),
      fakeRow({ name: 'b-half', readyContainers: 1, totalContainers: 2 }),
      fakeStaticRow({ name: 'c-unpaired', mirror: 'missing', mirrorUid: null }),
      fakeRow({ name: 'd-crash', tone: 'bad', status: 'CrashLoopBackOff' }),
    ])
    const { shown } = board.groups.SyncPod
    expect(shown.map(({ row, note, tone }) => [row.name, note, tone])).toEqual([
      ['d-crash', 'CrashLoopBackOff', 'bad'],
      ['c-unpaired', 'no mirror', 'wait'],
      ['b-half', '1/2 ready', 'wait'],
      ['a-quiet', 'Running', 'plain'],
    ])
  })

  it('show the first pods that have room, and count the others', () => {
    const failing = fakeRow({ name: 'zz-failing', tone: 'bad', status: 'Error' })
    const { SyncPod } = derive([...quietRows(193), failing]).groups
    expect([
      SyncPod.total,
      SyncPod.shown.length,
      drawnIn(SyncPod, groupRules.SyncPod.room, false).more,
    ]).toEqual([194, 12, 182])
    expect(names(SyncPod)[0]).toBe('zz-failing')
  })

  it('use the last line for a pod if all pods have room', () => {
    const { SyncPod } = derive(quietRows(groupRules.SyncPod.room)).groups
    expect([SyncPod.shown.length, drawnIn(SyncPod, groupRules.SyncPod.room, false).more]).toEqual([
      groupRules.SyncPod.room,
      0,
    ])
  })

  it('order terminating pods by the time of SIGKILL', () => {
    const stopping = (name: string, left: number): PodRow =>
      fakeRow({
        name,
        worker: 'TerminatingPod',
        grace: { seconds: 30, startedAt: fakeNow, killAt: fakeNow + left },
      })
    const board = derive([stopping('late', 9000), stopping('soon', 2000)])
    expect(names(board.groups.TerminatingPod)).toEqual(['soon', 'late'])
  })

  it('count a finished worker in TerminatedPod, and do not count a pod without a worker', () => {
    const board = derive([
      fakeRow({ name: 'done', worker: 'finished', status: 'Completed', tone: 'done' }),
      fakeRow({ name: 'orphan', kind: 'mirror', worker: 'none' }),
    ])
    expect([
      workersOf(board),
      board.groups.TerminatedPod.total,
      board.groups.sandboxes.total,
    ]).toEqual([1, 1, 0])
  })

  it('are the same objects while nothing in them changes', () => {
    const rows = quietRows(20)
    const before = derive(rows)
    const after = derive([...rows, fakeRow({ name: 'new', worker: 'waiting' })], { before })
    expect(after.groups.SyncPod).toBe(before.groups.SyncPod)
    expect(after.groups.sandboxes).toBe(before.groups.sandboxes)
    expect(after.groups.waiting).not.toBe(before.groups.waiting)
  })

  it('move no pod while a pointer holds them: a pod that left dims in its place, a new pod comes last', () => {
    const [stays, leaves] = [fakeRow({ name: 'b-stays' }), fakeRow({ name: 'a-leaves' })]
    const before = derive([stays, leaves])
    const left = { ...leaves, worker: 'TerminatedPod' as const }
    const failing = fakeRow({ name: 'c-new', tone: 'bad', status: 'Error' })
    const { SyncPod } = derive([stays, left, failing], { before, isHeld: true }).groups
    expect(SyncPod.shown.map(({ row, isLeaving }) => [row.name, isLeaving])).toEqual([
      ['a-leaves', true],
      ['b-stays', false],
    ])
    expect([SyncPod.total, drawnIn(SyncPod, groupRules.SyncPod.room, false).more]).toEqual([2, 1])
    expect(names(derive([stays, left, failing], { before }).groups.SyncPod)).toEqual([
      'c-new',
      'b-stays',
    ])
  })
})

describe('the runtime', () => {
  it('has a sandbox for each running or terminating pod, and counts the running containers', () => {
    const board = derive([
      fakeRow({
        name: 'two',
        bricks: [
          { name: 'app', state: 'running' },
          { name: 'proxy', state: 'notready' },
        ],
      }),
      fakeRow({ name: 'stops', worker: 'TerminatingPod' }),
      fakeRow({ name: 'waits', worker: 'waiting' }),
      fakeRow({ name: 'over', worker: 'TerminatedPod' }),
    ])
    expect([board.groups.sandboxes.total, board.runningContainers]).toEqual([2, 3])
  })

  it('does not count containers where a log does not tell what runs of a pod', () => {
    const unread = fakeRow({ name: 'unread', status: '', isStatusUnknown: true, bricks: [] })
    const board = derive([unread, fakeRow({ name: 'read' })])
    expect([board.groups.sandboxes.total, board.runningContainers]).toEqual([2, null])
    expect(board.groups.SyncPod.shown.map(({ note }) => note)).toContain('not known')
    expect(derive([{ ...unread, worker: 'finished' }]).runningContainers).toBe(0)
  })
})
