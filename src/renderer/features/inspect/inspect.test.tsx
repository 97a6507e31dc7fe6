import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeInspection, fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeNow } from '../../bridge/fake-views.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import { plotPoints } from '../../ui/plot/Plot.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function openInspection(part: Partial<InspectView>): Promise<FakeBridge> {
  const bridge = new FakeBridge({ rows: [], clusters: [fakeSeenCluster()] })
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

describe('the column of the node', () => {
  it('draws the age of its lease over the renewals that were seen', async () => {
    await openInspection({})
    const chart = screen.getByRole('figure', { name: /Age of the lease/ })
    expect(chart.getAttribute('aria-label')).toBe(
      'Age of the lease: 4 s now, at most 10 s in the last 24 s; it expires at 40 s.',
    )
  })

  it('shows the accepted certificate, and revokes it', async () => {
    const certificate = {
      fingerprint: 'AB:CD',
      subject: 'worker-1@1',
      issuer: 'worker-1-ca',
      notAfter: '',
      verifiedBy: 'accepted',
    } as const
    const bridge = await openInspection({ kubelet: { ...fakeInspection.kubelet, certificate } })
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
