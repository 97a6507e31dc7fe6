/** Registers the node and keeps its status and lease (kubelet_node_status.go; seed: NodeController; semantics 9). */
import { nodeColumns } from '../../../shared/kubernetes/node-columns.ts'
import { equalJson } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Node, NodeCondition } from '../../../shared/kubernetes/objects.ts'
import type { TraceSubject } from '../../../shared/model/trace-event.ts'
import type {
  ApiClient,
  CancelTimer,
  Clock,
  EventRecorder,
  Log,
  NodeLister,
  Random,
  Trace,
} from '../ports.ts'
import { strategicPatch } from '../status/strategic-patch.ts'
import { LeaseController, leaseDefaults } from './lease-controller.ts'
import {
  hasNodeStatusChanged,
  isUnschedulable,
  nodeConditionEvents,
  nodeStatus,
  nodeStatusPatch,
} from './node-status.ts'
import type { NodeDescription, NodePressure } from './node-status.ts'

/** The kubelet's numbers, in ms. */
const nodeControllerDefaults = {
  registerBackOffMs: { base: 100, max: 7000 },
  statusUpdateMs: 10_000,
  statusUpdateJitter: 0.04,
  statusReportMs: 300_000,
  statusUpdateTries: 5,
  fastPollMs: 100,
  fastPollLimitMs: 120_000,
} as const

const subject: TraceSubject = { kind: 'node' }

export interface NodeControllerDeps {
  readonly nodeName: string
  readonly description: NodeDescription
  readonly api: ApiClient
  readonly nodeLister: NodeLister
  /** Why the node is not ready now: runtime, network, PLEG. Empty when it is. */
  readonly readyErrors: () => readonly string[]
  /** What the node runs short of. Absent: nothing. */
  readonly pressure?: () => NodePressure
  /** Asks the runtime anew, so that the node turns Ready as soon as it can (9.3, fast mode). */
  readonly refreshRuntimeState?: () => Promise<void>
  /** Called from the second failed try of a heartbeat on, so that its connections can be closed. */
  readonly onRepeatedHeartbeatFailure?: () => void
  readonly events: EventRecorder
  readonly clock: Clock
  readonly random: Random
  readonly trace: Trace
  readonly log: Log
}

/** What the views show of the node. `status` as kubectl writes it, or `Deleted`; times in ms on the clock. */
export interface NodeControllerView {
  readonly registered: boolean
  readonly status: string
  readonly leaseRenewedAt: number | undefined
  readonly leaseDurationSeconds: number
}

/**
 * A single node entity. Registers once, however long that takes; then writes status when something changed
 * or every five minutes, and renews the lease. A Node object that is deleted meanwhile does not come back
 * until the next start, as with a kubelet. `stop` writes nothing.
 */
export class NodeController {
  readonly #deps: NodeControllerDeps
  readonly #lease: LeaseController
  readonly #timers = new Set<CancelTimer>()
  readonly #whenRegistered: (() => void)[] = []
  #node: Node | undefined
  #isRegistered = false
  #isRunning = false
  #isUpdating = false
  /** The API server said last that it has no such Node. */
  #isDeleted = false
  #wasUnschedulable = false
  #reportedAt = Number.NEGATIVE_INFINITY
  #reportAfterMs: number = nodeControllerDefaults.statusReportMs

  constructor(deps: NodeControllerDeps) {
    this.#deps = deps
    this.#lease = new LeaseController({ ...deps, random: deps.random.fork('lease') })
  }

  /** The last Node this controller wrote or read; undefined before registration. */
  getNode(): Node | undefined {
    return this.#node
  }

  /** Resolves when the node is registered; never, if it never is. */
  readonly ready = (): Promise<void> =>
    this.#isRegistered
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#whenRegistered.push(resolve)
        })

  /** Starts registration, status and lease. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#event('Starting', 'Starting kubelet.')
    void this.#run()
  }

  stop(): void {
    this.#isRunning = false
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#lease.stop()
  }

  /** Something that decides readiness has changed: status is computed now rather than at the next round (9.3). */
  readonly notifyAgentReady = (): void => {
    if (this.#isRunning && this.#isRegistered) void this.#syncStatus()
  }

  view(): NodeControllerView {
    const node = this.#deps.nodeLister.get() ?? this.#node
    return {
      registered: this.#isRegistered,
      status: this.#isDeleted
        ? 'Deleted'
        : node === undefined
          ? 'NotReady'
          : nodeColumns(node, this.#deps.clock.now()).status,
      leaseRenewedAt: this.#lease.renewedAt,
      leaseDurationSeconds: leaseDefaults.durationSeconds,
    }
  }

  async #run(): Promise<void> {
    await this.#register()
    if (!this.#isRunning) return
    this.#isRegistered = true
    for (const resolve of this.#whenRegistered.splice(0)) resolve()
    this.#lease.start()
    void this.#pollUntilReady(this.#deps.clock.now())
    this.#scheduleStatus()
  }

  async #register(): Promise<void> {
    const { base, max } = nodeControllerDefaults.registerBackOffMs
    for (let delay: number = base; this.#isRunning; delay = Math.min(max, delay * 2)) {
      const message = await this.#tryRegister()
      if (message === undefined) return
      this.#deps.log.warn('node not registered yet', { message, retryMs: delay })
      this.#deps.trace.emit({
        kind: 'node.registrationFailed',
        subject,
        causes: [],
        data: { message, retryMs: delay },
      })
      await this.#wait(delay)
    }
  }

  /** Undefined: registered. Else why not. */
  async #tryRegister(): Promise<string | undefined> {
    const initial = this.#initialNode()
    // As the kubelet does, with each attempt: the node that is about to be made has flipped them all.
    this.#conditionEvents([], initial.status?.conditions ?? [])
    const created = await this.#deps.api.create({ resource: 'nodes' }, initial)
    if (created.ok) {
      this.#registered(created.value, true)
      return undefined
    }
    const { kind, message } = created.error
    // Whoever may not create nodes may still be one that somebody else has created.
    const mayExist = kind === 'already-exists' || kind === 'conflict' || kind === 'forbidden'
    if (!mayExist) return message
    const existing = await this.#reconcileExisting(initial)
    if (!existing.ok) return kind === 'forbidden' ? message : existing.error
    this.#registered(existing.value, false)
    return undefined
  }

  #registered(node: Node, created: boolean): void {
    this.#node = node
    this.#deps.trace.emit({ kind: 'node.registered', subject, causes: [], data: { created } })
  }

  /** Labels and the annotation that every kubelet sets are put right; taints belong to the creation only (9.1). */
  async #reconcileExisting(initial: Node): Promise<Result<Node, string>> {
    const key = { resource: 'nodes', name: this.#deps.nodeName } as const
    const existing = await this.#deps.api.get(key)
    if (!existing.ok) return err(existing.error.message)
    const { labels = {}, annotations = {} } = existing.value.metadata
    const wanted = {
      labels: { ...labels, ...initial.metadata.labels },
      annotations: { ...annotations, ...initial.metadata.annotations },
    }
    if (equalJson(wanted, { labels, annotations })) return ok(existing.value)
    const metadata = strategicPatch({ labels, annotations }, wanted, {})
    const patched = await this.#deps.api.patch(key, { type: 'strategic', body: { metadata } })
    return patched.ok ? ok(patched.value) : err(patched.error.message)
  }

  #initialNode(): Node {
    const { nodeName, description, clock, readyErrors } = this.#deps
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: nodeName,
        // The server gives it one.
        uid: '',
        labels: description.labels,
        annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
      },
      spec: description.taints.length === 0 ? {} : { taints: description.taints },
      status: nodeStatus(description, {}, readyErrors(), clock.now(), this.#deps.pressure?.()),
    }
  }

  /** Fast mode: until the node is Ready for the first time, looks ten times a second (9.3). */
  async #pollUntilReady(since: number): Promise<void> {
    const { fastPollMs, fastPollLimitMs } = nodeControllerDefaults
    await this.#deps.refreshRuntimeState?.()
    if (!this.#isRunning) return
    if (this.#deps.readyErrors().length === 0) {
      await this.#syncStatus()
      return
    }
    if (this.#deps.clock.now() - since >= fastPollLimitMs) {
      this.#deps.log.warn('node not ready in time after the start')
      return
    }
    this.#after(fastPollMs, () => void this.#pollUntilReady(since))
  }

  #scheduleStatus(): void {
    const { statusUpdateMs, statusUpdateJitter } = nodeControllerDefaults
    const delay = statusUpdateMs * (1 + this.#deps.random.next() * statusUpdateJitter)
    this.#after(delay, () => {
      void this.#syncStatus().then(() => {
        if (this.#isRunning) this.#scheduleStatus()
      })
    })
  }

  async #syncStatus(): Promise<void> {
    if (this.#isUpdating) return
    this.#isUpdating = true
    try {
      for (let attempt = 0; attempt < nodeControllerDefaults.statusUpdateTries; attempt++) {
        if (!this.#isRunning) return
        const message = await this.#tryUpdateStatus(attempt)
        if (message === undefined) return
        if (attempt > 0) this.#deps.onRepeatedHeartbeatFailure?.()
        this.#deps.log.warn('node status not written', { message })
        this.#deps.trace.emit({ kind: 'node.statusFailed', subject, causes: [], data: { message } })
      }
    } finally {
      this.#isUpdating = false
    }
  }

  /** Undefined: written, or nothing to write. Else why not. */
  async #tryUpdateStatus(attempt: number): Promise<string | undefined> {
    const { api, nodeName, description, clock, readyErrors } = this.#deps
    const key = { resource: 'nodes', name: nodeName } as const
    // kubelet pkg/kubelet/kubelet_node_status.go: tryUpdateNodeStatus; the first try costs the server nothing.
    const read = attempt === 0 ? this.#listedNode() : await api.get(key)
    if (attempt > 0) this.#isDeleted = !read.ok && read.error.kind === 'not-found'
    if (!read.ok) return read.error.message
    this.#isDeleted = false
    const before = read.value.status ?? {}
    const after = nodeStatus(
      description,
      before,
      readyErrors(),
      clock.now(),
      this.#deps.pressure?.(),
    )
    const changed = hasNodeStatusChanged(before, after)
    this.#tellUnschedulable(read.value)
    if (!changed && clock.now() - this.#reportedAt < this.#reportAfterMs) {
      this.#node = read.value
      return undefined
    }
    const patched = await api.patch(key, {
      type: 'strategic',
      subresource: 'status',
      body: nodeStatusPatch(before, after),
    })
    if (!patched.ok) return patched.error.message
    this.#node = patched.value
    this.#reported(changed)
    this.#deps.trace.emit({
      kind: 'node.statusWritten',
      subject,
      causes: [],
      data: { ready: readyErrors().length === 0, changed },
    })
    this.#conditionEvents(before.conditions ?? [], after.conditions ?? [])
    return undefined
  }

  #listedNode(): Result<Node, { readonly kind: 'not-listed'; readonly message: string }> {
    const { nodeLister, nodeName } = this.#deps
    const listed = nodeLister.get()
    return listed === undefined
      ? err({ kind: 'not-listed', message: `node "${nodeName}" not found` })
      : ok(listed)
  }

  /** After a change the next forced report comes at a random time, so that nodes do not report together. */
  #reported(changed: boolean): void {
    const { statusReportMs } = nodeControllerDefaults
    this.#reportedAt = this.#deps.clock.now()
    this.#reportAfterMs = changed
      ? statusReportMs * (0.5 + this.#deps.random.next())
      : statusReportMs
  }

  #conditionEvents(before: readonly NodeCondition[], after: readonly NodeCondition[]): void {
    for (const reason of nodeConditionEvents(before, after))
      this.#event(reason, `Node ${this.#deps.nodeName} status is now: ${reason}`)
  }

  #tellUnschedulable(node: Node): void {
    const isNow = isUnschedulable(node)
    if (isNow === this.#wasUnschedulable) return
    this.#wasUnschedulable = isNow
    const reason = isNow ? 'NodeNotSchedulable' : 'NodeSchedulable'
    this.#event(reason, `Node ${this.#deps.nodeName} status is now: ${reason}`)
  }

  #event(reason: string, message: string): void {
    this.#deps.events.event({ kind: 'node' }, 'Normal', reason, message)
  }

  #after(ms: number, fn: () => void): void {
    const cancel = this.#deps.clock.after(ms, () => {
      this.#timers.delete(cancel)
      fn()
    })
    this.#timers.add(cancel)
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#after(ms, resolve)
    })
  }
}
