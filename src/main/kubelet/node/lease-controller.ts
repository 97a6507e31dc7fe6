/** Keeps the node's Lease fresh (component-helpers lease.controller; node#lease). */
import { traceAbout } from '../pod/identity.ts'
import { toMicroTime } from '../../../shared/kubernetes/timestamps.ts'
import type { Lease } from '../../../shared/kubernetes/objects.ts'
import type { TraceSubject } from '../../../shared/model/trace-event.ts'
import { defaultKubeletSettings } from '../kubelet-settings.ts'
import type { WithKubeletSettings } from '../kubelet-settings.ts'
import type { ApiClient, CancelTimer, CorePorts, Random } from '../ports.ts'

/** The kubelet's numbers: renewed at a quarter of the duration, 4 % jitter; back-off of creation 200 ms to 7 s. */
const leaseDefaults = {
  renewFraction: 0.25,
  jitter: 0.04,
  updateTries: 5,
  ensureBackOffMs: { base: 200, max: 7000 },
} as const

const leaseNamespace = 'kube-node-lease'
const subject: TraceSubject = { kind: 'node' }

export interface LeaseControllerDeps extends CorePorts, WithKubeletSettings {
  readonly nodeName: string
  /** Answers soon or not at all: a renewal that hangs is as bad as none. */
  readonly api: ApiClient
  /** Called from the second failed update of a round on. */
  readonly onRepeatedHeartbeatFailure?: () => void
  readonly random: Random
}

/**
 * Renews by updating the last lease it knows; when that fails it reads or creates it first. Goes on whether
 * the node is Ready or not, or in the API at all; only a new lease needs the Node, which is to own it. After
 * `stop` nothing more is written, and the lease is left to run out.
 */
export class LeaseController {
  readonly #deps: LeaseControllerDeps
  /** The one that was written or read last; its version lets an update go through without a read. */
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

  /** nodeLeaseDurationSeconds. */
  get durationSeconds(): number {
    return (this.#deps.settings ?? defaultKubeletSettings).nodeLeaseDurationSeconds
  }

  /** Renews at once, then about every quarter of the duration. Running already: nothing. */
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
    const { renewFraction, jitter } = leaseDefaults
    const renewMs = this.durationSeconds * 1000 * renewFraction
    this.#cancelTimer = this.#deps.clock.after(
      renewMs * (1 + this.#deps.random.next() * jitter),
      () => void this.#tick(),
    )
  }

  async #sync(): Promise<void> {
    if (this.#latest !== undefined && (await this.#retryUpdate(this.#latest))) return
    const ensured = await this.#backoffEnsure()
    if (!this.#isRunning) return
    this.#latest = ensured?.lease
    if (ensured === undefined) return
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
        const lease = await this.#renewal(undefined)
        if (lease === undefined || !this.#isRunning) return undefined
        const scope = { resource: 'leases', namespace: leaseNamespace } as const
        const created = await this.#deps.api.create(scope, lease)
        if (created.ok) return { lease: created.value, isNew: true }
        this.#failed(created.error.message)
      } else this.#failed(read.error.message)
      await this.#wait(delay)
    }
    return undefined
  }

  async #retryUpdate(base: Lease): Promise<boolean> {
    let lease: Lease | undefined = base
    for (let attempt = 0; attempt < leaseDefaults.updateTries && this.#isRunning; attempt++) {
      const renewal = await this.#renewal(lease)
      if (renewal !== undefined) {
        const updated = await this.#deps.api.update(this.#key(), renewal)
        if (updated.ok) {
          this.#latest = updated.value
          this.#renewed(updated.value)
          return true
        }
        this.#failed(updated.error.message)
        if (updated.error.kind === 'conflict') {
          lease = (await this.#backoffEnsure())?.lease
          continue
        }
      }
      if (attempt > 0) this.#deps.onRepeatedHeartbeatFailure?.()
    }
    return false
  }

  #key(): { readonly resource: 'leases'; readonly namespace: string; readonly name: string } {
    return { resource: 'leases', namespace: leaseNamespace, name: this.#deps.nodeName }
  }

  /** The lease renewed now, or a new one; who holds it is written once. Undefined: it has no owner, and the Node cannot be read. */
  async #renewal(base: Lease | undefined): Promise<Lease | undefined> {
    const { nodeName, clock } = this.#deps
    const lease = base ?? this.#newLease()
    const spec = {
      ...lease.spec,
      leaseDurationSeconds: this.durationSeconds,
      renewTime: toMicroTime(clock.now()),
    }
    if ((lease.metadata.ownerReferences ?? []).length > 0) return { ...lease, spec }
    const node = await this.#deps.api.get({ resource: 'nodes', name: nodeName })
    if (!node.ok) {
      this.#failed(node.error.message)
      return undefined
    }
    const { uid } = node.value.metadata
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid }]
    return { ...lease, metadata: { ...lease.metadata, ownerReferences }, spec }
  }

  #newLease(): Lease {
    const { nodeName } = this.#deps
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      // The server gives it a uid.
      metadata: { name: nodeName, namespace: leaseNamespace, uid: '' },
      spec: { holderIdentity: nodeName },
    }
  }

  #renewed(lease: Lease): void {
    this.#renewedAt = this.#deps.clock.now()
    traceAbout(this.#deps.trace, subject, 'lease.renewed', [], {
      renewTime: lease.spec?.renewTime ?? '',
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
