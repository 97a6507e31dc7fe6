import { describe, expect, it } from 'vitest'
import { fakeRow, fakeStaticRow, storyNow } from '../../../bridge/fake-views.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import type { Board, Lane } from './board.ts'
import { deriveBoard, emptyBoard, laneRooms } from './board.ts'

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

function names(lane: Lane): readonly string[] {
  return lane.shown.map(({ row }) => row.name)
}

function calmRows(count: number): readonly PodRow[] {
  return Array.from({ length: count }, (_, index) =>
    fakeRow({ name: `calm-${String(index).padStart(4, '0')}` }),
  )
}

describe('the lanes of PodWorkers', () => {
  it('put what needs a person first: bad, then no mirror, then not ready, then the quiet ones', () => {
    const board = derive([
      fakeRow({ name: 'a-calm' }),
      fakeRow({ name: 'b-half', readyContainers: 1, totalContainers: 2 }),
      fakeStaticRow({ name: 'c-unpaired', mirror: 'missing', mirrorUid: null }),
      fakeRow({ name: 'd-crash', tone: 'bad', status: 'CrashLoopBackOff' }),
    ])
    const { shown } = board.lanes.SyncPod
    expect(shown.map(({ row, note, tone }) => [row.name, note, tone])).toEqual([
      ['d-crash', 'CrashLoopBackOff', 'bad'],
      ['c-unpaired', 'no mirror', 'wait'],
      ['b-half', '1/2 ready', 'wait'],
      ['a-calm', 'Running', 'plain'],
    ])
  })

  it('show the first few of many, and how many more there are', () => {
    const sick = fakeRow({ name: 'zz-sick', tone: 'bad', status: 'Error' })
    const { SyncPod } = derive([...calmRows(193), sick]).lanes
    expect([SyncPod.total, SyncPod.shown.length, SyncPod.more]).toEqual([194, 12, 182])
    expect(names(SyncPod)[0]).toBe('zz-sick')
  })

  it('take the last line for a pod where all of them have room', () => {
    const { SyncPod } = derive(calmRows(laneRooms.SyncPod)).lanes
    expect([SyncPod.shown.length, SyncPod.more]).toEqual([laneRooms.SyncPod, 0])
  })

  it('order those that stop by when SIGKILL is due', () => {
    const stopping = (name: string, left: number): PodRow =>
      fakeRow({
        name,
        worker: 'TerminatingPod',
        grace: { seconds: 30, startedAt: storyNow, killAt: storyNow + left },
      })
    const board = derive([stopping('late', 9000), stopping('soon', 2000)])
    expect(names(board.lanes.TerminatingPod)).toEqual(['soon', 'late'])
  })

  it('count a finished worker with those that have terminated, and a pod without worker nowhere', () => {
    const board = derive([
      fakeRow({ name: 'done', worker: 'finished', status: 'Completed', tone: 'done' }),
      fakeRow({ name: 'orphan', kind: 'mirror', worker: 'none' }),
    ])
    expect([board.workers, board.lanes.TerminatedPod.total, board.tiles.total]).toEqual([1, 1, 0])
  })

  it('are the same objects while nothing in them has changed', () => {
    const rows = calmRows(20)
    const before = derive(rows)
    const after = derive([...rows, fakeRow({ name: 'new', worker: 'waiting' })], { before })
    expect(after.lanes.SyncPod).toBe(before.lanes.SyncPod)
    expect(after.tiles).toBe(before.tiles)
    expect(after.lanes.waiting).not.toBe(before.lanes.waiting)
  })

  it('move nothing while they are held: what left dims in its place, what came stands below', () => {
    const [stays, leaves] = [fakeRow({ name: 'b-stays' }), fakeRow({ name: 'a-leaves' })]
    const before = derive([stays, leaves])
    const left = { ...leaves, worker: 'TerminatedPod' as const }
    const sick = fakeRow({ name: 'c-new', tone: 'bad', status: 'Error' })
    const { SyncPod } = derive([stays, left, sick], { before, isHeld: true }).lanes
    expect(SyncPod.shown.map(({ row, isLeaving }) => [row.name, isLeaving])).toEqual([
      ['a-leaves', true],
      ['b-stays', false],
    ])
    expect([SyncPod.total, SyncPod.more]).toEqual([2, 1])
    expect(names(derive([stays, left, sick], { before }).lanes.SyncPod)).toEqual([
      'c-new',
      'b-stays',
    ])
  })
})

describe('the runtime', () => {
  it('has a sandbox for each pod that runs or stops, and counts their running containers', () => {
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
    expect([board.tiles.total, board.runningContainers]).toEqual([2, 3])
  })
})
