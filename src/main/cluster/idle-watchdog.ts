import type { Clock } from '../kubelet/ports.ts'

export interface IdleWatchdog {
  /** Something came. */
  readonly heard: () => void
  readonly cancel: () => void
}

/** Calls `onIdle` once when nothing was heard for so long. One timer for the whole time, not one for each event. */
export function startIdleWatchdog(clock: Clock, idleMs: number, onIdle: () => void): IdleWatchdog {
  let heardAt = clock.now()
  const look = (): void => {
    const quietMs = clock.now() - heardAt
    if (quietMs >= idleMs) onIdle()
    else cancelTimer = clock.after(idleMs - quietMs, look)
  }
  let cancelTimer = clock.after(idleMs, look)
  return {
    heard: () => {
      heardAt = clock.now()
    },
    cancel: () => {
      cancelTimer()
    },
  }
}
