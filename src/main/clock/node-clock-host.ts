import type { ClockHost } from './virtual-clock.ts'

const longestTimerMs = 2 ** 31 - 1

/** The clock's machine: this Node process. */
export const nodeClockHost: ClockHost = {
  realNow: () => performance.now(),
  // Node runs the next-tick queue only after the microtask queue is empty, so this is an exact drain.
  drained: () =>
    new Promise((resolve) => {
      process.nextTick(resolve)
    }),
  turn: () =>
    new Promise((resolve) => {
      setImmediate(resolve)
    }),
  wakeAfter: (realMs, fn) => {
    // Node fires a timer that is too long for it at once; waking too early is harmless, the clock looks again.
    const handle = setTimeout(fn, Math.min(realMs, longestTimerMs))
    return () => {
      clearTimeout(handle)
    }
  },
}
