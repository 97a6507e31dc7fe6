import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, RuntimeError } from '../ports.ts'
import type { PodRuntimeStatus, WritablePodCache } from './runtime.ts'

type Answer = Result<PodRuntimeStatus, RuntimeError>

interface Entry {
  readonly answer: Answer
  readonly modified: number
}

interface Waiter {
  readonly time: number
  readonly resolve: (answer: Answer) => void
}

/** The status of a pod that the runtime does not have. */
export function emptyPodRuntimeStatus(uid: string, name = '', namespace = ''): PodRuntimeStatus {
  return { uid, name, namespace, ips: [], sandboxes: [], containers: [] }
}

/**
 * kubecontainer.Cache (containers#pleg): the newest known status of every pod, and since when all of
 * them are known. `getNewerThan` waits for the entry, or everything, to be newer than a time; an error
 * of the inspection is its answer. A time after the clock's now is a broken invariant and throws.
 */
export class PodStatusCache implements WritablePodCache {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()
  readonly #waiters = new Map<string, Waiter[]>()
  /** All entries are at least as fresh as this; never fresh before the first relist. */
  #freshAsOf = Number.NEGATIVE_INFINITY

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock
  }

  readonly get = (uid: string): Answer =>
    this.#entries.get(uid)?.answer ?? ok(emptyPodRuntimeStatus(uid))

  readonly getNewerThan = (uid: string, time: number): Promise<Answer> => {
    if (this.#isNewerThan(uid, time)) return Promise.resolve(this.get(uid))
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(uid)
      if (waiters === undefined) this.#waiters.set(uid, [{ time, resolve }])
      else waiters.push({ time, resolve })
    })
  }

  readonly set = (uid: string, status: Answer, time: number): boolean => {
    this.#refuseFuture(time)
    const known = this.#entries.get(uid)
    if (known !== undefined && known.modified > time) return false
    this.#entries.set(uid, { answer: status, modified: time })
    this.#notify(uid)
    return true
  }

  readonly delete = (uid: string): void => {
    this.#entries.delete(uid)
  }

  readonly updateTime = (time: number): void => {
    this.#refuseFuture(time)
    this.#freshAsOf = time
    for (const uid of this.#waiters.keys()) this.#notify(uid)
  }

  #isNewerThan(uid: string, time: number): boolean {
    if (this.#freshAsOf > time) return true
    const entry = this.#entries.get(uid)
    return entry !== undefined && entry.modified > time
  }

  #notify(uid: string): void {
    const waiters = this.#waiters.get(uid)
    if (waiters === undefined) return
    const waiting = waiters.filter((waiter) => !this.#isNewerThan(uid, waiter.time))
    if (waiting.length === 0) this.#waiters.delete(uid)
    else this.#waiters.set(uid, waiting)
    for (const waiter of waiters) if (!waiting.includes(waiter)) waiter.resolve(this.get(uid))
  }

  #refuseFuture(time: number): void {
    if (time > this.#clock.now()) throw new Error(`pod status from the future: ${time}`)
  }
}
