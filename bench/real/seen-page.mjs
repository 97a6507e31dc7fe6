import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright'
import { findBrowser } from '../../scripts/browser.mjs'
import { cpuSeconds, peakMemoryMb } from './process-figures.mjs'

const root = resolve(import.meta.dirname, '..', '..')
const heapEveryMs = 30_000

/** Starts the built web host on a kubeconfig and opens its page in Chromium, with the table of all pods. */
export async function openSeenPage(kubeconfig, dataFolder) {
  const args = [
    join(root, 'out/main/host.js'),
    '--data-dir',
    dataFolder,
    '--kubeconfig',
    kubeconfig,
  ]
  const host = spawn(process.execPath, args, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
  let url
  for await (const line of createInterface({ input: host.stdout })) {
    url = /^dashboard (\S+)/.exec(line)?.[1]
    if (url !== undefined) break
  }
  if (url === undefined) throw new Error('The web host printed no address of its page.')
  host.stdout.resume()
  const found = await findBrowser()
  const browser = await chromium.launch({
    executablePath: found.path,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(() => {
    window.longTasks = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  const before = performance.now()
  await page.goto(url)
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('button', { name: 'Pods', exact: true }).click()
  await page.getByRole('row').nth(2).waitFor()
  const rowsAfterMs = performance.now() - before
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const taskSeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const heapMb = async () => {
    await devtools.send('HeapProfiler.enable')
    await devtools.send('HeapProfiler.collectGarbage')
    await devtools.send('HeapProfiler.disable')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    return Math.round(usedSize / 1e5) / 10
  }
  return {
    rowsAfterMs,
    /** What a time costs the page's main thread and the host. */
    during: async (ms) => {
      await page.evaluate(() => (window.longTasks.length = 0))
      const [tasksBefore, cpuBefore, at] = [
        await taskSeconds(),
        await cpuSeconds(host.pid),
        performance.now(),
      ]
      const heaps = []
      while (performance.now() - at < ms) {
        await sleep(Math.min(heapEveryMs, ms))
        heaps.push(await heapMb())
      }
      const seconds = (performance.now() - at) / 1000
      const longTasks = await page.evaluate(() => window.longTasks)
      return {
        seconds,
        mainThreadPercent: (((await taskSeconds()) - tasksBefore) / seconds) * 100,
        longTasks: longTasks.length,
        longestTaskMs: Math.max(0, ...longTasks),
        hostCpuPercent: (((await cpuSeconds(host.pid)) - cpuBefore) / seconds) * 100,
        hostPeakMb: await peakMemoryMb(host.pid),
        pageHeapsMb: heaps,
      }
    },
    close: async () => {
      await browser.close()
      host.kill('SIGTERM')
    },
  }
}
