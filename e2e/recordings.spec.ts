import { join } from 'node:path'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { KubeUser } from './kube/kube-user.ts'
import { FlowPage } from './pages/flow-page.ts'
import { Frame } from './pages/frame.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'
import { startWebProgram } from './program/web-program.ts'

const polite = 'default/polite'

test.describe('a recording', () => {
  test.use({
    /** A pod is created, runs and is deleted while another program records. */
    programArguments: async ({ folder, launchedBrowser }, use) => {
      const file = join(folder, 'lesson.ndjson')
      const data = join(folder, 'recorded')
      const program = await startWebProgram(await launchedBrowser(), data, ['--record', file])
      const kube = await KubeUser.read(join(data, 'sandbox.kubeconfig'))
      const pods = new PodsPage(program.page)
      await pods.open()
      await kube.createPod(podHandlingSigterm('polite'))
      await expect(pods.row(polite)).toContainText('Running')
      // Long enough that the recording shows it running for a second at 10×.
      await program.page.waitForTimeout(10_000)
      await kube.deletePod('default', 'polite', 20)
      await expect(pods.row(polite)).toHaveCount(0)
      await program.stop()
      program.process.destroy()
      await use(['--replay', file])
    },
  })

  test('goes to any of its moments, by playing and by the slider, and nothing in it can be changed', async ({
    program,
  }) => {
    const { page } = program
    const frame = new Frame(page)
    const pods = new PodsPage(page)
    await pods.open()
    const slider = page.getByRole('slider', { name: 'Moment of the recording' })
    await expect(slider).toBeVisible()
    await expect(pods.row(polite)).toHaveCount(0)

    await frame.setSpeed('10×')
    await frame.clock().getByRole('button', { name: 'Run' }).click()
    // Looked at more often than `expect` does, which may see only what comes after it.
    await expect
      .poll(() => pods.row(polite).filter({ hasText: 'Running' }).count(), { intervals: [50] })
      .toBe(1)
    await expect(pods.row(polite)).toHaveCount(0)
    // It stops at its end.
    await expect(frame.clock().getByRole('button', { name: 'Run' })).toBeVisible()

    // Back to a moment at which the pod was there.
    await slider.focus()
    await expect(async () => {
      await page.keyboard.press('PageDown')
      // Long enough that no second step is taken before the first is shown.
      await expect(pods.row(polite)).toBeVisible({ timeout: 3000 })
    }).toPass()
    await pods.row(polite).click()
    await expect(pods.drawer(polite)).toContainText('SyncPod')
    await page.keyboard.press('x')
    await expect(page.getByRole('dialog')).toContainText('This is a recording')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')

    await slider.focus()
    await page.keyboard.press('End')
    const flow = new FlowPage(page)
    await flow.open()
    await expect(page.getByText('kubectl deleted pod default/polite').first()).toBeAttached()
    await expectAccessible(page, 'a recording')
  })
})
