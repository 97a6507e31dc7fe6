import type { Container, Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { ProbeResult, ProbeType, TraceCauses } from '../../../shared/model/trace-event.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import { ExpansionTooLong, VariableExpander } from '../container/expansion.ts'
import { recordContainerEvent } from '../kuberuntime/container-events.ts'
import { podDescription, tracePod } from '../pod/identity.ts'
import type { Clock, EventRecorder, RuntimeService, Trace } from '../ports.ts'
import { resolveContainerPort } from '../probe/container-port.ts'
import { runInContainer } from '../probe/exec-command.ts'
import type { ProbeSpec } from '../probe/handler-spec.ts'
import { httpRequestOf } from '../probe/http-request.ts'
import { grpcProbe, httpProbe, tcpProbe } from '../probe/network-probes.ts'
import type { PodNetwork } from '../probe/pod-network.ts'
import { probed, probeError } from '../probe/probe-outcome.ts'
import type { ProbeOutcome } from '../probe/probe-outcome.ts'

export interface ProberDeps {
  readonly runtimeService: Pick<RuntimeService, 'execSync'>
  readonly network: PodNetwork
  readonly recorder: EventRecorder
  readonly trace: Trace
  readonly clock: Clock
}

/** One probe of one container, as its worker asks for it. */
export interface ProbeRequest {
  readonly type: ProbeType
  readonly spec: ProbeSpec
  readonly pod: Pod
  /** As it is cached: its address is where the probe goes. */
  readonly status: PodStatus
  readonly container: Container
  readonly containerId: string
  readonly causes: TraceCauses
}

/** `undefined`: the probe itself failed, so that its result does not count. */
export interface ProbeAnswer {
  readonly result: ProbeResult | undefined
  /** What led to the result. */
  readonly causes: TraceCauses
}

/** A run that ends in an error is tried so often. */
const maxProbeRetries = 3
/** Of what an exec probe prints. */
const maxOutput = 10 * 1024

const typeNames = { liveness: 'Liveness', readiness: 'Readiness', startup: 'Startup' } as const

/** Runs probes and records what fails (pkg/kubelet/prober/prober.go). */
export class Prober {
  readonly #deps: ProberDeps

  constructor(deps: ProberDeps) {
    this.#deps = deps
  }

  async probe(request: ProbeRequest): Promise<ProbeAnswer> {
    const { causes } = request
    const outcome = await this.#runWithRetries(request)
    const name = typeNames[request.type]
    const { state, output, error } = outcome
    if (error !== undefined) {
      const message = `${name} probe errored and resulted in ${state} state: ${error}`
      this.#record(request, 'error', 'Unhealthy', message)
      return { result: undefined, causes }
    }
    switch (state) {
      case 'success':
        return { result: 'success', causes }
      case 'warning':
        this.#record(request, state, 'ProbeWarning', `${name} probe warning: ${output}`)
        return { result: 'success', causes }
      case 'failure': {
        const message = `${name} probe failed: ${output}`
        return { result: 'failure', causes: this.#record(request, state, 'Unhealthy', message) }
      }
      case 'unknown':
        return { result: 'failure', causes }
      default:
        return assertNever(state, 'state of a probe')
    }
  }

  #record(
    { type, pod, container, causes }: ProbeRequest,
    outcome: 'warning' | 'failure' | 'error',
    reason: 'Unhealthy' | 'ProbeWarning',
    message: string,
  ): TraceCauses {
    const { trace, recorder } = this.#deps
    const data = { container: container.name, probe: type, outcome, message }
    const seq = tracePod(trace, pod, 'probe.failed', causes, data)
    const event = { pod, containerName: container.name, type: 'Warning', reason, message } as const
    recordContainerEvent(recorder, { ...event, causes: [seq] })
    return [seq]
  }

  async #runWithRetries(request: ProbeRequest): Promise<ProbeOutcome> {
    let outcome = await this.#run(request)
    for (let run = 1; run < maxProbeRetries && outcome.error !== undefined; run++)
      outcome = await this.#run(request)
    return outcome
  }

  async #run(request: ProbeRequest): Promise<ProbeOutcome> {
    const { spec, container, status, causes } = request
    const { handler } = spec
    const timeoutMs = spec.timeoutSeconds * 1000
    const podIP = status.podIP ?? ''
    switch (handler.kind) {
      case 'exec':
        return this.#exec(request, handler.command)
      case 'httpGet': {
        const asked = httpRequestOf(handler.action, container, podIP, 'probe')
        return asked.ok
          ? httpProbe(this.#deps, asked.value, timeoutMs, causes)
          : probeError('unknown', asked.error)
      }
      case 'tcpSocket': {
        const port = resolveContainerPort(handler.port, container)
        if (!port.ok) return probeError('unknown', port.error)
        const target = { host: handler.host || podIP, port: port.value, timeoutMs }
        return tcpProbe(this.#deps, target, causes)
      }
      case 'grpc': {
        const { port, service } = handler
        return grpcProbe(this.#deps, { host: podIP, port, service, timeoutMs }, causes)
      }
      case 'sleep':
      case 'none': {
        const where = `${podDescription(request.pod)}:${container.name}`
        return probeError('unknown', `missing probe handler for ${where}`)
      }
      default:
        return assertNever(handler, 'handler of a probe')
    }
  }

  /** pkg/probe/exec/exec.go Probe. */
  async #exec(
    { spec, container, containerId, causes }: ProbeRequest,
    written: readonly string[],
  ): Promise<ProbeOutcome> {
    const command = staticallyExpanded(written, container)
    if (command === undefined) return probeError('unknown', 'argument list too long')
    const { runtimeService } = this.#deps
    const { timeoutSeconds } = spec
    const ran = await runInContainer(runtimeService, containerId, command, timeoutSeconds, causes)
    const { failure } = ran
    const output = ran.output.slice(0, maxOutput)
    if (failure === undefined) return probed('success', output)
    if (failure.kind === 'exit') return probed('failure', output)
    return failure.kind === 'timeout'
      ? probed('failure', failure.message)
      : probeError('unknown', failure.message)
  }
}

/**
 * Variables whose values stand in the spec; no others (kubecontainer.ExpandContainerCommandOnlyStatic). Undefined for
 * more than a system takes.
 */
function staticallyExpanded(
  command: readonly string[],
  container: Container,
): readonly string[] | undefined {
  const values = (container.env ?? []).map(({ name, value = '' }) => [name, value] as const)
  const expander = new VariableExpander(new Map(values))
  try {
    return command.map(expander.expand)
  } catch (error) {
    if (error instanceof ExpansionTooLong) return undefined
    throw error
  }
}
