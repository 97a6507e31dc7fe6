import { expectAccessible } from './accessibility.ts'
import { expect, test } from './opened-cluster.ts'
import { Keys } from './pages/keys.ts'
import { webDeployment } from './pods.ts'

test('the recording of a cluster that is looked at has its flow, its inspected nodes and its owners', async ({
  program,
  owner,
}) => {
  const { page } = program
  await owner.client.request('POST', '/apis/apps/v1/namespaces/default/deployments', webDeployment)
  const choose = async (item: string): Promise<void> => {
    await page.keyboard.press('5')
    await page.getByRole('button', { name: 'Actions on scope-node-1' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const card = page.getByRole('region', { name: 'web', exact: true })
  await page.keyboard.press('o')
  await expect(card).toContainText('2 of 2 ready')

  await new Keys(page).run('record scope', /^Record nodescope-sandbox$/)
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await expect(stop).toBeVisible()
  await choose('Inspect node')
  await expect(page.getByRole('row', { name: /web-scope-node-1/ }).first()).toBeVisible()
  await page.waitForTimeout(2500)
  await page.keyboard.press('o')
  await expect(card).toContainText('2 of 2 ready')
  await page.waitForTimeout(2500)
  await stop.click()
  await page.getByRole('button', { name: 'Open recording' }).click()

  const slider = page.getByRole('slider', { name: 'Moment of the recording' })
  await expect(slider).toBeVisible()
  await slider.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('o')
  await expect(card).toContainText('2 of 2 ready')
  await expect(page.getByRole('button', { name: 'Acts on web' })).toHaveCount(0)
  await expectAccessible(page, 'owners in a recording')
  await choose('Inspect node')
  await expect(page.getByText('was not inspected at this moment of the recording.')).toBeVisible()
  await page.keyboard.press('1')
  await expect(page.getByText('StartContainer').first()).toBeAttached()
  await expectAccessible(page, 'the flow of a node in a recording')
  await page.keyboard.press('6')
  await slider.focus()
  await expect(async () => {
    await page.keyboard.press('ArrowLeft')
    const row = page.getByRole('row', { name: /web-scope-node-1/ })
    await expect(row.first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  expect(program.pageErrors).toEqual([])
})
