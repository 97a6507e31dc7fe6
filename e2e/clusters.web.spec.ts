import { expectAccessible } from './accessibility.ts'
import { allowChanges, expect, test } from './opened-cluster.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'

test('shows a cluster read-only, and changes it only while that is allowed', async ({
  program,
  owner,
}) => {
  await owner.createPod(podHandlingSigterm('seen'))
  const { page } = program
  await page.keyboard.press('5')
  await expect(page.getByRole('row', { name: /scope-node-2/ })).toContainText('True')
  await expect(page.getByRole('contentinfo', { name: 'Watches' })).toContainText('pods')
  await expectAccessible(page, 'nodes')

  const pods = new PodsPage(page)
  await pods.open()
  await expect(pods.row('default/seen')).toContainText('Running')
  await pods.row('default/seen').click()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Evict through the API' })
  await expect(dialog).toContainText('Refused')
  await page.keyboard.press('Escape')
  expect((await owner.pod('default', 'seen'))?.metadata.deletionTimestamp).toBeUndefined()

  await page.keyboard.press('5')
  await allowChanges(page)
  await expect(page.getByRole('region', { name: 'Connection' })).toContainText(/1[45]:\d\d/)
  await pods.open()
  await pods.row('default/seen').click()
  await page.keyboard.press('e')
  await dialog.getByRole('button', { name: /^Evict.*nodescope-sandbox$/ }).click()
  await expect.poll(() => owner.pod('default', 'seen')).toBeUndefined()

  await page.getByRole('button', { name: 'Read-only now' }).click()
  await expect(page.getByRole('button', { name: /read-only$/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+o')
  await page.getByRole('button', { name: 'Open another cluster…' }).click()
  await expect(page.getByRole('heading', { name: 'Open a cluster' })).toBeVisible()
  const open = page.getByRole('listitem').filter({ hasText: 'nodescope-sandbox' })
  const server = open.getByText(/^https:/)
  await expect(server).toBeVisible()
  expect(await server.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await expectAccessible(page, 'open a cluster')
})
