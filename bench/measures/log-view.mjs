// The log of a container in headless Chromium: 100,000 lines, then 1,000 more a second while it follows. The page counts
// frames; main-thread time and heap are Chromium's.
import { openBenchPage, perFrame } from '../chromium-page.mjs'

const lines = 100_000
const warmUpMs = 2000
const followMs = 15_000

/** The number of frames in this time, and the longest. */
function countFrames(durationMs) {
  return new Promise((resolveFrames) => {
    const startedAt = performance.now()
    let last = startedAt
    let frames = 0
    let longest = 0
    const frame = (now) => {
      frames++
      longest = Math.max(longest, now - last)
      last = now
      if (now - startedAt < durationMs) requestAnimationFrame(frame)
      else resolveFrames({ frames, longest, seconds: (now - startedAt) / 1000 })
    }
    requestAnimationFrame(frame)
  })
}

/** The page groups digits by spaces: `100 000 lines`. */
const countText = /^([\d\s]+) lines$/

async function readCount(page) {
  const text = await page.getByText(countText).textContent()
  return Number((countText.exec(text ?? '')?.[1] ?? '').replaceAll(/\s/g, ''))
}

const { page, counters, heap, close } = await openBenchPage('logs')
await page.getByRole('row').first().waitFor()
const emptyHeap = await heap()
const openedAt = performance.now()
await page.evaluate((count) => window.logs.open(count), lines)
await page.getByText(countText).waitFor()
const openMs = performance.now() - openedAt
const openHeap = await heap()
await page.evaluate(() => window.logs.follow())
await page.evaluate(countFrames, warmUpMs)
const before = await counters()
const counted = await page.evaluate(countFrames, followMs)
const after = await counters()
const printed = await page.evaluate(() => window.logs.stop())
const shown = await readCount(page)
if (shown !== lines) throw new Error(`${shown} lines are kept, not ${lines}`)
const newest = await page.getByRole('log').textContent()
const last = Math.max(
  ...[...(newest ?? '').matchAll(/\/cart\/(\d+)/g)].map(([, index]) => Number(index)),
)
const endHeap = await heap()
await close()
const { taskMs, scriptMs } = perFrame(before, after, counted.frames)
console.log(
  JSON.stringify({
    framesPerSecond: counted.frames / counted.seconds,
    longestFrameMs: counted.longest,
    mainThreadMsPerFrame: taskMs,
    scriptMsPerFrame: scriptMs,
    openMs,
    linesBehind: printed - last - 1,
    heapBytesPerLine: (openHeap - emptyHeap) / lines,
    heapGrowthBytes: endHeap - openHeap,
  }),
)
process.exit(0)
