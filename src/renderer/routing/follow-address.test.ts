import { describe, expect, it } from 'vitest'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeNodes, fakeRowOn } from '../bridge/fake-nodes.ts'
import { fakeRow, fakeNow } from '../bridge/fake-views.ts'
import type { Store } from '../store/create-store.ts'
import { createStore } from '../store/create-store.ts'
import { FakeAddress } from './fake-address.ts'
import { followAddress } from './follow-address.ts'

const loud = fakeRow({ name: 'loud', uid: 'u-1' })
const loudLink = '#/pods/sandbox/scope-node-1/u-1'

async function opened(
  hash: string,
  bridge = new FakeBridge({ rows: [loud] }),
): Promise<{ readonly store: Store; readonly address: FakeAddress; readonly bridge: FakeBridge }> {
  const address = new FakeAddress(hash)
  const store = createStore({
    bridge,
    storage: { getItem: () => 'yes', setItem: () => undefined },
    afterPaint: (callback) => queueMicrotask(callback),
    monotonic: () => 0,
    wallClock: () => fakeNow,
  })
  followAddress(store, address)
  store.start()
  await Promise.resolve()
  return { store, address, bridge }
}

describe('the address of the page', () => {
  it('opens a pod and its tab', async () => {
    const { store } = await opened(`${loudLink}?tab=yaml`)
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      isDrawerOpen: true,
      cursor: loud.key,
      drawerTab: 'yaml',
    })
  })

  it('opens a mirror and a manifest', async () => {
    const mirrors = await opened('#/mirrors/u-9')
    expect(mirrors.store.state.getState()).toMatchObject({ view: 'mirrors', mirrorUid: 'u-9' })
    const manifests = await opened('#/manifests/web.yaml')
    expect(manifests.store.state.getState()).toMatchObject({
      view: 'manifests',
      manifestName: 'web.yaml',
    })
  })

  it('opens a section of the handbook, in its view and in the panel', async () => {
    const inFull = await opened('#/handbook/pod-workers/worker-loop')
    expect(inFull.store.state.getState()).toMatchObject({
      view: 'handbook',
      section: 'pod-workers#worker-loop',
      isHandbookOpen: false,
    })
    const { store, address } = await opened(`${loudLink}?handbook=images`)
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      isDrawerOpen: true,
      section: 'images',
      isHandbookOpen: true,
    })
    store.state.getState().openSection('images#pulling')
    store.state.getState().closeHandbook()
    expect(address.entries).toEqual([
      `${loudLink}?handbook=images`,
      `${loudLink}?handbook=images%2Fpulling`,
      loudLink,
    ])
    address.back()
    address.back()
    expect(store.state.getState()).toMatchObject({ section: 'images', isHandbookOpen: true })
    address.forward()
    expect(store.state.getState().section).toBe('images#pulling')
  })

  it('shows a notice and the contents for an unknown section', async () => {
    const { store, address } = await opened('#/handbook/images/nowhere')
    expect(store.state.getState()).toMatchObject({
      view: 'handbook',
      section: '',
      linkNotice: `The link leads to the section ${'images'}#nowhere, which the handbook does not have.`,
    })
    expect(address.read()).toBe('#/handbook')
  })

  it('shows a notice and the view if its pod is gone', async () => {
    const { store } = await opened('#/pods/sandbox/scope-node-1/u-0')
    expect(store.state.getState()).toMatchObject({ view: 'pods', isDrawerOpen: false })
    expect(store.state.getState().linkNotice).toContain(
      'pod with UID u-0, which does not exist here',
    )
  })

  it('follows the page; Back returns to the previous place, also from pod to pod', async () => {
    const other = fakeRow({ name: 'other', uid: 'u-2' })
    const { store, address } = await opened('', new FakeBridge({ rows: [loud, other] }))
    expect(address.entries).toEqual(['#/flow'])
    store.state.getState().show('pods')
    store.state.getState().openDrawer(loud.key)
    store.state.getState().openDrawer(other.key)
    expect(address.entries).toEqual([
      '#/flow',
      '#/pods',
      loudLink,
      '#/pods/sandbox/scope-node-1/u-2',
    ])
    address.back()
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: true, cursor: loud.key })
    address.back()
    expect(store.state.getState()).toMatchObject({ view: 'pods', isDrawerOpen: false })
    address.back()
    expect(store.state.getState().view).toBe('flow')
    address.forward()
    expect(store.state.getState().view).toBe('pods')
    expect(address.entries.length).toBe(4)
  })

  it('lets Back pass a pod that is gone', async () => {
    const { store, address } = await opened('#/flow')
    store.state.getState().show('pods')
    // The selected pod, which is gone now.
    address.push('#/pods/sandbox/scope-node-1/u-0')
    store.state.getState().openDrawer(loud.key)
    address.back()
    expect(store.state.getState().linkNotice).toContain('pod with UID u-0')
    expect(address.read()).toBe('#/pods')
    store.state.getState().setLinkNotice('')
    address.back()
    address.back()
    expect(store.state.getState().view).toBe('flow')
  })

  it('has the filter of the table, without new history entries', async () => {
    const { store, address } = await opened(
      '#/pods?filter=loud&labels=app%3Dloud&namespace=default&show=static',
    )
    expect(store.state.getState()).toMatchObject({
      tables: { pods: { filterText: 'loud', selectors: { labels: 'app=loud', fields: '' } } },
      namespace: 'default',
      segment: 'static',
    })
    store.state.getState().setFilterText('pods', '')
    store.state.getState().setSelectors('pods', { labels: '', fields: '' })
    store.state.getState().setNamespace('')
    store.state.getState().setSegment('attention')
    expect(address.entries).toEqual(['#/pods?show=attention'])
  })

  it('is one history entry for all pods over which the open panel moves', async () => {
    const hello = fakeRow({ name: 'hello', uid: 'u-2' })
    const bridge = new FakeBridge({ rows: [hello, loud] })
    const { store, address } = await opened('#/pods', bridge)
    store.state.getState().openDrawer(hello.key)
    const before = address.entries.length
    store.state.getState().moveCursor(loud.key)
    expect(address.entries).toHaveLength(before)
    expect(address.read()).toContain(loud.uid)
    store.state.getState().openDrawer(hello.key)
    expect(address.entries).toHaveLength(before + 1)
  })

  it('shows a notice for an unknown page', async () => {
    const { store, address } = await opened('#/nowhere')
    expect(store.state.getState()).toMatchObject({
      view: 'flow',
      linkNotice: 'The link #/nowhere is not a page of Nodescope.',
    })
    expect(address.read()).toBe('#/flow')
    const ghost = await opened('#/pods/default/ghost')
    expect(ghost.store.state.getState()).toMatchObject({
      view: 'pods',
      linkNotice: 'The link #/pods/default/ghost is not a page of Nodescope.',
    })
  })

  it('keeps the token until main has accepted the page', async () => {
    const token = `#${'x'.repeat(32)}`
    const bridge = new FakeBridge()
    const { store, address } = await opened(token, bridge)
    bridge.refuse('wrong token')
    const refused = new FakeAddress(token)
    const page = createStore({
      bridge,
      storage: { getItem: () => 'yes', setItem: () => undefined },
      afterPaint: (callback) => queueMicrotask(callback),
      monotonic: () => 0,
      wallClock: () => fakeNow,
    })
    followAddress(page, refused)
    page.start()
    page.state.getState().show('pods')
    expect(refused.entries).toEqual([token])
    expect(address.entries).toEqual(['#/flow'])
    expect(store.state.getState().view).toBe('flow')
  })

  it('opens the pod of --pod, even if it appears a little later', async () => {
    const bridge = new FakeBridge()
    bridge.openPod = 'default/loud'
    const { store } = await opened('', bridge)
    expect(store.state.getState().linkNotice).toContain(
      'Pod default/loud (from --pod) does not exist yet',
    )
    bridge.patch({ upserts: [loud] })
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      isDrawerOpen: true,
      cursor: loud.key,
      linkNotice: '',
    })
  })

  describe('with several nodes', () => {
    const there = fakeRowOn('scope-node-2', { name: 'there', uid: 'u-2' })
    const second = { cluster: 'sandbox', node: 'scope-node-2' }
    const several = (): FakeBridge =>
      new FakeBridge({ rows: [loud, there], clusters: [fakeNodes(2)] })

    it('names a node other than the first, and opens it', async () => {
      const { store, address } = await opened('', several())
      store.state.getState().showNode(second)
      store.state.getState().show('mirrors')
      expect(address.entries).toEqual([
        '#/flow',
        '#/flow?node=sandbox%2Fscope-node-2',
        '#/mirrors?node=sandbox%2Fscope-node-2',
      ])
      address.back()
      expect(store.state.getState()).toMatchObject({ view: 'flow', shown: second })
      address.back()
      expect(store.state.getState().shown).toEqual({ cluster: 'sandbox', node: 'scope-node-1' })
      address.forward()
      expect(store.state.getState().shown).toEqual(second)
      const again = await opened('#/flow?node=sandbox%2Fscope-node-2', several())
      expect(again.store.state.getState().shown).toEqual(second)
      expect(again.address.entries).toEqual(['#/flow?node=sandbox%2Fscope-node-2'])
    })

    it('of a pod opens its node without naming it', async () => {
      const { store, address } = await opened('#/pods/sandbox/scope-node-2/u-2', several())
      expect(store.state.getState()).toMatchObject({ shown: second, cursor: there.key })
      expect(address.entries).toEqual(['#/pods/sandbox/scope-node-2/u-2'])
      store.state.getState().closeDrawer()
      expect(address.entries.at(-1)).toBe('#/pods?node=sandbox%2Fscope-node-2')
    })

    it('has one more entry for a pod on another node', async () => {
      const { store, address } = await opened('', several())
      store.state.getState().showPod(there.key)
      expect(address.entries).toEqual(['#/flow', '#/flow?pod=sandbox%2Fscope-node-2%2Fu-2'])
    })

    it('of an unbound pod keeps the shown node', async () => {
      const pending = fakeRowOn('', { name: 'pending', uid: 'u-3' })
      const bridge = new FakeBridge({ rows: [loud, pending], clusters: [fakeNodes(2)] })
      const { store, address } = await opened('#/pods?node=sandbox%2Fscope-node-2', bridge)
      store.state.getState().showPod(pending.key)
      expect(store.state.getState()).toMatchObject({ shown: second, cursor: 'sandbox//u-3' })
      const link = address.entries.at(-1) ?? ''
      expect(link).toBe('#/pods/sandbox//u-3?node=sandbox%2Fscope-node-2')
      const again = await opened(
        link,
        new FakeBridge({ rows: [pending], clusters: [fakeNodes(2)] }),
      )
      expect(again.store.state.getState()).toMatchObject({ shown: second, isDrawerOpen: true })
    })

    it('of a pod that was bound since opens it', async () => {
      const { store } = await opened('#/pods/sandbox//u-2', several())
      expect(store.state.getState()).toMatchObject({ cursor: there.key, isDrawerOpen: true })
      expect(store.state.getState().linkNotice).toBe('')
    })

    it('shows a notice and the first node if its node does not exist', async () => {
      const { store } = await opened('#/mirrors?node=sandbox%2Fscope-node-9', several())
      expect(store.state.getState().linkNotice).toBe(
        'The link leads to the node scope-node-9 of sandbox, which does not exist here.',
      )
      expect(store.state.getState()).toMatchObject({ view: 'mirrors', shown: null })
    })
  })
})
