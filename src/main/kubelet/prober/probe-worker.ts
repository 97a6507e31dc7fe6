import type {
  Container,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import type { ProbeRun, ProbeSkip, ProbeView } from '../../../shared/model/probe-view.ts'
import type { ProbeResult, ProbeType, TraceCauses } from '../../../shared/model/trace-event.ts'
import type { PodCache } from '../container/runtime.ts'
import { isTerminalPhase, tracePod } from '../pod/identity.ts'
import type { Clock, Trace } from '../ports.ts'
import { ProbeCounts } from '../metrics/probe-metrics.ts'
import { handlerText } from '../probe/handler-spec.ts'
import type { ProbeSpec } from '../probe/handler-spec.ts'
import { runtimeContainerId } from '../status/container-statuses.ts'
import type { PodStatusProvider } from '../status/status-manager-api.ts'
import { ProbeTicker } from './probe-ticker.ts'
import type { ProbeTimer } from './probe-timer.ts'
import type { ProbeAnswer, Prober } from './prober.ts'
import type { ResultsManager } from './results-manager.ts'

export interface ProbeWorkerDeps {
  readonly clock: Clock
  readonly trace: Trace
  readonly statuses: Pick<PodStatusProvider, 'getPodStatus'>
  readonly prober: Pick<Prober, 'probe'>
  readonly results: ResultsManager
  readonly podCache: Pick<PodCache, 'get'>
  /** The trace events by which a container last changed. */
  readonly causesOf: (containerId: string) => TraceCauses
  /** Called when a worker has ended. */
  readonly onEnd: (worker: ProbeWorker) => void
  readonly timer: ProbeTimer
}

export interface ProbedContainer {
  readonly type: ProbeType
  readonly spec: ProbeSpec
  /** As it was when the worker was made. */
  readonly pod: Pod
  readonly container: Container
}

/** The result until the probe has run for the first time. */
const initialResults: Readonly<Record<ProbeType, ProbeResult>> = {
  readiness: 'failure',
  liveness: 'success',
  startup: 'unknown',
}

/** How many runs are kept for the page. */
const runsShown = 24

/** Probes one container with one of its probes (pkg/kubelet/prober/worker.go doProbe). `ProbeTicker` says when. */
export class ProbeWorker extends ProbeTicker implements ProbedContainer {
  readonly #deps: ProbeWorkerDeps
  readonly type: ProbeType
  readonly spec: ProbeSpec
  readonly pod: Pod
  readonly container: Container
  readonly counts = new ProbeCounts()
  /** Empty before the first container. */
  #containerId = ''
  #lastResult: ProbeResult | undefined
  /** How often the probe has given the last result in a row. */
  #resultRun = 0
  /** No probing until there is another container. */
  #isOnHold = false
  #skip: ProbeSkip | null = 'noContainer'
  /** Oldest first. */
  #runs: readonly ProbeRun[] = noRuns

  /** `delayMs`: before the first probe. */
  constructor(deps: ProbeWorkerDeps, of: ProbedContainer, delayMs: number) {
    super(deps.timer, delayMs)
    this.#deps = deps
    this.type = of.type
    this.spec = of.spec
    this.pod = of.pod
    this.container = of.container
  }

  protected get periodMs(): number {
    return this.spec.periodSeconds * 1000
  }

  view(): ProbeView {
    const { container, type, spec, nextTick } = this
    const { periodSeconds, successThreshold, failureThreshold } = spec
    return {
      container: container.name,
      type,
      handler: handlerText(spec.handler),
      periodSeconds,
      successThreshold,
      failureThreshold,
      result: this.#deps.results.get(this.#containerId) ?? null,
      runs: this.#runs,
      resultRun: this.#resultRun,
      skip: this.#isOnHold && this.#skip === null ? 'onHold' : this.#skip,
      nextTick,
    }
  }

  /** Probes once, if it is time to, and keeps the result. Whether to go on. */
  protected doProbe(): boolean | Promise<boolean> {
    const { pod, container, type, spec } = this
    this.#skip = 'noContainer'
    const status = this.#deps.statuses.getPodStatus(pod.metadata.uid)
    // Not synced yet, or deleted.
    if (status === undefined) return true
    if (isTerminalPhase(status.phase)) return false
    const found = containerStatusOf(status, container.name)
    if (found?.containerID === undefined) return true
    this.#follow(runtimeContainerId(found.containerID))
    this.#skip = 'onHold'
    if (this.#isOnHold) return true
    this.#skip = 'notRunning'
    const { running, terminated } = found.state ?? {}
    if (running === undefined) {
      this.#set('failure')
      const isRestarted = pod.spec.restartPolicy !== 'Never' || this.#isRestartableInit()
      return terminated === undefined || isRestarted
    }
    if (pod.metadata.deletionTimestamp !== undefined && type !== 'readiness') {
      // So that it shuts down quietly.
      this.#set('success')
      return false
    }
    this.#skip = 'initialDelay'
    const ranMs = this.#deps.clock.now() - Date.parse(running.startedAt ?? '')
    if (Math.trunc(ranMs / 1000) < spec.initialDelaySeconds) return true
    this.#skip = type === 'startup' ? 'started' : 'notStarted'
    // The startup probe runs until the container has started, the others from then on.
    if ((found.started === true) === (type === 'startup')) return true
    this.#skip = null
    return this.#probe(status)
  }

  protected end(): void {
    this.#removeResult()
    this.#deps.onEnd(this)
  }

  #removeResult(): void {
    if (this.#containerId !== '') this.#deps.results.remove(this.#containerId)
  }

  /** Another container of the name is probed from the beginning. */
  #follow(containerId: string): void {
    if (this.#containerId === containerId) return
    this.#removeResult()
    const cached = this.#deps.podCache.get(this.pod.metadata.uid)
    const containers = cached.ok ? cached.value.containers : []
    // The same text object, where it can be: the kubelet has it already.
    this.#containerId = containers.find(({ id }) => id === containerId)?.id ?? containerId
    this.#set(initialResults[this.type])
    this.#isOnHold = false
    this.#runs = noRuns
  }

  #isRestartableInit(): boolean {
    const { pod, container } = this
    const isInit = (pod.spec.initContainers ?? []).some(({ name }) => name === container.name)
    return isInit && isSidecar(container)
  }

  async #probe(status: PodStatus): Promise<boolean> {
    const containerId = this.#containerId
    const causes = this.#deps.causesOf(containerId)
    const { clock, prober } = this.#deps
    const { type, spec, pod, container } = this
    const startedAt = clock.now()
    const request = { type, spec, pod, container, status, containerId, causes }
    const answer = await prober.probe(request)
    if (answer.result !== undefined)
      this.counts.record(answer.result, (clock.now() - startedAt) / 1000)
    this.#take(answer)
    return true
  }

  #take({ result, causes }: ProbeAnswer): void {
    this.#keep(result)
    if (result === undefined) return
    const { type, spec } = this
    this.#resultRun = this.#lastResult === result ? this.#resultRun + 1 : 1
    this.#lastResult = result
    const threshold = result === 'failure' ? spec.failureThreshold : spec.successThreshold
    if (this.#resultRun < threshold) return
    this.#set(result, causes)
    if (type === 'startup' || (type === 'liveness' && result === 'failure')) {
      // The container is restarted, or has started: either way another container is the next to be probed.
      this.#isOnHold = true
      this.#resultRun = 0
    }
  }

  #keep(result: ProbeResult | undefined): void {
    this.#runs = withRun(
      this.#runs,
      result === undefined || result === 'unknown' ? 'error' : result,
    )
  }

  #set(result: ProbeResult, causes?: TraceCauses): void {
    const { results, causesOf, trace } = this.#deps
    const { pod, container, type } = this
    const containerId = this.#containerId
    if (results.get(containerId) === result) return
    const why = causes ?? causesOf(containerId)
    const probed = causes !== undefined
    const data = { container: container.name, containerId, probe: type, result, probed }
    const seq = tracePod(trace, pod, 'probe.resultChanged', why, data)
    results.set(containerId, result, { podUid: pod.metadata.uid, causes: [seq] })
  }
}

const noRuns: readonly ProbeRun[] = []
/** Runs that all ended in the same way are the same list for all workers, by how many they are. */
const equalRuns: Readonly<Record<ProbeRun, readonly (readonly ProbeRun[])[]>> = {
  success: equalLists('success'),
  failure: equalLists('failure'),
  error: equalLists('error'),
}

function equalLists(run: ProbeRun): readonly (readonly ProbeRun[])[] {
  return Array.from({ length: runsShown + 1 }, (_, length) => Array<ProbeRun>(length).fill(run))
}

/** Another list, as views hold the old one. */
function withRun(runs: readonly ProbeRun[], run: ProbeRun): readonly ProbeRun[] {
  const all = [...runs.slice(1 - runsShown), run]
  return all.every((other) => other === run) ? (equalRuns[run][all.length] ?? all) : all
}

function containerStatusOf(
  { containerStatuses = [], initContainerStatuses = [] }: PodStatus,
  wanted: string,
): ContainerStatus | undefined {
  const isCreated = ({ name, containerID = '' }: ContainerStatus): boolean =>
    name === wanted && containerID !== ''
  return containerStatuses.find(isCreated) ?? initContainerStatuses.find(isCreated)
}
