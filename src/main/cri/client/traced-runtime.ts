import type { Result } from '../../../shared/result.ts'
import type { TraceCauses, TraceSeq, TraceSubject } from '../../../shared/model/trace-event.ts'
import { aroundCalls } from '../../kubelet/around-calls.ts'
import type {
  ImageService,
  PodSandboxConfig,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimeService,
  Trace,
} from '../../kubelet/ports.ts'

/** What the trace has of a container that runs. */
interface TracedContainer {
  readonly podSandboxId: string
  readonly subject: TraceSubject
  readonly name: string
  isRunning: boolean
  /** By which it changed last. */
  causes: TraceCauses
  /** Of the call that stops it. */
  stopCauses: TraceCauses | undefined
}

interface TracedSandbox {
  readonly subject: TraceSubject
  isReady: boolean
  causes: TraceCauses
}

type Metadata = PodSandboxConfig['metadata']

function subjectOf({ uid, namespace, name }: Metadata): TraceSubject {
  return { kind: 'pod', uid, namespace, name }
}

/** Writes what a runtime's answers tell of its containers. Signals are not among them: a runtime sends them unseen. */
class RuntimeTrace {
  readonly #trace: Trace
  readonly #sandboxes = new Map<string, TracedSandbox>()
  readonly #containers = new Map<string, TracedContainer>()

  constructor(trace: Trace) {
    this.#trace = trace
  }

  causesOf(id: string): TraceCauses {
    return (this.#containers.get(id) ?? this.#sandboxes.get(id))?.causes ?? []
  }

  sandboxStarted(id: string, metadata: Metadata, causes: TraceCauses): void {
    const subject = subjectOf(metadata)
    // The address is in the sandbox's status only.
    const data = { sandboxId: id, attempt: metadata.attempt, ip: '' }
    const seq = this.#trace.emit({ kind: 'sandbox.started', subject, causes, data })
    this.#sandboxes.set(id, { subject, isReady: true, causes: [seq] })
  }

  /** One of an earlier run of the program. */
  sandboxFound(id: string, metadata: Metadata, isReady: boolean): void {
    if (this.#sandboxes.has(id)) return
    this.#sandboxes.set(id, { subject: subjectOf(metadata), isReady, causes: [] })
  }

  sandboxStopping(id: string, causes: TraceCauses): void {
    for (const container of this.#containersOf(id)) container.stopCauses ??= causes
  }

  sandboxStopped(id: string, causes: TraceCauses): void {
    const sandbox = this.#sandboxes.get(id)
    if (sandbox?.isReady !== true) return
    const { subject } = sandbox
    const data = { sandboxId: id }
    const seq = this.#trace.emit({ kind: 'sandbox.stopped', subject, causes, data })
    this.#sandboxes.set(id, { subject, isReady: false, causes: [seq] })
  }

  sandboxRemoved(id: string): void {
    this.#sandboxes.delete(id)
    for (const [containerId, { podSandboxId }] of this.#containers)
      if (podSandboxId === id) this.#containers.delete(containerId)
  }

  containerCreated(
    id: string,
    of: { readonly podSandboxId: string; readonly name: string; readonly attempt: number },
    metadata: Metadata,
    causes: TraceCauses,
  ): void {
    const { podSandboxId, name, attempt } = of
    const subject = subjectOf(metadata)
    const data = { container: name, containerId: id, attempt }
    const seq = this.#trace.emit({ kind: 'container.created', subject, causes, data })
    const stopCauses = undefined
    const causesNow: TraceCauses = [seq]
    const container = { podSandboxId, subject, name, isRunning: false, stopCauses }
    this.#containers.set(id, { ...container, causes: causesNow })
  }

  containerStarted(id: string, causes: TraceCauses): void {
    const container = this.#containers.get(id)
    if (container === undefined) return
    const { subject, name } = container
    const data = { container: name, containerId: id }
    container.isRunning = true
    this.#changed(container, this.#trace.emit({ kind: 'container.started', subject, causes, data }))
  }

  containerStopping(id: string, causes: TraceCauses): void {
    const container = this.#containers.get(id)
    if (container !== undefined) container.stopCauses ??= causes
  }

  /** An exit is traced once, of a container that was seen to run. */
  containerSeen({ id, name, podSandboxId, ...status }: RuntimeContainerStatus): void {
    const container = this.#containers.get(id)
    const sandbox = this.#sandboxes.get(podSandboxId)
    const isRunning = status.state === 'running'
    if (container === undefined) {
      if (sandbox === undefined || !isRunning) return
      const { subject } = sandbox
      const stopCauses = undefined
      this.#containers.set(id, { podSandboxId, subject, name, isRunning, causes: [], stopCauses })
      return
    }
    if (status.state !== 'exited' || !container.isRunning) return
    const { subject } = container
    const { exitCode, reason } = status
    const data = { container: name, containerId: id, exitCode, reason }
    const causes = container.stopCauses ?? container.causes
    container.isRunning = false
    this.#changed(container, this.#trace.emit({ kind: 'container.exited', subject, causes, data }))
  }

  containerRemoved(id: string): void {
    this.#containers.delete(id)
  }

  #changed(container: TracedContainer, seq: TraceSeq): void {
    container.causes = [seq]
  }

  #containersOf(podSandboxId: string): readonly TracedContainer[] {
    return [...this.#containers.values()].filter((one) => one.podSandboxId === podSandboxId)
  }
}

type Answer<T> = Promise<Result<T, RuntimeError>>

/** What follows an answer that is no error. */
async function after<T>(answer: Answer<T>, then: (value: T) => void): Answer<T> {
  const result = await answer
  if (result.ok) then(result.value)
  return result
}

/** A runtime that does not share the trace, with the trace events of a simulated one as far as its answers tell them. */
export function tracedRuntime<T extends RuntimeService & ImageService>(runtime: T, to: Trace): T {
  const trace = new RuntimeTrace(to)
  const traced: Partial<RuntimeService> = {
    causesOf: (id) => trace.causesOf(id),
    runPodSandbox: (config, causes = [], handler = '') =>
      after(runtime.runPodSandbox(config, causes, handler), (id) => {
        trace.sandboxStarted(id, config.metadata, causes)
      }),
    podSandboxStatus: (id) =>
      after(runtime.podSandboxStatus(id), ({ metadata, state }) => {
        trace.sandboxFound(id, metadata, state === 'ready')
      }),
    stopPodSandbox: (id, causes = []) => {
      trace.sandboxStopping(id, causes)
      return after(runtime.stopPodSandbox(id, causes), () => {
        trace.sandboxStopped(id, causes)
      })
    },
    removePodSandbox: (id, causes = []) =>
      after(runtime.removePodSandbox(id, causes), () => {
        trace.sandboxRemoved(id)
      }),
    createContainer: (podSandboxId, config, sandboxConfig, causes = []) =>
      after(runtime.createContainer(podSandboxId, config, sandboxConfig, causes), (id) => {
        const { name, attempt } = config
        trace.containerCreated(id, { podSandboxId, name, attempt }, sandboxConfig.metadata, causes)
      }),
    startContainer: (id, causes = []) =>
      after(runtime.startContainer(id, causes), () => {
        trace.containerStarted(id, causes)
      }),
    stopContainer: (id, timeoutSeconds, causes = []) => {
      trace.containerStopping(id, causes)
      return runtime.stopContainer(id, timeoutSeconds, causes)
    },
    containerStatus: (id) =>
      after(runtime.containerStatus(id), (status) => {
        trace.containerSeen(status)
      }),
    removeContainer: (id, causes = []) =>
      after(runtime.removeContainer(id, causes), () => {
        trace.containerRemoved(id)
      }),
  }
  const whole = aroundCalls(runtime, (_call, make) => make())
  return new Proxy(whole, {
    get: (target, key): unknown => Reflect.get(key in traced ? traced : target, key),
  })
}
