import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { deferred } from '../container/deferred.ts'
import type { Deferred } from '../container/deferred.ts'
import type { Cancellation } from '../ports.ts'
import type { PodSyncer, PodSyncFailure } from './pod-sync.ts'

type Outcome = Result<{ readonly isTerminal: boolean }, PodSyncFailure>

/** One call that the syncer was given. `finish` ends it; until then the worker waits. */
export interface SyncCall {
  readonly kind: 'sync' | 'terminating' | 'runtimePod' | 'terminated'
  readonly uid: string
  readonly cancellation: Cancellation
  readonly work: Readonly<Record<string, unknown>>
  readonly isOpen: () => boolean
  readonly finish: (outcome?: Outcome) => void
}

/** A syncer whose calls the test ends one by one, or, with `isAutomatic`, that succeeds at once. */
export class FakePodSyncer implements PodSyncer {
  readonly calls: SyncCall[] = []
  isAutomatic = false
  /** Called when a sync begins, before the test may end it. */
  onCall: (call: SyncCall) => void = () => undefined
  /** Called when a sync ends, before its worker learns of it. */
  onEnd: (call: SyncCall, outcome: Outcome) => void = () => undefined

  readonly syncPod: PodSyncer['syncPod'] = (cancellation, work) =>
    this.#open('sync', work.pod.metadata.uid, cancellation, { ...work })

  readonly syncTerminatingPod: PodSyncer['syncTerminatingPod'] = (cancellation, work) =>
    this.#done('terminating', work.pod.metadata.uid, cancellation, { ...work })

  readonly syncTerminatingRuntimePod: PodSyncer['syncTerminatingRuntimePod'] = (
    cancellation,
    work,
  ) => this.#done('runtimePod', work.runningPod.uid, cancellation, { ...work })

  readonly syncTerminatedPod: PodSyncer['syncTerminatedPod'] = (cancellation, work) =>
    this.#done('terminated', work.pod.metadata.uid, cancellation, { ...work })

  /** The calls so far as `kind uid`. */
  get kinds(): readonly string[] {
    return this.calls.map((call) => `${call.kind} ${call.uid}`)
  }

  /** Calls that have not been ended. */
  get open(): readonly SyncCall[] {
    return this.calls.filter((call) => call.isOpen())
  }

  /** The open call of a uid; throws when there is none, or more than one. */
  current(uid: string): SyncCall {
    const calls = this.open.filter((call) => call.uid === uid)
    const [call] = calls
    if (call === undefined || calls.length > 1)
      throw new Error(`${calls.length} syncs of ${uid} are under way`)
    return call
  }

  #open(
    kind: SyncCall['kind'],
    uid: string,
    cancellation: Cancellation,
    work: Readonly<Record<string, unknown>>,
  ): Promise<Outcome> {
    const ended: Deferred<Outcome> = deferred()
    let isOpen = true
    const call: SyncCall = {
      kind,
      uid,
      cancellation,
      work,
      isOpen: () => isOpen,
      finish: (outcome = ok({ isTerminal: false })) => {
        isOpen = false
        this.onEnd(call, outcome)
        ended.resolve(outcome)
      },
    }
    this.calls.push(call)
    this.onCall(call)
    if (this.isAutomatic) call.finish()
    return ended.promise
  }

  async #done(
    kind: SyncCall['kind'],
    uid: string,
    cancellation: Cancellation,
    work: Readonly<Record<string, unknown>>,
  ): Promise<Result<undefined, PodSyncFailure>> {
    const outcome = await this.#open(kind, uid, cancellation, work)
    return outcome.ok ? ok(undefined) : outcome
  }
}

/** The outcome of a sync that the worker itself cancelled. */
export const cancelled: Outcome = err({ kind: 'cancelled' })

/** The outcome of a sync that went wrong. */
export function failed(message: string): Outcome {
  return err({ kind: 'failed', message })
}

/** How a sync can end, in words; `wrapped` is a cancellation inside another error, which does not count as one. */
export type SyncEnd = 'ok' | 'terminal' | 'error' | 'network' | 'cancelled' | 'wrapped'

/** The outcome that ends a sync so. */
export function outcomeOf(end: SyncEnd): Outcome {
  switch (end) {
    case 'ok':
      return ok({ isTerminal: false })
    case 'terminal':
      return ok({ isTerminal: true })
    case 'error':
      return failed('it went wrong')
    case 'network':
      return failed('network is not ready: no address')
    case 'wrapped':
      return failed('stopped: context canceled')
    case 'cancelled':
      return cancelled
  }
}
