import { cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import { ok } from '../../../shared/result.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeNodes } from '../../bridge/fake-nodes.ts'

afterEach(() => {
  cleanup()
})

const forecast = {
  changes: ['taint a=b:NoExecute'],
  evicted: [
    { namespace: 'default', name: 'web', afterSeconds: 0 },
    { namespace: 'default', name: 'db', afterSeconds: 300 },
  ],
  stay: 2,
  notes: ['The scheduler places no pod there.'],
  kubectl: ['kubectl taint node scope-node-1 --overwrite a=b:NoExecute'],
  isAllowed: true,
  refusal: '',
}

async function openEdit() {
  const bridge = new FakeBridge({ clusters: [fakeNodes(2)] })
  bridge.nodeEditForecast = ok(forecast)
  const page = await openPage(bridge, { view: 'nodes' })
  const row = within(screen.getByRole('row', { name: /scope-node-1/ }))
  await page.user.click(row.getByRole('button', { name: /^Actions on/ }))
  await page.user.click(screen.getByRole('menuitem', { name: 'Labels and taints…' }))
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Labels and taints of scope-node-1' }),
  )
  return {
    ...page,
    bridge,
    dialog,
    labels: await dialog.findByRole('textbox', { name: /^Labels/ }),
  }
}

describe('editing labels and taints of a node', () => {
  it('shows which pods a taint evicts and when, and sends the texts before and after', async () => {
    const { bridge, dialog, labels, user } = await openEdit()
    expect(labels).toHaveProperty('value', 'zone=a')
    await user.type(dialog.getByRole('textbox', { name: /^Taints/ }), 'a=b:NoExecute')
    const evicted = await dialog.findByRole('region', { name: 'Evicted pods' })
    expect(
      within(evicted)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['default/web at once', 'default/db after 300 s'])
    expect(evicted.textContent).toContain('2 running pods not evicted')
    await user.click(dialog.getByRole('button', { name: 'Change node' }))
    expect(bridge.sentArgs('nodeEdit.act')).toMatchObject([
      {
        node: 'scope-node-1',
        before: { labels: 'zone=a', taints: '' },
        after: { labels: 'zone=a', taints: 'a=b:NoExecute' },
      },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('does nothing while it is refused, and says why', async () => {
    const { bridge, dialog, labels, user } = await openEdit()
    bridge.nodeEditForecast = ok({ ...forecast, isAllowed: false, refusal: 'Line 1 repeats zone.' })
    await user.type(labels, 'x')
    expect(await dialog.findByText('Line 1 repeats zone.')).toBeDefined()
    await user.click(dialog.getByRole('button', { name: 'Change node' }))
    expect(bridge.sentArgs('nodeEdit.act')).toEqual([])
  })

  it('passes accessibility checks', async () => {
    await openEdit()
    const { violations } = await axe.run(screen.getByRole('dialog'))
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})
