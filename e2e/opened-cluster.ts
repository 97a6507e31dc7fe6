import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expectDialogAccessible } from './accessibility.ts'
import { expect, test as base } from './fixtures.ts'
import { KubeUser } from './kube/kube-user.ts'
import { endOf } from './program/spawn-host.ts'
import { spawnWebHost } from './program/web-program.ts'

export { expect }

/** The program looks at the sandbox of another program, over HTTPS, as it would at any cluster. */
export const test = base.extend<{
  /** A user of the cluster that is looked at: nodes scope-node-1 and scope-node-2. */
  readonly owner: KubeUser
}>({
  owner: async ({ folder }, use) => {
    const running = spawnWebHost(['--data-dir', join(folder, 'owner'), '--nodes', '2'])
    try {
      await use(await KubeUser.read(await running.fact('kubeconfig')))
      running.signal('SIGTERM')
      expect((await endOf(running)).code).toBe(0)
    } finally {
      running.destroy()
    }
  },
  programArguments: async ({ owner }, use) => {
    await use(['--kubeconfig', owner.kubeconfig])
  },
})

/** With the keyboard, from any view. */
export async function allowChanges(page: Page): Promise<void> {
  await page.keyboard.press('Shift+A')
  const dialog = page.getByRole('dialog', { name: /^Allow changes on / })
  await expect(dialog.getByRole('button', { name: 'Stay read-only' })).toBeFocused()
  await expectDialogAccessible(page, 'allow changes')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Allow for 15 min' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Read-only now' })).toBeVisible()
}
