import { request } from 'node:http'
import { WebSocket } from 'ws'
import { expect, test } from './fixtures.ts'

/** The status of a plain request with any Host header. */
function statusFor(port: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers: { host } })
      .on('error', reject)
      .on('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      .end()
  })
}

/** The result of a handshake: the HTTP status of its refusal, or the close code after it. */
function handshake(port: string, origin: string, protocols: string[]): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, protocols, { origin })
    socket.on('error', () => undefined)
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('close', resolve)
  })
}

test('requests with a foreign host or origin are refused', async ({ program }) => {
  const address = new URL(await program.process.fact('dashboard'))
  const protocols = ['nodescope.v1', `nodescope.token.${address.hash.slice(1)}`]
  expect(await statusFor(address.port, address.host)).toBe(200)
  expect(await statusFor(address.port, 'rebound.example')).toBe(403)
  expect(await handshake(address.port, 'http://evil.example', protocols)).toBe(403)
  expect(await handshake(address.port, address.origin, ['nodescope.v1'])).toBe(4401)
})

test('a page with the access token of another start shows what to do and is refused', async ({
  program,
}) => {
  const { origin } = new URL(await program.process.fact('dashboard'))
  const page = await program.page.context().newPage()
  await page.goto(`${origin}/#${'x'.repeat(32)}`)
  await expect(page.locator('body')).toContainText('open the address that Nodescope printed')
  await page.close()
})

test('a page without an access token shows what to do, unless another tab of the browser has the token', async ({
  program,
  launchedBrowser,
}) => {
  const { origin } = new URL(await program.process.fact('dashboard'))
  const stranger = await (await launchedBrowser()).newContext()
  const page = await stranger.newPage()
  await page.goto(origin)
  await expect(page.locator('body')).toContainText('Access token missing')
  await stranger.close()
  const tab = await program.page.context().newPage()
  await tab.goto(origin)
  await expect(tab.getByRole('region', { name: 'Clock' })).toBeVisible()
  await tab.close()
})
