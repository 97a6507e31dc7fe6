import { describe, expect, it } from 'vitest'
import { err } from '../../shared/result.ts'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeCluster, fakeDetail, fakeRow, fakeNow } from '../bridge/fake-views.ts'
import type { Store } from './create-store.ts'
import { createStore } from './create-store.ts'

const hello = fakeRow({ name: 'hello' })
const loud = fakeRow({ name: 'loud' })

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve()
}

async function opened(
  bridge: FakeBridge,
  kept: readonly (readonly [string, string])[] = [],
): Promise<{ readonly store: Store; readonly memory: Map<string, string> }> {
  const memory = new Map(kept)
  const store = createStore({
    bridge,
    storage: {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => memory.set(key, value),
    },
    afterPaint: (callback) => queueMicrotask(callback),
    monotonic: () => 0,
    wallClock: () => fakeNow,
  })
  store.start()
  await settle()
  return { store, memory }
}

describe('the store', () => {
  it('has the data of the snapshot', async () => {
    const { store } = await opened(new FakeBridge({ rows: [hello], readOnly: true }))
    const { link, program, clusters } = store.state.getState()
    expect(link).toEqual({ kind: 'open' })
    expect(program).toEqual({ version: '0.1.0', host: 'web', readOnly: true, openPod: '' })
    expect(clusters).toEqual([fakeCluster()])
    expect(store.order.keys()).toEqual([hello.key])
    expect(store.clocks.now('sandbox')).toBe(fakeNow)
    store.stop()
  })

  it('has the reasons of failed requests until they succeed', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    const { store } = await opened(bridge)
    bridge.lose()
    store.state.getState().openDrawer(hello.key, 'events')
    await settle()
    expect(Object.keys(store.state.getState().notCurrent)).toContain('events of the pod')
    bridge.restore()
    await settle()
    expect(store.state.getState().notCurrent).toEqual({})
  })

  it('stops its watches while the page is hidden', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    const { store } = await opened(bridge)
    store.state.getState().openDrawer(hello.key)
    await settle()
    const before = bridge.sentArgs('pod.watch').length
    store.requests.setVisible(false)
    await settle()
    store.requests.setVisible(true)
    await settle()
    expect(bridge.sentArgs('pod.watch').slice(before)).toEqual([{ key: null }, { key: hello.key }])
    expect(store.state.getState().detail?.row.key).toBe(hello.key)
  })

  it('replaces only the clusters of a patch', async () => {
    const other = fakeCluster({ id: 'other', label: 'other' })
    const bridge = new FakeBridge({ clusters: [fakeCluster(), other] })
    const { store } = await opened(bridge)
    const changed = fakeCluster({ connection: { kind: 'connecting' } })
    bridge.patch({ clusters: [changed] })
    expect(store.state.getState().clusters).toEqual([changed, other])
    const { clusters } = store.state.getState()
    bridge.patch({ upserts: [hello] })
    expect(store.state.getState().clusters).toBe(clusters)
  })

  it('keeps an unbound pod selected when it is bound', async () => {
    const key = `sandbox//${hello.uid}`
    const pending = fakeRow({ ...hello, key, node: '', worker: 'noKubelet' })
    const bridge = new FakeBridge({ rows: [pending, loud] })
    const { store } = await opened(bridge)
    store.state.getState().openDrawer(key)
    store.state.getState().askAct({ act: 'delete', key, graceSeconds: null })
    bridge.patch({ upserts: [hello], removed: [key] })
    expect(store.state.getState()).toMatchObject({
      cursor: hello.key,
      isDrawerOpen: true,
      dialog: { key: hello.key },
    })
    await settle()
    expect(bridge.sentArgs('pod.watch').at(-1)).toEqual({ key: hello.key })
    bridge.patch({ removed: [hello.key] })
    expect(store.state.getState().cursor).toBe(hello.key)
    store.stop()
  })

  it('finds a pod that was bound while the connection was lost', async () => {
    const key = `sandbox//${hello.uid}`
    const bridge = new FakeBridge({ rows: [fakeRow({ ...hello, key, node: '' })] })
    const { store } = await opened(bridge)
    store.state.getState().openDrawer(key)
    bridge.lose()
    bridge.restart()
    bridge.patch({ upserts: [hello], removed: [key] })
    bridge.restore()
    await settle()
    expect(store.state.getState()).toMatchObject({ cursor: hello.key, isDrawerOpen: true })
    store.stop()
  })

  it('keeps the time of the lost connection through further failures', async () => {
    const bridge = new FakeBridge()
    const { store } = await opened(bridge)
    bridge.lose()
    const { link } = store.state.getState()
    expect(link).toEqual({ kind: 'lost', since: fakeNow })
    bridge.lose()
    expect(store.state.getState().link).toBe(link)
    store.stop()
  })

  it('watches the pod of the panel, then of the dialog, then of the panel again', async () => {
    const bridge = new FakeBridge({ rows: [hello, loud] })
    const { store } = await opened(bridge)
    store.state.getState().openDrawer(hello.key)
    await settle()
    expect(store.state.getState().detail?.row).toEqual(hello)
    store.state.getState().askAct({ act: 'kill', key: loud.key, graceSeconds: null })
    await settle()
    expect(store.state.getState().detail?.row).toEqual(loud)
    store.state.getState().cancelAct()
    await settle()
    store.state.getState().closeDrawer()
    await settle()
    expect(bridge.sentArgs('pod.watch')).toEqual([
      { key: hello.key },
      { key: loud.key },
      { key: hello.key },
      { key: null },
    ])
    expect(store.state.getState().detailState).toBe('none')
  })

  it('requests only the last of many rows that the cursor passed', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => fakeRow({ name: `pod-${index}` }))
    const bridge = new FakeBridge({ rows })
    const { store } = await opened(bridge)
    for (const row of rows) store.state.getState().openDrawer(row.key)
    await settle()
    expect(bridge.sentArgs('pod.watch')).toEqual([{ key: rows[0]?.key }, { key: rows[49]?.key }])
    expect(store.state.getState().detail?.row).toEqual(rows[49])
  })

  it('ignores the detail of a pod that is no longer selected', async () => {
    const bridge = new FakeBridge({ rows: [hello, loud] })
    const { store } = await opened(bridge)
    store.state.getState().openDrawer(hello.key)
    await settle()
    bridge.tell(fakeDetail(hello, { podIP: 'new' }))
    expect(store.state.getState().detail?.podIP).toBe('new')
    store.state.getState().openDrawer(loud.key)
    bridge.tell(fakeDetail(hello, { podIP: 'late' }))
    expect(store.state.getState().detail).toBeNull()
  })

  it('reports that a pod is gone if main does not have it, and watches it again after a lost connection', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    const { store } = await opened(bridge)
    store.state.getState().openDrawer('sandbox/scope-node-1/none')
    await settle()
    expect(store.state.getState().detailState).toBe('gone')
    store.state.getState().openDrawer(hello.key)
    await settle()
    bridge.lose()
    bridge.restore()
    await settle()
    expect(bridge.sentArgs('pod.watch').slice(-2)).toEqual([{ key: hello.key }, { key: hello.key }])
    expect(store.state.getState().detailState).toBe('live')
  })

  it('sends an act once, no matter how often it is confirmed', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    const { store } = await opened(bridge)
    store.state.getState().askAct({ act: 'evictByKubelet', key: hello.key, graceSeconds: null })
    await Promise.all([
      store.state.getState().confirmAct(null),
      store.state.getState().confirmAct(null),
    ])
    expect(bridge.sentArgs('pod.evictByKubelet')).toEqual([{ key: hello.key }])
    expect(store.state.getState().dialog).toBeNull()
    expect(store.state.getState().toasts.map((toast) => toast.message)).toEqual([
      'pod.evictByKubelet was begun.',
    ])
  })

  it('keeps the dialog with the error when an act fails', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    bridge.actAnswer = () => err({ kind: 'failed', message: 'no' })
    const { store } = await opened(bridge)
    store.state.getState().askAct({ act: 'kill', key: hello.key, graceSeconds: 5 })
    await store.state.getState().confirmAct(5)
    const { dialog, actError, isActing, toasts } = store.state.getState()
    expect({ dialog, actError, isActing, toasts }).toEqual({
      dialog: { act: 'kill', key: hello.key, graceSeconds: 5 },
      actError: { kind: 'failed', message: 'no' },
      isActing: false,
      toasts: [],
    })
  })

  it('reports an unknown outcome if the connection breaks during an act', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    const { store } = await opened(bridge)
    store.state.getState().askAct({ act: 'kill', key: hello.key, graceSeconds: null })
    bridge.lose()
    await store.state.getState().confirmAct(null)
    expect(store.state.getState().actError?.message).toContain('Check the pod before')
    store.stop()
  })

  it('does not show a late answer in another act’s dialog', async () => {
    const bridge = new FakeBridge({ rows: [hello, loud] })
    bridge.actAnswer = () => err({ kind: 'failed', message: 'late' })
    const { store } = await opened(bridge)
    store.state.getState().askAct({ act: 'kill', key: hello.key, graceSeconds: null })
    const answer = store.state.getState().confirmAct(null)
    store.state.getState().askAct({ act: 'kill', key: loud.key, graceSeconds: null })
    await answer
    expect(store.state.getState().actError).toBeNull()
  })

  it('shows the newest three toasts', async () => {
    const { store } = await opened(new FakeBridge())
    for (const word of ['a', 'b', 'c', 'd']) store.state.getState().addToast(word)
    const shown = (): readonly string[] =>
      store.state.getState().toasts.map((toast) => toast.message)
    expect(shown()).toEqual(['b', 'c', 'd'])
    store.state.getState().dismissToast(store.state.getState().toasts[1]?.id ?? 0)
    expect(shown()).toEqual(['b', 'd'])
  })

  it('opens with the start page the first time, then with the flow and the chosen theme', async () => {
    const { store, memory } = await opened(new FakeBridge())
    expect(store.state.getState().view).toBe('start')
    expect(store.state.getState().theme).toBe('system')
    store.state.getState().show('pods')
    store.state.getState().setTheme('light')
    const { store: next } = await opened(new FakeBridge(), [...memory])
    expect(next.state.getState().view).toBe('flow')
    expect(next.state.getState().theme).toBe('light')
  })

  it('ignores invalid values in storage', async () => {
    const { store } = await opened(new FakeBridge(), [['nodescope.theme', 'plaid']])
    expect(store.state.getState().theme).toBe('system')
  })

  it('filters and sorts the rows by its state', async () => {
    const { store } = await opened(new FakeBridge({ rows: [hello, loud] }))
    store.state.getState().setFilterText('pods', 'lou')
    expect(store.order.keys()).toEqual([loud.key])
    store.state.getState().setFilterText('pods', '')
    store.state.getState().sortBy('pods', 'name')
    store.state.getState().sortBy('pods', 'name')
    expect(store.order.keys()).toEqual([loud.key, hello.key])
  })
})
