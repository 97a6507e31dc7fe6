import { compareQuantities, parseQuantity } from '../../src/shared/kubernetes/quantity.ts'
import type { TraceEvent, TraceSeq } from '../../src/shared/model/trace-event.ts'
import { criticalBecause } from '../../src/main/kubelet/pod/identity.ts'
import type { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import type { ReportViolation } from './invariants.ts'

type Met = TraceEvent & { readonly kind: 'eviction.thresholdMet' }

/** Looks at what the eviction managers do (invariants 40 to 42). */
export class PressureWatch {
  readonly #cluster: MemorySandbox
  readonly #report: ReportViolation
  readonly #met = new Map<TraceSeq, Met>()
  /** By node: the pod that is being evicted. */
  readonly #evicting = new Map<string, string>()
  /** How many evictions under pressure there were. */
  count = 0

  constructor(deps: { readonly cluster: MemorySandbox; readonly report: ReportViolation }) {
    this.#cluster = deps.cluster
    this.#report = deps.report
  }

  readonly take = (event: TraceEvent): void => {
    if (event.kind === 'agent.started' || event.kind === 'agent.stopped') {
      this.#evicting.delete(event.node)
    } else if (event.kind === 'eviction.thresholdMet') {
      this.#met.set(event.seq, event)
      this.#thresholdMet(event)
    } else if (event.kind === 'eviction.requested') {
      this.#requested(event)
    } else if (event.kind === 'eviction.completed' && event.subject.kind === 'pod') {
      if (this.#evicting.get(event.node) === event.subject.uid) this.#evicting.delete(event.node)
    }
  }

  #thresholdMet({ node, data, seq }: Met): void {
    const [least, available] = [parseQuantity(data.threshold), parseQuantity(data.available)]
    const isMet =
      least !== undefined && available !== undefined && compareQuantities(available, least) < 0
    const { memory, disk, pid } = this.#cluster.node(node).kubelet.evictionManager.pressure()
    if (!isMet) this.#report(42, `${node}: event ${seq}: ${data.available} is enough`)
    if (!memory && !disk && !pid) this.#report(42, `${node} is under no pressure`)
  }

  #requested({ node, subject, causes }: TraceEvent): void {
    if (subject.kind !== 'pod') return
    const pod = this.#cluster.node(node).kubelet.podManager.getPodByUID(subject.uid)
    if (pod !== undefined && criticalBecause(pod) !== '')
      this.#report(40, `${node} evicts ${subject.name}`)
    if (!causes.some((cause) => this.#met.has(cause))) return
    this.count++
    const before = this.#evicting.get(node)
    if (before !== undefined && before !== subject.uid)
      this.#report(41, `${node} evicts ${subject.name} while it evicts ${before}`)
    this.#evicting.set(node, subject.uid)
  }
}
