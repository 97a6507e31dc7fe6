import type { TraceEvent, TraceSubject } from '../../shared/model/trace-event.ts'
import { SubjectHistory } from './subject-history.ts'

/** Undefined: no history of its own. Leases and events are written without end, and no view shows their history. */
function idOf(subject: TraceSubject): string | undefined {
  switch (subject.kind) {
    case 'pod':
      return subject.uid
    case 'object':
      return subject.resource === 'pods' ? subject.uid : undefined
    case 'source':
      return subject.source
    case 'node':
    case 'cluster':
      return ''
  }
}

/** Objects and the cluster belong to no node. */
function nodeOf({ kind }: TraceSubject, node: string): string {
  return kind === 'object' || kind === 'cluster' ? '' : node
}

type ById = Map<string, SubjectHistory>

/**
 * The histories of a trace's subjects. When there are too many, those that were made first go first, of the kind and node that
 * have the most: a list of all in order would take memory for every pod.
 */
export class SubjectHistories {
  readonly #limit: number
  /** By kind, then by node: a key of all three would be made for every event. */
  readonly #byKind = new Map<TraceSubject['kind'], Map<string, ById>>()
  #size = 0

  constructor(deps: { readonly limit: number }) {
    this.#limit = deps.limit
  }

  get size(): number {
    return this.#size
  }

  /** Those of one kind. */
  *ofKind(kind: TraceSubject['kind']): Iterable<SubjectHistory> {
    for (const byId of this.#byKind.get(kind)?.values() ?? []) yield* byId.values()
  }

  get(subject: TraceSubject, node: string): SubjectHistory | undefined {
    const id = idOf(subject)
    if (id === undefined) return undefined
    return this.#byKind.get(subject.kind)?.get(nodeOf(subject, node))?.get(id)
  }

  /** Of the event's subject; made if there is none, unless the subject has none of its own. */
  ofEvent(event: TraceEvent): SubjectHistory | undefined {
    const { subject, node } = event
    const known = this.get(subject, node)
    const id = idOf(subject)
    if (known !== undefined || id === undefined) return known
    const history = new SubjectHistory(event)
    this.#mapOf(subject, node).set(id, history)
    this.#size++
    if (this.#size > this.#limit) this.#deleteOldest()
    return history
  }

  delete(subject: TraceSubject, node: string): void {
    const id = idOf(subject)
    if (id !== undefined && this.#mapOf(subject, node).delete(id)) this.#size--
  }

  #deleteOldest(): void {
    let most: ById = new Map()
    for (const byNode of this.#byKind.values())
      for (const byId of byNode.values()) if (byId.size > most.size) most = byId
    const [oldest] = most.keys()
    if (oldest !== undefined && most.delete(oldest)) this.#size--
  }

  #mapOf(subject: TraceSubject, node: string): ById {
    const { kind } = subject
    const where = nodeOf(subject, node)
    const byNode = this.#byKind.get(kind) ?? new Map<string, ById>()
    const byId = byNode.get(where) ?? new Map<string, SubjectHistory>()
    this.#byKind.set(kind, byNode)
    byNode.set(where, byId)
    return byId
  }
}
