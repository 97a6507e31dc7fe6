import { describe, expect, it } from 'vitest'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeStaticRow } from '../../bridge/fake-views.ts'
import type { Store } from '../create-store.ts'
import { createStore } from '../create-store.ts'

const web = fakeStaticRow({ name: 'web' })
const etcd = fakeStaticRow({ name: 'etcd' })

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve()
}

async function start(): Promise<{ readonly bridge: FakeBridge; readonly store: Store }> {
  const bridge = new FakeBridge({ rows: [web, etcd] })
  for (const { key } of [web, etcd])
    bridge.setObjects(key, { pod: { key }, mirror: null, status: null })
  const store = createStore({
    bridge,
    storage: { getItem: () => null, setItem: () => undefined },
    afterPaint: (callback) => callback(),
    monotonic: () => 0,
    wallClock: () => 0,
  })
  store.start()
  await settle()
  store.state.getState().show('mirrors')
  store.state.getState().showMirror(web.uid)
  await settle()
  return { bridge, store }
}

describe('the data of the selected pair', () => {
  it('is requested once at a time, and once more after changes in the meantime', async () => {
    const { bridge } = await start()
    const before = bridge.sentArgs('pod.objects').length
    for (let restarts = 1; restarts <= 5; restarts++)
      bridge.patch({ upserts: [{ ...web, restarts }] })
    expect(bridge.sentArgs('pod.objects')).toHaveLength(before + 1)
    await settle()
    expect(bridge.sentArgs('pod.objects')).toHaveLength(before + 2)
    expect(bridge.sentArgs('mirror.history')).toHaveLength(before + 2)
  })

  it('is never that of the previously selected pair', async () => {
    const { store } = await start()
    store.state.getState().showMirror(etcd.uid)
    expect(store.state.getState().pairFacts.value).toBeNull()
    await settle()
    expect(store.state.getState().pairFacts).toEqual({
      state: 'live',
      value: {
        key: etcd.key,
        objects: { pod: { key: etcd.key }, api: null, apiNote: '', mirror: null, status: null },
        history: [],
      },
      failure: '',
    })
  })

  it('is not requested while the view is not shown', async () => {
    const { bridge, store } = await start()
    store.state.getState().show('pods')
    const asked = bridge.sentArgs('pod.objects').length
    bridge.patch({ upserts: [{ ...web, restarts: 1 }] })
    await settle()
    expect(bridge.sentArgs('pod.objects')).toHaveLength(asked)
  })
})
