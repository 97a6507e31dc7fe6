// The page's main thread over 10,000 rows in headless Chromium, scrolled all the time, with 1,000 updates a second
// and without. Main-thread time is from Chromium's counters; the page counts frames.
import react from '@vitejs/plugin-react'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { build, preview, runnerImport } from 'vite'
import { findBrowser } from '../../scripts/browser.mjs'

const root = resolve(import.meta.dirname, '..', '..')
const outDir = await mkdtemp(join(tmpdir(), 'nodescope-bench-page-'))
const { module: plugin } = await runnerImport(join(root, 'scripts/handbook/plugin.ts'), {
  configFile: false,
  logLevel: 'error',
})
const shared = {
  root,
  base: './',
  configFile: false,
  logLevel: 'error',
  plugins: [react(), plugin.handbook(join(root, 'docs/kubelet'))],
}
await build({
  ...shared,
  build: {
    outDir,
    emptyOutDir: true,
    rolldownOptions: { input: join(root, 'bench/page/index.html') },
  },
})
const server = await preview({
  ...shared,
  build: { outDir },
  preview: { port: 0, host: '127.0.0.1' },
})
const found = await findBrowser()
const browser = await chromium.launch({
  executablePath: found.path,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.goto(String(new URL('bench/page/index.html', server.resolvedUrls?.local[0])))
await page.getByRole('row').nth(10).waitFor()
const devtools = await page.context().newCDPSession(page)
await devtools.send('Performance.enable')

async function counters() {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const value = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return {
    taskMs: value('TaskDuration') * 1000,
    scriptMs: value('ScriptDuration') * 1000,
    styleMs: value('RecalcStyleDuration') * 1000,
    layoutMs: value('LayoutDuration') * 1000,
    styles: value('RecalcStyleCount'),
    layouts: value('LayoutCount'),
    nodes: value('Nodes'),
  }
}

/** Scrolls up and down by 6 px a frame for this time; returns the number of frames and the longest. */
function scroll(durationMs) {
  const grid = document.querySelector('[role=grid]')
  let box = grid
  while (box !== null && box.scrollHeight <= box.clientHeight) box = box.parentElement
  if (box === null) throw new Error('nothing scrolls')
  return new Promise((resolveFrames) => {
    const startedAt = performance.now()
    let last = startedAt
    let frames = 0
    let longest = 0
    let step = 6
    const frame = (now) => {
      frames++
      longest = Math.max(longest, now - last)
      last = now
      if (box.scrollTop + box.clientHeight >= box.scrollHeight - 10) step = -6
      if (box.scrollTop <= 0) step = 6
      box.scrollTop += step
      if (now - startedAt < durationMs) requestAnimationFrame(frame)
      else resolveFrames({ frames, longest, seconds: (now - startedAt) / 1000 })
    }
    requestAnimationFrame(frame)
  })
}

async function phase(updatesPerSecond, durationMs) {
  if (updatesPerSecond > 0)
    await page.evaluate((rate) => window.bench.start(rate), updatesPerSecond)
  const before = await counters()
  const scrolled = await page.evaluate(scroll, durationMs)
  const after = await counters()
  const updates = updatesPerSecond > 0 ? await page.evaluate(() => window.bench.stop()) : 0
  return {
    ...scrolled,
    updatesPerSecond: updates / scrolled.seconds,
    ...Object.fromEntries(
      Object.keys(after).map((name) => [name, (after[name] - before[name]) / scrolled.frames]),
    ),
  }
}

await phase(1000, 2000)
const idle = await phase(0, 4000)
const busy = await phase(1000, 10_000)
await browser.close()
await server.close()
await rm(outDir, { recursive: true, force: true })
console.log(
  JSON.stringify({
    framesPerSecond: busy.frames / busy.seconds,
    mainThreadMsPerFrame: busy.taskMs,
    ownMsPerFrame: busy.scriptMs + busy.styleMs + busy.layoutMs,
    scriptMsPerFrame: busy.scriptMs,
    stylesPerFrame: busy.styles,
    layoutsPerFrame: busy.layouts,
    nodesPerFrame: busy.nodes,
    longestFrameMs: busy.longest,
    updatesPerSecond: busy.updatesPerSecond,
    idleMainThreadMsPerFrame: idle.taskMs,
    idleOwnMsPerFrame: idle.scriptMs + idle.styleMs + idle.layoutMs,
  }),
)
process.exit(0)
