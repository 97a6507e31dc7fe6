import { act, cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeInspection, fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeNow, fakeRow } from '../../bridge/fake-views.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { TimelineView } from '../../../shared/model/timeline/timeline.ts'
import { fakeLane } from '../../ui/lanes/fake-lane.ts'
import { plotPoints } from '../../ui/plot/Plot.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function openInspection(
  part: Partial<InspectView>,
  timeline: Partial<TimelineView> = {},
  rows: readonly PodRow[] = [],
): Promise<FakeBridge> {
  const bridge = new FakeBridge({ rows, clusters: [fakeSeenCluster()] })
  bridge.clusterTimeline = { ...bridge.clusterTimeline, ...timeline }
  const node = { cluster: 'prod-eu1', node: 'worker-1' }
  const { store } = await openPage(bridge, { view: 'nodes' })
  await act(async () => {
    store.state.getState().showNode(node)
    store.state.getState().show('inspect')
    await Promise.resolve()
  })
  act(() => bridge.inspect(node, { ...fakeInspection, ...part }))
  return bridge
}

const [ghost, healthy] = fakeInspection.rows

const sample = (seconds: number, runningPods: number): InspectView['course'][number] => ({
  at: fakeNow + seconds * 1000,
  plegRelistP99: 0.005,
  plegIntervalP99: 1.01,
  workerSyncP99: null,
  syncLoopAnswer: 0.002,
  runningPods,
  evictions: 0,
})

const accepted = {
  fingerprint: 'AB:CD',
  subject: 'worker-1@1',
  issuer: 'worker-1-ca',
  notAfter: '',
  verifiedBy: 'accepted',
} as const

describe('the column of the node', () => {
  it('draws the age of its lease over the renewals that were seen', async () => {
    await openInspection({})
    const chart = screen.getByRole('figure', { name: /Age of the lease/ })
    expect(chart.getAttribute('aria-label')).toBe(
      'Age of the lease: 4 s now, at most 10 s in the last 24 s; it expires at 40 s.',
    )
  })

  it('shows the accepted certificate, and revokes it', async () => {
    const kubelet = { ...fakeInspection.kubelet, certificate: accepted }
    const bridge = await openInspection({ kubelet })
    expect(document.body.textContent).toContain('worker-1@1, SHA-256 AB:CD')
    act(() => screen.getByRole('button', { name: 'No longer accept' }).click())
    const args = { cluster: 'prod-eu1', node: 'worker-1', fingerprint: null }
    expect(bridge.sentArgs('inspect.acceptCertificate')).toEqual([args])
  })
})

describe('the inspection of a node over time', () => {
  it('plots what /metrics says, and leaves out what this kubelet does not have', async () => {
    await openInspection({ course: [sample(0, 3), sample(15, 5), sample(30, 4)] })
    const plots = screen.getAllByRole('figure').map((plot) => plot.getAttribute('aria-label'))
    expect(plots).toContain('running pods: 4 now, 3 to 5 in the last 30 s')
    expect(plots).toContain('PLEG relist p99: 5 ms now, 5 ms to 5 ms in the last 30 s')
    expect(plots.some((label) => label?.startsWith('worker sync p99'))).toBe(false)
  })

  it('draws from the first sample to the last, and from zero', () => {
    expect(plotPoints([])).toBe('')
    expect(
      plotPoints([
        { at: 0, value: 0 },
        { at: 10, value: 5 },
      ]),
    ).toBe('0.0,100.0 100.0,10.7')
    expect(plotPoints([{ at: 0, value: 0 }])).toBe('0.0,100.0 0.0,100.0')
  })
})

describe('the pods of an inspection', () => {
  const labels = (name: string): readonly string[] =>
    within(screen.getByRole('table'))
      .getAllByRole('button')
      .map((button) => button.title)
      .filter((title) => title.includes(name))

  it('are filtered to those that disagree and to static pods, and say so where there is none', async () => {
    if (ghost === undefined || healthy === undefined) throw new Error('the fake has two rows')
    await openInspection({ rows: [ghost, healthy] })
    expect(labels('shop/')).toEqual(['shop/payments', 'shop/cart'])
    act(() => screen.getByRole('radio', { name: 'Disagreements 1' }).click())
    expect(labels('shop/')).toEqual(['shop/payments'])
    act(() => screen.getByRole('radio', { name: 'Static pods 0' }).click())
    expect(screen.queryByRole('table')).toBeNull()
    expect(document.body.textContent).toContain('The kubelet of this node has no static pods.')
    act(() => screen.getByRole('radio', { name: 'All 2' }).click())
    expect(labels('shop/')).toHaveLength(2)
  })

  it('have a square for each container, with its name and state for a screen reader', async () => {
    if (healthy === undefined) throw new Error('the fake has two rows')
    const running = [
      { name: 'main', state: 'up' },
      { name: 'log', state: 'exited' },
    ] as const
    await openInspection({ rows: [{ ...healthy, running }] })
    expect(
      screen.getByRole('cell', { name: 'main: running, log: Completed (exit 0)' }),
    ).toBeTruthy()
  })

  it('are drawn over time instead, with the same filter and the facts of the chosen one, without a violation of axe', async () => {
    const lanes = [
      fakeLane({ id: 'prod-eu1/worker-1/u-payments', name: 'payments' }),
      fakeLane({ id: 'prod-eu1/worker-1/u-cart', name: 'cart' }),
      fakeLane({ id: 'prod-eu1/worker-1/u-gone', name: 'gone' }),
    ]
    const bridge = await openInspection({}, { from: 0, to: 4000, podCount: 3, pods: lanes })
    act(() => screen.getByRole('radio', { name: 'Timeline' }).click())
    const list = await screen.findByRole('list', { name: 'Pod workers' })
    const drawn = (): readonly (string | null)[] =>
      within(list)
        .getAllByRole('button')
        .map((lane) => lane.getAttribute('title')?.split('\n')[0] ?? null)
    expect(drawn()).toEqual(['shop/payments', 'shop/cart', 'shop/gone'])
    expect(bridge.sentArgs('cluster.timeline').at(-1)).toMatchObject({ node: 'worker-1' })
    act(() =>
      within(list)
        .getByRole('button', { name: /^shop\/cart/ })
        .click(),
    )
    expect(screen.getByRole('region', { name: 'Facts' }).textContent).toContain('cart')
    act(() =>
      within(list)
        .getByRole('button', { name: /^shop\/gone/ })
        .click(),
    )
    expect(screen.queryByRole('region', { name: 'Facts' })).toBeNull()
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
    act(() => screen.getByRole('radio', { name: 'Disagreements 1' }).click())
    expect(drawn()).toEqual(['shop/payments'])
  })
})

describe('the keys of an inspection', () => {
  const cart = fakeRow({
    name: 'cart',
    namespace: 'shop',
    key: 'prod-eu1/worker-1/u-cart',
    cluster: 'prod-eu1',
    node: 'worker-1',
    uid: 'u-cart',
  })
  const chosen = (name: RegExp): void =>
    act(() => within(screen.getByRole('table')).getByRole('button', { name }).focus())
  const tab = (): string | null => screen.getByRole('tab', { selected: true }).textContent
  const drawer = (): HTMLElement | null => screen.queryByRole('complementary', { name: /cart/ })

  it('open the chosen pod, why it is where it is, and its YAML', async () => {
    await openInspection({}, {}, [cart])
    const user = userEvent.setup()
    chosen(/cart/)
    await user.keyboard('{Enter}')
    expect(drawer()).not.toBeNull()
    expect(tab()).toBe('Summary')
    await user.keyboard('{Escape}')
    expect(drawer()).toBeNull()
    chosen(/cart/)
    await user.keyboard('y')
    expect(tab()).toBe('YAML')
    await user.keyboard('{Escape}')
    chosen(/cart/)
    await user.keyboard('w')
    expect(tab()).toBe('Summary')
    expect(drawer()?.contains(document.activeElement)).toBe(true)
  })

  it('move to the facts of a pod that the API does not have', async () => {
    await openInspection({}, {}, [cart])
    const user = userEvent.setup()
    chosen(/payments/)
    await user.keyboard('{Enter}')
    expect(drawer()).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Chosen pod' }))
  })
})

describe('the readings of an inspection', () => {
  it('say how old they are, by where they were read, and which failed', async () => {
    const reading = { tookMs: 5, bytes: 10, problem: null }
    const problem = { kind: 'missing-right', message: '/metrics: Forbidden' } as const
    await openInspection({
      kubelet: {
        ...fakeInspection.kubelet,
        readings: [
          { ...reading, path: '/pods', at: fakeNow - 1000 },
          { ...reading, path: '/runningpods/', at: fakeNow - 2000 },
          { ...reading, path: '/metrics', at: fakeNow - 12_000, problem },
        ],
      },
    })
    const list = screen.getByRole('list', { name: 'Readings' })
    const items = within(list).getAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      'API watch, current',
      '/pods, /runningpods, 2 s ago',
      '/metrics, failed 12 s ago',
    ])
    expect(items[2]?.title).toBe('/metrics: Forbidden')
  })

  it('date the API watch where the API server does not respond', async () => {
    await openInspection({ apiReadAt: fakeNow - 20_000, apiAwaySince: fakeNow - 20_000 })
    expect(screen.getByRole('list', { name: 'Readings' }).textContent).toBe('API watch, 20 s ago')
  })
})

describe('the relists of a kubelet', () => {
  const buckets = [
    { upTo: 0.005, count: 40 },
    { upTo: 1, count: 3 },
    { upTo: 2.5, count: 1 },
    { upTo: null, count: 0 },
  ]

  it('are counted by how long they took', async () => {
    const relists = { since: fakeNow - 60_000, buckets, p50: 0.005, p99: 2.5 }
    await openInspection({ relists })
    const chart = screen.getByRole('figure', { name: /^PLEG relist, / })
    expect(chart.getAttribute('aria-label')).toBe(
      'PLEG relist, last 60 s: p50 5 ms, p99 2.5 s, 40 up to 5 ms, 3 up to 1 s, 1 up to 2.5 s',
    )
  })

  it('are those since its start where nothing says when that was', async () => {
    await openInspection({ relists: { since: null, buckets, p50: 0.005, p99: 2.5 } })
    expect(screen.getByRole('figure', { name: /^PLEG relist, since its start: / })).toBeTruthy()
  })
})

describe('a pod that does not stop', () => {
  it('shows the step that it is in, since when, and what holds it, without a violation of axe', async () => {
    if (ghost === undefined || healthy === undefined) throw new Error('the fake has two rows')
    const stop = {
      step: 'grace',
      askedAt: fakeNow - 100_000,
      since: fakeNow - 90_000,
      killAt: fakeNow - 60_000,
      overMs: 58_000,
      blocker: 'container',
      preStop: [],
    } as const
    await openInspection({ rows: [{ ...ghost, stop }, healthy] })
    const steps = screen.getByRole('region', { name: 'Steps of the stop' })
    expect(
      within(steps)
        .getAllByRole('listitem')
        .map((step) => step.textContent),
    ).toEqual(['told', 'preStop', 'gracefor 90 s', 'unmount', 'final status'])
    expect(steps.querySelector('[aria-current="step"]')?.textContent).toContain('grace')
    expect(steps.textContent).toContain('Held by a container that does not stop.')
    expect(steps.textContent).toContain('The grace period ended at ')
    const stuck = { kind: 'stuck', text: 'stuck 58s past grace' } as const
    cleanup()
    await openInspection({ rows: [{ ...ghost, stop, disagreement: stuck }, healthy] })
    const cells = (): readonly (string | null)[] =>
      screen.getAllByRole('cell').map((cell) => cell.textContent)
    expect(cells()).toContain('stuck 58s past grace, step 3 of 5')
    cleanup()
    const held = { ...stop, step: 'finalStatus', blocker: 'finalizer' } as const
    await openInspection({ rows: [{ ...ghost, stop: held, disagreement: stuck }, healthy] })
    expect(cells()).toContain('stuck 58s past grace')
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})

describe('a kubelet that may not be asked', () => {
  it('has the missing rights with the role that gives them', async () => {
    await openInspection({
      kubelet: {
        ...fakeInspection.kubelet,
        contact: 'not asked',
        missingRights: [{ resource: 'nodes/pods', isBroad: false }],
        missingRule: 'kind: ClusterRole\n',
      },
    })
    const node = screen.getByRole('complementary', { name: 'Node' })
    expect(node.textContent).toContain('get nodes/pods')
    expect(within(node).getByRole('button', { name: 'Copy the role' })).toBeTruthy()
  })
})

describe('the inspection of a recorded node', () => {
  it('says why there is none, and shows no pods', async () => {
    await openInspection({ nothing: 'worker-1 was not inspected.' })
    expect(document.body.textContent).toContain('worker-1 was not inspected.')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('shows a certificate that can no longer be accepted or revoked', async () => {
    const certificate = { ...accepted, isPast: true } as const
    await openInspection({ kubelet: { ...fakeInspection.kubelet, certificate } })
    expect(document.body.textContent).toContain('worker-1@1, SHA-256 AB:CD')
    expect(screen.queryByRole('button', { name: 'No longer accept' })).toBeNull()
  })
})
