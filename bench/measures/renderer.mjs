// The page's main thread over 10,000 rows in headless Chromium, scrolled all the time, with 1,000 updates a second
// and without. Main-thread time is from Chromium's counters; the page counts frames.
import { openBenchPage, perFrame } from '../chromium-page.mjs'

const { page, counters, close } = await openBenchPage('index')
await page.getByRole('row').nth(10).waitFor()

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
    ...perFrame(before, after, scrolled.frames),
  }
}

await phase(1000, 2000)
const idle = await phase(0, 4000)
const busy = await phase(1000, 10_000)
await close()
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
