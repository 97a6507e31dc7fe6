// What a round of the eviction manager costs, in ns: nothing met, limits of local storage on all pods, and one pod evicted of
// all that are ranked. Go's figures are taken the same way by `npm run bench:eviction`.
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { PodEvictor } from '../../src/main/kubelet/eviction/evict-pod.ts'
import { EvictionManager } from '../../src/main/kubelet/eviction/eviction-manager.ts'
import { parseThresholdConfig } from '../../src/main/kubelet/eviction/parse-thresholds.ts'
import type { EventRecorder, Trace } from '../../src/main/kubelet/ports.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { ok } from '../../src/shared/result.ts'
import { evictionCases, evictionNode } from './eviction-nodes.ts'
import type { EvictionNode } from './eviction-nodes.ts'
import { quietLog, report } from './quiet.ts'

const count = Number(process.argv[2] ?? 5000)
const windows = 40
const windowMs = 20
const trace: Trace = { emit: () => 0 }
const recorder: EventRecorder = { event: () => undefined }

function managerOf({ hard, node, pods, specs }: EvictionNode): EvictionManager {
  const thresholds = parseThresholdConfig({
    evictionHard: hard,
    evictionSoft: {},
    evictionSoftGracePeriod: {},
    evictionMinimumReclaim: {},
    enforcesPods: false,
  })
  if (!thresholds.ok) throw new Error(thresholds.error)
  const activePods = (isWanted?: (pod: Pod) => boolean): readonly Pod[] =>
    isWanted === undefined ? [...specs] : specs.filter(isWanted)
  return new EvictionManager({
    clock: systemClock,
    trace,
    log: quietLog,
    recorder,
    settings: {
      thresholds: thresholds.value,
      pressureTransitionPeriodMs: 300_000,
      maxPodGracePeriodSeconds: 0,
      kernelMemcgNotification: false,
      localStorageCapacityIsolation: true,
      isConfigured: true,
    },
    stats: {
      node: () => Promise.resolve(ok(node)),
      pods: (uids) =>
        Promise.resolve(ok(uids === undefined ? pods : pods.filter(({ uid }) => uids.has(uid)))),
      diskLayout: () =>
        Promise.resolve(ok({ hasDedicatedImageFs: false, hasDedicatedContainerFs: false })),
    },
    evictor: new PodEvictor({
      clock: systemClock,
      trace,
      recorder,
      kill: () => Promise.resolve(ok(undefined)),
    }),
    activePods,
    isPodFinished: () => true,
    reclaim: {
      'dead containers': () => Promise.resolve(ok(undefined)),
      'unused images': () => Promise.resolve(ok(undefined)),
    },
  })
}

/** Nanoseconds of one round: the median of many short windows, or of single rounds that are longer. */
async function nanosOf(node: EvictionNode): Promise<number> {
  const manager = managerOf(node)
  const round = async (): Promise<void> => {
    const { length } = await manager.synchronize()
    if (length !== node.evictions) throw new Error(`${length} pods were evicted`)
  }
  const windowNanos = async (): Promise<number> => {
    const startedAt = performance.now()
    let elapsedMs = 0
    let done = 0
    while (elapsedMs < windowMs) {
      await round()
      done++
      elapsedMs = performance.now() - startedAt
    }
    return (elapsedMs * 1e6) / done
  }
  for (let warmUp = 0; warmUp < windows / 2; warmUp++) await windowNanos()
  const taken: number[] = []
  while (taken.length < windows) taken.push(await windowNanos())
  return taken.toSorted((one, other) => one - other)[windows / 2] ?? Number.NaN
}

const figures: Record<string, number> = {}
for (const what of evictionCases) figures[what] = await nanosOf(evictionNode(what, count))
report(figures)
