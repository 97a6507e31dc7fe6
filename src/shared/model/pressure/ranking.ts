/** In which order a kubelet under pressure would evict (eviction#ranking). Pure. */
import type { StarvedResource } from './signals.ts'

/** What two pods are compared by. Bytes, inodes or processes. */
export interface RankKeys {
  /** Null: nothing is known of the pod. */
  readonly use: number | null
  /** What `use` has to be above to be more than requested. */
  readonly request: number
  readonly priority: number
  /** What the use above the request is counted from: for inodes the kubelet subtracts the bytes that the pod requests. */
  readonly subtracted: number
}

/** Why one pod comes before another; `tie`: the kubelet's order of the two is not specified. */
export type DecidingKey = 'unknown use' | 'exceeds' | 'priority' | 'above' | 'processes' | 'tie'

interface Comparison {
  readonly key: DecidingKey
  /** Negative: the first one goes first. */
  readonly order: number
}

type Compare = (a: RankKeys, b: RankKeys) => number

export function exceedsRequest({ use, request }: RankKeys): boolean {
  return use !== null && use > request
}

/** Null: nothing is known of the pod. */
export function aboveRequest({ use, subtracted }: RankKeys): number | null {
  // Requests may have thousandths of a byte, which are no exact numbers here.
  return use === null ? null : Math.round((use - subtracted) * 1000) / 1000
}

const byUnknownUse: Compare = (a, b) => Number(b.use === null) - Number(a.use === null)
const byExceeding: Compare = (a, b) => Number(exceedsRequest(b)) - Number(exceedsRequest(a))
const byPriority: Compare = (a, b) => a.priority - b.priority
const byUse: Compare = (a, b) => (b.use ?? 0) - (a.use ?? 0)
const byUseAbove: Compare = (a, b) => (aboveRequest(b) ?? 0) - (aboveRequest(a) ?? 0)

const keysOfPids: readonly (readonly [DecidingKey, Compare])[] = [
  ['priority', byPriority],
  ['unknown use', byUnknownUse],
  ['processes', byUse],
]

const keysOfOthers: readonly (readonly [DecidingKey, Compare])[] = [
  ['unknown use', byUnknownUse],
  ['exceeds', byExceeding],
  ['priority', byPriority],
  ['above', byUseAbove],
]

/** By which key two pods differ, and which goes first. */
export function compareRanks(resource: StarvedResource, a: RankKeys, b: RankKeys): Comparison {
  for (const [key, compare] of resource === 'pids' ? keysOfPids : keysOfOthers) {
    const order = compare(a, b)
    if (order !== 0) return { key, order }
  }
  return { key: 'tie', order: 0 }
}

/** The one that goes first is the first. Equal ones keep their order; a kubelet's order of more than 12 pods is not stable. */
export function ranked<T extends { readonly keys: RankKeys }>(
  resource: StarvedResource,
  pods: readonly T[],
): readonly T[] {
  return pods.toSorted((a, b) => compareRanks(resource, a.keys, b.keys).order)
}
