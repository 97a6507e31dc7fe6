import type { Clock } from '../../kubelet/ports.ts'

export interface IdleWatchdog {
  /** Restarts the time. */
  readonly reset: () => void
  readonly cancel: () => void
}

/** Calls `onIdle` once after `idleMs` without a reset. One timer for the whole time, not one for each event. */
export function startIdleWatchdog(clock: Clock, idleMs: number, onIdle: () => void): IdleWatchdog {
  let resetAt = clock.now()
  const check = (): void => {
    const idleForMs = clock.now() - resetAt
    if (idleForMs >= idleMs) onIdle()
    else cancelTimer = clock.after(idleMs - idleForMs, check)
  }
  let cancelTimer = clock.after(idleMs, check)
  return {
    reset: () => {
      resetAt = clock.now()
    },
    cancel: () => {
      cancelTimer()
    },
  }
}
