import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { err, ok } from '../../shared/result.ts'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import {
  fakeCluster,
  fakeDetail,
  fakeFacts,
  fakeRow,
  fakeStaticRow,
  fakeNow,
} from '../bridge/fake-views.ts'
import { openPage } from './fake-page.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const web = fakeStaticRow({
  name: 'web-scope-node-1',
  uid: '4db90dbbbce93ceba5f383ef323ded3f',
  mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
})
const hello = fakeRow({ name: 'hello', uid: 'ea03f05c-548a-4e40-a20c-58c2c8996764' })
const loud = fakeRow({ name: 'loud', uid: '17dccc51-66bf-4b11-9753-72e189799611' })
const gateway = fakeRow({ name: 'gateway', namespace: 'shop', tone: 'bad', status: 'Error' })

function rowNames(): readonly (string | null)[] {
  return within(screen.getByRole('grid', { name: 'Pods' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.getAttribute('aria-label'))
}

async function axeViolations(): Promise<readonly string[]> {
  const { violations } = await axe.run(document.body, {
    // happy-dom has no layout and no colors; tokens.css lists the computed contrasts.
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)}`),
  )
}

describe('the table of pods', () => {
  it('shows a row for each pod, by namespace and name', async () => {
    await openPage(new FakeBridge({ rows: [loud, gateway, web, hello] }))
    expect(rowNames()).toEqual([
      'default/hello',
      'default/loud',
      'default/web-scope-node-1',
      'shop/gateway',
    ])
  })

  it('shows a static pod and its mirror as one row with both UIDs and the state of the pair', async () => {
    await openPage(new FakeBridge({ rows: [web] }))
    const row = screen.getByRole('row', { name: 'default/web-scope-node-1' })
    expect(within(row).getByText('static')).toBeTruthy()
    expect(within(row).getByText('matched')).toBeTruthy()
    expect(within(row).getByRole('button', { name: `Copy the static UID ${web.uid}` })).toBeTruthy()
    expect(
      within(row).getByRole('button', { name: `Copy the mirror UID ${web.mirrorUid}` }),
    ).toBeTruthy()
  })

  it('follows patches: rows are added, changed and removed', async () => {
    const bridge = new FakeBridge({ rows: [hello] })
    await openPage(bridge)
    act(() => bridge.patch({ upserts: [loud, { ...hello, status: 'Terminating' }] }))
    expect(rowNames()).toEqual(['default/hello', 'default/loud'])
    expect(screen.getByText('Terminating')).toBeTruthy()
    act(() => bridge.patch({ removed: [hello.key] }))
    expect(rowNames()).toEqual(['default/loud'])
  })

  it('finds a static pod by either of its UIDs', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello, web] }))
    const box = screen.getByLabelText('Filter pods')
    await user.type(box, 'b0c6f30e-3a0f')
    expect(rowNames()).toEqual(['default/web-scope-node-1'])
    await user.clear(box)
    await user.type(box, web.uid)
    expect(rowNames()).toEqual(['default/web-scope-node-1'])
  })

  it('focuses the filter on /, and Esc clears it before it restores the focus', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello, web] }))
    await user.keyboard('/')
    await user.keyboard('!static')
    expect(rowNames()).toEqual(['default/hello'])
    await user.keyboard('{Escape}')
    expect(rowNames()).toEqual(['default/hello', 'default/web-scope-node-1'])
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(screen.getByRole('grid', { name: 'Pods' }))
  })

  it('sorts by a column header, and in reverse on a second click', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello, gateway, loud] }))
    await user.click(screen.getByRole('button', { name: 'NAME' }))
    expect(rowNames()).toEqual(['shop/gateway', 'default/hello', 'default/loud'])
    expect(screen.getByRole('columnheader', { name: 'NAME' }).getAttribute('aria-sort')).toBe(
      'ascending',
    )
    await user.click(screen.getByRole('button', { name: 'NAME' }))
    expect(rowNames()).toEqual(['default/loud', 'default/hello', 'shop/gateway'])
    expect(screen.getByRole('columnheader', { name: 'NAME' }).getAttribute('aria-sort')).toBe(
      'descending',
    )
  })

  it('shows an unscheduled pod with the scheduler’s reason, and where API and kubelet differ', async () => {
    const message =
      '0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.'
    const greedy = fakeRow({
      name: 'greedy',
      key: 'sandbox//uid-of-greedy',
      node: '',
      status: 'Pending',
      tone: 'wait',
      worker: 'noKubelet',
      workerReason: message,
    })
    const leaving = fakeRow({
      name: 'leaving',
      status: 'Terminating',
      tone: 'term',
      statusAside: { from: 'kubelet', word: 'Running' },
    })
    await openPage(new FakeBridge({ rows: [greedy, leaving] }))
    const row = screen.getByRole('row', { name: 'default/greedy' })
    expect(within(row).getByTitle(message).textContent).toBe('no kubelet yet3 Insufficient cpu')
    expect(screen.getByRole('main').textContent).toContain('1 without a kubelet')
    const other = screen.getByRole('row', { name: 'default/leaving' })
    expect(
      within(other).getByTitle('STATUS is the API object’s; the kubelet’s own status is Running.')
        .textContent,
    ).toBe('Terminatingkubelet: Running')
  })

  it('shows only what needs attention, with the count on the button and the reason in each row', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello, gateway, web] }))
    await user.click(screen.getByRole('radio', { name: 'Needs attention 1' }))
    expect(rowNames()).toEqual(['shop/gateway'])
    expect(screen.getByRole('row', { name: 'shop/gateway' }).textContent).toContain(
      'A container exited with an error.',
    )
  })

  it('offers to clear the filter if nothing matches', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello] }))
    await user.type(screen.getByLabelText('Filter pods'), 'nothing-like-it')
    await user.click(screen.getByRole('button', { name: 'Show all 1' }))
    expect(rowNames()).toEqual(['default/hello'])
  })

  it('explains in an empty cluster how to add pods', async () => {
    await openPage(new FakeBridge())
    expect(screen.getByText('No pods yet')).toBeTruthy()
    expect(screen.getByText('/home/ada/.nodescope/manifests')).toBeTruthy()
  })

  it.each([
    ['SyncPod', 'no mirror in the API; the next sync creates one'],
    ['finished', 'no mirror in the API; only SyncPod would create one'],
  ] as const)('says of a missing mirror whether %s makes one', async (worker, words) => {
    const missing = { ...web, mirror: 'missing', mirrorUid: null, worker } as const
    const { user } = await openPage(new FakeBridge({ rows: [missing] }))
    await user.click(screen.getByRole('grid', { name: 'Pods' }))
    await user.keyboard('{Home}{Enter}')
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('moves its active row by keys and opens it with Enter', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello, loud, web] }))
    await user.keyboard('jj')
    const grid = screen.getByRole('grid', { name: 'Pods' })
    expect(grid.getAttribute('aria-activedescendant')).toBe(`pod-${loud.key}`)
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(grid.getAttribute('aria-activedescendant')).toBe(`pod-${web.key}`)
    await user.keyboard('{Home}{Enter}')
    expect(await screen.findByRole('complementary', { name: 'Pod default/hello' })).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary')).toBeNull()
  })

  it('counts ages from the cluster’s clock', async () => {
    const bridge = new FakeBridge({
      rows: [fakeRow({ name: 'hello', createdAt: fakeNow - 41_000 })],
    })
    await openPage(bridge)
    expect(screen.getByText('41s')).toBeTruthy()
    act(() => bridge.patch({ now: { sandbox: fakeNow + 60_000 } }))
    expect(screen.getByText('101s')).toBeTruthy()
  })

  it('counts a grace period down', async () => {
    const stopping = fakeRow({
      name: 'hello',
      worker: 'TerminatingPod',
      grace: { seconds: 30, startedAt: fakeNow - 9000, killAt: fakeNow + 21_000 },
    })
    const bridge = new FakeBridge({ rows: [stopping] })
    await openPage(bridge)
    const row = screen.getByRole('row', { name: 'default/hello' })
    expect(within(row).getByText('21 s')).toBeTruthy()
    act(() => bridge.patch({ now: { sandbox: fakeNow + 10_000 } }))
    expect(within(row).getByText('11 s')).toBeTruthy()
  })
})

describe('the panel of a pod', () => {
  it('opens on a click with UIDs and worker record, and keeps them up to date', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    const { user } = await openPage(bridge)
    await user.click(screen.getByRole('row', { name: 'default/web-scope-node-1' }))
    const panel = await screen.findByRole('complementary', { name: 'Pod default/web-scope-node-1' })
    expect(within(panel).getByText(web.uid)).toBeTruthy()
    expect(within(panel).getByText(web.mirrorUid ?? '')).toBeTruthy()
    expect(within(panel).getByText('termination requested')).toBeTruthy()
    act(() => bridge.tell(fakeDetail(web, { message: 'It waits for its volumes.' })))
    expect(within(panel).getByText('It waits for its volumes.')).toBeTruthy()
  })

  it('says next to its buttons why a static pod cannot be evicted', async () => {
    const { user, store } = await openPage(new FakeBridge({ rows: [web] }))
    await user.click(screen.getByRole('row', { name: 'default/web-scope-node-1' }))
    const button = await screen.findByRole('button', { name: 'Evict by the kubelet…' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    const reasons = document.getElementById(button.getAttribute('aria-describedby') ?? '')
    expect(reasons?.textContent).toContain('A static pod counts as critical')
    await user.click(button)
    expect(store.state.getState().dialog).toBeNull()
    button.focus()
    expect(document.activeElement).toBe(button)
  })

  it('keeps the data of a pod that is gone, and links to the new pod of its name', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    const { user } = await openPage(bridge)
    await user.click(screen.getByRole('row', { name: 'default/web-scope-node-1' }))
    const next = { ...web, uid: 'next', key: `${web.key}-next` }
    act(() => bridge.patch({ removed: [web.key], upserts: [next] }))
    expect(screen.getByText(/This pod is gone/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show the current pod of this name' }))
    expect(screen.queryByText(/This pod is gone/)).toBeNull()
    expect(bridge.sentArgs('pod.watch').at(-1)).toEqual({ key: next.key })
  })
})

describe('acts', () => {
  it('shows before the click what a kill does, and starts it with the chosen grace', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    bridge.actAnswer = () => ok({ act: 'kill', message: 'Killing loud, 5 s grace' })
    const { user } = await openPage(bridge)
    await user.click(screen.getByRole('row', { name: 'default/loud' }))
    await user.click(await screen.findByRole('button', { name: 'Kill…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Kill at the worker' })
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(
      within(dialog).getByText(/The API object stays, with phase Failed, or Succeeded/),
    ).toBeTruthy()
    await user.click(within(dialog).getByRole('radio', { name: '5' }))
    await user.click(within(dialog).getByRole('button', { name: 'Kill, 5 s grace' }))
    expect(bridge.sentArgs('pod.kill')).toEqual([{ key: loud.key, gracePeriodSeconds: 5 }])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('status').textContent).toContain('Killing loud, 5 s grace')
  })

  it('accepts a typed grace, and an empty field as the pod’s own', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user } = await openPage(bridge)
    await user.click(screen.getByRole('row', { name: 'default/loud' }))
    await user.keyboard('e')
    const dialog = await screen.findByRole('dialog', { name: 'Evict through the API' })
    const grace = within(dialog).getByLabelText('Grace in seconds')
    for (const typed of ['1x7', '-1']) {
      await user.clear(grace)
      await user.type(grace, typed)
      expect(within(dialog).getByRole('alert').textContent).toContain('whole seconds from 0')
      const confirm = within(dialog).getByRole('button', { name: /^Evict/ })
      expect(confirm.getAttribute('aria-disabled')).toBe('true')
    }
    await user.clear(grace)
    await user.type(grace, '17')
    expect(within(dialog).queryByRole('alert')).toBeNull()
    expect(within(dialog).getByRole('button', { name: 'Evict, 17 s grace' })).toBeTruthy()
    await user.clear(grace)
    await user.click(within(dialog).getByRole('button', { name: 'Evict, 30 s grace' }))
    expect(bridge.sentArgs('pod.evictThroughApi')).toEqual([
      { key: loud.key, gracePeriodSeconds: null },
    ])
  })

  it('requests an eviction by the kubelet without a grace period', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user } = await openPage(bridge)
    await user.keyboard('j{Shift>}e{/Shift}')
    const dialog = await screen.findByRole('dialog', { name: 'Evict by the kubelet' })
    expect(within(dialog).queryByLabelText('Grace in seconds')).toBeNull()
    await user.click(await within(dialog).findByRole('button', { name: 'Evict by the kubelet' }))
    expect(bridge.sentArgs('pod.evictByKubelet')).toEqual([{ key: loud.key }])
  })

  it('opens on a letter with the focus on Cancel, and Esc closes it without an action', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user } = await openPage(bridge)
    await user.keyboard('jx')
    await screen.findByRole('dialog', { name: 'Kill at the worker' })
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(bridge.sentArgs('pod.kill')).toEqual([])
    expect(document.activeElement).toBe(screen.getByRole('grid', { name: 'Pods' }))
  })

  it('explains a refusal in the dialog and does not send it', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    const { user } = await openPage(bridge)
    await user.keyboard('je')
    const dialog = await screen.findByRole('dialog', { name: 'Evict through the API' })
    expect(await within(dialog).findByText(/A static pod is not in the API/)).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: /^Evict, / }))
    expect(bridge.sentArgs('pod.evictThroughApi')).toEqual([])
  })

  it('shows main’s refusal in the dialog, and keeps it open', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    bridge.actAnswer = () =>
      err({ kind: 'refused', message: 'The disruption budget allows none to go.' })
    const { user } = await openPage(bridge)
    await user.keyboard('je')
    const dialog = await screen.findByRole('dialog', { name: 'Evict through the API' })
    await user.click(await within(dialog).findByRole('button', { name: 'Evict, 30 s grace' }))
    expect(within(dialog).getByRole('alert').textContent).toContain('allows none to go')
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('updates the forecast if the pod changes while the dialog is open', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user } = await openPage(bridge)
    await user.keyboard('jx')
    const dialog = await screen.findByRole('dialog', { name: 'Kill at the worker' })
    await within(dialog).findByRole('button', { name: 'Kill, 30 s grace' })
    const stopping = { ...loud, worker: 'TerminatedPod' } as const
    bridge.tell(fakeDetail(stopping, { facts: fakeFacts(stopping) }))
    act(() => bridge.patch({ upserts: [stopping] }))
    expect(within(dialog).getByText('Its containers have already stopped.')).toBeTruthy()
  })

  it('is refused in read-only mode, with the reason', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [loud], readOnly: true }))
    await user.click(screen.getByRole('row', { name: 'default/loud' }))
    const button = await screen.findByRole('button', { name: 'Kill…' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText(/Nodescope was started with --read-only/)).toBeTruthy()
    expect(screen.getByText('read-only')).toBeTruthy()
  })
})

describe('a banner', () => {
  it('says since when the page is disconnected, refuses acts, and starts over when it reconnects', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user } = await openPage(bridge)
    await user.click(screen.getByRole('row', { name: 'default/loud' }))
    act(() => bridge.lose())
    expect(screen.getByRole('alert').textContent).toBe('Connection to Nodescope lost')
    expect(screen.getByText(/Since 14:02:31 UTC/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Kill…' }).getAttribute('aria-disabled')).toBe('true')
    await act(async () => {
      bridge.restore()
      await Promise.resolve()
    })
    expect(screen.queryByRole('alert')).toBeNull()
    expect(rowNames()).toEqual(['default/loud'])
  })

  it('says why main refuses the page', async () => {
    const bridge = new FakeBridge()
    await openPage(bridge, { isFirst: true })
    act(() => bridge.refuse('This address lacks its token: open the whole one.'))
    const banner = screen.getByRole('region', { name: 'Access token rejected' })
    expect(banner.textContent).toContain('This address lacks its token')
  })

  it('says what it waits for before the node is started', async () => {
    const message = 'Watching the lease of node "n1" for 15 s.'
    const cluster = fakeCluster({ connection: { kind: 'waiting', message } })
    await openPage(new FakeBridge({ clusters: [cluster] }))
    const banner = screen.getByRole('region', { name: 'The node is not started yet' })
    expect(banner.textContent).toContain(message)
  })

  it('says since when the API server is unreachable, when the next try is, and what continues', async () => {
    const cluster = fakeCluster({
      connection: {
        kind: 'away',
        since: fakeNow - 45_000,
        retryAt: fakeNow + 7000,
        message: 'connect ECONNREFUSED',
      },
    })
    const bridge = new FakeBridge({ rows: [loud, web], clusters: [cluster] })
    const { user } = await openPage(bridge, { view: 'flow' })
    const banner = screen.getByRole('region', { name: 'The API server does not answer' })
    expect(banner.textContent).toContain('for 45 s')
    expect(banner.textContent).toContain('Since 14:01:46 UTC. connect ECONNREFUSED')
    expect(banner.textContent).toContain('7 s')
    expect(within(banner).getByText('Two workers')).toBeTruthy()
    expect(screen.getByText('Ready, as of 14:01:46')).toBeTruthy()
    expect(
      within(banner).getByRole('img', {
        name: /Unknown by 14:03:27, pods deleted by 14:08:27/,
      }),
    ).toBeTruthy()
    await user.click(within(banner).getByRole('button', { name: 'Try now' }))
    expect(bridge.sentArgs('cluster.retry')).toEqual([{ cluster: 'sandbox' }])
    await user.click(within(banner).getByRole('button', { name: 'Show less' }))
    expect(within(banner).queryByText('Two workers')).toBeNull()
  })

  it('shows an invalid manifest with its place, above the table and on the start page', async () => {
    const cluster = fakeCluster()
    const broken = {
      ...cluster,
      nodes: cluster.nodes.map((node) => ({
        ...node,
        sources: node.sources.map((source) => ({
          ...source,
          problems:
            source.source === 'file'
              ? [{ where: '/m/web.yaml', message: 'not a Pod', line: 10, column: 3 }]
              : [],
        })),
      })),
    }
    const { user } = await openPage(new FakeBridge({ rows: [loud], clusters: [broken] }))
    expect(screen.getByRole('region', { name: 'Manifest problems' }).textContent).toContain(
      'web.yaml:10:3',
    )
    await user.click(screen.getByRole('button', { name: 'kubectl access' }))
    expect(screen.getByText('not a Pod')).toBeTruthy()
  })
})

describe('the start', () => {
  it('is shown at the first start, with real counts and the line for kubectl', async () => {
    const { memory, user } = await openPage(new FakeBridge({ rows: [web, hello, loud] }), {
      isFirst: true,
    })
    expect(screen.getByRole('heading', { name: 'A cluster is running.' })).toBeTruthy()
    expect(
      screen.getByText(/One node, one static pod from a folder, two ordinary pods\./),
    ).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy the export line' })).toBeTruthy()
    expect(document.querySelector('code[title], li code')?.textContent).toBe(
      'kubectl delete pod web-scope-node-1 --wait=false',
    )
    await user.click(screen.getByRole('button', { name: 'Open the pods' }))
    expect(rowNames()).toEqual(['default/hello', 'default/loud', 'default/web-scope-node-1'])
    expect(memory.get('nodescope.seen-start')).toBe('yes')
  })
})

describe('the frame', () => {
  it('remembers the chosen theme', async () => {
    const { user, memory } = await openPage(new FakeBridge())
    await user.click(screen.getByRole('button', { name: 'Theme' }))
    await user.click(screen.getByRole('menuitemradio', { name: 'High contrast' }))
    expect(memory.get('nodescope.theme')).toBe('contrast')
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('lists its keys on ?', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello] }))
    await user.keyboard('?')
    expect(screen.getByRole('dialog', { name: 'Keys' })).toBeTruthy()
  })

  it('shows cluster, node, clock and the sync loop', async () => {
    const cluster = fakeCluster({
      loops: [
        {
          node: 'scope-node-1',
          iterations: 18_204,
          recent: [{ seq: 9, at: fakeNow - 78, input: 'config', text: 'ADD file default/web' }],
        },
      ],
    })
    await openPage(new FakeBridge({ clusters: [cluster] }))
    expect(screen.getByRole('banner').textContent).toContain('scope-node-1Ready')
    expect(screen.getByRole('region', { name: 'Clock' }).textContent).toContain('14:02:31')
    const strip = screen.getByRole('contentinfo', { name: 'Sync loop' })
    expect(strip.textContent).toContain('18\u00a0204')
    expect(strip.textContent).toContain('02:31.402ADD file default/web')
  })
})

describe('accessibility', () => {
  it('has no violations in table, panel and dialog', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [web, hello, gateway] }))
    await user.click(screen.getByRole('row', { name: 'default/web-scope-node-1' }))
    expect(await axeViolations()).toEqual([])
    await user.click(await screen.findByRole('button', { name: 'Kill…' }))
    await screen.findByRole('button', { name: 'Kill, 30 s grace' })
    expect(await axeViolations()).toEqual([])
  })

  it('has no violations on the start page', async () => {
    await openPage(new FakeBridge({ rows: [web, hello] }), { isFirst: true })
    expect(await axeViolations()).toEqual([])
  })

  it('has no violations in palette, keys and settings', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [web, hello] }))
    await user.keyboard('{Control>}k{/Control}')
    expect(await axeViolations()).toEqual([])
    await user.keyboard('{Escape}?')
    expect(await axeViolations()).toEqual([])
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Settings' }))
    expect(await axeViolations()).toEqual([])
  })
})
