import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakePage } from '../../app/fake-page.tsx'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeRowOn } from '../../bridge/fake-nodes.ts'
import {
  fakeContext,
  fakeInspection,
  fakeKubeconfig,
  fakeRights,
  fakeSeenCluster,
  fakeSeenNode,
} from '../../bridge/fake-seen.ts'
import { fakeCluster, fakeNow } from '../../bridge/fake-views.ts'
import { err, ok } from '../../../shared/result.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const isSeen = { worker: 'noKubelet', isMomentary: true } as const
const web = fakeRowOn('worker-1', { name: 'web', ...isSeen }, 'prod-eu1')
const cart = fakeRowOn('worker-2', { name: 'cart', ...isSeen }, 'prod-eu1')
const pending = fakeRowOn('', { name: 'pending', ...isSeen }, 'prod-eu1')
const allowed = { kind: 'allowed', endsAt: fakeNow + 822_000 } as const

function seenPage(cluster = fakeSeenCluster()): Promise<FakePage> {
  return openPage(new FakeBridge({ rows: [web, cart, pending], clusters: [cluster] }), {
    view: 'nodes',
  })
}

async function violations(): Promise<readonly string[]> {
  const found = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
  return found.violations.map(({ id }) => id)
}

describe('a cluster that is only looked at', () => {
  it('shows its nodes with lease, versions and pressure, without a violation of axe', async () => {
    await seenPage(
      fakeSeenCluster({
        nodes: [
          fakeSeenNode('worker-1', { kubeletVersion: 'v1.32.9', isUnschedulable: true }),
          fakeSeenNode('worker-2', { lease: null }),
        ],
      }),
    )
    const first = screen.getByRole('row', { name: /worker-1/ })
    expect(first.textContent).toContain('4 s')
    expect(first.textContent).toContain('SchedulingDisabled')
    expect(within(first).getByTitle('2 minor versions older than the API server')).toBeTruthy()
    expect(screen.getByRole('row', { name: /worker-2/ }).textContent).toContain('no lease')
    expect(await violations()).toEqual([])
  })

  it('has all its pods in one table with NODE, and those of a node after Enter on it', async () => {
    const { user, store } = await seenPage()
    await user.keyboard('2')
    const grid = screen.getByRole('grid', { name: 'Pods' })
    expect(grid.getAttribute('aria-rowcount')).toBe('4')
    expect(within(grid).getByRole('row', { name: 'default/web' }).textContent).toContain('worker-1')
    const heads = within(grid).getAllByRole('columnheader')
    expect(heads.map((head) => head.textContent)).toContain('NODE')
    expect(heads.map((head) => head.textContent)).not.toContain('WORKER')
    await user.keyboard('5jj{Enter}')
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      shown: { cluster: 'prod-eu1', node: 'worker-2' },
    })
    await user.click(screen.getByRole('button', { name: 'Only worker-2: show the whole cluster' }))
    expect(store.state.getState().shown).toEqual({ cluster: 'prod-eu1', node: '' })
  })

  it('keeps the whole cluster in the table when a pod is opened', async () => {
    const { store } = await seenPage()
    act(() => store.state.getState().showPod(web.key))
    expect(store.state.getState()).toMatchObject({
      shown: { cluster: 'prod-eu1', node: '' },
      cursor: web.key,
      isDrawerOpen: true,
    })
  })

  it('says why it has no Manifests, and has no view of files in the rail', async () => {
    const { user, store } = await seenPage()
    const rail = screen.getByRole('navigation', { name: 'Views' })
    expect(within(rail).getByRole('button', { name: 'Flow' })).toBeTruthy()
    expect(within(rail).queryByRole('button', { name: 'Manifests' })).toBeNull()
    await user.keyboard('4')
    expect(store.state.getState().view).toBe('nodes')
    expect(document.body.textContent).toContain('The kubelets of prod-eu1 run elsewhere.')
  })

  it('shows what the control plane does with a node that has gone', async () => {
    const loss = {
      kind: 'tainted',
      taint: 'node.kubernetes.io/unreachable',
      since: fakeNow - 100_000,
      deletions: [{ at: fakeNow + 136_000, pods: 3 }],
      staying: 1,
    } as const
    const conditions = [
      { type: 'Ready', status: 'Unknown', reason: '', message: '', since: fakeNow - 174_000 },
    ]
    const lease = { renewedAt: fakeNow - 214_000, durationSeconds: 40, renewals: [], count: 0 }
    const gone = fakeSeenNode('worker-2', { loss, conditions, lease })
    await seenPage(fakeSeenCluster({ nodes: [gone] }))
    expect(document.body.textContent).toContain('worker-2: no lease renewal for 3m34s.')
    expect(document.body.textContent).toContain(
      '3 pods will be deleted at 14:04:47 (node.kubernetes.io/unreachable:NoExecute). 1 pod tolerates it forever.',
    )
  })

  it('shows its watches, and since when what they show is old', async () => {
    const watch = { resource: 'pods', count: 4, state: 'away', missingRule: '' } as const
    await seenPage(
      fakeSeenCluster({
        watches: [{ ...watch, lastAt: fakeNow - 60_000, problem: 'pods is forbidden' }],
      }),
    )
    const strip = screen.getByRole('contentinfo', { name: 'Watches' })
    expect(strip.textContent).toContain('4 as of 14:01:31: pods is forbidden')
  })
})

describe('a credential plugin that runs', () => {
  const plugin = 'kubectl oidc-login'
  const listing = {
    resource: 'nodes',
    count: 0,
    lastAt: null,
    problem: '',
    missingRule: '',
  } as const

  it('shows what it prints at once, with the address to sign in at, also in another view', async () => {
    const output = 'Open https://login.example/device and enter the code ABCD\n'
    const cluster = fakeSeenCluster({
      plugin,
      pluginRun: { startedAt: fakeNow - 500, output },
      nodes: [],
      watches: [{ ...listing, state: 'listing' }],
    })
    const { user } = await seenPage({ ...cluster, connection: { kind: 'connecting' } })
    const banner = () =>
      screen.getByRole('region', { name: 'The credential plugin of prod-eu1 is running' })
    expect(within(banner()).getByRole('status').textContent).toBe(output.trim())
    expect(banner().textContent).toContain(plugin)
    expect(document.body.textContent).toContain('Loading nodesWaiting for the credential plugin.')
    await user.click(within(banner()).getByRole('button', { name: 'Copy the address' }))
    expect(await navigator.clipboard.readText()).toBe('https://login.example/device')
    expect(await violations()).toEqual([])
    await user.keyboard('2')
    expect(banner()).toBeTruthy()
  })

  it('says so after 2 s if it prints nothing', async () => {
    const run = (startedAt: number) =>
      fakeSeenCluster({ plugin, pluginRun: { startedAt, output: '' } })
    await seenPage(run(fakeNow - 1000))
    expect(screen.queryByText(/It has printed nothing/)).toBeNull()
    cleanup()
    await seenPage(run(fakeNow - 3000))
    expect(screen.getByText(/It has printed nothing so far/)).toBeTruthy()
  })
})

describe('a cluster that could not be read', () => {
  const watch = (resource: 'nodes' | 'pods', problem: string, missingRule = '') =>
    ({ resource, count: 0, lastAt: null, state: 'away', problem, missingRule }) as const

  it('says so in place of nodes, pods and mirrors', async () => {
    const problem = 'connect ECONNREFUSED 10.0.0.1:6443'
    const watches = [watch('nodes', problem), watch('pods', problem)]
    const cluster = fakeSeenCluster({ nodes: [], watches })
    const { user } = await openPage(new FakeBridge({ clusters: [cluster] }), { view: 'nodes' })
    for (const [key, what] of [
      ['5', 'Nodes'],
      ['2', 'Pods'],
      ['3', 'Pods'],
    ] as const) {
      await user.keyboard(key)
      expect(document.body.textContent).toContain(
        `${what} not loadedThe list could not be read: ${problem}`,
      )
      expect(document.body.textContent).not.toMatch(/No nodes|No pods|No mirror|0 nodes/)
    }
  })

  it('says that the server refused the list, and where the missing rule is', async () => {
    const watches = [watch('nodes', 'nodes is forbidden.', 'kind: ClusterRole')]
    await seenPage(fakeSeenCluster({ nodes: [], watches }))
    expect(document.body.textContent).toContain(
      'Nodes not loadedThe API server refused the list (403): nodes is forbidden. Rights (R) shows the rule that allows it.',
    )
  })

  it('says "No nodes" only of a list that has been read', async () => {
    const [read] = fakeSeenCluster().seen?.watches ?? []
    if (read === undefined) throw new Error('no watch')
    await seenPage(fakeSeenCluster({ nodes: [], watches: [{ ...read, count: 0 }] }))
    expect(document.body.textContent).toContain('No nodesThe API server lists no Node.')
  })
})

describe('allowing changes', () => {
  it('opens a dialog with the focus on the button that changes nothing', async () => {
    const bridge = new FakeBridge({ rows: [web], clusters: [fakeSeenCluster()] })
    bridge.rightsAnswer = ok(fakeRights)
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.keyboard('{Shift>}A{/Shift}')
    const dialog = screen.getByRole('dialog', { name: 'Allow changes on prod-eu1' })
    expect(document.activeElement?.textContent).toBe('Stay read-only')
    expect(dialog.textContent).toContain('https://k8s.eu1.acme.example:6443')
    expect(await violations()).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Allow for 15 min' }))
    expect(bridge.sentArgs('cluster.allowChanges')).toEqual([{ cluster: 'prod-eu1' }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is refused with --read-only', async () => {
    const fixed = { kind: 'readOnly', isFixed: true } as const
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({}, fixed)] })
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.click(screen.getByRole('switch', { name: 'Allow changes on prod-eu1' }))
    await user.click(screen.getByRole('button', { name: 'Allow for 15 min' }))
    expect(bridge.sentArgs('cluster.allowChanges')).toEqual([])
    expect(screen.getByRole('alert').textContent).toContain('--read-only')
  })

  it('counts down, names the cluster, and ends at once', async () => {
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({}, allowed)] })
    const { user } = await openPage(bridge, { view: 'nodes' })
    expect(screen.getByRole('region', { name: 'Connection' }).textContent).toContain('13:42')
    expect(screen.getByRole('button', { name: 'prod-eu1 changes allowed' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Read-only now' }))
    expect(bridge.sentArgs('cluster.endChanges')).toEqual([{ cluster: 'prod-eu1' }])
  })
})

describe('the acts on a node of a real cluster', () => {
  it('are refused while it is read-only, with what to do', async () => {
    const { user } = await seenPage()
    await user.click(screen.getByRole('button', { name: 'Actions on worker-1' }))
    await user.click(screen.getByRole('menuitem', { name: 'Cordon…' }))
    const dialog = screen.getByRole('dialog', { name: 'Cordon worker-1' })
    expect(dialog.textContent).toContain('Allow changes first (Shift A).')
    expect(document.activeElement?.textContent).toBe('Cancel')
  })

  it('drain with the options of kubectl, after the outcome of each pod', async () => {
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({}, allowed)] })
    const pod = {
      key: web.key,
      namespace: 'shop',
      name: 'web',
      budget: 'web-pdb',
      graceSeconds: 30,
    }
    bridge.seenNodeForecast = (node, name) =>
      ok({
        act: name,
        isAllowed: true,
        refusal: '',
        title: `Drain ${node}`,
        summary: 'Cordons the node, then evicts its pods.',
        unknown: [],
        kubectl: `kubectl drain ${node}`,
        confirm: `Drain ${node} on prod-eu1`,
        pods: [{ ...pod, fate: 'blocks', why: 'web-pdb allows 0 disruptions', controlledBy: '' }],
        isRehearsed: true,
        note: '',
      })
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.click(screen.getByRole('button', { name: 'Actions on worker-1' }))
    await user.click(screen.getByRole('menuitem', { name: 'Drain…' }))
    const list = screen.getByRole('list', { name: 'Pods of the node' })
    expect(list.textContent).toContain('web-pdb allows 0 disruptions')
    expect(await violations()).toEqual([])
    await user.click(screen.getByRole('checkbox', { name: /--force/ }))
    await user.click(screen.getByRole('button', { name: 'Drain worker-1 on prod-eu1' }))
    expect(bridge.sentArgs('seenNode.act')).toEqual([
      {
        cluster: 'prod-eu1',
        node: 'worker-1',
        act: 'drain',
        drain: {
          ignoreDaemonSets: true,
          deleteEmptyDirData: false,
          force: true,
          gracePeriodSeconds: null,
        },
      },
    ])
  })
})

describe('opening a cluster', () => {
  const plugin = {
    kind: 'plugin',
    program: 'kubelogin',
    commandLine: 'kubelogin get-token',
  } as const
  const page = async (bridge: FakeBridge): Promise<FakePage> => {
    bridge.kubeconfigs = [
      fakeKubeconfig([fakeContext('prod-eu1', { signIn: plugin }), fakeContext('staging')]),
    ]
    const opened = await openPage(bridge, { view: 'clusters' })
    await act(() => Promise.resolve())
    return opened
  }

  it('says first what it reads and which program runs, and asks before that runs', async () => {
    const bridge = new FakeBridge()
    bridge.openClusterAnswer = ({ confirmedPlugin, context }) =>
      confirmedPlugin === null
        ? ok({
            kind: 'confirmPlugin',
            question: {
              commandLine: 'kubelogin get-token',
              program: '/usr/local/bin/kubelogin',
              from: '/home/jana/.kube/config',
              variables: [],
              installHint: '',
            },
          })
        : ok({ kind: 'opened', cluster: context ?? '' })
    const { user, store } = await page(bridge)
    const facts = screen.getByRole('region', { name: 'Opening prod-eu1 reads' })
    expect(facts.textContent).toContain('kubelogin get-token')
    expect(await violations()).toEqual([])
    await user.click(screen.getByRole('radio', { name: 'green' }))
    await user.click(screen.getByRole('button', { name: 'Open read-only' }))
    expect(document.activeElement?.textContent).toBe('Cancel')
    await user.click(screen.getByRole('button', { name: 'Run it and open' }))
    const sent = { source: { kind: 'environment' }, context: 'prod-eu1', color: 3 }
    expect(bridge.sentArgs('cluster.open')).toEqual([
      { ...sent, confirmedPlugin: null },
      { ...sent, confirmedPlugin: 'kubelogin get-token' },
    ])
    await act(async () => {
      bridge.patch({ clusters: [fakeSeenCluster()] })
      await Promise.resolve()
    })
    expect(store.state.getState()).toMatchObject({
      view: 'nodes',
      shown: { cluster: 'prod-eu1', node: '' },
    })
  })

  it('shows in the row of the context why it failed; Enter opens', async () => {
    const bridge = new FakeBridge()
    bridge.openClusterAnswer = () => err({ kind: 'failed', message: 'x509: certificate expired' })
    const { user } = await page(bridge)
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('x509: certificate expired')
    expect(bridge.sentArgs('cluster.open')).toMatchObject([{ context: 'staging' }])
  })

  it('takes a file that is dropped on any view', async () => {
    const bridge = new FakeBridge()
    const { store } = await openPage(bridge, { view: 'pods' })
    const file = new File(['apiVersion: v1'], 'dev.kubeconfig')
    const drop = new Event('drop', { cancelable: true, bubbles: true })
    Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], files: [file] } })
    await act(async () => {
      window.dispatchEvent(drop)
      await vi.waitFor(() => expect(bridge.sentArgs('kubeconfigs.read')).toHaveLength(1))
    })
    expect(store.state.getState().view).toBe('clusters')
    expect(bridge.sentArgs('kubeconfigs.read')).toEqual([
      { source: { kind: 'text', name: 'dev.kubeconfig', text: 'apiVersion: v1' } },
    ])
  })

  it('switches with Ctrl O and a number, and closes a cluster', async () => {
    const bridge = new FakeBridge({ rows: [web], clusters: [fakeCluster(), fakeSeenCluster()] })
    const { user, store } = await openPage(bridge, { view: 'pods' })
    await user.keyboard('{Control>}o{/Control}')
    expect(screen.getByRole('dialog', { name: 'Clusters' })).toBeTruthy()
    await user.keyboard('2')
    expect(store.state.getState()).toMatchObject({ view: 'nodes', isSwitcherOpen: false })
    await user.keyboard('{Control>}o{/Control}')
    await user.click(screen.getByRole('button', { name: 'Close prod-eu1' }))
    expect(bridge.sentArgs('cluster.close')).toEqual([{ cluster: 'prod-eu1' }])
    expect(store.state.getState().view).toBe('nodes')
  })
})

describe('joining as a simulated node', () => {
  const joinButton = () => screen.getByRole('button', { name: 'Join…' })

  it('needs changes to be allowed', async () => {
    const { user } = await seenPage()
    await user.click(joinButton())
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(joinButton().getAttribute('aria-disabled')).toBe('true')
  })

  it('joins with the typed name only after the check, and ends from the list of clusters', async () => {
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({}, allowed)] })
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.click(joinButton())
    const dialog = screen.getByRole('dialog', { name: 'Join prod-eu1 as a simulated node' })
    await user.type(within(dialog).getByRole('textbox', { name: 'Node name' }), 'joined-1')
    const confirm = within(dialog).getByRole('button', { name: 'Join prod-eu1 as joined-1' })
    await user.click(confirm)
    expect(bridge.sentArgs('cluster.join')).toEqual([])

    await user.click(within(dialog).getByRole('button', { name: 'Check' }))
    expect(dialog.textContent).toContain('node joined-1 will be created')
    expect(await violations()).toEqual([])
    await user.click(confirm)
    const args = { cluster: 'prod-eu1', node: 'joined-1', allowSimulated: false }
    expect(bridge.sentArgs('cluster.join')).toEqual([args])
    expect(screen.queryByRole('dialog')).toBeNull()
    const joined = fakeCluster({ id: 'prod-eu1 joined-1', kind: 'joined', label: 'prod-eu1' })
    act(() => bridge.open({ ...joined, isPageJoined: true }, []))
    await user.keyboard('{Control>}o{/Control}')
    await user.click(screen.getByRole('button', { name: 'End node scope-node-1…' }))
    expect(document.activeElement?.textContent).toBe('Cancel')
    expect(await violations()).toEqual([])
    await user.click(screen.getByRole('checkbox', { name: /Also delete the Node/ }))
    await user.click(screen.getByRole('button', { name: 'End scope-node-1' }))
    expect(bridge.sentArgs('cluster.leave')).toEqual([
      { cluster: 'prod-eu1 joined-1', deleteNode: true },
    ])
  })

  it('is refused on a server elsewhere until that is allowed', async () => {
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster({}, allowed)] })
    const refusal = 'https://k8s.eu1.acme.example is not on this machine.'
    bridge.joinPlan = ok({
      lines: [],
      refusal,
      needsAllowSimulated: true,
      manifestsPath: '/m',
    })
    const { user } = await openPage(bridge, { view: 'pods' })
    await user.keyboard('{Control>}k{/Control}')
    await user.keyboard('simulated node{Enter}')
    await user.type(screen.getByRole('textbox', { name: 'Node name' }), 'n1{Enter}')
    expect(screen.getByRole('alert').textContent).toBe(refusal)
    await user.click(screen.getByRole('checkbox', { name: /--allow-simulated/ }))
    expect(bridge.sentArgs('cluster.checkJoin')).toMatchObject([
      { allowSimulated: false },
      { allowSimulated: true },
    ])
  })
})

describe('the rights', () => {
  it('list what is missing with the rule that allows it', async () => {
    const bridge = new FakeBridge({ clusters: [fakeSeenCluster()] })
    bridge.rightsAnswer = ok(fakeRights)
    const { user } = await openPage(bridge, { view: 'nodes' })
    await user.keyboard('r')
    await act(() => Promise.resolve())
    const look = screen.getByRole('region', { name: 'Look' })
    expect(look.textContent).toContain('not allowed:Logs of pods')
    expect(look.textContent).toContain('kind: ClusterRole')
    expect(screen.getByRole('button', { name: 'Copy all missing rules' })).toBeTruthy()
    expect(await violations()).toEqual([])
  })
})

describe('the inspection of a node', () => {
  it('asks its kubelet only while it is shown, and puts what disagrees into words', async () => {
    const bridge = new FakeBridge({ rows: [web], clusters: [fakeSeenCluster()] })
    const { user } = await openPage(bridge, { view: 'nodes' })
    expect(bridge.sentArgs('inspect.watch')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Actions on worker-1' }))
    await user.click(screen.getByRole('menuitem', { name: 'Inspect node' }))
    const node = { cluster: 'prod-eu1', node: 'worker-1' }
    expect(bridge.sentArgs('inspect.watch')).toEqual([{ node }])
    act(() => bridge.inspect(node, fakeInspection))
    const rowOf = (pod: string): string | null | undefined =>
      screen.getByRole('button', { name: pod }).closest('tr')?.textContent
    expect(rowOf('shop/payments')).toContain('not there')
    expect(rowOf('shop/payments')).toContain('TerminatingPod')
    expect(rowOf('shop/payments')).toContain('not in the API, runs, 2m14s')
    expect(rowOf('shop/cart')).toContain('not asked')
    await user.keyboard('n')
    expect(document.activeElement?.textContent).toBe('shop/payments')
    expect(await violations()).toEqual([])
    await user.keyboard('5')
    expect(bridge.sentArgs('inspect.watch')).toEqual([{ node }, { node: null }])
  })
})
