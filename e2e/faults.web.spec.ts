import { expectDialogAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { Keys } from './pages/keys.ts'

test('an outage of the API server is made and taken back from the page, and kubectl meets it', async ({
  program,
  kube,
}) => {
  const { page } = program
  await new Keys(page).run('faults', /^Faults/)
  const dialog = page.getByRole('dialog', { name: 'Faults' })
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('Outage')
  await dialog.getByRole('button', { name: 'Add fault' }).click()
  const inEffect = dialog.getByRole('region', { name: 'In effect' })
  await expect(inEffect.getByRole('listitem')).toHaveText(/^Outage/)
  await expect(kube.client.request('GET', '/api/v1/pods')).rejects.toThrow()
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('Error')
  for (const size of [
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size)
    await expectDialogAccessible(page, `faults, ${size.width} wide`)
    await expect(dialog.getByRole('button', { name: 'Add fault' })).toBeInViewport({ ratio: 1 })
  }
  await dialog.getByRole('button', { name: 'Take all back' }).click()
  await expect(inEffect).toContainText('Nothing is made to fail.')
  expect((await kube.client.request('GET', '/api/v1/pods')).status).toBe(200)
  await dialog.getByRole('textbox', { name: 'Code' }).fill('99')
  await dialog.getByRole('button', { name: 'Add fault' }).click()
  await expect(dialog.getByRole('alert')).toContainText('code')
})
