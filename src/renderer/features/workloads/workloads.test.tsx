import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import type { ClusterKind } from '../../../shared/model/cluster-view.ts'
import { ok } from '../../../shared/result.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeCluster, fakeNow, fakeRow } from '../../bridge/fake-views.ts'
import { fakeOwner, fakeWorkloads } from '../../bridge/fake-workloads.ts'

afterEach(() => {
  cleanup()
})

const web = fakeOwner({ name: 'web', ready: 1, tone: 'wait', note: '1 of 2 available' })
const set = fakeOwner({ kind: 'ReplicaSet', name: 'web-5b8f', parent: web.uid })
const api = fakeOwner({ name: 'api' })
const first = fakeRow({ name: 'web-5b8f-a', owner: set.uid })
const second = fakeRow({ name: 'web-5b8f-b', owner: set.uid })
const gpu = fakeRow({ name: 'gpu', node: '', status: 'Pending', tone: 'wait', worker: 'noKubelet' })

const view = fakeWorkloads({
  owners: [api, web, set],
  unbound: [
    {
      uid: gpu.uid,
      namespace: 'default',
      name: 'gpu',
      createdAt: fakeNow - 5000,
      message: '0/1 nodes are available: 1 Insufficient memory.',
      reason: 'Unschedulable',
      gates: [],
      nominatedNode: '',
    },
  ],
  replacements: [
    {
      owner: set.uid,
      gone: {
        uid: 'gone',
        name: 'web-5b8f-z',
        createdAt: fakeNow - 90_000,
        leftAt: fakeNow - 20_000,
        endedAt: fakeNow - 18_000,
        how: 'Evicted',
      },
      made: {
        uid: second.uid,
        name: second.name,
        createdAt: fakeNow - 19_800,
        boundAt: fakeNow - 19_700,
      },
    },
  ],
})

async function openWorkloads(kind: ClusterKind = 'sandbox') {
  const bridge = new FakeBridge({ rows: [first, second, gpu], clusters: [fakeCluster({ kind })] })
  bridge.workloads = view
  const page = await openPage(bridge, { view: 'workloads' })
  await screen.findByRole('region', { name: 'web' })
  return { bridge, ...page }
}

describe('the Workloads view', () => {
  it('shows owners above their pods, a replacement and a pod without a node, without a violation of axe', async () => {
    await openWorkloads()
    const card = screen.getByRole('region', { name: 'web' })
    expect(card.textContent).toContain('1 of 2 available')
    expect(within(card).getAllByRole('listitem')).toHaveLength(2)
    expect(card.textContent).toContain('web-5b8f-b took the place of web-5b8f-z')
    expect(card.textContent).toContain('0.2 s later')
    const why = screen.getByRole('region', { name: 'Why not' })
    expect(why.textContent).toContain('0/1 nodes are available: 1 Insufficient memory.')
    const found = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
    expect(found.violations.map(({ id }) => id)).toEqual([])
  })

  it('goes from pod to pod and from owner to owner with J and Shift J, and opens a pod with Enter', async () => {
    const { user, store } = await openWorkloads()
    await user.keyboard('{Shift>}j{/Shift}')
    expect(document.activeElement?.textContent).toBe('api')
    await user.keyboard('jj')
    expect(document.activeElement?.textContent).toBe('web-5b8f-b')
    await user.keyboard('{Enter}')
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: true, cursor: second.key })
  })

  it('shows only those that are not ready, or that have a name', async () => {
    const { user } = await openWorkloads()
    await user.click(screen.getByRole('radio', { name: /Not ready/ }))
    expect(screen.queryByRole('region', { name: 'api' })).toBeNull()
    await user.click(screen.getByRole('radio', { name: 'All' }))
    await user.keyboard('/nothing')
    expect(screen.getByText('No owner has this name.')).toBeTruthy()
  })

  it('asks before it scales, with the number that was typed', async () => {
    const { bridge, user } = await openWorkloads()
    bridge.ownerForecast = ok({
      title: 'Scale web',
      summary: 'web makes 3 pods more.',
      steps: ['They are made at once.'],
      kubectl: 'kubectl scale deployment/web -n default --replicas=5',
      confirm: 'Scale web',
      isAllowed: true,
      refusal: '',
      revisions: [],
      revision: 0,
      diff: [],
    })
    await user.click(screen.getByRole('button', { name: 'Acts on web' }))
    await user.click(screen.getByRole('menuitem', { name: 'Scale…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Scale web' })
    await user.clear(within(dialog).getByRole('spinbutton'))
    await user.type(within(dialog).getByRole('spinbutton'), '5')
    await within(dialog).findByText('web makes 3 pods more.')
    await user.click(within(dialog).getByRole('button', { name: 'Scale web' }))
    expect(bridge.sentArgs('owner.act').at(-1)).toMatchObject({ act: 'scale', replicas: 5 })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('undoes a rollout to the revision that was chosen from its diff', async () => {
    const { bridge, user } = await openWorkloads()
    bridge.ownerForecast = ok({
      title: 'Undo rollout of web',
      summary: 'All 2 pods of web are replaced.',
      steps: [],
      kubectl: 'kubectl rollout undo deployment/web -n default --to-revision=2',
      confirm: 'Undo rollout of web',
      isAllowed: true,
      refusal: '',
      revisions: [
        { revision: 3, isCurrent: true, changeCause: '' },
        { revision: 2, isCurrent: false, changeCause: 'smaller' },
        { revision: 1, isCurrent: false, changeCause: '' },
      ],
      revision: 2,
      diff: [{ kind: 'added', text: 'image: nginx:1' }],
    })
    await user.click(screen.getByRole('button', { name: 'Acts on web' }))
    await user.click(screen.getByRole('menuitem', { name: 'Undo rollout…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo rollout of web' }))
    const revisions = await dialog.findByRole('combobox', { name: 'Back to' })
    expect(revisions).toHaveProperty('value', '2')
    expect(dialog.getByRole('option', { name: 'revision 2: smaller' })).toBeDefined()
    expect(dialog.getByRole('region', { name: 'Changes of the template' }).textContent).toBe(
      '+ image: nginx:1\n',
    )
    await user.selectOptions(revisions, '1')
    const found = await axe.run(screen.getByRole('dialog'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(found.violations.map(({ id }) => id)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Undo rollout of web' }))
    expect(bridge.sentArgs('owner.act').at(-1)).toMatchObject({ act: 'undo', revision: 1 })
  })

  it('says node by node what keeps a pod from it, where the filters can be asked', async () => {
    const { bridge, store } = await openWorkloads()
    expect(screen.queryByRole('region', { name: 'Node by node' })).toBeNull()
    bridge.verdicts = [
      {
        node: 'n1',
        plugin: 'NodeResourcesFit',
        reasons: ['Insufficient memory'],
        mayPreempt: true,
      },
      { node: 'n2', plugin: '', reasons: [], mayPreempt: false },
    ]
    act(() => store.state.setState({ workloads: { ...view, unbound: [...view.unbound] } }))
    const table = await screen.findByRole('region', { name: 'Node by node' })
    const rows = within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent)
    expect(rows).toEqual([
      'NodeFilterReason',
      'n1NodeResourcesFitInsufficient memory Preemption may help.',
      'n2All filters pass.',
    ])
  })
})

describe('the owners of a recording', () => {
  it('are shown as they were, and nothing is done with them', async () => {
    await openWorkloads('recording')
    expect(screen.getByRole('region', { name: 'web' }).textContent).toContain('1 of 2 available')
    expect(screen.getByText('0/1 nodes are available: 1 Insufficient memory.')).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Acts on/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Apply YAML…' })).toBeNull()
  })

  it('are not there at a moment at which no page showed them', async () => {
    const nothing = 'No page showed Workloads at this moment of the recording.'
    const bridge = new FakeBridge({ clusters: [fakeCluster({ kind: 'recording' })] })
    bridge.workloads = fakeWorkloads({ nothing })
    await openPage(bridge, { view: 'workloads' })
    expect(await screen.findByText(nothing)).toBeDefined()
  })
})
