import type { TraceCauses, TraceSeq, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { ValuePool } from '../../../shared/value-pool.ts'
import type { PodSandboxConfig, PodSandboxStatus, Trace } from '../../kubelet/ports.ts'
import type { SandboxFiles } from './files/container-root.ts'
import type { NetworkPlace } from './network/connection.ts'
import type { OpenPorts } from './network/listener.ts'
import type { SimulatedNetwork } from './network/simulated-network.ts'

/** A pod's sandbox, which is ready until it is stopped. */
export class SimulatedSandbox implements NetworkPlace, SandboxFiles {
  readonly #trace: Trace
  readonly #onChange: () => void
  readonly network: SimulatedNetwork
  /** The ports that its containers open. */
  readonly ports: OpenPorts
  #view: PodSandboxStatus
  /** The folder of its containers' logs. */
  readonly logDirectory: string | undefined
  /** Also after it is stopped. Undefined with host network. */
  readonly address: string | undefined
  /** Undefined if it is the node's. */
  readonly hostname: string | undefined
  /** /etc/resolv.conf of its containers. */
  readonly resolvConf: string
  /** A number instead of a list, to save memory. */
  #cause: TraceSeq

  constructor(
    deps: {
      readonly id: string
      readonly config: PodSandboxConfig
      readonly createdAt: number
      /** Undefined with host network. */
      readonly ip: string | undefined
      readonly runtimeHandler: string
      readonly trace: Trace
      readonly network: SimulatedNetwork
      readonly ports: OpenPorts
      readonly resolvConf: string
      /** Makes equal parts of sandboxes the same objects. */
      readonly pool: ValuePool
      /** Called when its view has changed. */
      readonly onChange: () => void
    },
    causes: TraceCauses,
  ) {
    const { id, config, createdAt, ip, runtimeHandler, trace, pool } = deps
    const namespaceOptions = config.linux?.securityContext?.namespaceOptions
    this.#trace = trace
    this.#onChange = deps.onChange
    this.network = deps.network
    this.address = ip
    this.ports = deps.ports
    this.logDirectory = config.logDirectory
    this.hostname = config.hostNetwork || config.hostname === '' ? undefined : config.hostname
    this.resolvConf = deps.resolvConf
    this.#view = {
      id,
      metadata: config.metadata,
      state: 'ready',
      createdAt,
      hostNetwork: config.hostNetwork,
      ips: ip === undefined ? [] : [ip],
      labels: config.labels,
      annotations: config.annotations,
      ...(namespaceOptions === undefined ? {} : { namespaceOptions: pool.share(namespaceOptions) }),
      ...(runtimeHandler === '' ? {} : { runtimeHandler }),
    }
    const { attempt } = config.metadata
    const data = { sandboxId: id, attempt, ip: ip ?? '' }
    this.#cause = trace.emit({ kind: 'sandbox.started', subject: this.subject, causes, data })
  }

  /** The pod, for the trace. */
  get subject(): TraceSubject {
    const { uid, namespace, name } = this.#view.metadata
    return { kind: 'pod', uid, namespace, name }
  }

  /** The sandbox in listings; a new object after each change. */
  get view(): PodSandboxStatus {
    return this.#view
  }

  get causes(): TraceCauses {
    return [this.#cause]
  }

  get isReady(): boolean {
    return this.#view.state === 'ready'
  }

  /** The caller must free the addresses in `view.ips` first. */
  stop(causes: TraceCauses): void {
    if (!this.isReady) return
    this.#view = { ...this.#view, state: 'notready', ips: [] }
    this.#onChange()
    const data = { sandboxId: this.#view.id }
    this.#cause = this.#trace.emit({ kind: 'sandbox.stopped', subject: this.subject, causes, data })
  }
}
