import { expect, it } from 'vitest'
import { fakeOwner, fakeWorkloads } from '../../renderer/bridge/fake-workloads.ts'
import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import { SeldomLines } from './seldom-lines.ts'

const change: ClusterChange = { kind: 'workloads' }

/** The times at which owners were written; a queue that takes nothing while it is full. */
function stage(owners: number) {
  const lines = new SeldomLines()
  const times: number[] = []
  const queue = { isFull: false }
  let view: WorkloadsView | undefined
  const source = {
    view: () => {
      throw new Error('Only the owners are asked for.')
    },
    flow: () => undefined,
    inspection: () => undefined,
    pod: () => undefined,
    workloads: () => view,
  }
  const write = (at: number, isEnd = false): void => {
    lines.write(
      at,
      source,
      () => {
        if (!queue.isFull) times.push(at)
        return !queue.isFull
      },
      isEnd,
    )
  }
  let ready = 0
  const touch = (): void => {
    ready++
    const named = Array.from({ length: owners }, (_, index) => `web-${index}`)
    view = fakeWorkloads({ owners: named.map((name) => fakeOwner({ name, ready })) })
    lines.note(change)
  }
  return { lines, times, queue, write, touch }
}

it.each([
  [1, 1000],
  [100, 1000],
  [500, 5000],
])('writes %i owners every %i ms at most', (owners, pace) => {
  const { times, write, touch } = stage(owners)
  for (let at = 0; at <= 20_000; at += 100) {
    touch()
    write(at)
  }
  expect(times).toHaveLength(20_000 / pace + 1)
})

it('writes a line that was lost when there is room again', () => {
  const { lines, times, queue, write, touch } = stage(1)
  touch()
  queue.isFull = true
  write(0)
  expect(lines.isWaiting).toBe(true)
  queue.isFull = false
  write(1000)
  expect(times).toEqual([1000])
  expect(lines.isWaiting).toBe(false)
})

it('writes at the end what would be due later', () => {
  const { times, write, touch } = stage(500)
  touch()
  write(0)
  touch()
  write(100)
  write(200, true)
  expect(times).toEqual([0, 200])
})

it('writes nothing of what did not change or was never shown', () => {
  const { lines, times, write, touch } = stage(1)
  lines.note(change)
  write(0)
  touch()
  write(1000)
  lines.note(change)
  write(3000)
  expect(times).toEqual([1000])
})
