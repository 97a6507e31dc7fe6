import { createInterface } from 'node:readline'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from '../../scripts/browser.mjs'

const root = resolve(import.meta.dirname, '..', '..')

/** The arguments of the built web host that opens a kubeconfig. */
export function hostArgs(kubeconfig, dataFolder) {
  const host = join(root, 'out/main/host.js')
  return [host, '--data-dir', dataFolder, '--kubeconfig', kubeconfig]
}

/** The frames of a time, and the longest. Runs in the page. */
function countFrames(durationMs) {
  return new Promise((resolveFrames) => {
    let frames = 0
    let longest = 0
    const startedAt = performance.now()
    let last = startedAt
    const frame = (now) => {
      frames++
      longest = Math.max(longest, now - last)
      last = now
      if (now - startedAt < durationMs) requestAnimationFrame(frame)
      else resolveFrames({ perSecond: (frames / (now - startedAt)) * 1000, longestMs: longest })
    }
    requestAnimationFrame(frame)
  })
}

/** Opens the page of a web host that has just been started in Chromium, with the table of all pods. */
export async function openSeenPage(host) {
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
  let began = { at: 0, tasks: 0 }
  /** Of the collections, which do not count. */
  let collecting = 0
  return {
    rowsAfterMs,
    begin: async () => {
      await page.evaluate(() => (window.longTasks.length = 0))
      collecting = 0
      began = { at: performance.now(), tasks: await taskSeconds() }
    },
    /** MB in use after a collection. */
    heap: async () => {
      const tasks = await taskSeconds()
      await devtools.send('HeapProfiler.enable')
      await devtools.send('HeapProfiler.collectGarbage')
      await devtools.send('HeapProfiler.disable')
      collecting += (await taskSeconds()) - tasks
      const { usedSize } = await devtools.send('Runtime.getHeapUsage')
      return Math.round(usedSize / 1e5) / 10
    },
    end: async () => {
      const tasks = (await taskSeconds()) - began.tasks - collecting
      const seconds = (performance.now() - began.at) / 1000
      const longTasks = await page.evaluate(() => [...window.longTasks])
      return {
        mainThreadPercent: (tasks / seconds) * 100,
        longTasks: longTasks.length,
        longestTaskMs: Math.max(0, ...longTasks),
      }
    },
    frames: async (ms) => await page.evaluate(countFrames, ms),
    close: async () => {
      await browser.close()
    },
  }
}
