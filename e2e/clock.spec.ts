import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podIgnoringSigterm, podHandlingSigterm } from './pods.ts'

test('while paused, only API requests have effects, and a step advances to the next event', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podHandlingSigterm('polite'))
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect(pods.row('default/polite')).toContainText('Running')
  await expect(pods.row('default/deaf')).toContainText('Running')
  await expect.poll(async () => (await kube.pod('default', 'polite'))?.status.phase).toBe('Running')
  await frame.clock().getByRole('button', { name: 'Pause' }).click()
  await expect(frame.clock().getByRole('button', { name: 'Run' })).toBeVisible()
  await kube.deletePod('default', 'polite', 20)
  await kube.deletePod('default', 'deaf', 300)
  // The server has accepted it; the container, which would exit within a second, does not run.
  expect((await kube.pod('default', 'polite'))?.metadata.deletionTimestamp).toBeDefined()
  expect((await kube.pod('default', 'web-scope-node-1'))?.metadata.name).toBe('web-scope-node-1')
  const time = frame.clock().getByRole('time')
  const stoodAt = await time.innerText()
  expect(
    (await kube.pod('default', 'polite'))?.status.containerStatuses?.[0]?.state.running,
  ).toBeDefined()
  expect(await time.innerText()).toBe(stoodAt)
  const step = frame.clock().getByRole('button', { name: 'Step to the next event' })
  await step.click()
  await expect(time).not.toHaveText(stoodAt)
  // The pod that handles SIGTERM may be gone when the page shows the step; the other one stays longer.
  await expect(async () => {
    await step.click()
    await expect(pods.row('default/deaf')).toContainText('TerminatingPod', { timeout: 300 })
  }).toPass({ timeout: 60_000 })
  await frame.clock().getByRole('button', { name: 'Run' }).click()
  await expect.poll(() => kube.pod('default', 'polite')).toBeUndefined()
})

test('at 1,000× a grace period of 300 s passes quickly, and a note explains kubectl’s ages', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect(pods.row('default/deaf')).toContainText('Running')
  await kube.deletePod('default', 'deaf', 300)
  await expect(pods.row('default/deaf')).toContainText(/TerminatingPod2\d\d s/)
  const hint = page.getByRole('note')
  await expect(hint).toHaveCount(0)
  const slow = frame.clock().getByRole('radio', { name: '1×', exact: true })
  const before = await slow.boundingBox()
  await frame.setSpeed('1000×')
  // 0.3 s, and what a busy machine adds; at 1× it would be five minutes.
  await expect.poll(() => kube.pod('default', 'deaf')).toBeUndefined()
  // Messages about the clock do not move the buttons.
  expect(await slow.boundingBox()).toEqual(before)
  await frame.setSpeed('1×')
  await expect(hint).toContainText(/This clock is \S+ ahead of the wall clock\./)
  await expect(hint).toContainText('kubectl describe')
  await hint.getByRole('button', { name: 'Dismiss the note' }).click()
  await expect(hint).toHaveCount(0)
  await expect(
    frame.clock().getByRole('button', { name: /ahead of the wall clock$/ }),
  ).toBeVisible()
})
