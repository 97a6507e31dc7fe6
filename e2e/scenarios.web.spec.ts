import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { Keys } from './pages/keys.ts'
import { PodsPage } from './pages/pods-page.ts'

test('the sandbox is saved as a scenario, exported, reset and imported', async ({
  program,
  folder,
}) => {
  const { page } = program
  const keys = new Keys(page)
  const pods = new PodsPage(page)
  await pods.open()
  await expect(pods.row('default/hello')).toContainText('Running')
  await keys.run('save as scenario', /^Save as scenario/)
  const saving = page.waitForEvent('download')
  await expectAccessible(page, 'saving a scenario')
  await page.getByRole('textbox', { name: 'Title' }).fill('My lesson')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const path = join(folder, 'my.yaml')
  await (await saving).saveAs(path)
  expect(await readFile(path, 'utf8')).toContain('title: My lesson')

  await keys.run('export the sandbox', /^Export the sandbox/)
  const exporting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const state = join(folder, 'state.yaml')
  await (await exporting).saveAs(state)
  await keys.run('reset the sandbox', /^Reset the sandbox/)
  await expectAccessible(page, 'resetting the sandbox')
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(page.getByText('A new sandbox starts.')).toBeVisible({ timeout: 30_000 })
  await expect(pods.row('default/hello')).toContainText('Running', { timeout: 30_000 })

  await keys.run('import a sandbox', /^Import a sandbox/)
  const dialog = page.getByRole('dialog', { name: 'Import a sandbox' })
  await dialog.getByLabel('State file').setInputFiles(state)
  await expect(dialog).toContainText('Chosen: state.yaml')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText("The sandbox's state was replaced by state.yaml.")).toBeVisible({
    timeout: 30_000,
  })
  await expect(pods.row('default/hello')).toContainText('Running', { timeout: 30_000 })

  await keys.run('open scenario', /^Open scenario/)
  await page.getByLabel('Scenario file').setInputFiles(path)
  await expect(page.getByRole('region', { name: 'Scenario: My lesson' })).toBeVisible({
    timeout: 30_000,
  })
  await expect(pods.row('default/hello')).toContainText('Running', { timeout: 30_000 })
  expect(program.pageErrors).toEqual([])
})
