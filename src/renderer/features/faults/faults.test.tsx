import { cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import { startedReadOnly } from '../../../shared/model/forecast/read-only.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'

afterEach(() => {
  cleanup()
})

async function openDialog(bridge = new FakeBridge()) {
  const page = await openPage(bridge)
  await page.user.keyboard('{Control>}k{/Control}')
  await page.user.keyboard('faults{Enter}')
  const dialog = within(screen.getByRole('dialog', { name: 'Faults' }))
  await dialog.findByRole('region', { name: 'In effect' })
  return { ...page, bridge, dialog }
}

describe('the faults of a sandbox', () => {
  it('are added to those in effect, with the fields of their type, and taken back one by one', async () => {
    const bridge = new FakeBridge()
    bridge.faults = [{ type: 'FullDisk', node: 'n1' }]
    const { dialog, user } = await openDialog(bridge)
    expect(await dialog.findByText('FullDisk node=n1')).toBeDefined()
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Type' }), 'Error')
    await user.type(dialog.getByRole('textbox', { name: 'Verbs, with commas' }), 'create,patch')
    await user.click(dialog.getByRole('button', { name: 'Add fault' }))
    const error = { type: 'Error', code: 500, verbs: ['create', 'patch'] }
    const sent = (): unknown => bridge.sentArgs('faults.set').at(-1)
    expect(sent()).toEqual({
      cluster: 'sandbox',
      faults: [{ type: 'FullDisk', node: 'n1' }, error],
    })
    await user.click(await dialog.findByRole('button', { name: 'Take back FullDisk node=n1' }))
    expect(sent()).toEqual({ cluster: 'sandbox', faults: [error] })
    await user.click(dialog.getByRole('button', { name: 'Take all back' }))
    expect(sent()).toEqual({ cluster: 'sandbox', faults: [] })
    expect(await dialog.findByText('Nothing is made to fail.')).toBeDefined()
  })

  it('cannot be changed in a read-only program', async () => {
    const { bridge, dialog, user } = await openDialog(new FakeBridge({ readOnly: true }))
    await user.click(dialog.getByRole('button', { name: 'Add fault' }))
    expect(bridge.sentArgs('faults.set')).toEqual([])
    expect(dialog.getByText(startedReadOnly)).toBeDefined()
  })

  it('pass accessibility checks', async () => {
    await openDialog()
    const { violations } = await axe.run(screen.getByRole('dialog'))
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})
