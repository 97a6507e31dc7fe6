import type { Act, ActFacts, ActForecast } from './act.ts'

/**
 * Says what an act will do to a pod, from facts alone. Pure; used by the dialogs before the click and
 * by main before it acts, so that both say the same. `graceSeconds` null: the pod's own.
 */
export function forecastAct(act: Act, facts: ActFacts, graceSeconds: number | null): ActForecast {
  throw new Error(`forecast of ${act} for ${facts.name} with ${graceSeconds}: written next`)
}
