import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeNode, fakeNodes, fakeRowOn } from '../../bridge/fake-nodes.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeCluster, fakeStaticRow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const one = fakeRowOn('scope-node-1', { name: 'hello' })
const two = fakeRowOn('scope-node-2', { name: 'loud' })
const twoCrashed = fakeRowOn('scope-node-2', { name: 'crash', tone: 'bad', status: 'Error' })
const elsewhere = fakeRowOn('scope-node-2', { name: 'elsewhere' }, 'staging')
const rows = [one, two, twoCrashed]

const staging = fakeCluster({ id: 'staging', label: 'staging', nodes: [fakeNode('scope-node-2')] })

function names(): readonly (string | null)[] {
  return within(screen.getByRole('grid', { name: 'Pods' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.getAttribute('aria-label'))
}

function count(view: string): string | undefined {
  const place = within(screen.getByRole('navigation', { name: 'Views' }))
  return place
    .getByRole('button', { name: view })
    .querySelector('[data-count]')
    ?.getAttribute('data-count') as string | undefined
}

function opener(): HTMLElement {
  return screen.getByRole('button', { name: /scope-node-/, description: /Choose the node/ })
}

describe('the node menu', () => {
  it('is only a label with name and STATUS if there is one node', async () => {
    const { user } = await openPage(new FakeBridge())
    expect(screen.getByRole('banner').textContent).toContain('scope-node-1')
    expect(screen.queryByRole('button', { name: /scope-node-1/ })).toBeNull()
    await user.keyboard('n')
    expect(screen.queryByRole('listbox', { name: 'Nodes' })).toBeNull()
  })

  it('lists each node with its STATUS, its pods and what needs attention, and opens on N', async () => {
    const cluster = fakeNodes(2)
    const [first] = cluster.nodes
    if (first === undefined) throw new Error('there are nodes')
    const clusters = [
      { ...cluster, nodes: [first, fakeNode('scope-node-2', { status: 'NotReady' })] },
    ]
    const { user } = await openPage(new FakeBridge({ rows, clusters }))
    await user.keyboard('n')
    const list = screen.getByRole('listbox', { name: 'Nodes' })
    expect(document.activeElement).toBe(list)
    expect(
      within(list)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['scope-node-1Ready1 pod', 'scope-node-2NotReady1 needs attention2 pods'])
    expect(within(list).getByRole('option', { selected: true }).textContent).toContain('node-1')
    const { violations } = await axe.run(list)
    expect(violations.map(({ id }) => id)).toEqual([])
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(document.activeElement).toBe(opener())
  })

  it('moves by the keys of a list, and shows the chosen node everywhere', async () => {
    const bridge = new FakeBridge({ rows, clusters: [fakeNodes(3)] })
    const { user, store } = await openPage(bridge)
    expect([names(), count('Pods')]).toEqual([['default/hello'], '1'])
    await user.click(opener())
    const list = screen.getByRole('listbox', { name: 'Nodes' })
    await user.keyboard('3')
    expect(list.getAttribute('aria-activedescendant')).toContain('scope-node-3')
    await user.keyboard('{Home}{ArrowDown}{Enter}')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect([names(), count('Pods')]).toEqual([['default/crash', 'default/loud'], '2'])
    expect(opener().textContent).toContain('scope-node-2')
    act(() => store.state.getState().show('flow'))
    expect(bridge.sentArgs('flow.watch').at(-1)).toEqual({
      node: { cluster: 'sandbox', node: 'scope-node-2' },
    })
    act(() => store.state.getState().show('manifests'))
    expect(bridge.sentArgs('manifests.list')).toEqual([
      { cluster: 'sandbox', node: 'scope-node-2' },
    ])
  })

  it('has a search field with more than eight nodes', async () => {
    const { user, store } = await openPage(new FakeBridge({ clusters: [fakeNodes(12), staging] }))
    await user.keyboard('n')
    const field = screen.getByRole('combobox', { name: 'Find a node' })
    expect(document.activeElement).toBe(field)
    await user.keyboard('node-12')
    const [found] = screen.getAllByRole('option')
    expect(field.getAttribute('aria-activedescendant')).toBe(found?.id)
    await user.keyboard('{Enter}')
    expect(store.state.getState().shown).toEqual({ cluster: 'sandbox', node: 'scope-node-12' })
    await user.keyboard('n')
    await user.keyboard('nobody')
    expect(screen.getByText('No matches.')).toBeTruthy()
    await user.clear(screen.getByRole('combobox', { name: 'Find a node' }))
    await user.keyboard('staging{Enter}')
    expect(store.state.getState().shown).toEqual({ cluster: 'staging', node: 'scope-node-2' })
  })

  it('is also in the palette, which finds the pods of all nodes of the cluster and no others', async () => {
    const bridge = new FakeBridge({ rows: [...rows, elsewhere], clusters: [fakeNodes(2), staging] })
    const { user, store } = await openPage(bridge)
    await user.keyboard('{Control>}k{/Control}show node')
    const palette = within(screen.getByRole('dialog', { name: 'Search or run' }))
    expect(
      palette
        .getAllByRole('option')
        .slice(0, 2)
        .map((option) => option.textContent),
    ).toEqual(['Show node scope-node-2sandbox, Ready', 'Show node scope-node-2staging, Ready'])
    await user.clear(palette.getByRole('combobox'))
    await user.keyboard('elsewhere')
    expect(palette.queryByRole('option', { name: /^elsewhere/ })).toBeNull()
    await user.clear(palette.getByRole('combobox'))
    await user.keyboard('loud{Enter}')
    expect(store.state.getState()).toMatchObject({
      shown: { cluster: 'sandbox', node: 'scope-node-2' },
      cursor: two.key,
      isDrawerOpen: true,
    })
  })
})

describe('the pods of all nodes', () => {
  it('are in one table, never with those of another cluster', async () => {
    const bridge = new FakeBridge({ rows: [...rows, elsewhere], clusters: [fakeNodes(2), staging] })
    const { user } = await openPage(bridge)
    await user.click(screen.getByRole('radio', { name: 'All nodes' }))
    expect(names()).toEqual(['default/crash', 'default/hello', 'default/loud'])
    expect(count('Pods')).toBe('3')
    expect(screen.getByRole('columnheader', { name: /NODE/ })).toBeTruthy()
    // NODE replaces STATIC UID, so the UID of a regular pod has one column.
    expect(screen.queryByRole('columnheader', { name: /STATIC UID/ })).toBeNull()
    expect(screen.getByRole('grid').querySelector('[aria-colspan]')).toBeNull()
    await user.type(screen.getByLabelText('Filter pods'), 'node:node-1')
    expect(names()).toEqual(['default/hello'])
    expect(screen.getByText('1 of 3')).toBeTruthy()
  })

  it('are not offered if the cluster has one node', async () => {
    await openPage(new FakeBridge({ rows }))
    expect(screen.queryByRole('radio', { name: 'All nodes' })).toBeNull()
    expect(screen.queryByRole('columnheader', { name: /NODE/ })).toBeNull()
  })

  it('keep their panel when another node is shown; those of one node do not', async () => {
    const bridge = new FakeBridge({ rows, clusters: [fakeNodes(2)] })
    const { store } = await openPage(bridge)
    const { showNode, openDrawer, setPodScope } = store.state.getState()
    const second = { cluster: 'sandbox', node: 'scope-node-2' }
    act(() => openDrawer(one.key))
    act(() => showNode(second))
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: false, cursor: null })
    act(() => setPodScope('cluster'))
    act(() => openDrawer(one.key))
    act(() => showNode({ ...second, node: 'scope-node-1' }))
    act(() => showNode(second))
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: true, cursor: one.key })
    act(() => setPodScope('node'))
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: false, cursor: null })
  })
})

describe('with several nodes', () => {
  it('the badges count the shown node', async () => {
    const stale = fakeStaticRow({ name: 'web', mirror: 'stale' })
    const problem = { where: '/m/web.yaml', message: 'not a Pod', line: 1, column: 1 }
    const broken = fakeNode('scope-node-2')
    const cluster = fakeNodes(2)
    const nodes = [
      fakeNode('scope-node-1'),
      {
        ...broken,
        sources: broken.sources.map((source) =>
          source.source === 'file' ? { ...source, problems: [problem] } : source,
        ),
      },
    ]
    const bridge = new FakeBridge({ rows: [stale], clusters: [{ ...cluster, nodes }] })
    const { user, store } = await openPage(bridge)
    expect([count('Mirror pods'), count('Manifests')]).toEqual(['1', undefined])
    const problems = screen.getByRole('region', { name: 'Manifest problems' })
    expect(problems.textContent).toContain('on scope-node-2')
    await user.click(within(problems).getByRole('button', { name: 'Open in Manifests' }))
    expect(store.state.getState()).toMatchObject({
      view: 'manifests',
      manifestName: 'web.yaml',
      shown: { cluster: 'sandbox', node: 'scope-node-2' },
    })
    expect([count('Mirror pods'), count('Manifests')]).toEqual([undefined, '1'])
  })

  it('the drafts of one node are not the other’s, and are kept', async () => {
    const bridge = new FakeBridge({ clusters: [fakeNodes(2)] })
    const { store } = await openPage(bridge, { view: 'manifests' })
    const { addManifest, showNode } = store.state.getState()
    act(() => addManifest('new.yaml', 'kind: Pod'))
    act(() => showNode({ cluster: 'sandbox', node: 'scope-node-2' }))
    expect(store.state.getState()).toMatchObject({ manifestDrafts: {}, manifestName: null })
    act(() => showNode({ cluster: 'sandbox', node: 'scope-node-1' }))
    expect(store.state.getState().manifestDrafts).toEqual({
      'new.yaml': { base: null, text: 'kind: Pod' },
    })
  })

  it('a late answer about one node does not change the other', async () => {
    const bridge = new FakeBridge({ clusters: [fakeNodes(2)] })
    const { store } = await openPage(bridge, { view: 'manifests' })
    const { addManifest, saveManifest, showNode } = store.state.getState()
    act(() => addManifest('new.yaml', 'kind: Pod'))
    await act(async () => {
      const saved = saveManifest('new.yaml')
      await Promise.resolve()
      showNode({ cluster: 'sandbox', node: 'scope-node-2' })
      addManifest('new.yaml', 'kind: Other')
      await saved
    })
    expect(bridge.sentArgs('manifests.write')).toEqual([
      {
        cluster: 'sandbox',
        node: 'scope-node-1',
        name: 'new.yaml',
        text: 'kind: Pod',
        create: true,
      },
    ])
    expect(store.state.getState().manifestDrafts).toEqual({
      'new.yaml': { base: null, text: 'kind: Other' },
    })
    act(() => showNode({ cluster: 'sandbox', node: 'scope-node-1' }))
    expect(store.state.getState().manifestDrafts).toEqual({})
  })

  it('a notice names its cluster', async () => {
    const away = { kind: 'away', since: 0, retryAt: null, message: 'refused' } as const
    await openPage(new FakeBridge({ clusters: [fakeNodes(2), { ...staging, connection: away }] }))
    expect(
      screen.getByRole('region', { name: /The API server of staging does not answer/ }),
    ).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'What the control plane will do' })).toBeNull()
    expect(count('Mirror pods')).toBeUndefined()
  })

  it('a cluster that is looked at and cannot be read says so where it is shown, and nothing about its kubelets', async () => {
    const away = { kind: 'away', since: 0, retryAt: null, message: 'Unauthorized' } as const
    const seen = { ...fakeSeenCluster(), connection: away }
    const { store } = await openPage(new FakeBridge({ clusters: [fakeNodes(2), seen] }))
    const notice = (): HTMLElement | null =>
      screen.queryByRole('region', { name: /prod-eu1 cannot be read/ })
    expect(notice()).toBeNull()
    act(() => store.state.getState().showNode({ cluster: seen.id, node: '' }))
    expect(notice()?.textContent).toContain('Unauthorized')
    expect(screen.queryByText('Continues')).toBeNull()
  })

  it('the clock and its keys are those of the shown cluster', async () => {
    const bridge = new FakeBridge({ clusters: [fakeCluster(), staging] })
    const { user, store } = await openPage(bridge)
    act(() => store.state.getState().showNode({ cluster: 'staging', node: 'scope-node-2' }))
    await user.keyboard('p')
    expect(bridge.sentArgs('clock.pause')).toEqual([{ cluster: 'staging' }])
    expect(store.state.getState().clusters.map(({ clock }) => clock.paused)).toEqual([false, true])
  })
})
