/** Keeps the node's Lease fresh (component-helpers lease.controller; semantics 9.4). */
import { toMicroTime } from '../../../shared/kubernetes/timestamps.ts'
import type { Lease, OwnerReference } from '../../../shared/kubernetes/objects.ts'
import type { TraceSubject } from '../../../shared/model/trace-event.ts'
import type { ApiClient, CancelTimer, Clock, Log, NodeLister, Random, Trace } from '../ports.ts'

/** The kubelet's numbers: 40 s, renewed at a quarter of it, 4 % jitter; back-off of creation 200 ms to 7 s. */
export const leaseDefaults = {
  durationSeconds: 40,
  renewMs: 10_000,
  jitter: 0.04,
  updateTries: 5,
  ensureBackOffMs: { base: 200, max: 7000 },
} as const

const leaseNamespace = 'kube-node-lease'
const subject: TraceSubject = { kind: 'node' }

export interface LeaseControllerDeps {
  readonly nodeName: string
  readonly api: ApiClient
  readonly nodeLister: NodeLister
  /** Called from the second failed update of a round on. */
  readonly onRepeatedHeartbeatFailure?: () => void
  readonly clock: Clock
  readonly random: Random
  readonly trace: Trace
  readonly log: Log
}

/**
 * Renews by updating the last lease it knows; when that fails it reads or creates it first. Goes on whether
 * the node is Ready or not. After `stop` nothing more is written, and the lease is left to run out.
 */
export class LeaseController {
  readonly #deps: LeaseControllerDeps
  #latest: Lease | undefined
  #renewedAt: number | undefined
  #cancelTimer: CancelTimer | undefined
  #isRunning = false

  constructor(deps: LeaseControllerDeps) {
    this.#deps = deps
  }

  /** ms on the clock; undefined before the first renewal. */
  get renewedAt(): number | undefined {
    return this.#renewedAt
  }

  /** Renews at once, then about every ten seconds. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#tick()
  }

  stop(): void {
    this.#isRunning = false
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  async #tick(): Promise<void> {
    await this.#sync()
    if (!this.#isRunning) return
    const { renewMs, jitter } = leaseDefaults
    this.#cancelTimer = this.#deps.clock.after(
      renewMs * (1 + this.#deps.random.next() * jitter),
      () => void this.#tick(),
    )
  }

  async #sync(): Promise<void> {
    if (this.#latest !== undefined && (await this.#retryUpdate(this.#latest))) return
    const ensured = await this.#backoffEnsure()
    if (ensured === undefined || !this.#isRunning) return
    if (ensured.isNew) this.#renewed(ensured.lease)
    else await this.#retryUpdate(ensured.lease)
  }

  /** The lease, read or made. Undefined: the node's own object is not there to own it, or we were stopped. */
  async #backoffEnsure(): Promise<{ readonly lease: Lease; readonly isNew: boolean } | undefined> {
    const { base, max } = leaseDefaults.ensureBackOffMs
    for (let delay: number = base; this.#isRunning; delay = Math.min(max, delay * 2)) {
      const read = await this.#deps.api.get(this.#key())
      if (read.ok) return { lease: read.value, isNew: false }
      if (read.error.kind === 'not-found') {
        const node = this.#deps.nodeLister.get()
        if (node === undefined) return undefined
        const created = await this.#deps.api.create(
          { resource: 'leases', namespace: leaseNamespace },
          this.#newLease(node.metadata.uid),
        )
        if (created.ok) return { lease: created.value, isNew: true }
        this.#failed(created.error.message)
      } else this.#failed(read.error.message)
      await this.#wait(delay)
    }
    return undefined
  }

  async #retryUpdate(base: Lease): Promise<boolean> {
    let lease = base
    for (let attempt = 0; attempt < leaseDefaults.updateTries && this.#isRunning; attempt++) {
      const updated = await this.#deps.api.update(this.#key(), this.#renewal(lease))
      if (updated.ok) {
        this.#renewed(updated.value)
        return true
      }
      this.#failed(updated.error.message)
      if (updated.error.kind === 'conflict') {
        const fresh = await this.#backoffEnsure()
        if (fresh === undefined) return false
        lease = fresh.lease
      } else if (attempt > 0) this.#deps.onRepeatedHeartbeatFailure?.()
    }
    return false
  }

  #key(): { readonly resource: 'leases'; readonly namespace: string; readonly name: string } {
    return { resource: 'leases', namespace: leaseNamespace, name: this.#deps.nodeName }
  }

  #newLease(nodeUid: string): Lease {
    const { nodeName, clock } = this.#deps
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: nodeName,
        namespace: leaseNamespace,
        // The server gives it one.
        uid: '',
        ownerReferences: this.#ownerReferences(nodeUid),
      },
      spec: {
        holderIdentity: nodeName,
        leaseDurationSeconds: leaseDefaults.durationSeconds,
        renewTime: toMicroTime(clock.now()),
      },
    }
  }

  /** A lease that somebody made without an owner gets the node for one. */
  #renewal(lease: Lease): Lease {
    const node = this.#deps.nodeLister.get()
    const isOwned = (lease.metadata.ownerReferences ?? []).length > 0
    const ownerReferences =
      isOwned || node === undefined ? [] : this.#ownerReferences(node.metadata.uid)
    return {
      ...lease,
      ...(ownerReferences.length === 0 ? {} : { metadata: { ...lease.metadata, ownerReferences } }),
      spec: {
        ...lease.spec,
        holderIdentity: this.#deps.nodeName,
        leaseDurationSeconds: leaseDefaults.durationSeconds,
        renewTime: toMicroTime(this.#deps.clock.now()),
      },
    }
  }

  #ownerReferences(uid: string): readonly OwnerReference[] {
    return [{ apiVersion: 'v1', kind: 'Node', name: this.#deps.nodeName, uid }]
  }

  #renewed(lease: Lease): void {
    this.#latest = lease
    this.#renewedAt = this.#deps.clock.now()
    this.#deps.trace.emit({
      kind: 'lease.renewed',
      subject,
      causes: [],
      data: { renewTime: lease.spec?.renewTime ?? '' },
    })
  }

  #failed(message: string): void {
    this.#deps.log.warn('node lease not written', { message })
    this.#deps.trace.emit({ kind: 'lease.failed', subject, causes: [], data: { message } })
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#cancelTimer = this.#deps.clock.after(ms, resolve)
    })
  }
}
