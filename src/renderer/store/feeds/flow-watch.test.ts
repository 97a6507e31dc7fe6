import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeFlow } from '../../bridge/fake-flow.ts'
import { fakeCluster } from '../../bridge/fake-views.ts'
import type { Store } from '../create-store.ts'
import { createStore } from '../create-store.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const node = { cluster: 'sandbox', node: 'scope-node-1' }

async function started(bridge: FakeBridge): Promise<Store> {
  const store = createStore({
    bridge,
    storage: { getItem: () => null, setItem: () => undefined },
    afterPaint: (callback) => callback(),
    monotonic: () => 0,
    wallClock: () => 0,
  })
  store.start()
  await vi.advanceTimersByTimeAsync(0)
  return store
}

async function showFlow(store: Store): Promise<void> {
  store.state.getState().show('flow')
  await vi.advanceTimersByTimeAsync(0)
}

describe('the flow of a node', () => {
  it('is requested only while it is visible', async () => {
    const bridge = new FakeBridge()
    const store = await started(bridge)
    expect(bridge.sentArgs('flow.watch')).toEqual([])
    await showFlow(store)
    store.state.getState().show('pods')
    expect(bridge.sentArgs('flow.watch')).toEqual([{ node }, { node: null }])
  })

  it('is requested again after a lost connection', async () => {
    const bridge = new FakeBridge()
    const store = await started(bridge)
    await showFlow(store)
    bridge.lose()
    bridge.restore()
    await vi.advanceTimersByTimeAsync(0)
    expect(bridge.sentArgs('flow.watch')).toEqual([{ node }, { node }])
  })

  it('is published at most five times a second, always with the newest view', async () => {
    const bridge = new FakeBridge()
    const store = await started(bridge)
    await showFlow(store)
    const seen: number[] = []
    store.flow.subscribe(() => seen.push(store.flow.current()?.workers.forgotten ?? -1))
    for (let forgotten = 1; forgotten <= 50; forgotten++) {
      bridge.tellFlow(fakeFlow({ workers: { forgotten } }))
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(1000)
    expect(seen).toEqual([1, 20, 40, 50])
  })
})

describe('a followed cause', () => {
  const follow = { kind: 'cause', cluster: 'sandbox', seq: 7, at: 0, text: 'web.yaml' } as const

  it('is requested with its effects, and again after changes', async () => {
    const bridge = new FakeBridge()
    bridge.chains.set(7, { seq: 7, events: [], isCut: false })
    const store = await started(bridge)
    await showFlow(store)
    store.state.getState().setFollow(follow)
    expect(store.state.getState().chainState).toBe('loading')
    await vi.advanceTimersByTimeAsync(0)
    expect(store.state.getState().chainState).toBe('live')
    bridge.tellFlow(fakeFlow())
    await vi.advanceTimersByTimeAsync(3000)
    const asked = { cluster: 'sandbox', seq: 7 }
    expect(bridge.sentArgs('trace.related')).toEqual([asked, asked])
  })

  it('keeps its last value after main drops it', async () => {
    const bridge = new FakeBridge()
    bridge.chains.set(7, { seq: 7, events: [], isCut: false })
    const store = await started(bridge)
    await showFlow(store)
    store.state.getState().setFollow(follow)
    await vi.advanceTimersByTimeAsync(0)
    bridge.chains.clear()
    bridge.tellFlow(fakeFlow())
    await vi.advanceTimersByTimeAsync(2000)
    const { chain, chainState } = store.state.getState()
    expect([chain?.seq, chainState]).toEqual([7, 'gone'])
  })
})

describe('a replay', () => {
  it('plays to the end while the clock runs, and goes step by step, forward and back, while it is paused', async () => {
    const bridge = new FakeBridge()
    const store = await started(bridge)
    const { replay } = store.state.getState()
    const marks = (): readonly number[] => {
      const { replays, replayStep } = store.state.getState()
      return [replays, replayStep]
    }
    replay()
    expect(marks()).toEqual([1, 0])
    const paused = fakeCluster()
    bridge.patch({ clusters: [{ ...paused, clock: { ...paused.clock, paused: true } }] })
    replay()
    replay()
    expect(marks()).toEqual([1, 2])
    replay('back')
    expect(marks()).toEqual([1, 1])
  })
})
