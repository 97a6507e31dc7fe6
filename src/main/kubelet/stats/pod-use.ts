/** What the containers of a pod have used lately (containers#use-of-cpu-and-memory). */
import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type {
  Container,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import type {
  ContainerUse,
  PodUse,
  RequestAndLimit,
  UseRun,
  UseSample,
} from '../../../shared/model/inside-pod/pod-use.ts'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ContainerStats } from '../cri-types.ts'
import { podUidLabel } from '../kuberuntime/container-labels.ts'
import type {
  Clock,
  ContainerHost,
  RuntimeContainer,
  RuntimeError,
  RuntimeService,
} from '../ports.ts'

/** How much of the past is kept. */
const keptMs = 600_000
const stepMs = 5000
/** No measurement follows another one in less. */
const leastStepMs = 2000
/** Of how many pods the past is kept: those that were asked about last. */
const keptPods = 8

/** One run of a container, and the processor time that it had used when it was measured last. */
interface KnownRun extends UseRun {
  readonly container: string
  readonly lastCpu?: { readonly at: number; readonly coreNanoSeconds: number } | undefined
}

/** By the id of the container, in the order of their starts. */
type KnownRuns = ReadonlyMap<string, KnownRun>

interface PodUseDeps {
  readonly clock: Clock
  readonly runtimeService: Pick<RuntimeService, 'listContainers' | 'listContainerStats'>
  readonly containerHost?: Pick<ContainerHost, 'pastUse'> | undefined
  /** The pod with what was allocated to it, and its status; undefined: there is no such pod. */
  readonly podOf: (
    uid: string,
  ) => { readonly pod: Pod; readonly status: PodStatus | undefined } | undefined
}

/** Measures only when it is asked, and keeps what it has measured for ten minutes. */
export class PodUseMeter {
  readonly #deps: PodUseDeps
  readonly #pods = new Map<string, KnownRuns>()

  constructor(deps: PodUseDeps) {
    this.#deps = deps
  }

  /** The use of one pod's containers until now; undefined: there is no such pod. */
  readonly use = async (uid: string): Promise<PodUse | undefined> => {
    const measured = await this.#measured(uid)
    const known = this.#deps.podOf(uid)
    if (known === undefined) return undefined
    const to = this.#deps.clock.now()
    const from = to - keptMs
    const runs = since(measured.ok ? measured.value : (this.#pods.get(uid) ?? new Map()), from)
    this.#keep(uid, runs)
    const { initContainers = [], containers, ephemeralContainers = [] } = known.pod.spec
    return {
      from,
      to,
      containers: [...initContainers, ...containers, ...ephemeralContainers].map((container) =>
        containerUse(known.pod, container, known.status, runs),
      ),
      error: measured.ok ? '' : measured.error.message,
    }
  }

  async #measured(uid: string): Promise<Result<KnownRuns, RuntimeError>> {
    const { runtimeService, clock, containerHost } = this.#deps
    const pastUse = containerHost?.pastUse
    if (pastUse !== undefined) {
      const listed = await runtimeService.listContainers({ podUid: uid })
      if (!listed.ok) return listed
      const to = clock.now()
      const samplesOf = ({ id }: RuntimeContainer): readonly UseSample[] =>
        pastUse(id, { from: to - keptMs, to, stepMs })
      return ok(withPast(this.#known(uid), listed.value, samplesOf))
    }
    const isEarly = [...this.#known(uid).values()].some(
      ({ samples }) => clock.now() - (samples.at(-1)?.at ?? 0) < leastStepMs,
    )
    if (isEarly) return ok(this.#known(uid))
    const stats = await runtimeService.listContainerStats({ labelSelector: { [podUidLabel]: uid } })
    return stats.ok ? ok(withStats(this.#known(uid), stats.value)) : stats
  }

  #known(uid: string): KnownRuns {
    return this.#pods.get(uid) ?? new Map<string, KnownRun>()
  }

  #keep(uid: string, runs: KnownRuns): void {
    this.#pods.delete(uid)
    if (runs.size > 0) this.#pods.set(uid, runs)
    const [oldest] = this.#pods.keys()
    if (this.#pods.size > keptPods && oldest !== undefined) this.#pods.delete(oldest)
  }
}

/** Without what is older. */
function since(known: KnownRuns, from: number): KnownRuns {
  const kept = [...known].flatMap(([id, run]): readonly (readonly [string, KnownRun])[] => {
    const samples = run.samples.filter(({ at }) => at >= from)
    return samples.length === 0 ? [] : [[id, { ...run, samples }]]
  })
  return new Map(kept)
}

/** What the runtime tells takes the place of what is known of the same time. */
function withPast(
  known: KnownRuns,
  containers: readonly RuntimeContainer[],
  samplesOf: (container: RuntimeContainer) => readonly UseSample[],
): KnownRuns {
  const all = new Map(known)
  for (const one of containers.toSorted((a, b) => a.createdAt - b.createdAt)) {
    const told = samplesOf(one)
    const [first] = told
    if (first === undefined) continue
    const before = (known.get(one.id)?.samples ?? []).filter(({ at }) => at < first.at)
    all.set(one.id, { containerId: one.id, container: one.name, samples: [...before, ...told] })
  }
  return all
}

/** With one more sample of each container that runs. */
function withStats(known: KnownRuns, stats: readonly ContainerStats[]): KnownRuns {
  const all = new Map(known)
  for (const { id, name, cpu, memory } of stats) {
    const run = known.get(id)
    const at = cpu.timestamp
    // The runtime measures when it likes, or has nothing yet.
    if (at === 0 || memory.timestamp === 0 || at <= (run?.samples.at(-1)?.at ?? 0)) continue
    const sample = {
      at,
      memoryBytes: memory.workingSetBytes,
      cpuMillis: cpuMillisOf(cpu, run?.lastCpu),
      isThrottled: null,
    }
    all.set(id, {
      containerId: id,
      container: name,
      samples: [...(run?.samples ?? []), sample],
      lastCpu: { at, coreNanoSeconds: cpu.usageCoreNanoSeconds },
    })
  }
  return all
}

/**
 * Between two measurements, as a kubelet computes it where the runtime does not (kubelet stats/cri_stats_provider.go
 * getContainerUsageNanoCores).
 */
function cpuMillisOf(
  { timestamp, usageCoreNanoSeconds, usageNanoCores }: ContainerStats['cpu'],
  last: KnownRun['lastCpu'],
): number | null {
  if (last === undefined) return usageNanoCores > 0 ? usageNanoCores / 1e6 : null
  const used = usageCoreNanoSeconds - last.coreNanoSeconds
  return used < 0 ? null : used / ((timestamp - last.at) * 1000)
}

function containerUse(
  pod: Pod,
  container: Container,
  status: PodStatus | undefined,
  runs: KnownRuns,
): ContainerUse {
  const { name } = container
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {}
  const own = [...initContainerStatuses, ...containerStatuses].find((one) => one.name === name)
  return {
    container: name,
    memory: requestAndLimit('memory', pod, container, own),
    cpu: requestAndLimit('cpu', pod, container, own),
    runs: [...runs.values()]
      .filter((run) => run.container === name)
      .map(({ containerId, samples }) => ({ containerId, samples })),
  }
}

/** As its status says, which shows what the runtime enforces; a container without a limit has that of its pod. */
function requestAndLimit(
  resource: 'cpu' | 'memory',
  { spec }: Pod,
  container: Container,
  status: ContainerStatus | undefined,
): RequestAndLimit {
  const { requests, limits } = status?.resources ?? container.resources ?? {}
  const ofPod = isJsonObject(spec['resources']) ? objectAt(spec['resources'], 'limits') : {}
  const amountOf = (quantity: unknown): number | null =>
    Number(resourceAmount(resource, quantity)) || null
  return {
    request: amountOf(requests?.[resource]),
    limit: amountOf(limits?.[resource]) ?? amountOf(ofPod[resource]),
  }
}
