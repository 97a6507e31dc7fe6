import type { Cancellation, Clock } from '../ports.ts'

interface Polling {
  readonly clock: Clock
  readonly cancellation: Cancellation
  readonly intervalMs: number
  /** Default: no limit. */
  readonly timeoutMs?: number
}

/** Why a condition did not become true, in the words of Go's contexts. */
type PollFailure = 'context canceled' | 'context deadline exceeded'

/** Asks at once and at every interval until the answer is true (apimachinery wait.PollUntilContextTimeout, immediate). */
export function pollUntil(
  { clock, cancellation, intervalMs, timeoutMs = Infinity }: Polling,
  condition: () => boolean,
): Promise<PollFailure | undefined> {
  if (condition()) return Promise.resolve(undefined)
  if (cancellation.isCancelled()) return Promise.resolve('context canceled')
  const endsAt = clock.now() + timeoutMs
  return new Promise((resolve) => {
    const end = (failure?: PollFailure): void => {
      cancelTimer()
      unsubscribe()
      resolve(failure)
    }
    const wait = () => clock.after(Math.min(intervalMs, endsAt - clock.now()), ask)
    const ask = (): void => {
      if (condition()) end()
      else if (clock.now() >= endsAt) end('context deadline exceeded')
      else cancelTimer = wait()
    }
    let cancelTimer = wait()
    const unsubscribe = cancellation.onCancel(() => {
      end('context canceled')
    })
  })
}
