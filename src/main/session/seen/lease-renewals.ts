import type { Lease } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'

/** Five minutes of a kubelet that renews each 10 s. */
const kept = 30

export interface Renewals {
  /** The last ones, ms since 1970, oldest first. */
  readonly times: readonly number[]
  /** Since the first. */
  readonly count: number
}

const none: Renewals = { times: [], count: 0 }

/** When the leases of nodes were renewed, as far as it was seen. */
export class LeaseRenewals {
  readonly #nodes = new Map<string, Renewals>()

  take({ metadata: { name }, spec }: Lease): void {
    const time = timeOf(spec?.renewTime)
    const { times, count } = this.of(name)
    if (time === null || time === times.at(-1)) return
    this.#nodes.set(name, { times: [...times, time].slice(-kept), count: count + 1 })
  }

  forget(name: string): void {
    this.#nodes.delete(name)
  }

  of(name: string): Renewals {
    return this.#nodes.get(name) ?? none
  }
}
