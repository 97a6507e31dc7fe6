import { noRunOptions } from '../../../src/main/kubelet/container/fake-runtime-helper.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { backOffKey } from '../../../src/main/kubelet/container/back-off.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeRuntimeService } from '../../../src/main/kubelet/container/fake-runtime-service.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { computePodActions } from '../../../src/main/kubelet/kuberuntime/pod-actions.ts'
import type { ProbeResult } from '../../../src/shared/model/trace-event.ts'
import { toRunningPod } from '../../../src/main/kubelet/container/running-pod.ts'
import { RuntimeManager } from '../../../src/main/kubelet/kuberuntime/runtime-manager.ts'
import { podSyncError, toApiPod } from '../../../src/main/kubelet/container/runtime.ts'
import type {
  PodRuntimeStatus,
  PodSyncResult,
} from '../../../src/main/kubelet/container/runtime.ts'
import type { EventRecorder, RuntimeError } from '../../../src/main/kubelet/ports.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { RuntimeFailure, SyncRun, SyncStep } from './runtime-syncs.ts'

/** The effects of a step, in the format of nodescope_sync.go. */
export interface SyncOutcome {
  readonly at: number
  readonly calls: readonly {
    readonly at: number
    readonly line: string
    readonly config?: object
  }[]
  readonly events: readonly {
    readonly at: number
    readonly type: string
    readonly reason: string
    readonly message: string
    readonly fieldPath: string
  }[]
  readonly results: readonly {
    readonly action: string
    readonly target: string
    readonly reason: string
    readonly message: string
  }[]
  readonly error: string
  readonly backOff: readonly number[]
  readonly status: readonly string[]
}

/** The duration of every call that changes something. */
const callMs = 1

const changing = [
  'runPodSandbox',
  'stopPodSandbox',
  'removePodSandbox',
  'createContainer',
  'startContainer',
  'stopContainer',
  'removeContainer',
  'pullImage',
  'execSync',
] as const

function errorOf({ message, notFound, plain }: RuntimeFailure): RuntimeError {
  if (notFound)
    return { kind: 'not-found', message: `rpc error: code = NotFound desc = ${message}` }
  return {
    kind: 'failed',
    message: plain ? message : `rpc error: code = Unknown desc = ${message}`,
  }
}

/** Our runtime manager on a runtime in memory, taken through steps. */
export class OurSyncs {
  readonly #clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly #runtime = new FakeRuntimeService({ clock: this.#clock })
  readonly #probes = {
    liveness: new Map<string, ProbeResult>(),
    startup: new Map<string, ProbeResult>(),
  }
  readonly #manager: RuntimeManager
  readonly #keys: string[] = []
  #events: SyncOutcome['events'][number][] = []
  #pod: Pod
  #failures: readonly RuntimeFailure[] = []
  #isDeleted = false

  constructor({ pod, users, stops }: Omit<SyncRun, 'steps'>) {
    const runtime = this.#runtime
    for (const call of changing) runtime.delayMs.set(call, callMs)
    for (const [image, user] of Object.entries(users)) runtime.users.set(image, user)
    for (const [name, { afterMs, never, exitCode }] of Object.entries(stops))
      runtime.scripts.set(name, { stopsAfterMs: never ? 'never' : afterMs, exitCode })
    runtime.failureOf = (call, line) => this.#failureOf(call, line)
    const recorder: EventRecorder = {
      event: (subject, type, reason, message) => {
        const fieldPath = subject.kind === 'pod' ? (subject.fieldPath ?? '') : ''
        this.#events.push({ at: this.#clock.now(), type, reason, message, fieldPath })
      },
    }
    const podStates = {
      shouldPodContentBeRemoved: () => this.#isDeleted,
      shouldPodRuntimeBeRemoved: () => this.#isDeleted,
    }
    this.#manager = new RuntimeManager({
      runtimeHelper: noRunOptions,
      runtimeService: runtime,
      imageService: runtime,
      clock: this.#clock,
      random: seededRandom(1),
      recorder: recorder,
      trace: new FakeTrace(),
      log: new FakeLog(),
      isPodDeleted: () => this.#isDeleted,
      podStateProvider: podStates,
      probeResults: {
        liveness: (id) => this.#probes.liveness.get(id),
        readiness: () => 'success',
        startup: (id) => this.#probes.startup.get(id),
      },
    })
    this.#pod = pod
    this.#see(pod)
  }

  /**
   * Undefined: the step would stop several containers of a pod that goes on, which a kubelet takes out of a Go
   * map, so that nothing after it can be compared.
   */
  async take(step: SyncStep): Promise<SyncOutcome | undefined> {
    this.#runtime.calls.length = 0
    this.#runtime.created.length = 0
    this.#events = []
    const status = await this.#status()
    if (step.do === 'sync' && this.#stopsSeveral(status)) return undefined
    if ('fail' in step) this.#failures = step.fail
    this.#isDeleted = 'deleted' in step && step.deleted
    const acting = this.#act(step, status)
    // Stepping the clock here as well would advance it too far.
    const done = await (step.do === 'advance' ? acting : this.#untilDone(acting))
    this.#failures = []
    return this.#told(done)
  }

  #stopsSeveral(status: PodRuntimeStatus): boolean {
    const { killPod, containersToKill } = computePodActions(this.#pod, status, {
      liveness: (id) => this.#probes.liveness.get(id),
      readiness: () => 'success',
      startup: (id) => this.#probes.startup.get(id),
    })
    return !killPod && containersToKill.length > 1
  }

  async #act(
    step: SyncStep,
    status: PodRuntimeStatus,
  ): Promise<PodSyncResult | string | undefined> {
    const runtime = this.#runtime
    switch (step.do) {
      case 'sync':
        return this.#manager.syncPod(this.#pod, status, [])
      case 'kill': {
        const running = toRunningPod(status)
        const pod = step.runtimeOnly ? toApiPod(running) : this.#pod
        return this.#manager.killPod(pod, running, step.grace, [])
      }
      case 'gc':
        return this.#manager.collectGarbage()
      case 'forget':
        this.#manager.crashLoopBackOff.collectGarbage()
        return undefined
      case 'advance':
        await this.#clock.advance(step.ms)
        return undefined
      case 'end': {
        const [newest] = runtime.of(step.container)
        if (newest !== undefined) runtime.end(newest.id, step.exitCode, step.reason)
        return undefined
      }
      case 'lose': {
        const [newest] = runtime.of(step.container)
        if (newest?.state === 'running')
          runtime.containers.set(newest.id, { ...newest, state: 'unknown' })
        return undefined
      }
      case 'loseSandbox': {
        const newest = [...runtime.sandboxes.keys()].at(-1)
        if (newest !== undefined) await runtime.stopPodSandbox(newest)
        return undefined
      }
      case 'probe': {
        const [newest] = runtime.of(step.container)
        const results = this.#probes[step.probe]
        if (newest === undefined) return undefined
        if (step.result === 'none') results.delete(newest.id)
        else results.set(newest.id, step.result)
        return undefined
      }
      case 'edit':
        this.#pod = step.pod
        this.#see(step.pod)
        return undefined
    }
  }

  async #untilDone<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const watched = work.finally(() => {
      isDone = true
    })
    await nodeClockHost.drained()
    // A call: it changes while a step is waited for.
    const hasEnded = (): boolean => isDone
    while (!hasEnded()) if (!(await this.#clock.step())) break
    return watched
  }

  async #status(): Promise<PodRuntimeStatus> {
    const status = await this.#manager.getPodStatus('u', 'p', 'n')
    if (!status.ok) throw new Error(status.error.message)
    return status.value
  }

  async #told(done: PodSyncResult | string | undefined): Promise<SyncOutcome> {
    const result = typeof done === 'object' ? sortedKills(done) : { results: [] }
    const status = await this.#status()
    return {
      at: this.#clock.now(),
      calls: this.#runtime.calls.map(({ at, line }) => {
        const config = this.#runtime.created.find(
          ({ name, attempt }) => line === `createContainer ${name} ${attempt}`,
        )
        return { at, line, ...(config === undefined ? {} : { config }) }
      }),
      events: this.#events,
      results: result.results.map(({ action, target, error }) => ({
        action,
        target,
        reason: error?.reason ?? '',
        message: error?.message ?? '',
      })),
      error: typeof done === 'string' ? done : (podSyncError(result) ?? ''),
      backOff: this.#keys.map((key) => this.#manager.crashLoopBackOff.get(key)),
      status: status.containers.map(
        ({ id, state, annotations, exitCode }) =>
          `${id} ${state} ${annotations['io.kubernetes.container.restartCount']} ${exitCode}`,
      ),
    }
  }

  #see(pod: Pod): void {
    for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers])
      this.#keys.push(backOffKey(pod, container))
  }

  #failureOf(call: string, line: string): RuntimeError | undefined {
    const named =
      call === 'listPodSandboxes' && line !== 'listPodSandboxes ' ? 'podSandboxStatus' : call
    const failure = this.#failures.find(
      (one) =>
        one.call === named &&
        (one.target === '' || `${line} `.startsWith(`${call} ${one.target} `)),
    )
    return failure === undefined ? undefined : errorOf(failure)
  }
}

/** Goroutines that stop containers answer in any order, so that nodescope_sync.go sorts them. */
function sortedKills(result: PodSyncResult): PodSyncResult {
  const others = result.results.findIndex(({ action }) => action !== 'KillContainer')
  const kills = others === -1 ? result.results : result.results.slice(0, others)
  const rest = others === -1 ? [] : result.results.slice(others)
  const byTarget = kills.toSorted((a, b) =>
    a.target < b.target ? -1 : a.target > b.target ? 1 : 0,
  )
  return { ...result, results: [...byTarget, ...rest] }
}
