import type { ProbeResult, TraceEvent } from '../../src/shared/model/trace-event.ts'
import { runtimeContainerId } from '../../src/main/kubelet/status/container-statuses.ts'
import { WorkerInvariants } from '../models/worker-invariants.ts'
import type { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import type { ApiHistory } from './api-history.ts'
import type { ReportViolation } from './invariants.ts'

/** A container that runs, by the events of its runtime. */
export interface RunningContainer {
  readonly node: string
  readonly podUid: string
  readonly container: string
}

/** So long after its start a runtime may still finish what the agent before it had asked for, in ms. */
const unfinishedMs = 30_000

/** Looks at every event of the trace when it happens (invariants 1, 2, 3, 6, 10, 11, 12 and 25). */
export class TraceWatch {
  readonly #cluster: MemorySandbox
  readonly #api: ApiHistory
  readonly #report: ReportViolation
  readonly #running = new Map<string, RunningContainer>()
  /** One for each life of an agent. */
  readonly #workers = new Map<
    string,
    { readonly starts: number; readonly watch: WorkerInvariants }
  >()
  /** Results of readiness probes by the running agents: by the node, then by the container's ID. */
  readonly #readiness = new Map<string, Map<string, ProbeResult>>()
  readonly #startedAt = new Map<string, number>()
  #seq: number
  #at = 0
  #version = 0

  constructor(deps: {
    readonly cluster: MemorySandbox
    readonly api: ApiHistory
    readonly report: ReportViolation
  }) {
    this.#cluster = deps.cluster
    this.#api = deps.api
    this.#report = deps.report
    this.#seq = deps.cluster.trace.lastSeq
  }

  /** The containers of all nodes that run now. */
  get running(): readonly RunningContainer[] {
    return [...this.#running.values()]
  }

  /** Compares the records of a node's workers with the last look. */
  lookAt(node: SimulatedNode): void {
    const watch = this.#workersOf(node)
    watch.check()
    for (const what of watch.broken.splice(0)) this.#report(2, `${node.nodeName}: ${what}`)
  }

  /** Compares the statuses that a node's kubelet has with the results of its probes. */
  checkReadiness({ nodeName, kubelet }: SimulatedNode): void {
    // A sync loop that waits for the runtime takes no results of probes (kubelet.go syncLoop).
    if (kubelet.podsController.view().isStalledBy.length > 0) return
    const results = this.#readiness.get(nodeName)
    for (const { metadata, spec } of kubelet.podManager.getPods()) {
      const { conditions = [], containerStatuses = [] } =
        kubelet.statusManager.getPodStatus(metadata.uid) ?? {}
      const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
      if (!isReady) continue
      for (const { name, readinessProbe } of spec.containers) {
        const id = containerStatuses.find((status) => status.name === name)?.containerID ?? ''
        // A kubelet that has just started has none yet.
        const result = results?.get(runtimeContainerId(id)) ?? 'success'
        if (readinessProbe !== undefined && result !== 'success')
          this.#report(25, `${nodeName}: ${metadata.name} (${metadata.uid}), ${name}: ${result}`)
      }
    }
  }

  readonly take = (event: TraceEvent): void => {
    this.#inOrder(event)
    switch (event.kind) {
      case 'worker.syncStarted':
        this.#workersOf(this.#node(event)).syncBegins(uidOf(event), event.data.workType)
        break
      case 'worker.syncFinished': {
        const { workType, outcome } = event.data
        this.#workersOf(this.#node(event)).syncEnds(uidOf(event), workType, outcome === 'ok')
        this.lookAt(this.#node(event))
        break
      }
      case 'worker.updated':
        if (event.data.transition === 'evicted') this.#api.evicted(uidOf(event))
        break
      case 'container.started': {
        const { container, containerId } = event.data
        this.#started(event, container)
        const podUid = uidOf(event)
        this.#running.set(containerId, { node: event.node, podUid, container })
        break
      }
      case 'container.exited':
        this.#running.delete(event.data.containerId)
        break
      case 'agent.started':
        this.#readiness.set(event.node, new Map())
        break
      case 'probe.resultChanged':
        if (event.data.probe === 'readiness')
          this.#readiness.get(event.node)?.set(event.data.containerId, event.data.result)
        break
      case 'object.written':
        this.#written(event)
        break
      default:
    }
  }

  #inOrder(event: TraceEvent): void {
    const { seq, at, causes, kind } = event
    if (seq !== this.#seq + 1) this.#report(1, `event ${seq} came after ${this.#seq}`)
    if (at < this.#at) this.#report(1, `event ${seq} is of ${this.#at - at} ms before the last`)
    const wrong = causes.find((cause) => cause < 1 || cause >= seq)
    if (wrong !== undefined) this.#report(1, `event ${seq} (${kind}) names ${wrong} as its cause`)
    this.#seq = seq
    this.#at = at
  }

  #node({ node }: TraceEvent): SimulatedNode {
    return this.#cluster.node(node)
  }

  #workersOf(node: SimulatedNode): WorkerInvariants {
    const { nodeName, starts } = node
    let workers = this.#workers.get(nodeName)
    if (workers?.starts !== starts) {
      const { table } = node.kubelet.podWorkers
      workers = { starts, watch: new WorkerInvariants({ table }) }
      this.#workers.set(nodeName, workers)
      this.#startedAt.set(nodeName, this.#cluster.clock.now())
    }
    return workers.watch
  }

  #started(event: TraceEvent, container: string): void {
    const podUid = uidOf(event)
    const boundTo = this.#api.nodeOf(podUid)
    if (boundTo !== undefined && boundTo !== event.node)
      this.#report(12, `${container} of ${podUid}, bound to ${boundTo}, started on ${event.node}`)
    const node = this.#node(event)
    this.#workersOf(node)
    const since = event.at - (this.#startedAt.get(event.node) ?? 0)
    if (!node.isRunning || (node.starts > 1 && since < unfinishedMs)) return
    const record = node.kubelet.podWorkers.table.records.get(podUid)
    if (record === undefined)
      this.#report(3, `${event.node}: ${container} of ${podUid}, which has no worker`)
    else if (record.startedTerminating || record.terminatedAt !== undefined)
      this.#report(3, `${event.node}: ${container} of ${podUid}, which is on its end`)
  }

  #written(event: TraceEvent & { readonly kind: 'object.written' }): void {
    const { subject, data } = event
    const version = Number(data.resourceVersion)
    if (!(version > this.#version))
      this.#report(6, `version ${data.resourceVersion} after ${this.#version}`)
    this.#version = version
    if (subject.kind !== 'object') return
    const { resource, name, uid } = subject
    if (resource === 'leases' && data.change !== 'DELETED' && data.user !== `system:node:${name}`)
      this.#report(11, `${data.user} wrote the lease ${name}`)
    if (resource === 'pods') this.#api.written(data.resourceVersion, data.user)
    if (resource !== 'pods' || data.change !== 'DELETED') return
    const node = data.user.startsWith('system:node:') ? data.user.slice(12) : undefined
    // Containers of a static pod carry its own uid, not its mirror's, and run on.
    const left = this.running.find((one) => one.node === node && one.podUid === uid)
    if (left !== undefined) this.#report(10, `${name} (${uid}), whose ${left.container} runs`)
  }
}

function uidOf({ subject }: TraceEvent): string {
  return subject.kind === 'pod' ? subject.uid : ''
}
