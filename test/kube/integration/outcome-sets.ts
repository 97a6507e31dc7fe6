/** One look at a run: `CRI calls`, with what was seen. */
export type Facets = Readonly<Record<string, string>>

/** How often each kubelet came to an outcome. */
export interface OutcomeCount {
  readonly outcome: string
  readonly ours: number
  readonly real: number
}

/** The outcomes of a facet in all runs of both. */
export interface FacetSets {
  readonly facet: string
  /** The most frequent one first. */
  readonly counts: readonly OutcomeCount[]
  /** `same`: each outcome on both. `by chance`: one was seen on one only, as seldom as chance allows. */
  readonly verdict: 'same' | 'by chance' | 'different'
}

/** Below this probability a difference of frequencies is not taken for chance. */
export const significance = 0.05

function logFactorial(n: number): number {
  let sum = 0
  for (let factor = 2; factor <= n; factor++) sum += Math.log(factor)
  return sum
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k)
}

/**
 * Fisher's exact test, two-sided: the probability of a difference at least as unlikely as `one` of `runs` beside `other` of
 * `otherRuns`, if both have the same frequency.
 */
export function chanceOf(one: number, runs: number, other: number, otherRuns: number): number {
  const seen = one + other
  const logProbability = (k: number): number =>
    logChoose(runs, k) + logChoose(otherRuns, seen - k) - logChoose(runs + otherRuns, seen)
  const limit = logProbability(one) + 1e-9
  let sum = 0
  for (let k = Math.max(0, seen - otherRuns); k <= Math.min(runs, seen); k++) {
    const log = logProbability(k)
    if (log <= limit) sum += Math.exp(log)
  }
  return Math.min(1, sum)
}

function compareFacet(facet: string, ours: readonly Facets[], real: readonly Facets[]): FacetSets {
  const count = (runs: readonly Facets[], outcome: string): number =>
    runs.filter((run) => run[facet] === outcome).length
  const outcomes = [...new Set([...ours, ...real].map((run) => run[facet] ?? ''))]
  const counts = outcomes
    .map((outcome) => ({ outcome, ours: count(ours, outcome), real: count(real, outcome) }))
    .toSorted((one, other) => other.ours + other.real - one.ours - one.real)
  const isLikely = counts.every(
    (one) => chanceOf(one.ours, ours.length, one.real, real.length) >= significance,
  )
  const isOnBoth = counts.every((one) => one.ours > 0 && one.real > 0)
  return { facet, counts, verdict: !isLikely ? 'different' : isOnBoth ? 'same' : 'by chance' }
}

/** Compares the runs of a scenario on both, facet by facet. */
export function compareRuns(
  ours: readonly Facets[],
  real: readonly Facets[],
): readonly FacetSets[] {
  const facets = [...new Set([...ours, ...real].flatMap((run) => Object.keys(run)))]
  return facets.map((facet) => compareFacet(facet, ours, real))
}
