import type { ActError } from '../../../shared/ipc/contract.ts'
import type { ChangesView } from '../../../shared/model/seen-cluster.ts'
import { onlyLookedAt, startedReadOnly } from '../../../shared/model/forecast/read-only.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

/** How long changes are allowed after the last one. */
const allowedForMs = 15 * 60_000

interface ChangesDeps {
  readonly clock: Clock
  /** Fixed by --read-only. */
  readonly isFixed: boolean
  readonly onChange: () => void
}

/** Whether the user allows changes to a cluster. It ends by itself, and is remembered nowhere. */
export class Changes {
  readonly #deps: ChangesDeps
  #endsAt: number | undefined
  #cancel: CancelTimer | undefined

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  get areAllowed(): boolean {
    return this.#endsAt !== undefined
  }

  /** Why nothing may be changed now, in one sentence; empty if it may. */
  refusal(cluster: string): string {
    if (this.#deps.isFixed) return startedReadOnly
    return this.areAllowed ? '' : onlyLookedAt(cluster)
  }

  view(): ChangesView {
    return this.#endsAt === undefined
      ? { kind: 'readOnly', isFixed: this.#deps.isFixed }
      : { kind: 'allowed', endsAt: this.#endsAt }
  }

  allow(): Result<null, ActError> {
    if (this.#deps.isFixed) return err({ kind: 'read-only', message: startedReadOnly })
    this.#allowFromNow()
    return ok(null)
  }

  /** A change has begun: the time starts again. */
  extend(): void {
    if (this.areAllowed) this.#allowFromNow()
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#endsAt === undefined) return
    this.#endsAt = undefined
    this.#deps.onChange()
  }

  #allowFromNow(): void {
    const { clock, onChange } = this.#deps
    this.#cancel?.()
    this.#endsAt = clock.now() + allowedForMs
    this.#cancel = clock.after(allowedForMs, () => {
      this.end()
    })
    onChange()
  }
}
