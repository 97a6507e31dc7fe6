import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import type { ReportViolation } from '../invariants.ts'

/** The control plane: its writes must have a cause outside it. */
const controlPlane = new Set(['system:kube-controller-manager', 'system:kube-scheduler'])

/**
 * The most writes of the control plane that one change of something else brings about: of the owners of a pod, their Services and
 * budgets, and of the pod that replaces it.
 */
const writesPerChange = 12
/** Writes that need no change: of what waits for a time. */
const freeWrites = 20

/** Counts who writes in a quiet hour (invariant 39). Events and leases do not count. */
export class QuietWrites {
  readonly #byObject = new Map<string, number>()
  #changes = 0
  #isCounting = false

  readonly take = (event: TraceEvent): void => {
    if (!this.#isCounting || event.kind !== 'request.received') return
    const { method, path, user } = event.data
    if (method === 'GET' || /\/(events|leases)(\/|$)/.test(path)) return
    if (!controlPlane.has(user)) this.#changes++
    else this.#byObject.set(path, (this.#byObject.get(path) ?? 0) + 1)
  }

  start(): void {
    this.#isCounting = true
  }

  stop(report: ReportViolation): void {
    this.#isCounting = false
    const total = [...this.#byObject.values()].reduce((sum, count) => sum + count, 0)
    if (total <= freeWrites + writesPerChange * this.#changes) return
    const [most] = [...this.#byObject].toSorted(([, a], [, b]) => b - a)
    report(
      39,
      `${total} writes after ${this.#changes} changes, most to ${most?.[0] ?? ''}: ${most?.[1] ?? 0}`,
    )
  }
}
