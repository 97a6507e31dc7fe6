import { expect, test } from './fixtures.ts'

test('the start view runs the three experiments and shows their results', async ({
  program,
  kube,
}) => {
  const { page } = program
  await expect(page.getByRole('heading', { name: 'A cluster is running.' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Three things to try' })).toBeVisible()
  const lesson = (title: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: new RegExp(`${title}$`) }) })

  const mirror = lesson('Delete a mirror pod')
  await expect(mirror.getByRole('button', { name: 'Do it for me' })).toBeVisible()
  // The container's start can only be compared once it is in the API.
  await expect
    .poll(async () => (await kube.pod('default', 'web-scope-node-1'))?.status.phase)
    .toBe('Running')
  const before = await kube.pod('default', 'web-scope-node-1')
  await mirror.getByRole('button', { name: 'Do it for me' }).click()
  await expect(mirror.getByRole('insertion')).toBeVisible()
  const after = await kube.pod('default', 'web-scope-node-1')
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  await expect(mirror.getByRole('deletion')).toHaveAttribute('title', before?.metadata.uid ?? '')
  await expect(mirror.getByRole('insertion')).toHaveAttribute('title', after?.metadata.uid ?? '')
  await expect(mirror).toContainText(/container started \d\d:\d\d:\d\d, before and after/)

  const grace = lesson('Count down a grace period')
  // The grace period is five seconds: the check starts before the click.
  await Promise.all([
    expect(grace.getByRole('progressbar', { name: 'Grace left' })).toBeVisible(),
    grace.getByRole('button', { name: 'Do it for me' }).click(),
  ])
  await expect(grace).toContainText('loud exited with code 137: SIGKILL. Its object is gone.')
  expect(await kube.pod('default', 'loud')).toBeUndefined()

  // The new mirror gets its status up to ten seconds later, but not while the clock is paused.
  await expect
    .poll(async () => (await kube.pod('default', 'web-scope-node-1'))?.status.phase)
    .toBe('Running')
  const clock = lesson('Stop the clock')
  await clock.getByRole('button', { name: 'Pause it' }).click()
  await expect(clock.getByRole('button', { name: 'Run it' })).toBeVisible()
  await clock.getByRole('button', { name: 'Step on' }).click()
  await expect(clock.getByRole('status')).not.toBeEmpty()
  expect((await kube.pod('default', 'web-scope-node-1'))?.status.phase).toBe('Running')
  await clock.getByRole('button', { name: 'Run it' }).click()
  await expect(clock.getByRole('status')).toContainText('1 step taken, and the clock runs again.')
})
