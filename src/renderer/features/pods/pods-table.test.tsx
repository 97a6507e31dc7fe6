import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { err } from '../../../shared/result.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import {
  fakeCluster,
  fakeDetail,
  fakeNow,
  fakeRow,
  fakeStaticRow,
} from '../../bridge/fake-views.ts'

afterEach(cleanup)

const cart = fakeRow({ name: 'cart', labels: { app: 'shop', tier: 'front' } })
const db = fakeRow({ name: 'db', labels: { app: 'shop' }, fields: { 'status.phase': 'Pending' } })
const loud = fakeRow({ name: 'loud', labels: { app: 'loud' } })
const web = fakeStaticRow({ name: 'web-n' })
const all = [cart, db, loud, web]

function names(): readonly string[] {
  return within(screen.getByRole('grid', { name: 'Pods' }))
    .getAllByRole('row')
    .flatMap((row) => row.getAttribute('aria-label') ?? [])
}

function markedNames(): readonly string[] {
  return screen
    .queryAllByRole('row', { selected: true })
    .map((row) => row.getAttribute('aria-label') ?? '')
}

function heads(): readonly string[] {
  return screen
    .getAllByRole('columnheader')
    .map((head) => head.textContent)
    .filter((head) => head !== '')
}

describe('the selectors of the table of pods', () => {
  it('select by labels and by fields, in kubectl’s syntax', async () => {
    const { user } = await openPage(new FakeBridge({ rows: all }))
    const labels = screen.getByRole('textbox', { name: 'Label selector' })
    await user.type(labels, 'app=shop')
    expect(names()).toEqual(['default/cart', 'default/db'])
    await user.type(
      screen.getByRole('textbox', { name: 'Field selector' }),
      'status.phase!=Running',
    )
    expect(names()).toEqual(['default/db'])
    await user.clear(labels)
    await user.type(labels, '!app')
    expect(names()).toEqual([])
  })

  it('follow the labels of a pod', async () => {
    const bridge = new FakeBridge({ rows: all })
    const { user } = await openPage(bridge)
    await user.type(screen.getByRole('textbox', { name: 'Label selector' }), 'app=shop')
    act(() => bridge.patch({ upserts: [{ ...loud, labels: { app: 'shop' } }] }))
    expect(names()).toEqual(['default/cart', 'default/db', 'default/loud'])
  })

  it('say in a sentence why one cannot be read, and then show no row', async () => {
    const { user } = await openPage(new FakeBridge({ rows: all }))
    const fields = screen.getByRole('textbox', { name: 'Field selector' })
    await user.type(fields, 'spec.color=red')
    expect(screen.getByRole('alert').textContent).toBe(
      'Field selector cannot be read: field label not supported: spec.color.',
    )
    expect(fields.getAttribute('aria-invalid')).toBe('true')
    expect(names()).toEqual([])
    expect(screen.getByText('The selector cannot be read')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show all 4' }))
    expect(names()).toHaveLength(4)
  })
})

describe('the columns of the table of pods', () => {
  it('are chosen, moved and remembered', async () => {
    const { user, memory } = await openPage(new FakeBridge({ rows: all }))
    const before = heads()
    expect(before.slice(0, 3)).toEqual(['NAMESPACE', 'NAME', 'READY'])
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(screen.getByRole('checkbox', { name: 'Show LABELS' }))
    await user.click(screen.getByRole('checkbox', { name: 'Show READY' }))
    await user.click(screen.getByRole('button', { name: 'Move NAME left' }))
    expect(heads()).toEqual([
      'NAME',
      'NAMESPACE',
      ...before.filter((head) => !['NAMESPACE', 'NAME', 'READY'].includes(head)),
      'LABELS',
    ])
    expect(screen.getByText('app=shop,tier=front')).toBeTruthy()
    expect(memory.get('nodescope.table-pods')).toMatch(
      /^{"columns":\["name","namespace","status",.*"labels"\],"sort":/,
    )
  })

  it('are those of the last start, with its order', async () => {
    const stored = JSON.stringify({
      columns: ['age', 'of another version', 'name'],
      sort: { column: 'name', descending: true },
    })
    await openPage(new FakeBridge({ rows: all }), {
      remembered: [['nodescope.table-pods', stored]],
    })
    expect(heads()).toEqual(['AGE', 'NAME'])
    expect(names()[0]).toBe('default/web-n')
  })

  it('are the usual ones after “Default columns”, and if what is stored is not readable', async () => {
    const { user } = await openPage(new FakeBridge({ rows: all }), {
      remembered: [['nodescope.table-pods', 'not JSON']],
    })
    const usual = heads()
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(screen.getByRole('checkbox', { name: 'Show AGE' }))
    expect(heads()).not.toEqual(usual)
    await user.click(screen.getByRole('button', { name: 'Default columns' }))
    expect(heads()).toEqual(usual)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('button', { name: 'Default columns' })).toBeNull()
    expect(document.activeElement?.textContent).toBe('Columns')
  })
})

describe('a pod of which only a log tells', () => {
  it('says that its STATUS is not known, and leaves READY, RESTARTS and AGE open', async () => {
    const bricks = { readyContainers: 0, totalContainers: 0, bricks: [] }
    const row = { ...cart, ...bricks, isStatusUnknown: true as const, status: '', createdAt: null }
    await openPage(new FakeBridge({ rows: [row, db] }))
    const cells = (name: string): readonly string[] =>
      within(screen.getByRole('row', { name: `default/${name}` }))
        .getAllByRole('gridcell')
        .map((cell) => cell.textContent)
    expect(cells('cart').filter((cell) => cell === 'not known' || cell === '–')).toEqual([
      '–',
      'not known',
      '–',
      '–',
    ])
    expect(cells('db')).not.toContain('not known')
  })

  it.each(['log', 'recording'] as const)(
    'has no keys of acts below the table (%s)',
    async (kind) => {
      await openPage(new FakeBridge({ rows: [cart], clusters: [fakeCluster({ kind })] }))
      expect(screen.getByText('move')).toBeTruthy()
      expect(screen.queryByText('kill…')).toBeNull()
    },
  )
})

describe('selecting rows', () => {
  it('with the mouse: Ctrl for one, Shift for a range, the box of the head for all', async () => {
    const { user, store } = await openPage(new FakeBridge({ rows: all }))
    const row = (name: string): HTMLElement => screen.getByRole('row', { name: `default/${name}` })
    await user.keyboard('{Control>}')
    await user.click(row('cart'))
    await user.keyboard('{/Control}{Shift>}')
    await user.click(row('loud'))
    await user.keyboard('{/Shift}')
    expect(markedNames()).toEqual(['default/cart', 'default/db', 'default/loud'])
    expect(store.state.getState().isDrawerOpen).toBe(false)
    await user.click(screen.getByTitle('Select db'))
    expect(markedNames()).toEqual(['default/cart', 'default/loud'])
    await user.click(screen.getByRole('button', { name: 'Select all rows' }))
    expect(markedNames()).toHaveLength(4)
    await user.click(screen.getByRole('button', { name: /Clear selection/ }))
    expect(markedNames()).toEqual([])
  })

  it('with the keyboard: Space, Shift with arrows, Ctrl+A and Esc', async () => {
    const { user } = await openPage(new FakeBridge({ rows: all }))
    screen.getByRole('grid', { name: 'Pods' }).focus()
    await user.keyboard('{ArrowDown} ')
    expect(markedNames()).toEqual(['default/cart'])
    await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    expect(markedNames()).toEqual(['default/cart', 'default/db', 'default/loud'])
    await user.keyboard('{Shift>}{ArrowUp}{/Shift}')
    expect(markedNames()).toEqual(['default/cart', 'default/db'])
    await user.keyboard('{Control>}a{/Control}')
    expect(markedNames()).toHaveLength(4)
    await user.keyboard('{Escape}')
    expect(markedNames()).toEqual([])
  })

  it('ends when the table shows other rows, so that an act is only for rows in sight', async () => {
    const { user } = await openPage(new FakeBridge({ rows: all }))
    await user.click(screen.getByRole('button', { name: 'Select all rows' }))
    expect(screen.getByText('4 selected')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Label selector' }), 'app')
    expect(markedNames()).toEqual([])
    expect(screen.queryByRole('toolbar', { name: 'Selected pods' })).toBeNull()
  })
})

describe('an act on several pods', () => {
  async function asked(bridge: FakeBridge, act: string) {
    const page = await openPage(bridge)
    await page.user.click(screen.getByRole('button', { name: 'Select all rows' }))
    await page.user.click(screen.getByRole('button', { name: act }))
    return { ...page, dialog: screen.getByRole('dialog') }
  }

  it('lists each outcome and each refusal, with the line for kubectl', async () => {
    const { dialog } = await asked(new FakeBridge({ rows: [cart, db] }), 'Delete…')
    const rows = within(dialog).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Readydefault\/cartobject gone; SIGKILL after 30 s at the latest$/),
      expect.stringMatching(/^Readydefault\/db/),
    ])
    expect(dialog.textContent).toContain('kubectl delete pod -n default cart db')
    expect(within(dialog).getByRole('button', { name: 'Delete 2 pods on sandbox' })).toBeTruthy()
  })

  it('sends nothing for a refused row, and shows how each other one went', async () => {
    const bridge = new FakeBridge({ rows: all })
    bridge.actAnswer = (_name, key) =>
      key === db.key
        ? err({ kind: 'failed', message: 'Deletion refused (403): Forbidden.' })
        : { ok: true, value: { act: 'delete', message: 'Deleting it' } }
    const readOnly = { ...fakeDetail(loud), facts: { ...fakeDetail(loud).facts, readOnly: 'No.' } }
    bridge.tell(readOnly)
    const { user, dialog } = await asked(bridge, 'Delete…')
    expect(within(dialog).getByText(/request is sent for 2; 2 are refused/)).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Delete 2 pods on sandbox' }))
    expect(bridge.sentArgs('pod.delete')).toEqual([
      { key: cart.key, gracePeriodSeconds: null },
      { key: db.key, gracePeriodSeconds: null },
    ])
    expect(within(dialog).getByText('1 begun, 1 refused.')).toBeTruthy()
    expect(within(dialog).getByText('Deletion refused (403): Forbidden.')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(markedNames()).toEqual([])
  })

  it('stops before the next row, and says which were not sent', async () => {
    const many = Array.from({ length: 20 }, (_, n) => fakeRow({ name: `pod-${n + 10}` }))
    const bridge = new FakeBridge({ rows: many })
    const { user, store, dialog } = await asked(bridge, 'Evict…')
    bridge.actAnswer = () => {
      store.state.getState().stopRows()
      return { ok: true, value: { act: 'evictThroughApi', message: 'Evicting it' } }
    }
    await user.click(within(dialog).getByRole('button', { name: 'Evict 20 pods on sandbox' }))
    const sent = bridge.sentArgs('pod.evictThroughApi').length
    expect(sent).toBeLessThanOrEqual(8)
    expect(within(dialog).getByText(`${sent} begun, ${20 - sent} not sent.`)).toBeTruthy()
  })

  it('names a pod that has gone meanwhile', async () => {
    const bridge = new FakeBridge({ rows: [cart, db] })
    const page = await openPage(bridge)
    await page.user.click(screen.getByRole('button', { name: 'Select all rows' }))
    const targets = [cart, db].map(({ key }) => ({ id: key, name: key }))
    act(() => bridge.patch({ removed: [db.key] }))
    await act(async () => {
      const dialog = { kind: 'pods', act: 'delete', cluster: 'sandbox', targets } as const
      page.store.state.getState().askRows(dialog)
      await Promise.resolve()
    })
    expect(screen.getByText('This pod no longer exists.')).toBeTruthy()
  })

  it('on a cluster that is only looked at waits for the switch, whose cluster the button names', async () => {
    const row = fakeRow({ name: 'cart', cluster: 'prod-eu1', key: 'prod-eu1/worker-1/u' })
    const closed = fakeSeenCluster()
    const bridge = new FakeBridge({ rows: [row], clusters: [closed] })
    const facts = { ...fakeDetail(row).facts, seenIn: 'prod-eu1' }
    bridge.tell({
      ...fakeDetail(row),
      facts: { ...facts, readOnly: 'prod-eu1 is read-only here.' },
    })
    const { dialog } = await asked(bridge, 'Delete…')
    expect(dialog.textContent).toContain('prod-eu1 is read-only here.')
    const button = (): HTMLElement =>
      within(dialog).getByRole('button', { name: /^Delete \d pods? on prod-eu1$/ })
    expect(button().getAttribute('aria-disabled')).toBe('true')
    bridge.tell({ ...fakeDetail(row), facts: { ...facts, readOnly: '' } })
    await act(async () => {
      bridge.patch({
        clusters: [fakeSeenCluster({}, { kind: 'allowed', endsAt: fakeNow + 900_000 })],
      })
      await Promise.resolve()
    })
    expect(button().textContent).toBe('Delete 1 pod on prod-eu1')
    expect(button().getAttribute('aria-disabled')).toBeNull()
    expect(dialog.textContent).toContain('kubectl --context prod-eu1 delete pod -n default cart')
  })
})
