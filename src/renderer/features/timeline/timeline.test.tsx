import { cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeRowOn } from '../../bridge/fake-nodes.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeLane } from '../../ui/lanes/fake-lane.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const web = fakeRowOn('worker-1', { name: 'web', worker: 'noKubelet' }, 'prod-eu1')

function bridgeWithLanes(): FakeBridge {
  const bridge = new FakeBridge({ rows: [web], clusters: [fakeSeenCluster()] })
  const inferred = fakeLane({ id: web.key, name: 'web' })
  bridge.clusterTimeline = {
    ...bridge.clusterTimeline,
    from: 0,
    to: 4000,
    podCount: 2,
    pods: [
      {
        ...inferred,
        segments: inferred.segments.map((span) => ({
          ...span,
          certainty: 'inferred' as const,
          because: 'It has a deletionTimestamp.',
        })),
      },
      fakeLane({ id: 'prod-eu1/worker-1/other', name: 'cart' }),
    ],
  }
  return bridge
}

describe('the timeline', () => {
  it('shows the workers of a cluster that is looked at, without a violation of axe', async () => {
    await openPage(bridgeWithLanes(), { view: 'timeline' })
    const lanes = await screen.findByRole('list', { name: 'Pod workers' })
    expect(
      within(lanes)
        .getAllByRole('button')
        .map((lane) => lane.getAttribute('aria-label')),
    ).toEqual([
      expect.stringContaining('shop/web: TerminatedPod since'),
      expect.stringContaining('shop/cart: TerminatedPod since'),
    ])
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('says of a pod without a worker that it has none', async () => {
    const bridge = bridgeWithLanes()
    const lane = fakeLane({ id: 'prod-eu1//pending', name: 'pending' })
    bridge.clusterTimeline = { ...bridge.clusterTimeline, pods: [{ ...lane, segments: [] }] }
    await openPage(bridge, { view: 'timeline' })
    expect(
      await screen.findByRole('button', { name: 'shop/pending: no worker in this time' }),
    ).toBeTruthy()
  })

  it('goes by keys to a worker and its marks, says what the state rests on, and opens its history', async () => {
    const { user, store } = await openPage(bridgeWithLanes(), { view: 'timeline' })
    await screen.findByRole('list', { name: 'Pod workers' })
    await user.keyboard('j')
    expect(document.body.textContent).toContain('state inferred. It has a deletionTimestamp.')
    await user.keyboard('[[[[')
    expect(document.body.textContent).toContain('SyncLoop ADD')
    await user.keyboard('l')
    expect(store.state.getState()).toMatchObject({ cursor: web.key, drawerTab: 'history' })
  })

  it('asks for the part of the time that is shown, and for the words of the filter', async () => {
    const bridge = bridgeWithLanes()
    const { user } = await openPage(bridge, { view: 'timeline' })
    await screen.findByRole('list', { name: 'Pod workers' })
    await user.keyboard('+')
    expect(bridge.sentArgs('cluster.timeline').at(-1)).toMatchObject({ from: 1000, to: 3000 })
    await user.keyboard('0/ca')
    expect(bridge.sentArgs('cluster.timeline').at(-1)).toMatchObject({ from: null, filter: 'ca' })
  })
})
