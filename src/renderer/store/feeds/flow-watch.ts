import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type { FlowView } from '../../../shared/model/flow.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { KeyedRequests } from '../requests/keyed-requests.ts'
import { isSameNode } from '../shown-node.ts'

/** The picture is drawn at most this often, however often main tells. */
const paceMs = 200

/**
 * The flow of one node as main last told it, beside the state since it changes too often to be copied.
 * Listeners hear of it at most five times a second. Nothing is asked for while nobody watches.
 */
export class FlowWatch {
  readonly #request: KeyedRequest<NodeRef, FlowView>
  readonly #listeners = new Set<() => void>()
  #view: FlowView | null = null
  #next: FlowView | null = null
  #gate: ReturnType<typeof setTimeout> | undefined

  constructor({ bridge, requests }: { readonly bridge: Bridge; readonly requests: KeyedRequests }) {
    this.#request = requests.add<NodeRef, FlowView>('flow', {
      ask: (node) => bridge.request('flow.watch', { node }),
      leave: () => bridge.request('flow.watch', { node: null }),
      publish: ({ state, value }) => {
        if (state === 'live') this.#show(value)
      },
    })
  }

  current(): FlowView | null {
    return this.#view
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  watch(node: NodeRef | null): void {
    const shown = this.#view
    // One node's numbers never stand under another's name.
    if (shown !== null && node !== null && !isSameNode(shown, node)) this.#clear()
    this.#request.about(node)
  }

  receive(view: FlowView): void {
    this.#request.receive({ cluster: view.cluster, node: view.node }, view)
  }

  stop(): void {
    clearTimeout(this.#gate)
    this.#gate = undefined
    this.#next = null
  }

  #show(view: FlowView | null): void {
    this.#next = view
    if (this.#gate === undefined) this.#publish()
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
}
