import type { Lease } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'

/** Five minutes of a kubelet that renews each 10 s. */
const kept = 30

/** When the leases of nodes were renewed, as far as it was seen. */
export class LeaseRenewals {
  readonly #times = new Map<string, readonly number[]>()

  take({ metadata: { name }, spec }: Lease): void {
    const time = timeOf(spec?.renewTime)
    const before = this.of(name)
    if (time === null || time === before.at(-1)) return
    this.#times.set(name, [...before, time].slice(-kept))
  }

  forget(name: string): void {
    this.#times.delete(name)
  }

  /** ms since 1970, oldest first. */
  of(name: string): readonly number[] {
    return this.#times.get(name) ?? []
  }
}
