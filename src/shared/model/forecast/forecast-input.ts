import type { Act, ActEffect, ActFacts, ContainerActFacts } from '../act.ts'
import type { Grace } from './forecast-grace.ts'

/** What the words of a forecast are made of. */
export interface ForecastInput {
  readonly act: Act
  readonly facts: ActFacts
  /** Of an act on a container: that one. */
  readonly target: ContainerActFacts | undefined
  readonly effect: ActEffect
  readonly grace: Grace
  /** Seconds; null: the pod's own. */
  readonly asked: number | null
}
