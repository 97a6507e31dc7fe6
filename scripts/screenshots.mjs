// Takes the pictures under docs/screenshots from the built program on the web host, in both themes.
// Use: node scripts/screenshots.mjs     (after npm run build)
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright'
import { findBrowser } from './browser.mjs'

const root = resolve(import.meta.dirname, '..')
const pictures = join(root, 'docs', 'screenshots')
mkdirSync(pictures, { recursive: true })

const program = spawn(process.execPath, ['out/main/host.js', '--ephemeral'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const facts = new Map()
for await (const line of createInterface({ input: program.stdout })) {
  const [name, ...value] = line.split(' ')
  facts.set(name, value.join(' '))
  if (facts.has('dashboard') && facts.has('kubeconfig')) break
}

const found = await findBrowser()
const browser = await chromium.launch({
  executablePath: found.path,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})

async function shoot(page, name, theme) {
  await page.evaluate((wanted) => {
    document.documentElement.dataset.theme = wanted
  }, theme)
  // Colours change over 160 ms.
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) })
}

try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(facts.get('dashboard'))
  await page.getByRole('row').or(page.getByText('has its mirror')).first().waitFor()
  await page.waitForTimeout(6000)
  for (const theme of ['dark', 'light']) await shoot(page, 'start', theme)
  await page.getByRole('button', { name: 'Pods', exact: true }).click()
  await page.getByRole('row', { name: 'default/loud' }).click({ position: { x: 8, y: 8 } })
  for (const theme of ['dark', 'light']) {
    await page.getByRole('button', { name: 'Kill…' }).click()
    await page.getByRole('dialog').waitFor()
    await shoot(page, 'kill', theme)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Kill…' }).click()
  await page.getByRole('textbox', { name: 'Grace in seconds' }).fill('20')
  await page.getByRole('button', { name: 'Kill, 20 s grace' }).click()
  await page.waitForTimeout(5000)
  for (const theme of ['dark', 'light']) await shoot(page, 'pods', theme)
} finally {
  await browser.close()
  program.kill('SIGTERM')
}
