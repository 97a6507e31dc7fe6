import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { OutageSwitch } from '../../cluster/transport/outage-switch.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { ClusterSession } from './cluster-session.ts'

type LinkAnswer = Result<Receipt, ActError>

/** The way from the nodes of a cluster to its API server, as a person can cut it. */
export interface LinkCommands {
  readonly cutOff: () => LinkAnswer
  readonly reconnect: () => LinkAnswer
}

/** The same for one node at a time; what it is told is not asked whether it may. */
export interface NodeLinks {
  readonly isCutOff: (node: string) => boolean
  readonly cutOffNode: (node: string) => void
  readonly reconnectNode: (node: string) => void
}

interface ClusterLinkDeps {
  readonly session: Pick<ClusterSession, 'setConnection' | 'setCutOff'>
  readonly trace: ClusterTrace
  readonly clock: { readonly catchUp: () => number }
  /** By the name of the node. */
  readonly links: ReadonlyMap<string, OutageSwitch>
  readonly readOnly: boolean
}

/** The way within a sandbox: one node loses it, or all of them together; kubectl and the page do not. */
export class ClusterLink implements LinkCommands, NodeLinks {
  readonly #deps: ClusterLinkDeps

  constructor(deps: ClusterLinkDeps) {
    this.#deps = deps
    this.#deps.session.setCutOff(new Set())
  }

  readonly cutOff = (): LinkAnswer => {
    if (this.#deps.readOnly) return readOnly
    this.#switchAll(true)
    return ok({ message: 'Nodes disconnected from the API server' })
  }

  readonly reconnect = (): LinkAnswer => {
    if (this.#deps.readOnly) return readOnly
    this.#switchAll(false)
    return ok({ message: 'Nodes reconnected to the API server' })
  }

  readonly isCutOff = (node: string): boolean => this.#deps.links.get(node)?.isCut ?? false

  readonly cutOffNode = (node: string): void => {
    this.#deps.clock.catchUp()
    this.#deps.links.get(node)?.cut()
    this.#tell()
  }

  readonly reconnectNode = (node: string): void => {
    this.#deps.clock.catchUp()
    this.#deps.links.get(node)?.restore()
    this.#tell()
  }

  #switchAll(cut: boolean): void {
    const changed = [...this.#deps.links.values()].filter((link) => link.isCut !== cut)
    if (changed.length === 0) return
    this.#deps.clock.catchUp()
    this.#deps.trace.emit('', {
      kind: 'cluster.linkSwitched',
      subject: { kind: 'cluster' },
      causes: [],
      data: { cut },
    })
    for (const link of changed)
      if (cut) link.cut()
      else link.restore()
    this.#tell()
  }

  #tell(): void {
    const cut = new Set([...this.#deps.links.keys()].filter(this.isCutOff))
    this.#deps.session.setCutOff(cut)
    this.#deps.session.setConnection(
      cut.size < this.#deps.links.size
        ? { kind: 'connected' }
        : {
            kind: 'away',
            since: Date.now(),
            retryAt: null,
            message: 'The nodes were disconnected from the API server in Nodescope.',
          },
    )
  }
}

const readOnly = err({
  kind: 'read-only',
  message: 'Nodescope was started with --read-only.',
} as const)

/** Nobody cuts a real cluster's. */
export const noLinkCommands: LinkCommands = {
  cutOff: () => err(notOurs),
  reconnect: () => err(notOurs),
}

const notOurs: ActError = {
  kind: 'refused',
  message: 'Only nodes of a sandbox can be disconnected.',
}
