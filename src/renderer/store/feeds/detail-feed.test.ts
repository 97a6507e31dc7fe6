import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore as createZustandStore } from 'zustand/vanilla'
import type { PodEventView } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeDetail, fakeRow, fakeNow } from '../../bridge/fake-views.ts'
import { KeyedRequests } from '../requests/keyed-requests.ts'
import { DetailFeed } from './detail-feed.ts'
import type { DetailSlice } from '../slices/detail-slice.ts'
import { detailSlice, isDrawerTab } from '../slices/detail-slice.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const hello = fakeRow({ name: 'hello' })
const loud = fakeRow({ name: 'loud' })
const pulled: PodEventView = {
  type: 'Normal',
  reason: 'Pulled',
  message: '',
  under: 'pod',
  source: 'kubelet',
  count: 1,
  firstAt: fakeNow,
  lastAt: fakeNow,
  fieldPath: '',
}

function setUp() {
  const bridge = new FakeBridge({ rows: [hello, loud] })
  for (const { key, name } of [hello, loud]) {
    bridge.setObjects(key, { pod: { name }, mirror: null, status: null })
    bridge.events.set(key, { events: [pulled], note: '' })
  }
  const state = createZustandStore<DetailSlice & { readonly cursor: PodKey | null }>()(
    (set, get) => ({
      cursor: null,
      ...detailSlice(set, get, { getItem: () => null, setItem: () => undefined }),
    }),
  )
  const requests = new KeyedRequests({ onFailure: () => undefined })
  const feed = new DetailFeed({ bridge, requests, state })
  feed.start()
  const changed = (row = hello): void => state.setState({ detail: fakeDetail(row) })
  const asked = (): readonly number[] => [
    bridge.sentArgs('pod.objects').length,
    bridge.sentArgs('pod.events').length,
  ]
  return { bridge, state, feed, changed, asked }
}

describe('objects and events of the drawer’s pod', () => {
  it('are not requested while the drawer is closed', () => {
    const { changed, asked } = setUp()
    changed()
    expect(asked()).toEqual([0, 0])
  })

  it('are requested immediately, and a second later if the detail has changed', async () => {
    const { state, changed, asked } = setUp()
    state.getState().openDrawer(hello.key, 'events')
    state.getState().setDrawerTab('events')
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toEqual([0, 1])
    expect(state.getState().podEvents?.events).toEqual([pulled])
    changed()
    for (let index = 0; index < 20; index++) changed()
    await vi.advanceTimersByTimeAsync(999)
    expect(asked()).toEqual([0, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(asked()).toEqual([0, 2])
    await vi.advanceTimersByTimeAsync(5000)
    expect(asked()).toEqual([0, 2])
  })

  it('are requested less often for a count than for their tab', async () => {
    const { state, changed, asked } = setUp()
    state.getState().openDrawer(hello.key, 'history')
    await vi.advanceTimersByTimeAsync(0)
    changed()
    changed()
    await vi.advanceTimersByTimeAsync(4999)
    expect(asked()).toEqual([0, 1])
    state.getState().setDrawerTab('events')
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toEqual([0, 2])
  })

  it('include objects only for the tabs that show them', async () => {
    const { state, asked } = setUp()
    state.getState().openDrawer(hello.key, 'containers')
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()[0]).toBe(0)
    state.getState().setDrawerTab('yaml')
    await vi.advanceTimersByTimeAsync(0)
    expect(state.getState().podObjects?.pod).toEqual({ name: 'hello' })
  })

  it('are never those of the previous pod', async () => {
    const { state } = setUp()
    state.getState().openDrawer(hello.key, 'yaml')
    state.getState().openDrawer(loud.key)
    expect(state.getState().podObjects).toBeNull()
    await vi.advanceTimersByTimeAsync(0)
    expect(state.getState().podObjects?.pod).toEqual({ name: 'loud' })
  })

  it('keep their last values after the pod is gone', async () => {
    const { bridge, state, changed } = setUp()
    state.getState().openDrawer(hello.key, 'yaml')
    await vi.advanceTimersByTimeAsync(0)
    bridge.objects.clear()
    changed()
    changed()
    await vi.advanceTimersByTimeAsync(2000)
    expect(state.getState().podObjects?.pod).toEqual({ name: 'hello' })
  })

  it('are requested again after a lost connection', async () => {
    const { bridge, state, changed, asked } = setUp()
    bridge.lose()
    state.getState().openDrawer(hello.key, 'yaml')
    await vi.advanceTimersByTimeAsync(0)
    bridge.restore()
    changed()
    changed()
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked()[0]).toBe(1)
    expect(state.getState().podObjects?.pod).toEqual({ name: 'hello' })
  })
})

describe('the tab of the drawer', () => {
  it('stays the same for all pods unless another is named', () => {
    const { state } = setUp()
    state.getState().openDrawer(hello.key, 'yaml')
    state.getState().openDrawer(loud.key)
    expect(state.getState().drawerTab).toBe('yaml')
    state.getState().openDrawer(hello.key, 'history')
    expect(state.getState().drawerTab).toBe('history')
  })

  it('is one of six', () => {
    expect(['summary', 'yaml', 'shell', ''].map(isDrawerTab)).toEqual([true, true, false, false])
  })
})
