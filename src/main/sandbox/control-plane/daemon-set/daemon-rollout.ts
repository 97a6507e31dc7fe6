import type { Node, Pod } from '../../../../shared/kubernetes/objects.ts'
import type { DaemonSet } from '../../../../shared/kubernetes/workloads.ts'
import { isAvailable } from '../workloads/active-pods.ts'
import { scaledValue } from '../workloads/scaled-value.ts'
import { isUpdated, shouldRun } from './daemon-pods.ts'

type PodsByNode = ReadonlyMap<string, readonly Pod[]>

/** Nodes that get a pod, and pods that are deleted. */
export interface NodeChanges {
  readonly nodes: readonly string[]
  readonly pods: readonly Pod[]
}

function limitsOf(
  { spec }: DaemonSet,
  desired: number,
): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 1 } = spec.updateStrategy?.rollingUpdate ?? {}
  const surge = scaledValue(maxSurge, desired, 'up')
  const unavailable = scaledValue(maxUnavailable, desired, 'up')
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable }
}

export function allowsSurge({ spec }: DaemonSet): boolean {
  const { type = 'RollingUpdate', rollingUpdate } = spec.updateStrategy ?? {}
  const surge = rollingUpdate?.maxSurge ?? 0
  return type === 'RollingUpdate' && surge !== 0 && surge !== '0%'
}

/** The pod with the present template and the one with another; undefined if a node has more. */
function pairOn(
  set: DaemonSet,
  pods: readonly Pod[],
  hash: string,
): { readonly fresh: Pod | undefined; readonly old: Pod | undefined } | undefined {
  const live = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const fresh = live.filter((pod) => isUpdated(pod, set, hash))
  const old = live.filter((pod) => !isUpdated(pod, set, hash))
  if (fresh.length > 1 || old.length > 1) return undefined
  return { fresh: fresh[0], old: old[0] }
}

/** What a rolling update changes now. Source: pkg/controller/daemon/update.go rollingUpdate (v1.34). */
export function rollingChanges(
  set: DaemonSet,
  nodes: readonly Node[],
  byNode: PodsByNode,
  { hash, now }: { readonly hash: string; readonly now: number },
): NodeChanges {
  const running = nodes.filter((node) => shouldRun(set, node).runs)
  const all = new Map(byNode)
  for (const { metadata } of running) if (!all.has(metadata.name)) all.set(metadata.name, [])
  const { surge, unavailable } = limitsOf(set, running.length)
  const { minReadySeconds = 0 } = set.spec
  const available = (pod: Pod): boolean => isAvailable(pod, minReadySeconds, now)
  const pairs = [...all].map(([name, pods]) => ({ name, pair: pairOn(set, pods, hash) }))
  if (surge > 0) {
    const names = new Set(running.map(({ metadata }) => metadata.name))
    return surgeChanges(pairs, { surge, names, available })
  }
  let missing = 0
  const replaced: Pod[] = []
  const candidates: Pod[] = []
  for (const { pair } of pairs) {
    if (pair === undefined || (pair.fresh === undefined) === (pair.old === undefined)) missing++
    else if (pair.fresh !== undefined) missing += available(pair.fresh) ? 0 : 1
    else if (pair.old !== undefined && !available(pair.old)) {
      replaced.push(pair.old)
      missing++
    } else if (pair.old !== undefined && missing < unavailable) candidates.push(pair.old)
  }
  const room = Math.max(0, unavailable - missing)
  return { nodes: [], pods: [...replaced, ...candidates.slice(0, room)] }
}

function surgeChanges(
  pairs: readonly { readonly name: string; readonly pair: ReturnType<typeof pairOn> }[],
  {
    surge,
    names,
    available,
  }: {
    readonly surge: number
    readonly names: ReadonlySet<string>
    readonly available: (pod: Pod) => boolean
  },
): NodeChanges {
  let surging = 0
  let availableCount = 0
  const pods: Pod[] = []
  const misplaced: Pod[] = []
  const allowed: string[] = []
  const candidates: string[] = []
  for (const { name, pair } of pairs) {
    if (pair === undefined) {
      surging++
      continue
    }
    const { fresh, old } = pair
    const counted = old ?? fresh
    if (counted !== undefined && available(counted)) availableCount++
    if (old === undefined) continue
    if (fresh !== undefined) {
      if (available(fresh)) pods.push(old)
      else surging++
    } else if (!names.has(name)) (available(old) ? misplaced : pods).push(old)
    else if (!available(old)) allowed.push(name)
    else if (surging < surge) candidates.push(name)
  }
  const surplus = Math.max(0, availableCount - names.size)
  return {
    nodes: [...allowed, ...candidates.slice(0, Math.max(0, surge - surging))],
    pods: [...pods, ...misplaced.slice(0, surplus)],
  }
}
