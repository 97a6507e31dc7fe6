import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { ValuePool } from '../../../shared/value-pool.ts'
import type { ProbeView } from '../../../shared/model/probe-view.ts'
import type { ProbeType, TraceCauses } from '../../../shared/model/trace-event.ts'
import type { PodCache } from '../container/runtime.ts'
import type { ContainerProbes } from '../container/probe-results.ts'
import type { ProbeMetrics } from '../metrics/probe-metrics.ts'
import type { Random } from '../ports.ts'
import { probeSpecOf } from '../probe/handler-spec.ts'
import type { PodStatusProvider } from '../status/status-manager-api.ts'
import { Prober } from './prober.ts'
import type { ProberDeps } from './prober.ts'
import { ProbeTimer } from './probe-timer.ts'
import { ProbeWorker } from './probe-worker.ts'
import type { ProbedContainer, ProbeWorkerDeps } from './probe-worker.ts'
import { ResultsManager } from './results-manager.ts'
import type { ProbeUpdate } from './results-manager.ts'

export interface ProberManagerDeps extends ProberDeps {
  readonly statuses: Pick<PodStatusProvider, 'getPodStatus'>
  readonly podCache: Pick<PodCache, 'get'>
  readonly causesOf: (containerId: string) => TraceCauses
  /** Absent: what is counted is not shown. */
  readonly metrics?: { readonly probes: Pick<ProbeMetrics, 'workers'> } | undefined
  readonly random: Random
  /** Called when a result changes. */
  readonly onUpdate: (type: ProbeType, update: ProbeUpdate) => void
}

/** What runs the probes of pods, as the sync functions and housekeeping call it. */
export interface ContainerProber {
  readonly addPod: (pod: Pod) => void
  readonly stopLivenessAndStartup: (pod: Pod) => void
  readonly removePod: (pod: Pod) => void
  readonly cleanupPods: (desired: { readonly has: (uid: string) => boolean }) => void
  readonly probes: ContainerProbes
}

const none: readonly ProbeWorker[] = []

/** In the order in which the kubelet starts them. */
const probeTypes: readonly ProbeType[] = ['startup', 'readiness', 'liveness']

/**
 * Has a worker for every probe of every pod on the node (pkg/kubelet/prober/prober_manager.go Manager). Pods without
 * probes cost nothing.
 */
export class ProberManager implements ContainerProber {
  readonly #deps: ProberManagerDeps
  readonly #startedAt: number
  readonly #specs = new ValuePool()
  /** By pod uid: few for each, in lists without spare capacity. */
  readonly #workers = new Map<string, readonly ProbeWorker[]>()
  readonly #workerDeps: Readonly<Record<ProbeType, ProbeWorkerDeps>>

  constructor(deps: ProberManagerDeps) {
    this.#deps = deps
    const prober = new Prober(deps)
    this.#startedAt = deps.clock.now()
    const resultsOf = (type: ProbeType): ResultsManager =>
      new ResultsManager((update) => {
        deps.onUpdate(type, update)
      })
    const onEnd = (worker: ProbeWorker): void => {
      this.#removeWorker(worker)
    }
    const timer = new ProbeTimer(deps.clock)
    const workerDepsOf = (type: ProbeType): ProbeWorkerDeps => ({
      ...deps,
      timer,
      prober,
      results: resultsOf(type),
      onEnd,
    })
    if (deps.metrics !== undefined) deps.metrics.probes.workers = () => this.#all()
    this.#workerDeps = {
      liveness: workerDepsOf('liveness'),
      readiness: workerDepsOf('readiness'),
      startup: workerDepsOf('startup'),
    }
    this.probes = {
      liveness: this.#workerDeps.liveness.results.get,
      readiness: this.#workerDeps.readiness.results.get,
      startup: this.#workerDeps.startup.results.get,
      hasWorker: (uid, container, type) => this.#worker(uid, container, type) !== undefined,
      trigger: (uid, container) => {
        this.#worker(uid, container, 'readiness')?.trigger()
      },
    }
  }

  readonly probes: ContainerProbes

  /** How many workers there are. */
  get workerCount(): number {
    return [...this.#workers.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** All of them, pod by pod. */
  *allViews(): IterableIterator<{ readonly pod: Pod; readonly view: ProbeView }> {
    for (const worker of this.#all()) yield { pod: worker.pod, view: worker.view() }
  }

  /** The probes of a pod, in the order in which they were started. */
  readonly views = (uid: string): readonly ProbeView[] =>
    this.#workersOf(uid).map((worker) => worker.view())

  /** Starts the pod's workers. It has them already: nothing. */
  readonly addPod = (pod: Pod): void => {
    for (const container of probedContainers(pod)) {
      for (const type of probeTypes) {
        const found = probeSpecOf(container, type)
        if (found === undefined) continue
        // Those of one template are equal.
        const spec = this.#specs.share(found)
        if (this.#worker(pod.metadata.uid, container.name, type) !== undefined) return
        this.#start({ pod, container, type, spec })
      }
    }
  }

  /** Those of regular containers only, as in the kubelet. */
  readonly stopLivenessAndStartup = (pod: Pod): void => {
    for (const { name } of pod.spec.containers) {
      this.#worker(pod.metadata.uid, name, 'liveness')?.stop()
      this.#worker(pod.metadata.uid, name, 'startup')?.stop()
    }
  }

  readonly removePod = (pod: Pod): void => {
    this.#stopPod(pod.metadata.uid)
  }

  /** Stops the workers of all other pods. */
  readonly cleanupPods: ContainerProber['cleanupPods'] = (desired) => {
    for (const uid of this.#workers.keys()) if (!desired.has(uid)) this.#stopPod(uid)
  }

  /** The kubelet exits: no probe runs, and none in progress counts. */
  stop(): void {
    for (const worker of this.#all()) worker.halt()
    this.#workers.clear()
  }

  *#all(): IterableIterator<ProbeWorker> {
    for (const workers of this.#workers.values()) yield* workers
  }

  #stopPod(uid: string): void {
    for (const worker of this.#workersOf(uid)) worker.stop()
  }

  #worker(uid: string, name: string, wanted: ProbeType): ProbeWorker | undefined {
    return this.#workersOf(uid).find(
      ({ type, container }) => type === wanted && container.name === name,
    )
  }

  #workersOf(uid: string): readonly ProbeWorker[] {
    return this.#workers.get(uid) ?? none
  }

  #removeWorker(worker: ProbeWorker): void {
    const { uid } = worker.pod.metadata
    const left = this.#workersOf(uid).filter((other) => other !== worker)
    if (left.length === 0) this.#workers.delete(uid)
    else this.#workers.set(uid, left)
  }

  #start(of: ProbedContainer): void {
    const { clock, random } = this.#deps
    const { uid } = of.pod.metadata
    const periodMs = of.spec.periodSeconds * 1000
    // A kubelet that has just started must not probe everything at once.
    const isEarly = periodMs > clock.now() - this.#startedAt
    const delayMs = isEarly ? random.next() * periodMs : 0
    const worker = new ProbeWorker(this.#workerDeps[of.type], of, delayMs)
    this.#workers.set(uid, this.#workersOf(uid).concat([worker]))
  }
}

/** Regular containers, then sidecars. */
function probedContainers({ spec }: Pod): readonly Container[] {
  const { initContainers = [] } = spec
  return initContainers.length === 0
    ? spec.containers
    : [...spec.containers, ...initContainers.filter(isSidecar)]
}
