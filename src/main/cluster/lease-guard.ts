import type { Lease } from '../../shared/kubernetes/objects.ts'
import type { Result } from '../../shared/result.ts'
import type { ApiError, Clock } from '../kubelet/ports.ts'

/** A kubelet renews at a quarter of the lease's duration, up to 4 % later: after ten seconds with the default of 40 s. */
const leastWatchMs = 15_000
const slackMs = 4600
const pollMs = 1000
const defaultLeaseSeconds = 40

/** `free`: nobody holds the node. `held`: another kubelet does, or that may not be asked; one sentence. `stopped`: nobody wants to know any more. */
export type LeaseVerdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly message: string }
  | { readonly kind: 'stopped' }

interface LeaseGuardDeps {
  /** Asks the API server for the node's lease. */
  readonly readLease: () => Promise<Result<Lease, ApiError>>
  readonly nodeName: string
  readonly clock: Clock
  /** What is waited for, when that begins or changes. */
  readonly onWait: (sentence: string) => void
}

/**
 * Finds out whether another kubelet keeps the node alive, before ours becomes it. The holder's name does not
 * tell: every kubelet of the node bears it. So a lease that has not run out is watched, and one that moves is
 * somebody's. While the server does not answer, nobody can renew and stillness says nothing: the watch begins
 * anew at the next answer.
 */
export class LeaseGuard {
  readonly #deps: LeaseGuardDeps
  #isStopped = false
  /** What the first answer said. */
  #seen: { readonly renewTime: string | undefined } | undefined
  /** Since when every question was answered. */
  #answeredSince: number | undefined
  #hasFailed = false
  #said: string | undefined
  #endWait: (() => void) | undefined

  constructor(deps: LeaseGuardDeps) {
    this.#deps = deps
  }

  async run(): Promise<LeaseVerdict> {
    while (!this.#isStopped) {
      const read = await this.#read()
      if (this.#isStopped) break
      const verdict = read.ok ? this.#judge(read.value) : this.#failed(read.error)
      if (verdict !== undefined) return verdict
      await this.#wait()
    }
    return { kind: 'stopped' }
  }

  /** Ends the watch; a question under way is the last. */
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
  #judge(lease: Lease | undefined): LeaseVerdict | undefined {
    const now = this.#deps.clock.now()
    const { renewTime } = lease?.spec ?? {}
    if (this.#seen === undefined && !this.#hasFailed && !isFresh(lease, now))
      return { kind: 'free' }
    this.#seen ??= { renewTime }
    if (renewTime !== undefined && renewTime !== this.#seen.renewTime)
      return this.#held(lease, renewTime)
    this.#answeredSince ??= now
    if (now - this.#answeredSince >= watchMs(lease)) return { kind: 'free' }
    this.#say(this.#watching(lease))
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
    this.#say(
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

  #say(sentence: string): void {
    if (sentence === this.#said) return
    this.#said = sentence
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

/** In which time a kubelet that is alive renews this lease, in whole seconds. */
function watchMs(lease: Lease | undefined): number {
  const seconds = lease?.spec?.leaseDurationSeconds ?? defaultLeaseSeconds
  return Math.max(leastWatchMs, Math.ceil((seconds / 4) * 1.04 + slackMs / 1000) * 1000)
}

/** Whether the lease has not run out. One that nobody holds never counts. */
function isFresh(lease: Lease | undefined, now: number): boolean {
  const { holderIdentity = '', renewTime = '', leaseDurationSeconds } = lease?.spec ?? {}
  const durationMs = (leaseDurationSeconds ?? defaultLeaseSeconds) * 1000
  return holderIdentity !== '' && now - Date.parse(renewTime) < durationMs
}
