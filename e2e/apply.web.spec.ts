import { expectDialogAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { Keys } from './pages/keys.ts'

const sizes = [
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
] as const

test('YAML is completed, rehearsed and applied from the page', async ({ program, kube }) => {
  const { page } = program
  await new Keys(page).press('Shift+Y')
  const dialog = page.getByRole('dialog', { name: 'Apply YAML' })
  const editor = dialog.getByRole('textbox', { name: 'YAML to apply' })
  await expect(editor).toBeFocused()
  // A plain text field takes its place until the editor is loaded, and completes nothing.
  await expect(editor).toHaveAttribute('contenteditable', 'true')
  const options = page.getByRole('listbox', { name: 'Completions' })
  await editor.pressSequentially('ap')
  await expect(options).toContainText('apiVersion')
  await page.keyboard.press('Enter')
  await editor.pressSequentially('apps')
  await expect(options).toContainText('apps/v1')
  await page.keyboard.press('Enter')
  await editor.pressSequentially('\nkind: Dep')
  await expect(options).toContainText('Deployment')
  await page.keyboard.press('Enter')
  await expect(editor).toContainText('kind: Deployment')
  await editor.pressSequentially('\nspec:')
  await expect(dialog).toContainText('metadata.name is not set.')
  await editor.press('Control+a')
  await page.keyboard.press('Delete')
  await dialog.getByRole('button', { name: 'Insert an example' }).click()
  await expect(dialog).toContainText('2 objects in the text')
  await page.keyboard.press('Control+s')
  const result = dialog.getByRole('region', { name: 'What it does' })
  await expect(result).toContainText('Dry run: nothing is stored yet.')
  await expect(result).toContainText('created')
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expectDialogAccessible(page, `applying YAML, ${size.width} wide`)
    await expect(dialog.getByRole('button', { name: 'Apply' })).toBeInViewport({ ratio: 1 })
  }
  const path = '/apis/apps/v1/namespaces/default/deployments/shop'
  expect((await kube.client.request('GET', path)).status).toBe(404)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog).toBeHidden()
  await expect(
    page.getByText(/deployment\.apps\/shop created, service\/shop created/),
  ).toBeVisible()
  expect((await kube.client.request('GET', path)).status).toBe(200)
})

test('what the server refuses stands at its line, and another manager’s fields are taken over', async ({
  program,
  kube,
}) => {
  const { page } = program
  const path = '/api/v1/namespaces/default/configmaps'
  const settings = { metadata: { name: 'settings' }, data: { level: 'info' } }
  expect((await kube.client.request('POST', path, settings)).status).toBe(201)
  await new Keys(page).run('apply yaml', /^Apply YAML/)
  const dialog = page.getByRole('dialog', { name: 'Apply YAML' })
  const editor = dialog.getByRole('textbox', { name: 'YAML to apply' })
  await expect(editor).toHaveAttribute('contenteditable', 'true')
  await editor.fill(
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  level: debug\n',
  )
  await page.keyboard.press('Control+s')
  await expect(dialog.getByRole('list', { name: 'Problems in the text' })).toContainText('Line 6')
  await dialog.getByRole('checkbox', { name: /--force-conflicts/ }).check()
  const diff = dialog.getByRole('region', { name: 'Changes of configmap/settings' })
  await expect(diff).toContainText('- level: info')
  await expect(diff).toContainText('+ level: debug')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(/configmap\/settings configured/)).toBeVisible()
})
