import type { TraceEvent, TraceKind } from '../../../../shared/model/trace-event.ts'

type Prefix<K extends string = TraceKind> = K extends `${infer P}.${string}` ? P : never

/** The parts of a kubelet in the order in which a pod passes them. */
export const historyParts = [
  'outside',
  'config',
  'worker',
  'mirror',
  'status',
  'runtime',
  'eviction',
  'events',
] as const

export type HistoryPart = (typeof historyParts)[number]

const partByPrefix: Readonly<Record<Prefix, HistoryPart>> = {
  request: 'outside',
  object: 'outside',
  command: 'outside',
  manifest: 'config',
  source: 'config',
  config: 'config',
  loop: 'config',
  pod: 'config',
  podManager: 'config',
  worker: 'worker',
  log: 'worker',
  mirror: 'mirror',
  uid: 'mirror',
  status: 'status',
  image: 'runtime',
  sandbox: 'runtime',
  container: 'runtime',
  pleg: 'runtime',
  hook: 'runtime',
  probe: 'runtime',
  volume: 'runtime',
  eviction: 'eviction',
  preemption: 'eviction',
  node: 'eviction',
  lease: 'eviction',
  shutdown: 'eviction',
  agent: 'eviction',
  machine: 'eviction',
  cluster: 'outside',
  event: 'events',
}

/** The part of the kubelet that writes events of a kind. Pure. */
export function partOf(kind: TraceKind): HistoryPart {
  // Every kind is its prefix, a dot and a word; the type of `partByPrefix` lists all prefixes.
  return partByPrefix[kind.slice(0, kind.indexOf('.')) as Prefix]
}

/** The number of events of each part that has any. Pure. */
export function countParts(events: readonly TraceEvent[]): ReadonlyMap<HistoryPart, number> {
  const counts = new Map<HistoryPart, number>()
  for (const { kind } of events) counts.set(partOf(kind), (counts.get(partOf(kind)) ?? 0) + 1)
  return counts
}
