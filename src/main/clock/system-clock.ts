import type { HoldableClock } from '../kubelet/ports.ts'

const noRelease = (): void => undefined

/** The machine's own time, for real clusters. A hold does nothing: real time does not wait. */
export const systemClock: HoldableClock = {
  now: () => Date.now(),
  after: (delayMs, fn) => {
    const handle = setTimeout(fn, delayMs > 0 ? delayMs : 0)
    return () => {
      clearTimeout(handle)
    }
  },
  hold: () => noRelease,
}
