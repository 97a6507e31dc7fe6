/** Who is evicted first, and why, in sentences (eviction#ranking). Pure. */
import type { DecidedPlace, RankedPod, RankingView } from './pressure-view.ts'
import { aboveRequest, compareRanks, exceedsRequest, ranked } from './ranking.ts'
import type { StarvedResource } from './signals.ts'

const units = [
  [2 ** 30 * 10, 2 ** 30, 'Gi'],
  [2 ** 20, 2 ** 20, 'Mi'],
  [2 ** 10, 2 ** 10, 'Ki'],
] as const

function textIn(among: readonly (typeof units)[number][], amount: number): string {
  const unit = among.find(([least]) => Math.abs(amount) >= least)
  return unit === undefined ? String(amount) : `${Math.round(amount / unit[1])}${unit[2]}`
}

/** `442Mi`, `12`: an amount of a resource. */
export function amountText(resource: StarvedResource, amount: number): string {
  return textIn(resource === 'inodes' || resource === 'pids' ? [] : units, amount)
}

/** Two amounts that differ, in units in which they are seen to. */
function amountsApart(
  resource: StarvedResource,
  one: number,
  other: number,
): readonly [string, string] {
  const texts = [amountText(resource, one), amountText(resource, other)] as const
  if (texts[0] !== texts[1]) return texts
  const skipped = units.findIndex((_, index) => {
    const finer = units.slice(index + 1)
    return textIn(finer, one) !== textIn(finer, other)
  })
  const finer = units.slice(skipped + 1)
  return [textIn(finer, one), textIn(finer, other)]
}

/** The same pods with other uses, in the order in which they would then go: nothing is changed. */
export function whatIf(
  ranking: RankingView,
  useOf: (pod: RankedPod) => number | null,
): RankingView {
  const pods = ranking.pods.map((pod) => ({ ...pod, keys: { ...pod.keys, use: useOf(pod) } }))
  return { ...ranking, pods: ranked(ranking.resource, pods) }
}

/** Each pod with its place and the key that decides between it and the next one. */
export function decidedPlaces({ resource, pods }: RankingView): readonly DecidedPlace[] {
  let place = 0
  return pods.map((pod, index) => {
    const next = pods.slice(index + 1).find(({ never }) => never === '') ?? null
    const key = next === null ? null : compareRanks(resource, pod.keys, next.keys).key
    return { pod, place: pod.never === '' ? ++place : null, key, next }
  })
}

/** Why the pod has its place. */
export function placeSentence(resource: StarvedResource, decided: DecidedPlace): string {
  const { pod, place, next, key } = decided
  if (place === null) return pod.never
  if (next === null || key === null)
    return place === 1 ? `${pod.name} is the only pod to evict.` : `${pod.name} goes last.`
  const before = `${pod.name} goes before ${next.name}:`
  switch (key) {
    case 'unknown use':
      return `${before} nothing is known of its use.`
    case 'exceeds':
      return `${before} it uses more than it requests, ${next.name} does not.`
    case 'priority':
      return `${before} its priority ${pod.keys.priority} is lower than ${next.keys.priority}.`
    case 'above': {
      const above = aboveRequest(pod.keys) ?? 0
      const [own, other] = amountsApart(resource, above, aboveRequest(next.keys) ?? 0)
      const verb = above >= 0 ? 'is above' : 'differs from'
      return `${before} it ${verb} its request by ${own}, ${next.name} by ${other}.`
    }
    case 'processes':
      return `${before} it has ${pod.keys.use ?? 0} processes, ${next.name} has ${next.keys.use ?? 0}.`
    case 'tie':
      return `${pod.name} and ${next.name} are equal in every key: which one goes first is not specified.`
  }
}

function count(pods: readonly RankedPod[], what: string): string {
  return pods.length === 1
    ? `one pod ${what.replace(/^have /, 'has ').replace(/^use /, 'uses ')}`
    : `${pods.length} pods ${what}`
}

/** Who goes first and why, over all keys; empty: no pod may be evicted. */
export function firstSentence({ resource, pods }: RankingView): string {
  const all = pods.filter(({ never }) => never === '')
  const [first] = all
  if (first === undefined) return ''
  if (first.keys.use === null && resource !== 'pids')
    return `${first.name} goes first: nothing is known of its use.`
  const parts: string[] = []
  let left = all
  if (resource !== 'pids') {
    const over = all.filter(({ keys }) => exceedsRequest(keys))
    if (over.length > 0) left = over
    parts.push(
      over.length > 0
        ? count(over, 'use more than they request').replace(
            'they request',
            over.length === 1 ? 'it requests' : 'they request',
          )
        : 'no pod uses more than it requests',
    )
  }
  if (left.length > 1) {
    const lowest = left.filter(({ keys }) => keys.priority === first.keys.priority)
    const share = left.length === lowest.length ? 'all of them' : `${lowest.length} of them`
    parts.push(
      `${share} ${lowest.length === 1 ? 'has' : 'have'} the lowest priority, ${first.keys.priority}`,
    )
    if (lowest.length > 1) parts.push(lastPart(resource, first))
  }
  return `${first.name} goes first: ${parts.join('; ')}.`
}

function lastPart(resource: StarvedResource, { keys }: RankedPod): string {
  if (resource === 'pids') return `of these it has the most processes, ${keys.use ?? 0}`
  return `of these it has the largest use above its request, ${amountText(resource, aboveRequest(keys) ?? 0)}`
}
