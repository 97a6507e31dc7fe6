// From the spawn of the built web host to the frame after the one in which the first pod's name is drawn.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright'
import { findBrowser } from '../../scripts/browser.mjs'

const root = resolve(import.meta.dirname, '..', '..')
const found = await findBrowser()
const browser = await chromium.launch({
  executablePath: found.path,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
// A window that is open already, as Electron's is made while main starts.
await page.goto('about:blank')
await page.addInitScript(() => {
  const isDrawn = () => document.body?.innerText.includes('web-') === true
  const look = () => {
    if (!isDrawn()) return requestAnimationFrame(look)
    requestAnimationFrame(() => {
      document.documentElement.dataset.drawn = String(Date.now())
    })
  }
  requestAnimationFrame(look)
})
const startedAt = Date.now()
const program = spawn(process.execPath, ['out/main/host.js', '--ephemeral'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
let address
for await (const line of createInterface({ input: program.stdout })) {
  if (!line.startsWith('dashboard ')) continue
  address = line.slice('dashboard '.length)
  break
}
const listeningMs = Date.now() - startedAt
await page.goto(address, { waitUntil: 'commit' })
const drawn = page.locator('html[data-drawn]')
await drawn.waitFor({ state: 'attached', timeout: 30_000 })
const firstRowMs = Number(await drawn.getAttribute('data-drawn')) - startedAt
await browser.close()
program.kill('SIGTERM')
await new Promise((resolveExit) => program.once('exit', resolveExit))
console.log(JSON.stringify({ listeningMs, firstRowMs }))
process.exit(0)
