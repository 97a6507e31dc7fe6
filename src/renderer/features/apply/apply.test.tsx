import { cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import type { AppliedObject, ApplyProblem } from '../../../shared/model/apply/apply-yaml.ts'
import { ok } from '../../../shared/result.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'

afterEach(() => {
  cleanup()
})

const found = { line: 1, name: 'service/web', namespace: '' }
const created: AppliedObject = {
  ...found,
  namespace: 'default',
  outcome: 'created',
  diff: [{ kind: 'added', text: 'kind: Service' }],
  notes: ['spec.type is old'],
}

async function openDialog(problems: readonly ApplyProblem[] = []) {
  const bridge = new FakeBridge()
  bridge.applyCheck = { objects: [found], problems: [] }
  bridge.applyAnswer = (dryRun) =>
    ok({
      objects: [problems.length === 0 ? created : { ...created, outcome: 'failed', diff: [] }],
      problems,
      message: dryRun ? '' : 'service/web created',
    })
  const page = await openPage(bridge, { view: 'workloads' })
  await page.user.keyboard('Y')
  const dialog = within(screen.getByRole('dialog', { name: 'Apply YAML' }))
  const editor = dialog.getByRole('textbox', { name: 'YAML to apply' })
  return { ...page, bridge, dialog, editor }
}

describe('applying YAML on the page', () => {
  it('applies a text only after a dry run of the same text, whose diff it shows', async () => {
    const { bridge, dialog, editor, user } = await openDialog()
    await user.type(editor, 'kind: Service')
    const apply = dialog.getByRole('button', { name: 'Apply' })
    expect(apply.getAttribute('aria-disabled')).toBe('true')
    await user.click(dialog.getByRole('button', { name: 'Dry run' }))
    const result = dialog.getByRole('region', { name: 'What it does' })
    expect(result.textContent).toContain('Dry run: nothing is stored yet.')
    expect(result.textContent).toContain('createdservice/webdefault')
    expect(result.textContent).toContain('spec.type is old')
    expect(dialog.getByRole('region', { name: 'Changes of service/web' }).textContent).toBe(
      '+ kind: Service\n',
    )
    await user.click(apply)
    expect(bridge.sentArgs('yaml.apply')).toEqual([
      { cluster: 'sandbox', text: 'kind: Service', dryRun: true, force: false },
      { cluster: 'sandbox', text: 'kind: Service', dryRun: false, force: false },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await screen.findByText('service/web created')).toBeDefined()
  })

  it('needs another dry run when the text changes, and keeps the text while it is closed', async () => {
    const { dialog, editor, user } = await openDialog()
    await user.type(editor, 'kind: Service')
    await user.keyboard('{Control>}s{/Control}')
    await user.type(editor, ' ')
    expect(dialog.getByText('The text has changed since this dry run.')).toBeDefined()
    const apply = dialog.getByRole('button', { name: 'Apply' })
    expect(apply.getAttribute('aria-disabled')).toBe('true')
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    await user.keyboard('Y')
    expect(screen.getByRole('textbox', { name: 'YAML to apply' })).toHaveProperty(
      'value',
      'kind: Service ',
    )
  })

  it('does a dry run of what was just typed, before the page knows what is in it, but not of nothing', async () => {
    const { bridge, editor, user } = await openDialog()
    bridge.applyCheck = { objects: [], problems: [] }
    await user.click(editor)
    await user.keyboard('{Control>}s{/Control}')
    expect(bridge.sentArgs('yaml.apply')).toEqual([])
    await user.type(editor, 'kind: Service')
    await user.keyboard('{Control>}s{/Control}')
    expect(bridge.sentArgs('yaml.apply')).toMatchObject([{ text: 'kind: Service', dryRun: true }])
  })

  it('lists what the server refuses at its line, and offers to take over fields of other managers', async () => {
    const conflict = { line: 3, column: 5, message: 'data.a: conflict with "x"', isConflict: true }
    const { bridge, dialog, editor, user } = await openDialog([conflict])
    await user.type(editor, 'kind: Service')
    await user.click(dialog.getByRole('button', { name: 'Dry run' }))
    expect(dialog.getByRole('list', { name: 'Problems in the text' }).textContent).toBe(
      'Line 3, column 5: data.a: conflict with "x"',
    )
    await user.click(dialog.getByRole('checkbox', { name: /--force-conflicts/ }))
    expect(bridge.sentArgs('yaml.apply').at(-1)).toMatchObject({ dryRun: true, force: true })
    expect(dialog.getByText(/apply --server-side/).textContent).toBeDefined()
  })

  it('passes accessibility checks', async () => {
    const { editor, user } = await openDialog()
    await user.type(editor, 'kind: Service')
    await user.keyboard('{Control>}s{/Control}')
    const { violations } = await axe.run(screen.getByRole('dialog'))
    expect(violations).toEqual([])
  })
})
