import type { ClockHost } from './virtual-clock.ts'

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
    const handle = setTimeout(fn, realMs)
    return () => {
      clearTimeout(handle)
    }
  },
}
