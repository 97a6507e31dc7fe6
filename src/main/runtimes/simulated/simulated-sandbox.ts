import type { TraceCauses, TraceSeq, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { PodSandboxConfig, PodSandboxStatus, Trace } from '../../kubelet/ports.ts'

/** A pod's sandbox: ready from the moment it exists until it is stopped. */
export class SimulatedSandbox {
  readonly #trace: Trace
  /** The pod, for the trace. */
  readonly subject: TraceSubject
  #view: PodSandboxStatus
  /** Of the logs of its containers. */
  readonly logDirectory: string | undefined
  /** A number, not a list: one is kept for every pod. */
  #cause: TraceSeq

  constructor(
    deps: {
      readonly id: string
      readonly config: PodSandboxConfig
      readonly createdAt: number
      /** Undefined on the host's network. */
      readonly ip: string | undefined
      readonly runtimeHandler: string
      readonly trace: Trace
    },
    causes: TraceCauses,
  ) {
    const { id, config, createdAt, ip, runtimeHandler, trace } = deps
    const { uid, namespace, name } = config.metadata
    this.#trace = trace
    this.logDirectory = config.logDirectory
    this.subject = { kind: 'pod', uid, namespace, name }
    this.#view = {
      id,
      metadata: config.metadata,
      state: 'ready',
      createdAt,
      hostNetwork: config.hostNetwork,
      ips: ip === undefined ? [] : [ip],
      labels: config.labels,
      annotations: config.annotations,
      ...(config.linux?.securityContext?.namespaceOptions === undefined
        ? {}
        : { namespaceOptions: config.linux.securityContext.namespaceOptions }),
      ...(runtimeHandler === '' ? {} : { runtimeHandler }),
    }
    const { attempt } = config.metadata
    const data = { sandboxId: id, attempt, ip: ip ?? '' }
    this.#cause = trace.emit({ kind: 'sandbox.started', subject: this.subject, causes, data })
  }

  /** As a listing shows it; a new object after every change. */
  get view(): PodSandboxStatus {
    return this.#view
  }

  get causes(): TraceCauses {
    return [this.#cause]
  }

  get isReady(): boolean {
    return this.#view.state === 'ready'
  }

  /** Gives its address back: whoever stops it frees what `view.ips` named. */
  stop(causes: TraceCauses): void {
    if (!this.isReady) return
    this.#view = { ...this.#view, state: 'notready', ips: [] }
    const data = { sandboxId: this.#view.id }
    this.#cause = this.#trace.emit({ kind: 'sandbox.stopped', subject: this.subject, causes, data })
  }
}
