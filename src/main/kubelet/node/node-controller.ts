/** Registers the node and keeps its status and lease (kubelet_node_status.go; seed: NodeController; docs/kubelet/node.md). */
import { traceAbout } from '../pod/identity.ts'
import { isConditionTrue } from '../../../shared/kubernetes/conditions.ts'
import { nodeColumns } from '../../../shared/kubernetes/printers/node-columns.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Node, NodeCondition } from '../../../shared/kubernetes/objects.ts'
import type { TraceSubject } from '../../../shared/model/trace-event.ts'
import type {
  ApiClient,
  ApiError,
  CancelTimer,
  CorePorts,
  EventRecorder,
  NodeLister,
  Random,
} from '../ports.ts'
import { deferred } from '../container/deferred.ts'
import { defaultKubeletSettings } from '../kubelet-settings.ts'
import type { KubeletSettings, WithKubeletSettings } from '../kubelet-settings.ts'
import { LeaseController } from './lease-controller.ts'
import { NodeExit } from './node-exit.ts'
import type { NodeExitOptions } from './node-exit.ts'
import { attachDetachAnnotation, reconciledNode } from './node-registration.ts'
import type { Correction } from './node-registration.ts'
import {
  hasNodeStatusChanged,
  isRebooted,
  isUnschedulable,
  nodeConditionEvents,
  nodePatch,
  nodeRuntimeStatus,
  nodeStatus,
  withRequiredLabels,
} from './node-status.ts'
import type { NodeDescription, NodePressure, NodeRuntime } from './node-status.ts'

/** The kubelet's numbers, in ms. */
const nodeControllerDefaults = {
  registerBackOffMs: { base: 100, max: 7000 },
  statusUpdateJitter: 0.04,
  statusUpdateTries: 5,
  fastPollMs: 100,
  fastPollLimitMs: 120_000,
} as const

const subject: TraceSubject = { kind: 'node' }

export interface NodeControllerDeps extends CorePorts, WithKubeletSettings {
  readonly nodeName: string
  readonly description: NodeDescription
  readonly api: ApiClient
  readonly nodeLister: NodeLister
  /** Why the node is not ready now: runtime, network, PLEG, shutdown. Empty when it is. */
  readonly readyErrors: () => readonly string[]
  /** Absent: the status does not tell of it. */
  readonly runtime?: () => NodeRuntime
  /** What the node runs short of. Absent: nothing. */
  readonly pressure?: () => NodePressure
  /** Asks the runtime again, so that the node turns Ready as soon as it can (node#status-updates, fast mode). */
  readonly refreshRuntimeState?: () => Promise<void>
  /** Called from the second failed try of a heartbeat on, so that its connections can be closed. */
  readonly onRepeatedHeartbeatFailure?: () => void
  /** What `leave` does. Absent: nothing, as a kubelet. */
  readonly exit?: NodeExitOptions | undefined
  readonly recorder: EventRecorder
  readonly random: Random
}

/** What the views show of the node. `status` as kubectl writes it, or `Deleted`; times in ms on the clock. */
export interface NodeControllerView {
  readonly node: Node | undefined
  readonly registered: boolean
  readonly status: string
  readonly leaseRenewedAt: number | undefined
  readonly leaseDurationSeconds: number
}

/**
 * A single node entity. Registers once, however long that takes; then writes status when something changed
 * or every five minutes (nodeStatusReportFrequency). The lease is renewed from the start on, registered or not. A Node object that is
 * deleted meanwhile is not created again until the next start, as with a kubelet.
 */
export class NodeController {
  readonly #deps: NodeControllerDeps
  readonly #settings: KubeletSettings
  readonly #lease: LeaseController
  readonly #timers = new Set<CancelTimer>()
  readonly #registered = deferred<undefined>()
  readonly #agentReady = deferred<undefined>()
  /** Ends the pause before the next try to register. */
  #endWait: () => void = () => undefined
  /** The one sync that runs, or the last that ran: the next waits for it (syncNodeStatusMux). */
  #syncing: Promise<void> = Promise.resolve()
  #node: Node | undefined
  #isRegistered = false
  #isRunning = false
  /** The API server said last that it has no such Node. */
  #isDeleted = false
  #wasUnschedulable = false
  #hasRecordedReboot = false
  #reportedAt = Number.NEGATIVE_INFINITY
  /** Added once to the next report after a change, so that the nodes of a cluster do not report together. */
  #reportDelayMs = 0

  constructor(deps: NodeControllerDeps) {
    this.#deps = deps
    this.#settings = deps.settings ?? defaultKubeletSettings
    this.#lease = new LeaseController({ ...deps, random: deps.random.fork('lease') })
  }

  /** The last Node this controller wrote or read (seed: GetNode); undefined before registration. */
  getNode(): Node | undefined {
    return this.#node
  }

  /**
   * Resolves once the Node is in the API, made or taken over (seed: Ready); at once, if it is. Never, if it
   * never gets there or the controller is stopped before. Says nothing of the condition Ready.
   */
  readonly ready = (): Promise<void> => this.#registered.promise

  /**
   * Resolves once the API server has taken a Node with Ready True from this controller (seed: WaitAgentReady);
   * at once if it has, even when the node is no longer ready. Never, if that never happens.
   */
  readonly waitAgentReady = (): Promise<void> => this.#agentReady.promise

  /** Starts registration, status and lease. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#event('Normal', 'Starting', 'Starting kubelet.')
    void this.#run(this.#deps.clock.now())
    this.#lease.start()
  }

  /**
   * Ends at once (seed: Stop). A request under way completes; nothing more is sent, the lease is
   * left to run out, and the control plane finds out by itself. Twice: nothing.
   */
  stop(): void {
    this.#isRunning = false
    this.#endWait()
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#lease.stop()
  }

  /**
   * Stops, and then does what `exit` asks for: marks the Node as left, or deletes it. Resolves when that is
   * done, or after a few seconds of the clock with an API server that is away; never rejects.
   */
  async leave(): Promise<void> {
    const { exit } = this.#deps
    this.stop()
    if (exit === undefined) return
    // A registration may be under way, and a status that is written at the same time would set Ready again.
    const isNodeThere = this.#syncing.then(() => this.#node !== undefined)
    await new NodeExit({ ...this.#deps, exit }).run(isNodeThere)
  }

  /**
   * What decides readiness has changed, for better or worse: the status is computed now rather than at the next
   * round, and written if it differs (seed: NotifyAgentReady; kubelet syncNodeStatus). Before the registration,
   * or when stopped: nothing.
   */
  readonly notifyAgentReady = (): void => {
    if (this.#isRunning && this.#isRegistered) void this.#exclusively(() => this.#updateStatus())
  }

  view(): NodeControllerView {
    const node = this.#deps.nodeLister.get() ?? this.#node
    return {
      node: this.#isDeleted ? undefined : node,
      registered: this.#isRegistered,
      status: this.#isDeleted
        ? 'Deleted'
        : node === undefined
          ? 'NotReady'
          : nodeColumns(node, this.#deps.clock.now()).status,
      leaseRenewedAt: this.#lease.renewedAt,
      leaseDurationSeconds: this.#lease.durationSeconds,
    }
  }

  async #run(startedAt: number): Promise<void> {
    // Else the first report after a restart would say that the runtime has not been looked at yet.
    await this.#deps.refreshRuntimeState?.()
    if (!this.#isRunning) return
    await this.#exclusively(async () => {
      if (this.#settings.registerNode) await this.#register()
      if (!this.#isRunning) return
      this.#isRegistered = true
      this.#registered.resolve(undefined)
      await this.#updateStatus()
    })
    if (!this.#isRunning) return
    this.#scheduleStatus()
    void this.#pollUntilReady(startedAt)
  }

  /** After what runs now; a sync never overtakes another. */
  #exclusively(sync: () => Promise<void>): Promise<void> {
    this.#syncing = this.#syncing
      .then(() => (this.#isRunning ? sync() : undefined))
      .catch((error: unknown) => {
        // One that breaks must not be the last.
        this.#deps.log.error('a sync of the node broke', { error: String(error) })
      })
    return this.#syncing
  }

  // --- registration ------------------------------------------------------------------------

  async #register(): Promise<void> {
    const { base, max } = nodeControllerDefaults.registerBackOffMs
    for (let delay: number = base; ; delay = Math.min(max, delay * 2)) {
      // Before the first attempt too.
      await this.#wait(delay)
      if (!this.#isRunning) return
      const message = await this.#tryRegister()
      if (message === undefined) return
      const retryMs = Math.min(max, delay * 2)
      this.#deps.log.warn('node not registered yet', { message, retryMs })
      traceAbout(this.#deps.trace, subject, 'node.registrationFailed', [], { message, retryMs })
    }
  }

  /** Undefined: registered. Else why not. */
  async #tryRegister(): Promise<string | undefined> {
    const initial = this.#initialNode()
    // As the kubelet does, with each attempt: the node that is about to be made has flipped them all.
    this.#conditionEvents([], initial.status?.conditions ?? [])
    const created = await this.#deps.api.create({ resource: 'nodes' }, initial)
    if (created.ok) {
      this.#recordRegistration(created.value, true, [])
      return undefined
    }
    const { kind, message } = created.error
    // A kubelet that may not create nodes can still use a Node that exists.
    if (kind !== 'already-exists' && kind !== 'forbidden') return message
    if (!this.#isRunning) return message
    const existing = await this.#reconcileExisting(initial)
    if (!existing.ok) return kind === 'forbidden' ? message : existing.error
    this.#recordRegistration(existing.value.node, false, existing.value.corrected)
    return undefined
  }

  #recordRegistration(node: Node, created: boolean, corrected: readonly Correction[]): void {
    this.#setNode(node)
    const data = { created, corrected }
    this.#deps.trace.emit({ kind: 'node.registered', subject, causes: [], data })
  }

  async #reconcileExisting(
    initial: Node,
  ): Promise<Result<{ readonly node: Node; readonly corrected: readonly Correction[] }, string>> {
    const { api, nodeName, description } = this.#deps
    const key = { resource: 'nodes', name: nodeName } as const
    const existing = await api.get(key)
    if (!existing.ok) return err(existing.error.message)
    const { node, corrected } = reconciledNode(initial, existing.value, description.keptLabels)
    if (corrected.length === 0) return ok({ node: existing.value, corrected })
    const patched = await this.#patch(existing.value, node)
    return patched.ok ? ok({ node: patched.value, corrected }) : err(patched.error.message)
  }

  #patch(before: Node, after: Node): Promise<Result<Node, ApiError>> {
    const { api, nodeName } = this.#deps
    const key = { resource: 'nodes', name: nodeName } as const
    const body = nodePatch(before, after)
    return api.patch(key, { type: 'strategic', subresource: 'status', body })
  }

  #initialNode(): Node {
    const { nodeName, description } = this.#deps
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: nodeName,
        // The server gives it one.
        uid: '',
        labels: description.labels,
        annotations: { [attachDetachAnnotation]: 'true' },
      },
      spec: description.taints.length === 0 ? {} : { taints: description.taints },
      status: this.#statusAfter({}),
    }
  }

  // --- status ------------------------------------------------------------------------------

  #scheduleStatus(): void {
    const { statusUpdateJitter } = nodeControllerDefaults
    const { nodeStatusUpdateFrequencyMs } = this.#settings
    const delay = nodeStatusUpdateFrequencyMs * (1 + this.#deps.random.next() * statusUpdateJitter)
    this.#after(delay, () => {
      void this.#exclusively(() => this.#updateStatus()).then(() => {
        if (this.#isRunning) this.#scheduleStatus()
      })
    })
  }

  /** Fast mode: until the node is Ready for the first time, looks ten times a second (fastStatusUpdateOnce). */
  async #pollUntilReady(startedAt: number): Promise<void> {
    const { fastPollMs } = nodeControllerDefaults
    let isOver = false
    await this.#exclusively(async () => {
      isOver = await this.#fastUpdate(startedAt)
    })
    if (!isOver && this.#isRunning)
      this.#after(fastPollMs, () => void this.#pollUntilReady(startedAt))
  }

  /** Writes only a node that turns Ready. True: fast mode is over. */
  async #fastUpdate(startedAt: number): Promise<boolean> {
    const { clock, log, nodeLister, refreshRuntimeState } = this.#deps
    if (clock.now() - startedAt >= nodeControllerDefaults.fastPollLimitMs) {
      log.warn('node not ready in time after the start')
      return true
    }
    const node = nodeLister.get()
    if (node === undefined) return false
    if (isReady(node)) return true
    await refreshRuntimeState?.()
    if (!this.#isRunning) return true
    const { after, changed } = this.#computed(node)
    if (!changed || !isReady(after)) return false
    const written = await this.#write(node, after, changed)
    // The copy was old, perhaps; the round reads a new one.
    if (written !== undefined) await this.#updateStatus()
    return true
  }

  async #updateStatus(): Promise<void> {
    for (let attempt = 0; attempt < nodeControllerDefaults.statusUpdateTries; attempt++) {
      if (!this.#isRunning) return
      const message = await this.#tryUpdateStatus(attempt)
      if (message === undefined) return
      if (attempt > 0) this.#deps.onRepeatedHeartbeatFailure?.()
      this.#failed(message)
    }
  }

  #failed(message: string): void {
    this.#deps.log.warn('node status not written', { message })
    this.#deps.trace.emit({ kind: 'node.statusFailed', subject, causes: [], data: { message } })
  }

  /** Undefined: written, or nothing to write. Else why not. */
  async #tryUpdateStatus(attempt: number): Promise<string | undefined> {
    const { api, nodeName, clock } = this.#deps
    const key = { resource: 'nodes', name: nodeName } as const
    // kubelet pkg/kubelet/kubelet_node_status.go: tryUpdateNodeStatus; the first try costs the server nothing.
    const read = attempt === 0 ? this.#listedNode() : await api.get(key)
    if (attempt > 0) this.#isDeleted = !read.ok && read.error.kind === 'not-found'
    if (!read.ok) return read.error.message
    this.#isDeleted = false
    const { after, changed } = this.#computed(read.value)
    const reportAfterMs = this.#settings.nodeStatusReportFrequencyMs + this.#reportDelayMs
    if (changed || clock.now() - this.#reportedAt >= reportAfterMs)
      return this.#write(read.value, after, changed)
    this.#setNode(read.value)
    return undefined
  }

  /** Undefined: written. Else why not. */
  async #write(before: Node, after: Node, changed: boolean): Promise<string | undefined> {
    const isFirst = this.#reportedAt === Number.NEGATIVE_INFINITY
    const { nodeStatusReportFrequencyMs: statusReportMs } = this.#settings
    this.#reportDelayMs = changed || isFirst ? statusReportMs * (this.#deps.random.next() - 0.5) : 0
    const patched = await this.#patch(before, after)
    if (!patched.ok) return patched.error.message
    this.#reportedAt = this.#deps.clock.now()
    traceAbout(this.#deps.trace, subject, 'node.statusWritten', [], {
      ready: isReady(after),
      changed,
    })
    this.#setNode(patched.value)
    return undefined
  }

  #setNode(node: Node): void {
    this.#node = node
    if (isReady(node)) this.#agentReady.resolve(undefined)
  }

  /** The Node as it is now. Each computation records the events of what changed, written or not, as in a kubelet. */
  #computed(before: Node): { readonly after: Node; readonly changed: boolean } {
    const { description } = this.#deps
    const labelled = withRequiredLabels(description, before)
    const known = before.status ?? {}
    const status = this.#statusAfter(known)
    if (isRebooted(description, known)) this.#recordReboot()
    this.#conditionEvents(known.conditions ?? [], status.conditions ?? [])
    this.#recordSchedulable(before)
    const changed = labelled !== before || hasNodeStatusChanged(known, status)
    return { after: { ...labelled, status }, changed }
  }

  #statusAfter(before: NonNullable<Node['status']>): NonNullable<Node['status']> {
    const { description, readyErrors, clock, pressure, runtime, settings } = this.#deps
    const { nodeStatusMaxImages } = settings ?? defaultKubeletSettings
    const shown = runtime && nodeRuntimeStatus(runtime(), nodeStatusMaxImages)
    return nodeStatus(description, before, readyErrors(), clock.now(), pressure?.(), shown)
  }

  #listedNode(): Result<Node, { readonly kind: 'not-listed'; readonly message: string }> {
    const { nodeLister, nodeName } = this.#deps
    const listed = nodeLister.get()
    return listed === undefined
      ? err({ kind: 'not-listed', message: `node "${nodeName}" not found` })
      : ok(listed)
  }

  // --- events ------------------------------------------------------------------------------

  #conditionEvents(before: readonly NodeCondition[], after: readonly NodeCondition[]): void {
    for (const reason of nodeConditionEvents(before, after)) this.#statusEvent(reason)
  }

  #recordSchedulable(node: Node): void {
    const isNow = isUnschedulable(node)
    if (isNow === this.#wasUnschedulable) return
    this.#wasUnschedulable = isNow
    this.#statusEvent(isNow ? 'NodeNotSchedulable' : 'NodeSchedulable')
  }

  /** Once: the same is found until the status is written. */
  #recordReboot(): void {
    if (this.#hasRecordedReboot) return
    this.#hasRecordedReboot = true
    const { nodeName, description } = this.#deps
    const bootID = description.nodeInfo['bootID'] ?? ''
    this.#event('Warning', 'Rebooted', `Node ${nodeName} has been rebooted, boot id: ${bootID}`)
  }

  #statusEvent(reason: string): void {
    this.#event('Normal', reason, `Node ${this.#deps.nodeName} status is now: ${reason}`)
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#deps.recorder.event({ kind: 'node' }, type, reason, message)
  }

  // --- time --------------------------------------------------------------------------------

  #after(ms: number, fn: () => void): void {
    const cancel = this.#deps.clock.after(ms, () => {
      this.#timers.delete(cancel)
      fn()
    })
    this.#timers.add(cancel)
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#endWait = resolve
      this.#after(ms, resolve)
    })
  }
}

function isReady({ status }: Node): boolean {
  return isConditionTrue(status, 'Ready')
}
