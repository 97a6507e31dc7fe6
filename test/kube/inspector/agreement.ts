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
  /** What both sides said. */
  readonly seen: string
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
  const misses = new Map<string, { count: number; readonly first: number }>()
  const totals = new Map<string, number>()
  const start = samples[0]?.from ?? 0
  let notKnown = 0
  for (const { uid, name, from, to, worker, certainty, because, seen } of samples) {
    if (certainty === null) {
      notKnown++
      continue
    }
    const count = (byCertainty[certainty] ??= { samples: 0, agreed: 0 })
    const logged = statesBetween(states, uid, from, to)
    count.samples++
    const conclusion = `${certainty} ${name}: ${worker} (${because})`
    totals.set(conclusion, (totals.get(conclusion) ?? 0) + 1)
    if (worker !== null && logged.has(worker)) {
      count.agreed++
      continue
    }
    const miss = `${conclusion}, was ${[...logged].join('|')}; ${seen}`
    const before = misses.get(miss) ?? { count: 0, first: (from - start) / 1000 }
    misses.set(miss, { ...before, count: before.count + 1 })
  }
  const lines = [...misses].map(([miss, { count, first }]) => {
    const conclusion = miss.slice(0, miss.lastIndexOf(', was '))
    return `${count} of ${totals.get(conclusion)} from ${first.toFixed(1)} s × ${miss}`
  })
  return { byCertainty, notKnown, misses: lines }
}

/** 0 to 1. */
export function shareOf(count: Count | undefined): number {
  return count === undefined ? 0 : count.agreed / count.samples
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
