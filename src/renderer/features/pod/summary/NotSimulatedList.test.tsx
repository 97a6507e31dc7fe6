import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import { openPage } from '../../../app/fake-page.tsx'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import { fakeDetail, fakeRow } from '../../../bridge/fake-views.ts'

afterEach(cleanup)

const entries = [
  {
    id: 'stop-signal',
    field: 'spec.containers[0].lifecycle.stopSignal',
    message: 'ignored; the container is stopped with SIGTERM',
  },
  { id: 'limits', field: 'spec.containers[0].resources.limits', message: 'not enforced' },
]
const probed = fakeRow({ name: 'probed', notSimulated: 2 })
const limited = fakeRow({ name: 'limited', notSimulated: 1 })
const plain = fakeRow({ name: 'plain' })

it('a row shows the count in a badge, with words in the tooltip and for screen readers', async () => {
  await openPage(new FakeBridge({ rows: [probed, limited, plain] }))
  const cell = (name: string): HTMLElement =>
    within(screen.getByRole('row', { name: `default/${name}` })).getAllByRole('gridcell')[2] ??
    document.body
  expect(cell('probed').textContent).toBe('probed2 fields not simulated')
  expect(cell('limited').textContent).toBe('limited1 field not simulated')
  expect(cell('plain').textContent).toBe('plain')
  expect(within(cell('probed')).getByTitle(/^2 fields not simulated: /)).toBeTruthy()
})

it('the summary of a pod lists each field that is not simulated, with what happens instead', async () => {
  const bridge = new FakeBridge({ rows: [probed] })
  bridge.tell(fakeDetail(probed, { notSimulated: entries }))
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(probed.key, 'summary')
    await Promise.resolve()
  })
  const list = await screen.findByRole('region', { name: 'Not simulated' })
  const items = within(list).getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(
    entries.map(({ field, message }) => `${field}${message}`),
  )
  const { violations } = await axe.run(list, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id }) => id)).toEqual([])
  act(() => bridge.tell(fakeDetail(probed, { notSimulated: [] })))
  expect(screen.queryByRole('region', { name: 'Not simulated' })).toBeNull()
})
