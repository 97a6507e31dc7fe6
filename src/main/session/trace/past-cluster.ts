import type { ActError } from '../../../shared/ipc/contract.ts'
import type { CausalChain, PodEventList } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type {
  ClusterEventList,
  ClusterEventQuery,
} from '../../../shared/model/timeline/cluster-events.ts'
import type { TraceSeq } from '../../../shared/model/trace-event.ts'
import { err } from '../../../shared/result.ts'
import type { ClockCommands } from '../cluster/clock-commands.ts'
import { noLinkCommands } from '../cluster/cluster-link.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import type { TraceSource } from './trace-source.ts'

interface PastClusterParts {
  readonly source: TraceSource
  /** Why nothing can be done, in one sentence. */
  readonly refusal: string
  /** Why it has no objects, logs and values, in one sentence. */
  readonly notKept: string
  readonly clock: ClockCommands
  readonly events: (query: ClusterEventQuery) => ClusterEventList
  /** Of one pod; absent: it has none. */
  readonly podEvents?: (key: PodKey) => PodEventList
  readonly related: (seq: TraceSeq) => CausalChain | null
  readonly facts: OpenCluster['facts']
  readonly stop: () => Promise<void>
}

/** A cluster of which only its trace is left: it is shown like any other, and every act is refused. */
export function pastCluster(parts: PastClusterParts): OpenCluster {
  const { source, refusal, notKept, clock, events, related, facts, stop } = parts
  const { podEvents = () => ({ events: [], note: notKept }) } = parts
  const past = err({ kind: 'read-only', message: refusal } as const satisfies ActError)
  const isPast = (): Promise<typeof past> => Promise.resolve(past)
  return {
    session: source,
    commands: {
      kill: () => past,
      evictByKubelet: () => past,
      evictThroughApi: isPast,
      delete: isPast,
      restartContainer: isPast,
    },
    cordon: isPast,
    behaviors: { set: isPast },
    clock,
    queries: {
      objects: () => Promise.resolve(null),
      events: (key) => Promise.resolve(podEvents(key)),
      clusterEvents: (query) => Promise.resolve(events(query)),
      logs: () => Promise.resolve({ parts: [], error: notKept }),
      use: () => Promise.resolve(null),
      cgroups: () => null,
      volumes: () => Promise.resolve(null),
      variable: isPast,
      related,
    },
    terminals: { open: isPast },
    ports: {
      list: () => null,
      start: isPast,
      stop: () => undefined,
      stopAll: () => undefined,
    },
    nodes: {
      act: () => past,
      pressure: () => Promise.resolve(null),
      useOther: () => past,
      thresholds: () => null,
      checkThresholds: () => null,
      setThresholds: () => past,
    },
    link: noLinkCommands,
    manifests: new Map(),
    retryNow: () => undefined,
    facts,
    refused: undefined,
    stop,
  }
}
