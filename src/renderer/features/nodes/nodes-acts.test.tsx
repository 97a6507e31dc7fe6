import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { NodeView } from '../../../shared/model/cluster-view.ts'
import { noShutdown } from '../../../shared/model/node/node-shutdown-view.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeNode, fakeNodes } from '../../bridge/fake-nodes.ts'
import { noFaults } from '../../../shared/model/node/node-faults.ts'
import { fakeCluster, fakeDetail, fakeFacts, fakeRow, fakeNow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const hello = fakeRow({ name: 'hello' })
const dns = fakeRow({ name: 'dns', namespace: 'kube-system' })
const first = { cluster: 'sandbox', node: 'scope-node-1' }

function menuButton(): HTMLElement {
  return screen.getByRole('button', { name: 'Node actions' })
}

function items(): readonly (string | null)[] {
  return screen.getAllByRole('menuitem').map((item) => item.textContent)
}

function pageOf(part: Partial<NodeView>): FakeBridge {
  return new FakeBridge({ clusters: [fakeCluster({ nodes: [fakeNode('scope-node-1', part)] })] })
}

const spoils = [
  'Make the container runtime unreachable…',
  'Let calls of the container runtime hang…',
  'Make one runtime call fail…',
  'Fill the disk of the images…',
  'Make volumes slow to set up…',
]

describe('the acts on a node', () => {
  it('are a menu with arrow keys, and each opens its dialog with the focus on Cancel', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    const { user } = await openPage(bridge)
    await user.click(menuButton())
    expect(items()).toEqual([
      'Restart the kubelet…',
      'Stop the kubelet…',
      'Shut the node down…',
      'Cut the power…',
      'Cut this node off from the API server…',
      ...spoils,
      'Faults…',
    ])
    await user.keyboard('{ArrowDown}{Enter}')
    const dialog = screen.getByRole('dialog', { name: 'Stop the kubelet' })
    expect(document.activeElement?.textContent).toBe('Cancel')
    expect(dialog.textContent).toContain('scope-node-1')
    expect(within(dialog).getByRole('region', { name: 'What the control plane sees' })).toBeTruthy()
    const { violations } = await axe.run(dialog)
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(bridge.sentArgs('node.act')).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Stop the kubelet' }))
    expect(bridge.sentArgs('node.act')).toEqual([
      {
        ...first,
        act: 'stopAgent',
        shutdownGraceSeconds: null,
        criticalGraceSeconds: null,
        call: null,
      },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByText('stopAgent of scope-node-1 has begun')).toBeTruthy()
    expect(document.activeElement).toBe(menuButton())
  })

  it.each<readonly [Partial<NodeView>, readonly string[]]>([
    [
      { agent: 'stopped' },
      ['Start the kubelet…', 'Shut the node down…The kubelet of', 'Cut the power…'],
    ],
    [{ agent: 'stopped', machine: 'off' }, ['Boot the machine…']],
    [
      { shutdown: { ...noShutdown, phase: 'running' } },
      [
        'Restart the kubelet…scope-node-1 is shutting down already.',
        'Stop the kubelet…scope-node-1 is shutting down already.',
        'Cancel the shutdown…',
        'Cut the power…',
      ],
    ],
  ])('depend on the state of the node: %j', async (part, offered) => {
    const { user } = await openPage(pageOf(part))
    await user.click(menuButton())
    // The way to the API server, and all faults of the sandbox.
    const rest = 'machine' in part ? 2 : 2 + spoils.length
    expect(items().slice(0, -rest)).toEqual(offered.map((words) => expect.stringContaining(words)))
  })

  it('take a fault back, which a banner offers too', async () => {
    const bridge = pageOf({
      faults: { runtime: 'down', call: null, isDiskFull: true, hasSlowMounts: true },
    })
    const { user } = await openPage(bridge)
    await user.click(menuButton())
    expect(items().slice(-5)).toEqual([
      'Let the container runtime answer again…',
      'Make one runtime call fail…',
      'Free the disk of the images…',
      'Let volumes be set up at once…',
      'Faults…',
    ])
    await user.keyboard('{Escape}')
    const banner = screen.getByRole('region', {
      name: 'The container runtime of scope-node-1 is unreachable',
    })
    await user.click(within(banner).getByRole('button', { name: 'Let it answer…' }))
    const dialog = screen.getByRole('dialog', { name: 'Let the container runtime answer again' })
    await user.click(
      within(dialog).getByRole('button', { name: 'Let the container runtime answer again' }),
    )
    expect(bridge.sentArgs('node.act')).toMatchObject([{ ...first, act: 'runtimeAnswers' }])
  })

  it('make one runtime call fail, of all pods or of one, by keyboard', async () => {
    const bridge = new FakeBridge({ rows: [hello, dns] })
    const { user, store } = await openPage(bridge)
    act(() => store.state.getState().askNodeAct({ kind: 'node', act: 'failCall', node: first }))
    const dialog = screen.getByRole('dialog', { name: 'Make one runtime call fail' })
    expect(dialog.textContent).toContain('Each StartContainer fails at once.')
    const call = within(dialog).getByRole('combobox', { name: 'Runtime call' })
    const pod = within(dialog).getByRole('combobox', { name: 'Pod' })
    await user.selectOptions(pod, 'kube-system/dns')
    await user.selectOptions(call, 'PullImage')
    expect(pod.hasAttribute('disabled')).toBe(true)
    expect(pod).toHaveProperty('value', '')
    await user.selectOptions(call, 'StopContainer')
    await user.selectOptions(pod, 'default/hello')
    await user.tab({ shift: true })
    await user.keyboard('{ArrowRight}')
    expect(within(dialog).getByRole('radio', { name: 'Hangs' })).toHaveProperty('checked', true)
    expect(dialog.textContent).toContain('Each StopContainer of default/hello hangs')
    const { violations } = await axe.run(dialog)
    expect(violations.map(({ id }) => id)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Make one runtime call fail' }))
    const fault = {
      call: 'StopContainer',
      how: 'hangs',
      pod: { namespace: 'default', name: 'hello' },
    } as const
    expect(bridge.sentArgs('node.act')).toMatchObject([{ ...first, act: 'failCall', call: fault }])
    const faults = { ...noFaults, call: fault }
    act(() =>
      bridge.patch({ clusters: [fakeCluster({ nodes: [fakeNode('scope-node-1', { faults })] })] }),
    )
    const title = 'StopContainer of default/hello hangs on scope-node-1'
    const banner = screen.getByRole('region', { name: title })
    expect((await axe.run(banner)).violations.map(({ id }) => id)).toEqual([])
    await user.click(within(banner).getByRole('button', { name: 'Let it answer…' }))
    await user.keyboard('{Enter}')
    expect(bridge.sentArgs('node.act').at(-1)).toMatchObject({ act: 'callsAnswer', call: null })
  })

  it('show why they are refused, and then open no dialog', async () => {
    const bridge = new FakeBridge({ readOnly: true })
    const { user } = await openPage(bridge)
    await user.click(menuButton())
    const [restart] = screen.getAllByRole('menuitem')
    if (restart === undefined) throw new Error('there is an act')
    expect(restart.textContent).toContain('Nodescope was started with --read-only.')
    await user.click(restart)
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.keyboard('{Escape}{Control>}k{/Control}kubelet')
    expect(screen.queryByRole('option', { name: /Restart the kubelet/ })).toBeNull()
  })

  it('are found in the palette', async () => {
    const { user } = await openPage(new FakeBridge())
    await user.keyboard('{Control>}k{/Control}restart the kub{Enter}')
    expect(screen.getByRole('dialog', { name: 'Restart the kubelet' })).toBeTruthy()
    expect(document.activeElement?.textContent).toBe('Restart the kubelet')
  })

  it('are refused in an open dialog when the node changes', async () => {
    const bridge = new FakeBridge()
    const { store } = await openPage(bridge)
    act(() => store.state.getState().askNodeAct({ kind: 'node', act: 'stopAgent', node: first }))
    act(() =>
      bridge.patch({
        clusters: [fakeCluster({ nodes: [fakeNode('scope-node-1', { agent: 'stopped' })] })],
      }),
    )
    const dialog = screen.getByRole('dialog', { name: 'Stop the kubelet' })
    expect(dialog.textContent).toContain('The kubelet of scope-node-1 does not run.')
    expect(
      within(dialog)
        .getByRole('button', { name: 'Stop the kubelet' })
        .getAttribute('aria-disabled'),
    ).toBe('true')
  })
})

describe('a graceful shutdown', () => {
  it('shows both groups with the grace period of each pod, and accepts the two numbers', async () => {
    const bridge = new FakeBridge({ rows: [hello, dns] })
    bridge.tell(fakeDetail(hello, { facts: fakeFacts(hello, { specGraceSeconds: 30 }) }))
    bridge.tell(
      fakeDetail(dns, { facts: fakeFacts(dns, { priority: 2_000_000_000, specGraceSeconds: 5 }) }),
    )
    const { user, store } = await openPage(bridge)
    await act(async () => {
      store.state.getState().askNodeAct({ kind: 'node', act: 'shutDown', node: first })
      await Promise.resolve()
    })
    const dialog = screen.getByRole('dialog', { name: 'Shut the node down' })
    const low = await within(dialog).findByRole('region', { name: /^Pods of priority below/ })
    expect(low.textContent).toContain('default/hello20 s of its 30 s')
    const critical = within(dialog).getByRole('region', { name: /^Critical pods/ })
    expect(critical.textContent).toContain('kube-system/dns5 s')
    const total = within(dialog).getByRole('textbox', { name: 'Whole shutdown' })
    await user.clear(total)
    expect(within(dialog).getByRole('alert').textContent).toContain('needs at least 1 s')
    await user.type(total, '45')
    expect(low.textContent).toContain('default/hello30 s')
    expect(within(dialog).getByRole('figure').getAttribute('aria-label')).toBe(
      'You click; pods from 0 s, 35 s at most, 1 of them; critical pods from 35 s, 10 s at most, 1 of them; the machine powers off after 45 s at the latest',
    )
    const { violations } = await axe.run(dialog)
    expect(violations.map(({ id }) => id)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Shut the node down' }))
    expect(bridge.sentArgs('node.act')).toEqual([
      { ...first, act: 'shutDown', shutdownGraceSeconds: 45, criticalGraceSeconds: 10, call: null },
    ])
  })
})

it('suggests the grace periods of the node’s KubeletConfiguration', async () => {
  const node = fakeNode('scope-node-1', { shutdownGrace: { total: 90, critical: 20 } })
  const bridge = new FakeBridge({ rows: [hello], clusters: [fakeCluster({ nodes: [node] })] })
  const { user, store } = await openPage(bridge)
  await act(async () => {
    store.state.getState().askNodeAct({ kind: 'node', act: 'shutDown', node: first })
    await Promise.resolve()
  })
  const dialog = screen.getByRole('dialog', { name: 'Shut the node down' })
  await user.click(within(dialog).getByRole('button', { name: 'Shut the node down' }))
  expect(bridge.sentArgs('node.act')).toEqual([
    { ...first, act: 'shutDown', shutdownGraceSeconds: 90, criticalGraceSeconds: 20, call: null },
  ])
})

describe('a stopped node', () => {
  it.each([
    ['The kubelet of scope-node-1 is stopped', { agent: 'stopped' }, 'Start the kubelet…'],
    ['The machine of scope-node-1 is off', { agent: 'stopped', machine: 'off' }, 'Boot…'],
  ] as const)('has a banner in every view: %s', async (title, part, label) => {
    const { user } = await openPage(pageOf({ ...part, leaseRenewedAt: fakeNow - 60_000 }))
    const banner = screen.getByRole('region', { name: title })
    expect(banner.textContent).toContain('Frozen')
    expect(banner.textContent).toContain('The control plane considers the node Unknown')
    await user.click(within(banner).getByRole('button', { name: label }))
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  it('is named in the Flow', async () => {
    await openPage(pageOf({ agent: 'stopped' }), { view: 'flow' })
    expect(screen.getByRole('main').textContent).toContain(
      'Kubelet stopped: last state known to the kubelet',
    )
  })
})

describe('the link to the API server', () => {
  it('can be cut for all nodes, and a banner says so until they are reconnected', async () => {
    const bridge = new FakeBridge({ clusters: [fakeNodes(2)] })
    const { user } = await openPage(bridge)
    await user.click(menuButton())
    await user.click(screen.getByRole('menuitem', { name: /^Cut all nodes off/ }))
    const dialog = screen.getByRole('dialog', { name: 'Cut all nodes off from the API server' })
    expect(dialog.textContent).toContain('scope-node-1, scope-node-2')
    await user.click(within(dialog).getByRole('button', { name: /^Cut all nodes off/ }))
    expect(bridge.sentArgs('cluster.cutOff')).toEqual([{ cluster: 'sandbox' }])
    const away = { kind: 'away', since: fakeNow, retryAt: null, message: 'cut' } as const
    act(() => bridge.patch({ clusters: [fakeNodes(2, { isCutOff: true, connection: away })] }))
    const banner = screen.getByRole('region', { name: 'The nodes are cut off' })
    // The time of the cut is on the cluster's clock, not the system's, so it is not shown.
    expect(banner.textContent).not.toContain('Since')
    const node = screen.getByRole('button', { description: 'Choose the node (N)' })
    expect(node.textContent).toContain('scope-node-1cut off')
    await user.click(within(banner).getByRole('button', { name: 'Reconnect…' }))
    await user.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Reconnect all nodes' }),
    )
    expect(bridge.sentArgs('cluster.reconnect')).toEqual([{ cluster: 'sandbox' }])
  })

  it('can be cut for one node, whose banner reconnects it', async () => {
    const cluster = fakeNodes(2)
    const bridge = new FakeBridge({ clusters: [cluster] })
    const { user } = await openPage(bridge)
    await user.click(menuButton())
    await user.click(screen.getByRole('menuitem', { name: /^Cut this node off/ }))
    const dialog = screen.getByRole('dialog', { name: 'Cut this node off from the API server' })
    expect(dialog.textContent).toContain('After 40 to 60 s, the node is Unknown')
    await user.click(within(dialog).getByRole('button', { name: /^Cut this node off/ }))
    expect(bridge.sentArgs('node.act')).toMatchObject([
      { cluster: 'sandbox', node: 'scope-node-1', act: 'cutOff' },
    ])
    const nodes = [fakeNode('scope-node-1', { isCutOff: true }), fakeNode('scope-node-2')]
    act(() => bridge.patch({ clusters: [{ ...cluster, nodes }] }))
    const banner = screen.getByRole('region', {
      name: 'scope-node-1 is cut off from the API server',
    })
    const node = screen.getByRole('button', { description: 'Choose the node (N)' })
    expect(node.textContent).toContain('scope-node-1cut off')
    await user.click(menuButton())
    expect(items().filter((item) => /econnect|Cut (this|all)/.test(item ?? ''))).toEqual([
      'Reconnect this node…',
      'Cut all nodes off from the API server…',
      'Reconnect all nodes…',
    ])
    await user.keyboard('{Escape}')
    await user.click(within(banner).getByRole('button', { name: 'Reconnect…' }))
    await user.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Reconnect this node' }),
    )
    expect(bridge.sentArgs('node.act').at(-1)).toMatchObject({ act: 'reconnect' })
  })

  it('cannot be cut in a cluster that Nodescope did not create', async () => {
    const { user } = await openPage(new FakeBridge({ clusters: [fakeCluster({ isCutOff: null })] }))
    await user.click(menuButton())
    expect(items().some((item) => item?.includes('API server'))).toBe(false)
  })
})
