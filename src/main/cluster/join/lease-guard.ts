import type { Lease } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiError, Clock } from '../../kubelet/ports.ts'

/** A kubelet renews after a quarter of the lease's duration plus up to 4 %: 10 s for the default of 40 s. */
const leastWatchMs = 15_000
const slackMs = 4600
const pollMs = 1000
const defaultLeaseSeconds = 40

/** `free`: no kubelet runs the node. `held`: another kubelet does, or the lease may not be read. `stopped`: by `stop`. */
export type LeaseVerdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly message: string }
  | { readonly kind: 'stopped' }

interface LeaseGuardDeps {
  readonly readLease: () => Promise<Result<Lease, ApiError>>
  readonly nodeName: string
  readonly clock: Clock
  /** Called with one sentence when the wait begins or its reason changes. */
  readonly onWait: (sentence: string) => void
}

/**
 * Finds out whether another kubelet renews the node's lease, before Nodescope's kubelet runs the node. The holder's name
 * does not tell, because each kubelet of the node uses it. So the guard watches a lease that has not expired; if it is
 * renewed, another kubelet runs. While the server does not respond, no kubelet can renew, so the watch starts again at the
 * next response.
 */
export class LeaseGuard {
  readonly #deps: LeaseGuardDeps
  #isStopped = false
  /** From the first response. */
  #seen: { readonly renewTime: string | undefined } | undefined
  /** Since when every read succeeded. */
  #answeredSince: number | undefined
  #hasFailed = false
  #reported: string | undefined
  #endWait: (() => void) | undefined

  constructor(deps: LeaseGuardDeps) {
    this.#deps = deps
  }

  async run(): Promise<LeaseVerdict> {
    while (!this.#isStopped) {
      const read = await this.#read()
      if (this.#isStopped) break
      const verdict = read.ok ? this.#evaluate(read.value) : this.#failed(read.error)
      if (verdict !== undefined) return verdict
      await this.#wait()
    }
    return { kind: 'stopped' }
  }

  /** Ends the watch; a read in flight is the last one. */
  stop(): void {
    this.#isStopped = true
    this.#endWait?.()
  }

  /** `undefined`: there is no lease. */
  async #read(): Promise<Result<Lease | undefined, ApiError>> {
    const read = await this.#deps.readLease()
    return !read.ok && read.error.kind === 'not-found' ? { ok: true, value: undefined } : read
  }

  /** `undefined`: not known yet. */
  #evaluate(lease: Lease | undefined): LeaseVerdict | undefined {
    const now = this.#deps.clock.now()
    const { renewTime } = lease?.spec ?? {}
    if (this.#seen === undefined && !this.#hasFailed && !isFresh(lease, now))
      return { kind: 'free' }
    this.#seen ??= { renewTime }
    if (renewTime !== undefined && renewTime !== this.#seen.renewTime)
      return this.#held(lease, renewTime)
    this.#answeredSince ??= now
    if (now - this.#answeredSince >= watchMs(lease)) return { kind: 'free' }
    this.#report(this.#watching(lease))
    return undefined
  }

  #failed(error: ApiError): LeaseVerdict | undefined {
    const reason = error.message.replace(/[.\s]+$/, '')
    const unknown = 'so it is unknown whether another kubelet holds it'
    if (error.kind === 'forbidden') {
      const message = `The lease of node "${this.#deps.nodeName}" may not be read, ${unknown}: ${reason}.`
      return { kind: 'held', message }
    }
    this.#hasFailed = true
    this.#answeredSince = undefined
    this.#report(
      `The lease of node "${this.#deps.nodeName}" cannot be read, ${unknown}: ${reason}; trying again.`,
    )
    return undefined
  }

  #watching(lease: Lease | undefined): string {
    const what = `Watching the lease of node "${this.#deps.nodeName}" for ${watchMs(lease) / 1000} s`
    const { holderIdentity = '', renewTime } = lease?.spec ?? {}
    if (renewTime === undefined) return `${what}: the server did not respond before.`
    return `${what}: "${holderIdentity}" renewed it at ${renewTime}; a running kubelet renews it again.`
  }

  #held(lease: Lease | undefined, renewTime: string): LeaseVerdict {
    const holder = lease?.spec?.holderIdentity ?? ''
    const message = `The node "${this.#deps.nodeName}" is held by a running kubelet: "${holder}" renewed its lease at ${renewTime}, during the check; choose another name with --node, or stop that kubelet.`
    return { kind: 'held', message }
  }

  #report(sentence: string): void {
    if (sentence === this.#reported) return
    this.#reported = sentence
    this.#deps.onWait(sentence)
  }

  async #wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(pollMs, resolve)
      this.#endWait = () => {
        cancel()
        resolve()
      }
    })
    this.#endWait = undefined
  }
}

/** The time within which a running kubelet renews this lease, in whole seconds. */
function watchMs(lease: Lease | undefined): number {
  const seconds = lease?.spec?.leaseDurationSeconds ?? defaultLeaseSeconds
  return Math.max(leastWatchMs, Math.ceil((seconds / 4) * 1.04 + slackMs / 1000) * 1000)
}

/** Whether the lease has a holder and has not expired. */
function isFresh(lease: Lease | undefined, now: number): boolean {
  const { holderIdentity = '', renewTime = '', leaseDurationSeconds } = lease?.spec ?? {}
  const durationMs = (leaseDurationSeconds ?? defaultLeaseSeconds) * 1000
  return holderIdentity !== '' && now - Date.parse(renewTime) < durationMs
}
