import type { Bridge, NodeRef } from '../../shared/ipc/contract.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { CausalChain } from '../../shared/model/pod-objects.ts'
import type { TraceSeq } from '../../shared/model/trace-event.ts'
import { isSameNode } from './shown-node.ts'

/** The picture is drawn at most this often, however often main tells. */
const paceMs = 200
/** A cause goes on having effects; it is asked again at most this often. */
const chainPaceMs = 1000

/**
 * The flow of one node as main last told it, beside the state since it changes too often to be copied.
 * Listeners hear of it at most five times a second. Nothing is asked for while nobody watches.
 */
export class FlowWatch {
  readonly #bridge: Bridge
  readonly #listeners = new Set<() => void>()
  #wanted: NodeRef | null = null
  #isAsked = false
  #view: FlowView | null = null
  #next: FlowView | null = null
  #gate: ReturnType<typeof setTimeout> | undefined

  constructor(deps: { readonly bridge: Bridge }) {
    this.#bridge = deps.bridge
  }

  current(): FlowView | null {
    return this.#view
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  watch(node: NodeRef | null): void {
    if (isSameNode(node, this.#wanted)) return
    this.#wanted = node
    this.#isAsked = false
    const shown = this.#view
    // One node's numbers never stand under another's name.
    if (shown !== null && node !== null && !isSameNode(shown, node)) this.#clear()
    this.#ask()
  }

  /** After a new snapshot main has forgotten what this page watched. */
  again(): void {
    if (this.#wanted === null) return
    this.#isAsked = false
    this.#ask()
  }

  receive(view: FlowView): void {
    if (this.#wanted?.cluster !== view.cluster || this.#wanted.node !== view.node) return
    this.#next = view
    if (this.#gate === undefined) this.#publish()
  }

  stop(): void {
    clearTimeout(this.#gate)
    this.#gate = undefined
    this.#next = null
  }

  #clear(): void {
    this.#view = null
    this.#next = null
    for (const listener of this.#listeners) listener()
  }

  #publish(): void {
    if (this.#next === null) return
    this.#view = this.#next
    this.#next = null
    this.#gate = setTimeout(() => {
      this.#gate = undefined
      this.#publish()
    }, paceMs)
    for (const listener of this.#listeners) listener()
  }

  #ask(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    const node = this.#wanted
    this.#bridge.request('flow.watch', { node }).then(
      (view) => {
        if (view !== null && isSameNode(node, this.#wanted)) this.receive(view)
      },
      () => {
        // The connection is lost: the feed says so, and `again` follows when it is back.
        this.#isAsked = false
      },
    )
  }
}

/** What is known of a followed cause. `gone`: it has left main's rings. */
export type ChainState = 'none' | 'loading' | 'live' | 'gone'

/** Keeps the effects of one followed event current. One request is under way at a time. */
export class ChainWatch {
  readonly #bridge: Bridge
  readonly #publish: (chain: CausalChain | null, state: ChainState) => void
  #wanted: { readonly cluster: string; readonly seq: TraceSeq } | null = null
  #isAsking = false
  #isStale = false
  #gate: ReturnType<typeof setTimeout> | undefined

  constructor(deps: {
    readonly bridge: Bridge
    readonly publish: (chain: CausalChain | null, state: ChainState) => void
  }) {
    this.#bridge = deps.bridge
    this.#publish = deps.publish
  }

  watch(wanted: { readonly cluster: string; readonly seq: TraceSeq } | null): void {
    if (wanted?.seq === this.#wanted?.seq && wanted?.cluster === this.#wanted?.cluster) return
    this.#wanted = wanted
    this.#publish(null, wanted === null ? 'none' : 'loading')
    this.#isStale = true
    this.#ask()
  }

  /** Something moved since: it may be another effect. */
  again(): void {
    this.#isStale = true
    if (this.#gate === undefined) this.#ask()
  }

  stop(): void {
    clearTimeout(this.#gate)
    this.#gate = undefined
    this.#isStale = false
  }

  #ask(): void {
    const wanted = this.#wanted
    if (wanted === null || this.#isAsking || !this.#isStale) return
    this.#isAsking = true
    this.#isStale = false
    const { cluster, seq } = wanted
    this.#bridge.request('trace.related', { cluster, seq }).then(
      (chain) => {
        this.#isAsking = false
        if (wanted !== this.#wanted) {
          this.#ask()
          return
        }
        this.#publish(chain, chain === null ? 'gone' : 'live')
        this.#rest()
      },
      () => {
        this.#isAsking = false
        this.#isStale = true
        this.#rest()
      },
    )
  }

  #rest(): void {
    clearTimeout(this.#gate)
    this.#gate = setTimeout(() => {
      this.#gate = undefined
      this.#ask()
    }, chainPaceMs)
  }
}
