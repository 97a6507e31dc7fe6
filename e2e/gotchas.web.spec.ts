import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'
import { PodsPage } from './pages/pods-page.ts'

const title = 'The static pod that cannot be deleted'

test('a gotcha opens after its script, runs on when asked, and does not change the sandbox', async ({
  program,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await frame.show('Gotchas')
  await expect(page).toHaveURL(/#\/gotchas$/)
  const gotcha = page.getByRole('listitem').filter({
    has: page.getByRole('heading', { name: title }),
  })
  await expect(gotcha).not.toContainText('What really happens')
  await gotcha.getByRole('button', { name: 'Reveal' }).click()
  await expect(gotcha).toContainText('What really happens')
  await expectAccessible(page, 'the gotchas')
  await gotcha.getByRole('button', { name: 'Open', exact: true }).click()
  const strip = page.getByRole('region', { name: `Gotcha: ${title}` })
  await expect(strip.getByRole('region', { name: 'What happened so far' })).toContainText(
    'web.yaml is added to the manifest folder.',
  )
  await expect(strip.getByRole('region', { name: 'What to look at' })).toContainText('is Pending')
  const shown = page.getByRole('grid', { name: 'Pods' }).getByRole('row')
  // The header and the gotcha's pod; no pods of the first sandbox.
  await expect(shown).toHaveCount(2)
  await expect(shown.nth(1)).toContainText('Pending')
  await expect(page.getByRole('complementary')).toBeVisible()
  await expect(frame.clock().getByRole('button', { name: 'Run' })).toBeVisible()
  await expectAccessible(page, 'a gotcha')
  await strip.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(shown.nth(1)).toContainText('Running')
  await strip.getByRole('button', { name: 'Close gotcha' }).click()
  await expect(strip).toHaveCount(0)
  await expect(pods.row('default/web-scope-node-1')).toContainText('Running')
  await expect(page.getByRole('complementary')).toHaveCount(0)
  await frame.show('Gotchas')
  await expect(gotcha.getByRole('button', { name: 'Open', exact: true })).toBeVisible()
  expect(program.pageErrors).toEqual([])
})
