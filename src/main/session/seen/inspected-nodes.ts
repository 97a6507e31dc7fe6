import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { SeenNode } from '../../../shared/model/seen-cluster.ts'
import type { InspectRow, InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { CredentialSource } from '../../cluster/kubeconfig/credential.ts'
import { inspectNode } from '../../inspector/inspect-node.ts'
import type { InspectedNode } from '../../inspector/inspect-node.ts'
import type { WatchedObjects } from '../../inspector/node-objects.ts'
import type { Clock } from '../../kubelet/ports.ts'
import type { InferredWorkerState } from '../rows/pod-knowledge.ts'

export interface InspectedNodesDeps {
  readonly transport: Transport
  readonly credentials: CredentialSource
  readonly clock: Clock
  /** What is inferred about a pod, by the UID of its API object, has changed. */
  readonly onInferred: (node: string, uid: string) => void
  /** Fingerprints of the kubelets' certificates that the user accepted, by node. */
  readonly accepted: ReadonlyMap<string, string>
  /** Keeps one for the next time; null: it is no longer accepted. */
  readonly keepAccepted: (node: string, fingerprint: string | null) => void
  /** The number of static pods of a node's kubelet is known, or another one. */
  readonly onStatics: () => void
  /** The view of a node has changed, or no page looks at it any more. */
  readonly onView: (node: string) => void
  readonly openObjects: (node: string, onChange: () => void) => WatchedObjects
}

type ViewListener = (view: InspectView) => void

interface Inspection {
  readonly node: InspectedNode
  readonly listeners: Set<ViewListener>
  /** The rows of the last view, by the UID of their API objects. */
  rows: ReadonlyMap<string, InspectRow>
}

/** The nodes of a cluster that pages look at: each is watched and its kubelet read once, however many pages show it. */
export class InspectedNodes {
  readonly #deps: InspectedNodesDeps
  readonly #inspections = new Map<string, Inspection>()
  /** By node, also after the last page has left it. */
  readonly #statics = new Map<string, NonNullable<SeenNode['statics']>>()
  /** Fingerprints by node. */
  readonly #accepted: Map<string, string>

  constructor(deps: InspectedNodesDeps) {
    this.#deps = deps
    this.#accepted = new Map(deps.accepted)
  }

  /** The present view, and each that follows until `stop`. */
  watch(
    node: string,
    listener: ViewListener,
  ): { readonly view: InspectView; readonly stop: () => void } {
    const inspection = this.#inspections.get(node) ?? this.#open(node)
    inspection.listeners.add(listener)
    return {
      view: inspection.node.view(),
      stop: () => {
        inspection.listeners.delete(listener)
        if (inspection.listeners.size > 0 || this.#inspections.get(node) !== inspection) return
        this.#inspections.delete(node)
        for (const uid of inspection.rows.keys()) this.#deps.onInferred(node, uid)
        this.#deps.onView(node)
        void inspection.node.stop()
      },
    }
  }

  /** Undefined: no page looks at the node. */
  view(node: string): InspectView | undefined {
    return this.#inspections.get(node)?.node.view()
  }

  /** The static pods that a node's kubelet had when its /pods was last read; null: it was not. */
  statics(node: string): SeenNode['statics'] {
    return this.#statics.get(node) ?? null
  }

  /** The user has seen the fingerprint of the node's kubelet and trusts it; null: no longer. */
  accept(node: string, fingerprint: string | null): void {
    if (fingerprint === null) this.#accepted.delete(node)
    else this.#accepted.set(node, fingerprint)
    this.#deps.keepAccepted(node, fingerprint)
    void this.#inspections.get(node)?.node.askAgain()
  }

  /** What is concluded about a pod of a node that a page looks at. */
  conclusion(pod: Pod): InspectRow | undefined {
    return this.#inspections.get(pod.spec.nodeName ?? '')?.rows.get(pod.metadata.uid)
  }

  /** What its worker must be. */
  inferred(pod: Pod): InferredWorkerState | undefined {
    const { worker = null, because = '', why = null } = this.conclusion(pod) ?? {}
    return worker === null ? undefined : { worker, because, why }
  }

  async stop(): Promise<void> {
    const inspections = [...this.#inspections.values()]
    this.#inspections.clear()
    await Promise.all(inspections.map(({ node }) => node.stop()))
  }

  #open(nodeName: string): Inspection {
    const { openObjects, transport, credentials, clock } = this.#deps
    const listeners = new Set<ViewListener>()
    const node = inspectNode({
      transport,
      credentials,
      clock,
      nodeName,
      openObjects: (onChange) => openObjects(nodeName, onChange),
      acceptedFingerprint: () => this.#accepted.get(nodeName),
      onView: (view) => {
        this.#take(nodeName, inspection, view)
        for (const listener of listeners) listener(view)
        this.#deps.onView(nodeName)
      },
    })
    const inspection: Inspection = { node, listeners, rows: new Map() }
    this.#inspections.set(nodeName, inspection)
    this.#deps.onView(nodeName)
    return inspection
  }

  #take(node: string, inspection: Inspection, view: InspectView): void {
    this.#countStatics(node, view)
    const before = inspection.rows
    inspection.rows = new Map(
      view.rows.flatMap((row) => (row.apiUid === null ? [] : [[row.apiUid, row]])),
    )
    for (const [uid, row] of inspection.rows)
      if (conclusion(row) !== conclusion(before.get(uid))) this.#deps.onInferred(node, uid)
  }

  #countStatics(node: string, { kubelet, rows, at }: InspectView): void {
    if (kubelet.contact !== 'answers') return
    const count = rows.filter(({ isStatic, told }) => isStatic && typeof told === 'string').length
    const before = this.#statics.get(node)?.count
    this.#statics.set(node, { count, at })
    if (count !== before) this.#deps.onStatics()
  }
}

function conclusion(row: InspectRow | undefined): string {
  return row === undefined ? '' : `${row.worker} ${row.because} ${JSON.stringify(row.why)}`
}
