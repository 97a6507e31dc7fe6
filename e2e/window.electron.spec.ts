import { expect, test } from './fixtures.ts'

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
