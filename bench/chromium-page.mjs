import react from '@vitejs/plugin-react'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { build, preview, runnerImport } from 'vite'
import { findBrowser } from '../scripts/browser.mjs'

const root = resolve(import.meta.dirname, '..')

async function served(name, outDir) {
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
  const input = `bench/page/${name}.html`
  await build({
    ...shared,
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(root, input) } },
  })
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  })
  return { server, url: String(new URL(input, server.resolvedUrls?.local[0])) }
}

/** A page of bench/page in headless Chromium, built as the program's page is, with Chromium's counters. */
export async function openBenchPage(name) {
  const outDir = await mkdtemp(join(tmpdir(), 'nodescope-bench-page-'))
  const { server, url } = await served(name, outDir)
  const found = await findBrowser()
  const browser = await chromium.launch({
    executablePath: found.path,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(url)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  await devtools.send('HeapProfiler.enable')
  return {
    page,
    counters: async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      const value = (metric) => metrics.find(({ name: other }) => other === metric)?.value ?? 0
      return {
        taskMs: value('TaskDuration') * 1000,
        scriptMs: value('ScriptDuration') * 1000,
        styleMs: value('RecalcStyleDuration') * 1000,
        layoutMs: value('LayoutDuration') * 1000,
        styles: value('RecalcStyleCount'),
        layouts: value('LayoutCount'),
        nodes: value('Nodes'),
      }
    },
    /** Bytes of JavaScript heap in use after collecting. */
    heap: async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    },
    close: async () => {
      await browser.close()
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

/** The differences of two readings of the counters, by frame. */
export function perFrame(before, after, frames) {
  return Object.fromEntries(
    Object.keys(after).map((key) => [key, (after[key] - before[key]) / frames]),
  )
}
