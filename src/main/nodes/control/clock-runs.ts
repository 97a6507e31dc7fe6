import type { VirtualClock } from '../../clock/virtual-clock.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { Waiting } from './wait-condition.ts'

/** Timers that one step fires at most without an event: a quiet node has one every second. */
const timersPerStep = 5000

/** The first event of a step, and how many events it had. */
export interface Stepped {
  readonly seq: number
  readonly at: number
  readonly events: number
}

/** Pauses the clock and fires timers up to the first event. Null: there was none. Starting the clock meanwhile ends it. */
export async function stepToEvent(
  clock: VirtualClock,
  trace: Pick<ClusterTrace, 'listen'>,
): Promise<Stepped | null> {
  clock.pause()
  let first: { readonly seq: number; readonly at: number } | undefined
  let events = 0
  const unlisten = trace.listen(({ seq, at }) => {
    first ??= { seq, at }
    events++
  })
  try {
    for (let fired = 0; first === undefined && fired < timersPerStep && clock.isPaused; fired++)
      if (!(await clock.step())) break
  } finally {
    unlisten()
  }
  return first === undefined ? null : { ...first, events }
}

/** Why a run ended: what it waited for is there, its time is over, or another command came. */
export type RunEnd = 'reached' | 'timeout' | 'interrupted'

/**
 * Pauses the clock and fires timers as fast as it goes, until the condition holds or the time is over; then the clock stands.
 * Starting the clock meanwhile ends it.
 */
export async function runUntil(
  clock: VirtualClock,
  { holds, timeoutMs }: Pick<Waiting, 'holds' | 'timeoutMs'>,
  isInterrupted: () => boolean = () => false,
): Promise<RunEnd> {
  clock.pause()
  const limit = clock.now() + timeoutMs
  while (!(await holds())) {
    if (!clock.isPaused || isInterrupted()) return 'interrupted'
    if ((clock.nextDue ?? Number.POSITIVE_INFINITY) > limit) {
      await clock.advance(Math.max(0, limit - clock.now()))
      return (await holds()) ? 'reached' : 'timeout'
    }
    await clock.step()
  }
  return 'reached'
}
