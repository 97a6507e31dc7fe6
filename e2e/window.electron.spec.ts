import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'

test('the window exposes only the bridge, does not navigate and opens no window', async ({
  program,
}) => {
  const { page } = program
  await expect.poll(() => page.url()).toMatch(/\/index\.html#\/start$/)
  const url = page.url()
  expect(await page.evaluate('Object.keys(window.nodescope).sort()')).toEqual([
    'onConnection',
    'request',
    'subscribe',
  ])
  const view = await page.evaluate('window.nodescope.request("view.open", {})')
  expect(view).toMatchObject({ program: { host: 'electron', readOnly: false } })
  await expect(page.evaluate('window.nodescope.request("pod.kill", { key: 1 })')).rejects.toThrow(
    'The request pod.kill is malformed',
  )
  await page.evaluate('void (location.href = "http://127.0.0.1:1/")')
  expect(await page.evaluate('window.open("http://127.0.0.1:1/")')).toBe(null)
  await expect(page).toHaveTitle('Nodescope')
  expect(page.url()).toBe(url)
  expect(page.context().pages()).toHaveLength(1)
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]')
  const content = (await policy.getAttribute('content')) ?? ''
  expect(content).toContain("default-src 'none'")
  expect(content).not.toContain('ws:')
})

test('the File menu starts, stops and opens the recording of the shown cluster', async ({
  program,
}) => {
  const { page, chooseInMenu } = program
  await new Frame(page).show('Pods')
  await chooseInMenu?.('startRecording')
  const strip = page.getByRole('region', { name: 'Recording of this cluster' })
  await expect(strip).toContainText('Recording since')
  await chooseInMenu?.('startRecording')
  await expect(page.getByText('The cluster is being recorded already.')).toBeVisible()
  await chooseInMenu?.('stopRecording')
  await expect(strip).toContainText('Recorded to')
  await chooseInMenu?.('openRecording')
  await expect(page.getByRole('slider', { name: 'Moment of the recording' })).toBeVisible()
})

test('each view opens in the window, without errors on its page', async ({ program }) => {
  const { page } = program
  const views = page
    .getByRole('navigation', { name: 'Views' })
    .locator('button:not([aria-haspopup])')
  const count = await views.count()
  expect(count).toBeGreaterThan(10)
  for (let index = 0; index < count; index++) {
    await views.nth(index).click()
    await expect(views.nth(index)).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('main').getByRole('heading').first()).toBeAttached()
  }
  expect(program.pageErrors).toEqual([])
})
