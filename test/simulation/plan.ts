import type { Random } from '../../src/main/kubelet/ports.ts'
import { RandomPicker } from '../random-picker.ts'

/** One step to take. What it does to whom is drawn when it is taken, from a stream of its own number. */
export interface PlannedStep {
  /** 1, 2, 3 … over the whole run. */
  readonly number: number
  /** ms since the start of the run. */
  readonly atMs: number
  readonly kind: string
}

/** Steps, and then a time without faults in which the cluster settles. */
export interface PlannedRound {
  readonly steps: readonly PlannedStep[]
  /** ms since the start of the run: the start of the settling, and the end of the round. */
  readonly settleAtMs: number
  readonly endAtMs: number
}

const minuteMs = 60_000
const roundMs = 20 * minuteMs
const busyMs = 14 * minuteMs

/** Waits between steps in ms: bursts, in which things meet, and time in which they come to something. */
const waits = [
  { weight: 3, least: 0, most: 300 },
  { weight: 4, least: 300, most: 4000 },
  { weight: 4, least: 4000, most: 20_000 },
  { weight: 2, least: 20_000, most: 70_000 },
] as const

/**
 * The steps of a run, from its seed alone: no step depends on the results of others, so that a run without some of them is a
 * run too, in which the others stay as they were. A run lasts whole rounds of twenty minutes, at least one.
 */
export function planOf(
  random: Random,
  options: {
    readonly hours: number
    readonly kinds: readonly { readonly kind: string; readonly weight: number }[]
  },
): readonly PlannedRound[] {
  const pick = new RandomPicker(random.fork('plan'))
  const rounds = Math.max(1, Math.round((options.hours * 60 * minuteMs) / roundMs))
  let number = 0
  return Array.from({ length: rounds }, (_, round): PlannedRound => {
    const startMs = round * roundMs
    const settleAtMs = startMs + busyMs
    const steps: PlannedStep[] = []
    for (;;) {
      const { least, most } = pick.weighted(waits)
      const atMs = (steps.at(-1)?.atMs ?? startMs) + pick.whole(least, most)
      if (atMs >= settleAtMs) break
      steps.push({ number: ++number, atMs, kind: pick.weighted(options.kinds).kind })
    }
    return { steps, settleAtMs, endAtMs: startMs + roundMs }
  })
}
