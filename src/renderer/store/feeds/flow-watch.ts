import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type { FlowView } from '../../../shared/model/flow.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { KeyedRequests } from '../requests/keyed-requests.ts'
import { isSameNode } from '../shown-node.ts'
import { text } from '../../text/text.ts'

/** The shortest time between two renderings of the diagram. */
const paceMs = 200

/**
 * The flow of one node as main last sent it; not part of the state, since it changes too often to be copied.
 * Listeners are called at most five times a second. Without a watched node, main sends nothing.
 */
export class FlowWatch {
  readonly #request: KeyedRequest<NodeRef, FlowView>
  readonly #listeners = new Set<() => void>()
  #view: FlowView | null = null
  #next: FlowView | null = null
  #throttle: ReturnType<typeof setTimeout> | undefined

  constructor({ bridge, requests }: { readonly bridge: Bridge; readonly requests: KeyedRequests }) {
    this.#request = requests.add<NodeRef, FlowView>(text.frame.requests.flow, {
      ask: (node) => bridge.request('flow.watch', { node }),
      unsubscribe: () => bridge.request('flow.watch', { node: null }),
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
    // Never show one node's numbers under another node's name.
    if (shown !== null && node !== null && !isSameNode(shown, node)) this.#clear()
    this.#request.setKey(node)
  }

  receive(view: FlowView): void {
    this.#request.receive({ cluster: view.cluster, node: view.node }, view)
  }

  stop(): void {
    clearTimeout(this.#throttle)
    this.#throttle = undefined
    this.#next = null
  }

  #show(view: FlowView | null): void {
    this.#next = view
    if (this.#throttle === undefined) this.#publish()
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
    this.#throttle = setTimeout(() => {
      this.#throttle = undefined
      this.#publish()
    }, paceMs)
    for (const listener of this.#listeners) listener()
  }
}
