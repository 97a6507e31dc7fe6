import { cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ClusterEventView } from '../../../shared/model/timeline/cluster-events.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeRowOn } from '../../bridge/fake-nodes.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeCluster, fakeNow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const web = fakeRowOn('worker-1', { name: 'web', worker: 'noKubelet' }, 'prod-eu1')
const pending = fakeRowOn(
  '',
  {
    name: 'pending',
    worker: 'noKubelet',
    workerReason: '0/2 nodes are available: 2 Insufficient cpu.',
  },
  'prod-eu1',
)

function event(part: Partial<ClusterEventView>): ClusterEventView {
  return {
    uid: 'e1',
    type: 'Normal',
    reason: 'Started',
    message: 'Started container web',
    source: 'kubelet',
    node: 'worker-1',
    kind: 'Pod',
    namespace: web.namespace,
    name: 'web',
    about: web.uid,
    count: 1,
    firstAt: fakeNow - 60_000,
    lastAt: fakeNow - 60_000,
    ...part,
  }
}

function bridgeWithEvents(matching = 2): FakeBridge {
  const bridge = new FakeBridge({ rows: [web, pending], clusters: [fakeSeenCluster()] })
  bridge.clusterEvents = {
    events: [
      event({}),
      event({
        uid: 'e2',
        type: 'Warning',
        reason: 'NodeNotReady',
        kind: 'Node',
        name: 'worker-2',
        count: 3,
      }),
    ],
    matching,
    total: matching,
    namespaces: ['kube-system', 'shop'],
    note: '',
  }
  return bridge
}

describe('the events of a cluster', () => {
  it('are a table, newest first, with the pods without a node above, without a violation of axe', async () => {
    await openPage(bridgeWithEvents(), { view: 'events' })
    const table = await screen.findByRole('table', { name: 'Events, newest first' })
    expect(within(table).getByRole('row', { name: /NodeNotReady/ }).textContent).toContain(
      '×3 since',
    )
    const waiting = screen.getByRole('region', { name: '1 pod without a node' })
    expect(waiting.textContent).toContain('0/2 nodes are available: 2 Insufficient cpu.')
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('lead by keys to the pod that they are about', async () => {
    const { user, store } = await openPage(bridgeWithEvents(), { view: 'events' })
    await screen.findByRole('table', { name: 'Events, newest first' })
    await user.keyboard('jj{Enter}')
    expect(store.state.getState()).toMatchObject({ cursor: web.key, drawerTab: 'events' })
    expect(screen.getByText('next pod without a node')).toBeTruthy()
    await user.keyboard('{Escape}n{Enter}')
    expect(store.state.getState().cursor).toBe(pending.key)
  })

  it('count one pod without a node in a cluster whose name has a blank', async () => {
    const cluster = 'recording of today'
    const row = fakeRowOn('', { name: 'pending', worker: 'noKubelet' }, cluster)
    await openPage(new FakeBridge({ rows: [row], clusters: [fakeCluster({ id: cluster })] }), {
      view: 'events',
    })
    const waiting = await screen.findByRole('region', { name: '1 pod without a node' })
    expect(within(waiting).getByRole('button', { name: /pending/ })).toBeTruthy()
  })

  it('name no key for pods without a node where there are none', async () => {
    const bridge = new FakeBridge({ rows: [web], clusters: [fakeSeenCluster()] })
    await openPage(bridge, { view: 'events' })
    expect(await screen.findByText('open the pod')).toBeTruthy()
    expect(screen.queryByText('next pod without a node')).toBeNull()
  })

  it('are asked for by namespace, type and page', async () => {
    const bridge = bridgeWithEvents(450)
    const { user } = await openPage(bridge, { view: 'events' })
    await user.click(await screen.findByRole('button', { name: 'Older' }))
    expect(bridge.sentArgs('cluster.events').at(-1)).toMatchObject({ skip: 200 })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Namespace' }), 'shop')
    expect(bridge.sentArgs('cluster.events').at(-1)).toMatchObject({ namespace: 'shop', skip: 0 })
    await user.click(screen.getByRole('radio', { name: 'Warnings' }))
    expect(bridge.sentArgs('cluster.events').at(-1)).toMatchObject({ onlyWarnings: true })
  })
})
