import type { CancelTimer, HoldableClock } from '../kubelet/ports.ts'

const noRelease = (): void => undefined

// Node fires a timer that is too long for it after 1 ms.
const longestTimerMs = 2 ** 31 - 1

function inParts(delayMs: number, fn: () => void): CancelTimer {
  let left = delayMs
  let handle: NodeJS.Timeout
  const arm = (): void => {
    const part = Math.min(left, longestTimerMs)
    left -= part
    handle = setTimeout(left > 0 ? arm : fn, part)
  }
  arm()
  return () => {
    clearTimeout(handle)
  }
}

/** The machine's own time, for real clusters. A hold does nothing: real time does not wait. */
export const systemClock: HoldableClock = {
  now: () => Date.now(),
  after: (delayMs, fn) => {
    if (delayMs > longestTimerMs) return inParts(delayMs, fn)
    const handle = setTimeout(fn, delayMs)
    return () => {
      clearTimeout(handle)
    }
  },
  hold: () => noRelease,
}
