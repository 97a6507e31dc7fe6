import { expect, test } from './fixtures.ts'

test('the window opens and connects, without errors on its page', async ({ program, host }) => {
  const { page } = program
  await expect(page).toHaveTitle('Nodescope')
  if (host === 'web') {
    // The view replaces the token in the address once the main process has accepted the page.
    await expect.poll(() => page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/start$/)
  }
  expect(program.pageErrors).toEqual([])
})

test('the window can be reloaded without violating its content security policy', async ({
  program,
  host,
}) => {
  const { page } = program
  if (host === 'web') await expect.poll(() => page.url()).toMatch(/#\/start$/)
  await page.addInitScript(`
    globalThis.violations = []
    document.addEventListener('securitypolicyviolation', (event) => {
      globalThis.violations.push(event.violatedDirective + ' ' + event.blockedURI)
    })
  `)
  await page.reload()
  await expect(page).toHaveTitle('Nodescope')
  await expect(page.locator('#root')).not.toBeEmpty()
  expect(await page.evaluate('globalThis.violations')).toEqual([])
  expect(program.pageErrors).toEqual([])
})

test('the page runs no inline script', async ({ program }) => {
  const { page } = program
  const outcome = await page.evaluate(`(async () => {
    const blocked = new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective))
    })
    const script = document.createElement('script')
    script.textContent = 'globalThis.ranInline = true'
    document.body.append(script)
    return { blocked: await blocked, ranInline: globalThis.ranInline === true }
  })()`)
  expect(outcome).toEqual({ blocked: 'script-src-elem', ranInline: false })
})

test('the page has no access to Node or Electron', async ({ program }) => {
  const found = await program.page.evaluate(
    "[typeof require, typeof process, typeof module, typeof Buffer].join(' ')",
  )
  expect(found).toBe('undefined undefined undefined undefined')
})
