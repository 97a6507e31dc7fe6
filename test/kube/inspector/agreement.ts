import type { Certainty } from '../../../src/shared/model/inspect/evidence.ts'
import type { WorkerStateWord } from '../../../src/shared/model/pod-row.ts'
import { statesBetween } from './worker-log.ts'
import type { LoggedState } from './worker-log.ts'

/** One inferred state. `from`, `to`: ms, when its facts were asked for and when they were there. */
export interface Sample {
  readonly way: 'direct' | 'proxy' | 'none'
  readonly uid: string
  readonly name: string
  readonly from: number
  readonly to: number
  readonly worker: WorkerStateWord | null
  readonly certainty: Certainty | null
  readonly because: string
}

interface Count {
  samples: number
  agreed: number
}

export interface Agreement {
  readonly byCertainty: Partial<Record<Certainty, Count>>
  /** Samples without a conclusion. */
  readonly notKnown: number
  /** Which of them disagreed, one a line, with how often. */
  readonly misses: readonly string[]
}

/** A sample agrees if the worker had its state at some time while its facts were read. */
export function agreementOf(samples: readonly Sample[], states: readonly LoggedState[]): Agreement {
  const byCertainty: Partial<Record<Certainty, Count>> = {}
  const misses = new Map<string, number>()
  let notKnown = 0
  for (const { uid, name, from, to, worker, certainty, because } of samples) {
    if (certainty === null) {
      notKnown++
      continue
    }
    const count = (byCertainty[certainty] ??= { samples: 0, agreed: 0 })
    const logged = statesBetween(states, uid, from, to)
    count.samples++
    if (worker !== null && logged.has(worker)) {
      count.agreed++
      continue
    }
    const miss = `${certainty} ${name}: ${worker}, was ${[...logged].join('|')} (${because})`
    misses.set(miss, (misses.get(miss) ?? 0) + 1)
  }
  return { byCertainty, notKnown, misses: [...misses].map(([miss, count]) => `${count} × ${miss}`) }
}

/** `certain 99.8 % of 2310, likely 93.1 % of 412, not known 3`. */
export function explained({ byCertainty, notKnown }: Agreement): string {
  const parts = (['certain', 'likely', 'possible'] as const).flatMap((certainty) => {
    const count = byCertainty[certainty]
    if (count === undefined) return []
    return [
      `${certainty} ${((100 * count.agreed) / count.samples).toFixed(1)} % of ${count.samples}`,
    ]
  })
  return [...parts, `not known ${notKnown}`].join(', ')
}
