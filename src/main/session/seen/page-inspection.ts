import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { SendEvent } from '../session-channel.ts'
import type { InspectedNodes } from './inspected-nodes.ts'

interface PageInspectionDeps {
  readonly send: SendEvent
  /** Of an open cluster; undefined: its kubelets are this program, or it is not open. */
  readonly inspected: (cluster: string) => Pick<InspectedNodes, 'watch'> | undefined
}

/** The node that one page looks at, at most one. */
export class PageInspection {
  readonly #deps: PageInspectionDeps
  #stop: (() => void) | undefined

  constructor(deps: PageInspectionDeps) {
    this.#deps = deps
  }

  /** Looks at another node, or at none. */
  watch(ref: NodeRef | null): InspectView | undefined {
    const { send, inspected } = this.#deps
    this.#stop?.()
    this.#stop = undefined
    if (ref === null) return undefined
    const { cluster, node } = ref
    const watched = inspected(cluster)?.watch(node, (view) => {
      send('inspect.changed', { cluster, node, view })
    })
    this.#stop = watched?.stop
    return watched?.view
  }
}
