import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakePage } from '../../app/fake-page.tsx'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeArrows, fakeFlow, fakeMove } from '../../bridge/fake-flow.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeCluster, fakeRow, fakeStaticRow, fakeNow } from '../../bridge/fake-views.ts'
import { unknownNode } from '../../../shared/model/node/unknown-node.ts'
import { exampleChain } from '../../preview/flow-example.ts'
import { arrow } from './layout/fake-tables.ts'
import type { FlowTables } from './layout/flow-tables.ts'
import { flowTables } from './layout/flow-tables.ts'
import { FlowView } from './FlowView.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const web = fakeStaticRow({ name: 'web-scope-node-1', uid: 'e694aa37abf20c91a442da4841aeccdf' })
const lonely = fakeStaticRow({
  name: 'lonely-scope-node-1',
  mirror: 'missing',
  mirrorUid: null,
  mirrorReason: 'The API server refused it.',
})
const gateway = fakeRow({
  namespace: 'shop',
  name: 'gateway',
  worker: 'TerminatingPod',
  grace: { seconds: 30, startedAt: fakeNow - 9000, killAt: fakeNow + 21_000 },
})
const root = { seq: 41_214, at: fakeNow - 4068, text: 'web.yaml modified' }
const patched = fakeMove({
  arrow: 'statusManager-apiServer',
  seq: 5,
  text: 'PATCH',
  podName: 'gateway',
})
const flow = fakeFlow({
  arrows: fakeArrows({ 'statusManager-apiServer': { total: 14, lastMinute: 14, last: patched } }),
  recent: [patched],
  roots: [root],
  podManager: { pods: 3, mirrors: 1, uidLinks: 1, orphans: 0 },
  pairs: { paired: 1, unpaired: 1 },
  mirrorClient: { calls: 2, lastCall: null },
})

/** A window that is too narrow for the picture. */
function beNarrow(): void {
  const matchMedia = window.matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const media = matchMedia(query)
    if (query.includes('max-width')) vi.spyOn(media, 'matches', 'get').mockReturnValue(true)
    return media
  })
}

async function openFlow(
  bridge = new FakeBridge({ rows: [web, lonely, gateway] }),
): Promise<FakePage & { readonly bridge: FakeBridge }> {
  bridge.flow ??= flow
  bridge.chains.set(exampleChain.seq, exampleChain)
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().show('flow')
    await Promise.resolve()
  })
  return { ...page, bridge }
}

function packets(): readonly Element[] {
  return screen.queryAllByTestId('packet')
}

function clock(bridge: FakeBridge, part: { paused?: boolean; speed?: number }): void {
  const cluster = fakeCluster()
  act(() => bridge.patch({ clusters: [{ ...cluster, clock: { ...cluster.clock, ...part } }] }))
}

/** The same arrow, moved on by so many. */
function tellMoved(bridge: FakeBridge, by: number): void {
  act(() =>
    bridge.tellFlow({
      ...flow,
      arrows: fakeArrows({
        'statusManager-apiServer': { total: 14 + by, lastMinute: 14 + by, last: patched },
      }),
    }),
  )
}

/** The picture is drawn at most five times a second. */
async function drawn(): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(300))
}

describe('the kubelet of a node that is only looked at', () => {
  const started = fakeMove({
    arrow: 'podWorkers-runtime-start',
    text: 'StartContainer',
    podName: 'cart',
    certainty: 'certain',
    evidence: 'status of the container: running.startedAt',
  })
  const inferred = fakeFlow({
    cluster: 'prod-eu1',
    node: 'worker-1',
    arrows: fakeArrows({
      'podWorkers-runtime-start': { sight: 'inferred', total: 1, lastMinute: 1, last: started },
      'pleg-syncLoop': { sight: 'notKnown' },
    }),
    recent: [started],
    roots: null,
    api: { pods: 3, mirrors: 0 },
    podManager: null,
    syncLoop: null,
    pleg: null,
    workers: { forgotten: null },
  })

  async function openSeen(node: string): Promise<FakeBridge> {
    const bridge = new FakeBridge({ rows: [], clusters: [fakeSeenCluster()] })
    bridge.flow = inferred
    const { store } = await openPage(bridge, { view: 'nodes' })
    await act(async () => {
      store.state.getState().showNode({ cluster: 'prod-eu1', node })
      store.state.getState().show('flow')
      await Promise.resolve()
    })
    return bridge
  }

  it('is drawn with what is inferred, and says of which parts and arrows nothing is known', async () => {
    const bridge = await openSeen('worker-1')
    // Its workers are inferred from what its kubelet says, too.
    expect(bridge.sentArgs('inspect.watch').at(-1)).toEqual({
      node: { cluster: 'prod-eu1', node: 'worker-1' },
    })
    expect(document.body.textContent).toContain('Of dotted arrows nothing is known')
    expect(screen.getByRole('button', { name: 'PodManager: not known' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'file source: not known' })).toBeTruthy()
    expect(
      screen.getByRole('button', { name: 'PodWorkers: 0 workers, 0 terminating, 3 not known' }),
    ).toBeTruthy()
    const arrows = screen.getByRole('list', { name: 'Arrows' }).textContent
    expect(arrows).toContain(
      'PodWorkers to Container runtime, sandboxes and containers to start, postStart hooks: 1 in the last minute, last StartContainer cart',
    )
    expect(arrows).toContain('(certain, from: status of the container: running.startedAt)')
    expect(arrows).toMatch(/PLEG to sync loop, [^:]+: not known/)
    fireEvent.click(screen.getByRole('button', { name: /^Container runtime/ }))
    expect(screen.getByRole('region', { name: 'Container runtime' }).textContent).toContain(
      'certain, from: status of the container: running.startedAt',
    )
    fireEvent.click(screen.getByRole('button', { name: /^PLEG/ }))
    expect(screen.getByRole('region', { name: 'PLEG' }).textContent).toContain(
      'only the kubelet itself knows',
    )
    const { violations } = await axe.run(screen.getByRole('main'), {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('is drawn from its log as far as that tells, without counts of the API', async () => {
    const log = fakeCluster({ id: 'log-1', kind: 'log', nodes: [unknownNode('kubelet')] })
    const bridge = new FakeBridge({ rows: [], clusters: [log] })
    const said = fakeMove({
      arrow: 'pleg-syncLoop',
      text: 'ContainerDied',
      podName: 'cart',
      certainty: 'certain',
      evidence: 'line 7: SyncLoop (PLEG): event for pod',
    })
    bridge.flow = {
      ...inferred,
      cluster: 'log-1',
      node: 'kubelet',
      api: null,
      arrows: fakeArrows({
        'pleg-syncLoop': { sight: 'inferred', total: 1, lastMinute: 1, last: said },
        'nodeController-apiServer': { sight: 'notKnown' },
      }),
    }
    await openPage(bridge, { view: 'flow' })
    expect(document.body.textContent).toContain('The kubelet, as far as its log tells.')
    expect(document.body.textContent).toContain('watch, spec.nodeName=…')
    expect(screen.getByRole('button', { name: 'API server: not known' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'NodeController: not known' })).toBeTruthy()
    expect(
      screen.getByRole('button', { name: 'PodWorkers: 0 workers, 0 terminating' }),
    ).toBeTruthy()
    expect(screen.getByRole('list', { name: 'Arrows' }).textContent).toContain(
      '(certain, from: line 7: SyncLoop (PLEG): event for pod)',
    )
    fireEvent.click(screen.getByRole('button', { name: /^PodManager/ }))
    expect(screen.getByRole('region', { name: 'PodManager' }).textContent).toContain(
      'The log of a kubelet does not tell what this part holds',
    )
  })

  it('needs a chosen node, and offers the nodes of a small cluster', async () => {
    await openSeen('')
    expect(screen.getByText('Choose a node')).toBeTruthy()
    fireEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'worker-1' }))
    expect(screen.queryByText('Choose a node')).toBeNull()
    expect(await screen.findByRole('button', { name: 'PodManager: not known' })).toBeTruthy()
  })
})

describe('the picture of the kubelet', () => {
  it('shows the last move of a part even if it is no longer among the newest moves', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    const last = fakeMove({ arrow: 'file-podConfig', seq: 3, text: 'ADD', podName: 'web' })
    bridge.flow = {
      ...flow,
      arrows: fakeArrows({ 'file-podConfig': { total: 1, lastMinute: 1, last } }),
    }
    await openFlow(bridge)
    fireEvent.click(screen.getByRole('button', { name: /^file source/ }))
    const part = screen.getByRole('region', { name: /^file source/ })
    expect(within(part).getByText('ADD')).toBeTruthy()
  })

  it('has a button for each part with what it holds', async () => {
    await openFlow()
    expect(
      screen.getByRole('button', { name: 'PodManager: 3 pods, 1 mirror, 0 orphans' }),
    ).toBeTruthy()
    expect(
      screen.getByRole('button', { name: 'PodWorkers: 3 workers, 1 terminating' }),
    ).toBeTruthy()
    expect(screen.getByRole('button', { name: 'file source: 2 pods' })).toBeTruthy()
  })

  it('shows only the sources that the node has', async () => {
    await openFlow()
    expect(screen.queryByRole('button', { name: /^http source/ })).toBeNull()
    const arrows = within(screen.getByRole('list', { name: 'Arrows' })).getAllByRole('listitem')
    expect(arrows.some(({ textContent }) => textContent?.startsWith('http '))).toBe(false)
  })

  it('describes each arrow in a sentence for screen readers', async () => {
    await openFlow()
    expect(
      screen.getByText(
        'StatusManager to API server, PATCH of pod statuses: 14 in the last minute, last PATCH gateway at 14:02:28',
      ),
    ).toBeTruthy()
  })

  it('counts down the grace period on a terminating pod', async () => {
    await openFlow()
    expect(screen.getByText('21 s')).toBeTruthy()
  })

  it('opens one part at a time; Esc closes it and returns the focus', async () => {
    const { user } = await openFlow()
    await user.click(screen.getByRole('button', { name: /^PodManager/ }))
    expect(screen.getByRole('region', { name: 'PodManager' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /^MirrorClient/ }))
    expect(screen.queryByRole('region', { name: 'PodManager' })).toBeNull()
    const panel = screen.getByRole('region', { name: 'MirrorClient' })
    expect(within(panel).getByText('The API server refused it.')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'MirrorClient' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^MirrorClient/ }))
  })

  it('leads from an open part to its pods', async () => {
    const { user, store } = await openFlow()
    await user.click(screen.getByRole('button', { name: /^PodWorkers/ }))
    const panel = screen.getByRole('region', { name: 'PodWorkers' })
    await user.click(within(panel).getByRole('button', { name: 'shop/gateway' }))
    expect(store.state.getState().cursor).toBe(gateway.key)
  })

  it('leads from pods without room to the filtered table', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => fakeRow({ name: `pod-${index}` }))
    const { user, store } = await openFlow(new FakeBridge({ rows }))
    expect(screen.getByText('and 23 more')).toBeTruthy()
    await user.click(
      screen.getByRole('button', {
        name: 'Show all pods of SyncPod: 23 more than are drawn',
      }),
    )
    const { view, tables } = store.state.getState()
    expect([view, tables.pods.filterText]).toEqual(['pods', 'worker:SyncPod'])
  })

  it('explains how to add a pod while there are none', async () => {
    const bridge = new FakeBridge()
    bridge.flow = fakeFlow()
    await openFlow(bridge)
    expect(screen.getByText('No pods yet')).toBeTruthy()
    expect(screen.getByText('None yet. Edit a manifest, or use kubectl:')).toBeTruthy()
  })

  it('shows since when the API server is unreachable', async () => {
    const away = {
      kind: 'away' as const,
      since: fakeNow - 45_000,
      retryAt: null,
      message: 'connect ECONNREFUSED',
    }
    await openFlow(new FakeBridge({ clusters: [fakeCluster({ connection: away })] }))
    expect(screen.getByText(/^unreachable since 14:01:46/)).toBeTruthy()
  })

  it('has no axe violations with a part open', { timeout: 60_000 }, async () => {
    const { user } = await openFlow()
    const violations = async (): Promise<readonly string[]> => {
      const found = await axe.run(screen.getByRole('main'), {
        // Nothing is laid out or painted here; tokens.css lists the computed contrasts.
        rules: {
          'color-contrast': { enabled: false },
          region: { enabled: false },
          'label-content-name-mismatch': { enabled: true },
        },
      })
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
      )
    }
    await user.click(screen.getByRole('button', { name: /^PodWorkers/ }))
    expect(await violations()).toEqual([])
  })
})

describe('a part that is added to the table', () => {
  const evictions: FlowTables = {
    parts: [
      ...flowTables.parts,
      {
        id: 'allocationManager',
        title: 'AllocationManager',
        purpose: 'Allocates resources.',
        area: 'helpers',
        upstream: ['pkg/kubelet/eviction/eviction_manager.go', 'managerImpl'],
        moves: { along: 'both', heading: 'Last evictions', without: 'No pod was evicted yet.' },
      },
    ],
    arrows: [
      ...flowTables.arrows,
      arrow('allocationManager', 'podWorkers', { meaning: 'pods to evict' }),
    ],
  }

  async function openEvictions(): Promise<FakePage> {
    const bridge = new FakeBridge({ rows: [web] })
    bridge.flow = flow
    const page = await openPage(bridge, { view: 'flow', shown: <FlowView tables={evictions} /> })
    await act(() => Promise.resolve())
    return page
  }

  it('is drawn and named, and the keyboard reaches it in order', async () => {
    const { user } = await openEvictions()
    const part = screen.getByRole('button', {
      name: 'AllocationManager: 0 moves in the last minute',
    })
    expect(screen.getAllByText('0 a minute')).not.toEqual([])
    screen.getByRole('button', { name: /^Container runtime/ }).focus()
    await user.tab()
    expect(document.activeElement).toBe(part)
    await user.keyboard('{ArrowLeft}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Garbage collection/ }))
    act(() => {
      part.focus()
    })
    await user.keyboard('{Enter}')
    const panel = screen.getByRole('region', { name: 'AllocationManager' })
    expect(within(panel).getByText('pkg/kubelet/eviction/eviction_manager.go')).toBeTruthy()
    expect(within(panel).getByText('No pod was evicted yet.')).toBeTruthy()
  })

  it('has a sentence for its arrow', async () => {
    await openEvictions()
    expect(
      screen.getByText('AllocationManager to PodWorkers, pods to evict: no moves yet'),
    ).toBeTruthy()
  })

  it('is in the list of a narrow window', async () => {
    beNarrow()
    await openEvictions()
    const list = screen.getByRole('list', { name: 'Parts of the kubelet' })
    expect(within(list).getByRole('button', { name: /^AllocationManager/ })).toBeTruthy()
  })
})

describe('a move', () => {
  it('sends one packet along its arrow, with the number of moves', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { bridge } = await openFlow()
    await drawn()
    expect(packets()).toHaveLength(0)
    tellMoved(bridge, 3)
    await drawn()
    const [packet] = packets()
    expect(packet?.parentElement?.textContent).toBe('3')
    if (packet !== undefined) fireEvent.animationEnd(packet)
    expect(packets()).toHaveLength(0)
  })

  it.each([
    ['the clock is paused', { paused: true }],
    ['the clock runs fast', { speed: 60 }],
  ])('sends no packet while %s', async (_, part) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { bridge } = await openFlow()
    clock(bridge, part)
    await drawn()
    tellMoved(bridge, 3)
    await drawn()
    expect(screen.getByText('17')).toBeTruthy()
    expect(packets()).toHaveLength(0)
  })

  it('is announced instead of drawn with reduced motion, at most every 2 s', async () => {
    const matchMedia = window.matchMedia.bind(window)
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      const media = matchMedia(query)
      if (query.includes('reduced-motion')) vi.spyOn(media, 'matches', 'get').mockReturnValue(true)
      return media
    })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { bridge } = await openFlow()
    const said = screen.getByRole('status', { name: 'Last move' })
    for (const seq of [6, 7]) {
      act(() => bridge.tellFlow({ ...flow, recent: [{ ...patched, seq, podName: `pod-${seq}` }] }))
      await act(() => vi.advanceTimersByTimeAsync(700))
    }
    expect(said.textContent).toBe('')
    await act(() => vi.advanceTimersByTimeAsync(2000))
    expect(said.textContent).toBe('StatusManager to API server: PATCH pod-7')
    expect(packets()).toHaveLength(0)
  })
})

describe('following', () => {
  it('numbers the steps of an external cause', async () => {
    const { user, bridge } = await openFlow()
    await user.click(screen.getByRole('button', { name: 'Follow web.yaml modified' }))
    const steps = screen.getByRole('list', { name: 'Steps of web.yaml modified' })
    expect(within(steps).getAllByRole('listitem')).toHaveLength(5)
    expect(screen.getByText(/^web.yaml modified, 4 s ago/)).toBeTruthy()
    expect(bridge.sentArgs('trace.related')).toEqual([{ cluster: 'sandbox', seq: root.seq }])
  })

  it('opens all moves of a step whose line has no room for them; Esc closes the panel', async () => {
    const { user } = await openFlow()
    await user.click(screen.getByRole('radio', { name: 'web.yaml modified' }))
    const opener = screen.getByRole('button', { name: 'All 2 moves of step 5' })
    await user.click(opener)
    const panel = screen.getByRole('region', { name: 'Step 5' })
    expect(within(panel).getAllByRole('listitem')).toHaveLength(2)
    expect(document.activeElement).toBe(panel)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Step 5' })).toBeNull()
    expect(document.activeElement).toBe(opener)
  })

  it('starts and ends with the control above the picture', async () => {
    const { user, store } = await openFlow()
    await user.click(screen.getByRole('radio', { name: 'web.yaml modified' }))
    expect(store.state.getState().follow).toMatchObject({ kind: 'cause', seq: root.seq })
    await user.click(screen.getByRole('radio', { name: 'Everything' }))
    expect(store.state.getState().follow).toEqual({ kind: 'everything' })
  })

  it('replays step by step while the clock is paused', async () => {
    const { user, bridge, store } = await openFlow()
    await user.click(screen.getByRole('radio', { name: 'web.yaml modified' }))
    clock(bridge, { paused: true })
    await user.click(screen.getByRole('button', { name: /^Next step/ }))
    await user.click(screen.getByRole('button', { name: /^Next step/ }))
    expect(store.state.getState().replayStep).toBe(2)
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(store.state.getState().replayStep).toBe(1)
  })

  it('finds a pod by its name', async () => {
    const { user, store } = await openFlow()
    await user.click(screen.getByRole('radio', { name: 'A pod…' }))
    await user.type(screen.getByLabelText('Find a pod to follow'), 'gatew{Enter}')
    expect(store.state.getState().follow).toEqual({ kind: 'pod', key: gateway.key })
    expect(screen.getByRole('radio', { name: 'gateway' })).toBeTruthy()
  })
})

describe('a narrow window', () => {
  it('shows a list of parts with counts and last moves, which open in place', async () => {
    beNarrow()
    const { user } = await openFlow()
    const list = screen.getByRole('list', { name: 'Parts of the kubelet' })
    const heads = within(list).getAllByRole('button')
    expect(heads[0]?.textContent).toBe('API server0 pods on this node, 0 of them mirrors')
    expect(
      within(list).getByText('to API server: 14 in the last minute, last PATCH gateway 3 s ago'),
    ).toBeTruthy()
    await user.click(within(list).getByRole('button', { name: /^MirrorClient/ }))
    expect(within(list).getByText('The API server refused it.')).toBeTruthy()
  })
})
