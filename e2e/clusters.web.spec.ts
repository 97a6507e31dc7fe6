import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { KubeUser } from './kube/kube-user.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'
import { endOf } from './program/spawn-host.ts'
import { startWebProgram, spawnWebHost } from './program/web-program.ts'

// A second program looks at the cluster of the first, over HTTPS, as it would at anyone's.

async function allowChanges(page: Page): Promise<void> {
  await page.keyboard.press('Shift+A')
  const dialog = page.getByRole('dialog', { name: /^Allow changes on / })
  await expect(dialog.getByRole('button', { name: 'Stay read-only' })).toBeFocused()
  await expectAccessible(page, 'allow changes', 'dialog')
  await dialog.getByRole('button', { name: 'Allow for 15 min' }).click()
}

test('shows a cluster read-only, and changes it only while that is allowed', async ({
  folder,
  launchedBrowser,
}) => {
  const owner = spawnWebHost(['--data-dir', join(folder, 'owner'), '--nodes', '2'])
  const kube = await KubeUser.read(await owner.fact('kubeconfig'))
  await kube.client.request('POST', '/api/v1/namespaces/default/pods', podHandlingSigterm('seen'))
  const viewer = await startWebProgram(await launchedBrowser(), join(folder, 'viewer'), [
    '--kubeconfig',
    kube.kubeconfig,
  ])
  const { page } = viewer
  try {
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
    expect((await kube.pod('default', 'seen'))?.metadata.deletionTimestamp).toBeUndefined()

    await page.keyboard.press('5')
    await allowChanges(page)
    await expect(page.getByRole('region', { name: 'Connection' })).toContainText(/1[45]:\d\d/)
    await pods.open()
    await pods.row('default/seen').click()
    await page.keyboard.press('e')
    await dialog.getByRole('button', { name: /^Evict.*nodescope-sandbox$/ }).click()
    await expect.poll(() => kube.pod('default', 'seen')).toBeUndefined()

    await page.getByRole('button', { name: 'Read-only now' }).click()
    await expect(page.getByRole('button', { name: /read-only$/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+o')
    await page.getByRole('button', { name: 'Open another cluster…' }).click()
    await expect(page.getByRole('heading', { name: 'Open a cluster' })).toBeVisible()
    await expectAccessible(page, 'open a cluster')
  } finally {
    await viewer.stop()
    expect((await endOf(viewer.process)).code).toBe(0)
    owner.signal('SIGTERM')
    expect((await endOf(owner)).code).toBe(0)
  }
})
