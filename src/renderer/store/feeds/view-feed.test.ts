import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Snapshot, ViewPatch } from '../../../shared/ipc/contract.ts'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeRow } from '../../bridge/fake-views.ts'
import { ViewFeed } from './view-feed.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const hello = fakeRow({ name: 'hello' })

function fed(bridge = new FakeBridge({ rows: [hello] })) {
  const snapshots: Snapshot[] = []
  const patches: ViewPatch[] = []
  const links: string[] = []
  const painted: (() => void)[] = []
  const feed = new ViewFeed({
    bridge,
    afterPaint: (callback) => painted.push(callback),
    onSnapshot: (snapshot) => snapshots.push(snapshot),
    onPatch: (patch) => patches.push(patch),
    onLink: (link) => links.push(link),
    onRefused: (message) => links.push(message),
  })
  const numbers = (): readonly number[] => patches.map((patch) => patch.number)
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
  return { bridge, feed, snapshots, patches, links, painted, numbers, settle }
}

describe('ViewFeed', () => {
  it('opens with a snapshot and passes on the patches after it', async () => {
    const { bridge, feed, snapshots, numbers, links, settle } = fed()
    feed.start()
    await settle()
    bridge.patch({ upserts: [hello] })
    bridge.patch({})
    expect(snapshots.map((snapshot) => snapshot.rows)).toEqual([[hello]])
    expect(numbers()).toEqual([1, 2])
    expect(links).toEqual(['open'])
  })

  it('acknowledges a patch only after its paint', async () => {
    const { bridge, feed, painted, settle } = fed()
    feed.start()
    await settle()
    bridge.patch({})
    expect(bridge.sentArgs('view.acknowledge')).toEqual([])
    painted[0]?.()
    expect(bridge.sentArgs('view.acknowledge')).toEqual([{ epoch: 'first', number: 1 }])
  })

  it('keeps patches that arrive before the snapshot, and skips those that it includes', async () => {
    const { bridge, feed, numbers, settle } = fed()
    bridge.patch({})
    feed.start()
    const early = { epoch: 'first', now: {}, upserts: [], removed: [], clusters: [], closed: [] }
    bridge.emit({ ...early, number: 1 })
    bridge.emit({ ...early, number: 2 })
    bridge.emit({ ...early, epoch: 'older', number: 2 })
    await settle()
    expect(numbers()).toEqual([2])
  })

  it('requests a snapshot after a gap', async () => {
    const { bridge, feed, snapshots, numbers, settle } = fed()
    feed.start()
    await settle()
    const empty = { epoch: 'first', now: {}, upserts: [], removed: [], clusters: [], closed: [] }
    bridge.emit({ ...empty, number: 2 })
    await settle()
    expect(snapshots).toHaveLength(2)
    expect(numbers()).toEqual([])
  })

  it('requests a snapshot if main has another epoch', async () => {
    const { bridge, feed, snapshots, settle } = fed()
    feed.start()
    await settle()
    bridge.restart()
    bridge.patch({})
    await settle()
    expect(snapshots.map((snapshot) => snapshot.epoch)).toEqual(['first', 'first again'])
  })

  it('ignores a patch that it has seen', async () => {
    const { bridge, feed, snapshots, numbers, settle } = fed()
    feed.start()
    await settle()
    bridge.patch({})
    bridge.emit({
      epoch: 'first',
      number: 1,
      now: {},
      upserts: [],
      removed: [],
      clusters: [],
      closed: [],
    })
    expect(numbers()).toEqual([1])
    expect(snapshots).toHaveLength(1)
  })

  it('reports a lost connection, and opens again when it is back', async () => {
    const { bridge, feed, snapshots, links, settle } = fed()
    feed.start()
    await settle()
    bridge.lose()
    bridge.restore()
    await settle()
    expect(links).toEqual(['open', 'lost', 'open'])
    expect(snapshots).toHaveLength(2)
  })

  it('retries with back-off while main does not answer', async () => {
    const { bridge, feed, links } = fed()
    bridge.lose()
    feed.start()
    await vi.advanceTimersByTimeAsync(500)
    expect(links).toEqual(['lost'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(links).toEqual(['lost', 'lost'])
    await vi.advanceTimersByTimeAsync(1499)
    expect(links).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2)
    expect(links).toHaveLength(3)
    feed.stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('treats a failed acknowledgment as a lost connection', async () => {
    const { bridge, feed, links, painted, settle } = fed()
    feed.start()
    await settle()
    bridge.patch({})
    const request = bridge.request
    bridge.request = () => Promise.reject(new Error('closed'))
    painted[0]?.()
    await settle()
    expect(links).toEqual(['open', 'lost'])
    bridge.request = request
    await vi.advanceTimersByTimeAsync(1000)
    expect(links).toEqual(['open', 'lost', 'open'])
  })

  it('passes on a refusal, and does not retry', async () => {
    const { bridge, feed, links, settle } = fed()
    feed.start()
    await settle()
    bridge.lose()
    bridge.refuse('This token is of an earlier start.')
    bridge.restore()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(links).toEqual(['open', 'lost', 'This token is of an earlier start.'])
    expect(bridge.sentArgs('view.open')).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does nothing after the stop, even if an answer arrives', async () => {
    const { bridge, feed, snapshots, patches, settle } = fed()
    feed.start()
    feed.stop()
    await settle()
    bridge.patch({})
    expect([snapshots, patches]).toEqual([[], []])
  })
})
