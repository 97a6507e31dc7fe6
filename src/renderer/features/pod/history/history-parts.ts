import type { TraceEvent, TraceKind } from '../../../../shared/model/trace-event.ts'

type Prefix<K extends string = TraceKind> = K extends `${infer P}.${string}` ? P : never

export type HistoryPart =
  'outside' | 'config' | 'worker' | 'mirror' | 'status' | 'runtime' | 'eviction' | 'events'

/** The parts of a kubelet as a pod passes them, with their words. */
export const historyParts: readonly { readonly part: HistoryPart; readonly words: string }[] = [
  { part: 'outside', words: 'API server and commands' },
  { part: 'config', words: 'Sources and sync loop' },
  { part: 'worker', words: 'Worker' },
  { part: 'mirror', words: 'Mirror and UIDs' },
  { part: 'status', words: 'Status' },
  { part: 'runtime', words: 'Runtime' },
  { part: 'eviction', words: 'Eviction and node' },
  { part: 'events', words: 'Events' },
]

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
  mirror: 'mirror',
  uid: 'mirror',
  status: 'status',
  image: 'runtime',
  sandbox: 'runtime',
  container: 'runtime',
  pleg: 'runtime',
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

/** The part of the kubelet that an event is of. Pure. */
export function partOf(kind: TraceKind): HistoryPart {
  // Every kind is its prefix, a dot and a word; the type of `partByPrefix` holds them all.
  return partByPrefix[kind.slice(0, kind.indexOf('.')) as Prefix]
}

/** How many events there are of each part that has any. Pure. */
export function countParts(events: readonly TraceEvent[]): ReadonlyMap<HistoryPart, number> {
  const counts = new Map<HistoryPart, number>()
  for (const { kind } of events) counts.set(partOf(kind), (counts.get(partOf(kind)) ?? 0) + 1)
  return counts
}
