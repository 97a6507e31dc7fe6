import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeNodes } from '../../bridge/fake-nodes.ts'
import { fakeSeenCluster, fakeSeenNode } from '../../bridge/fake-seen.ts'
import { fakeCluster, fakeNow, fakeStaticRow } from '../../bridge/fake-views.ts'

afterEach(cleanup)

const allowed = { kind: 'allowed', endsAt: fakeNow + 822_000 } as const

async function violations(): Promise<readonly string[]> {
  const found = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
  return found.violations.map(({ id }) => id)
}

function names(): readonly string[] {
  return screen.getAllByRole('rowheader').map((head) => head.textContent)
}

describe('the table of nodes', () => {
  it('has the nodes of the sandbox, with the static pods of their kubelets', async () => {
    const rows = [fakeStaticRow({ name: 'web-n' })]
    await openPage(new FakeBridge({ rows, clusters: [fakeNodes(2)] }), { view: 'nodes' })
    expect(names()).toEqual(['scope-node-1', 'scope-node-2'])
    const first = screen.getByRole('row', { name: /scope-node-1/ })
    expect(within(first).getByTitle(/kubelet, which runs here/).textContent).toBe('1')
    expect(await violations()).toEqual([])
  })

  it('says what is known of the static pods of a kubelet elsewhere', async () => {
    const asked = fakeSeenNode('worker-2', { statics: { count: 3, at: fakeNow - 5000 } })
    const cluster = fakeSeenCluster({ nodes: [fakeSeenNode('worker-1'), asked] })
    await openPage(new FakeBridge({ clusters: [cluster] }), { view: 'nodes' })
    expect(screen.getByText('1 by mirror').title).toContain('Inspect asks it')
    expect(screen.getByTitle(/had these static pods, 5 s ago/).textContent).toBe('3')
  })

  it('sorts, filters, selects by labels, and has the chosen columns', async () => {
    const nodes = [
      fakeSeenNode('a', { labels: { zone: 'x' }, pods: 1 }),
      fakeSeenNode('b', { labels: { zone: 'y' }, pods: 7 }),
    ]
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({ nodes })] })
    const { user, memory } = await openPage(bridge, { view: 'nodes' })
    await user.click(screen.getByRole('button', { name: 'PODS' }))
    await user.click(screen.getByRole('button', { name: 'PODS' }))
    expect(names()).toEqual(['b', 'a'])
    await user.type(screen.getByRole('textbox', { name: 'Label selector' }), 'zone=x')
    expect(names()).toEqual(['a'])
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(screen.getByRole('checkbox', { name: 'Show LABELS' }))
    expect(screen.getByText('zone=x')).toBeTruthy()
    expect(await violations()).toEqual([])
    expect(memory.get('nodescope.table-nodes')).toContain('"labels"')
  })
})

describe('cordoning several nodes', () => {
  it('lists each outcome, each refusal and each result; keys select the rows', async () => {
    const nodes = [
      fakeSeenNode('worker-1'),
      fakeSeenNode('worker-2', { isUnschedulable: true }),
      fakeSeenNode('worker-3'),
    ]
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({ nodes }, allowed)] })
    bridge.cordonAnswer = (node) =>
      node === 'worker-3'
        ? err({ kind: 'failed', message: 'Cordon refused (403): Forbidden.' })
        : ok({ message: `Cordoned ${node} on prod-eu1` })
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.keyboard('j{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    await user.click(screen.getByRole('button', { name: 'Cordon…' }))
    const dialog = screen.getByRole('dialog', { name: 'Cordon 3 nodes' })
    expect(dialog.textContent).toContain('worker-2 is cordoned already.')
    expect(dialog.textContent).toContain('kubectl --context prod-eu1 cordon worker-1 worker-3')
    expect(await violations()).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Cordon 2 nodes on prod-eu1' }))
    expect(bridge.sentArgs('node.cordon')).toEqual([
      { cluster: 'prod-eu1', node: 'worker-1', act: 'cordon' },
      { cluster: 'prod-eu1', node: 'worker-3', act: 'cordon' },
    ])
    expect(dialog.textContent).toContain('1 begun, 1 refused.')
    expect(dialog.textContent).toContain('Cordon refused (403): Forbidden.')
  })

  it('is refused while the cluster is read-only', async () => {
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster()] })
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
    await user.click(screen.getByRole('button', { name: 'Cordon…' }))
    const dialog = screen.getByRole('dialog')
    expect(dialog.textContent).toContain('allow changes first (Shift A)')
    await user.click(within(dialog).getByRole('button', { name: /^Cordon 0 nodes/ }))
    expect(bridge.sentArgs('node.cordon')).toEqual([])
  })
})

describe('draining several nodes', () => {
  it('asks for the forecast of each with the options, and drains those that are not refused', async () => {
    const nodes = ['worker-1', 'worker-2', 'worker-3'].map((name) => fakeSeenNode(name))
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({ nodes }, allowed)] })
    const why = 'kubectl drain would not begin: web has an emptyDir.'
    bridge.seenNodeForecast = (node, act) =>
      ok({
        act,
        isAllowed: node !== 'worker-2',
        refusal: node === 'worker-2' ? why : '',
        title: '',
        summary: `Cordons ${node} and evicts 2 pods.`,
        unknown: [],
        kubectl: `kubectl drain ${node}`,
        confirm: '',
        pods: [],
        isRehearsed: true,
        note: '',
      })
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
    await user.click(screen.getByRole('button', { name: 'Drain…' }))
    const dialog = screen.getByRole('dialog', { name: 'Drain 3 nodes' })
    expect(dialog.textContent).toContain(why)
    expect(dialog.textContent).toContain('Cordons worker-3 and evicts 2 pods.')
    expect(dialog.textContent).toContain('The nodes are drained at the same time.')
    expect(dialog.textContent).toContain('kubectl drain worker-1')
    expect(dialog.textContent).not.toContain('kubectl drain worker-2')
    expect(await violations()).toEqual([])
    await user.click(within(dialog).getByRole('checkbox', { name: /--force/ }))
    const drain = {
      ignoreDaemonSets: true,
      deleteEmptyDirData: false,
      force: true,
      gracePeriodSeconds: null,
    }
    const cluster = 'prod-eu1'
    expect(bridge.sentArgs('seenNode.forecast').slice(-3)).toEqual(
      nodes.map(({ name: node }) => ({ cluster, node, act: 'drain', drain })),
    )
    await user.click(within(dialog).getByRole('button', { name: 'Drain 2 nodes on prod-eu1' }))
    expect(bridge.sentArgs('seenNode.act')).toEqual(
      ['worker-1', 'worker-3'].map((node) => ({ cluster, node, act: 'drain', drain })),
    )
    expect(dialog.textContent).toContain('2 begun.')
  })

  it('is not offered for nodes that run here', async () => {
    const { user } = await openPage(new FakeBridge({ clusters: [fakeCluster()] }), {
      view: 'nodes',
    })
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
    expect(screen.getByRole('button', { name: 'Cordon…' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Drain…' })).toBeNull()
  })
})

describe('a recording', () => {
  it('has no view that says nothing of it', async () => {
    const { user, store } = await openPage(
      new FakeBridge({ clusters: [fakeCluster({ kind: 'recording' })] }),
      { view: 'pods' },
    )
    const rail = screen.getByRole('navigation', { name: 'Views' })
    expect(within(rail).queryByRole('button', { name: 'Manifests' })).toBeNull()
    await user.keyboard('4')
    expect(store.state.getState().view).toBe('pods')
    expect(document.body.textContent).toContain('A recording has no Manifests')
  })

  it('of a cluster that was looked at has Flow, Inspect and Workloads', async () => {
    const seen = { ...fakeSeenCluster(), kind: 'recording' as const }
    const { user, store } = await openPage(new FakeBridge({ clusters: [seen] }), { view: 'pods' })
    await user.keyboard('6')
    expect(store.state.getState().view).toBe('inspect')
    for (const view of ['flow', 'workloads'] as const) {
      act(() => store.state.getState().show(view))
      expect(store.state.getState().view).toBe(view)
    }
  })
})
