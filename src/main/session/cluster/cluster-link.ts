import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { OutageSwitch } from '../../cluster/transport/outage-switch.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { ClusterSession } from './cluster-session.ts'

type LinkResult = Result<Receipt, ActError>

/** Disconnects all nodes of a cluster from its API server, and reconnects them. */
export interface LinkCommands {
  readonly cutOff: () => LinkResult
  readonly reconnect: () => LinkResult
}

/** The same for one node. The caller checks whether it is allowed. */
export interface NodeLinks {
  readonly isCutOff: (node: string) => boolean
  readonly setCutOff: (node: string, isCutOff: boolean) => void
}

interface ClusterLinkDeps {
  readonly session: Pick<ClusterSession, 'setConnection' | 'setCutOff'>
  readonly trace: ClusterTrace
  readonly clock: { readonly catchUp: () => number }
  /** By the name of the node. */
  readonly links: ReadonlyMap<string, OutageSwitch>
  readonly readOnly: boolean
  /** Whether the API server is made to be down. */
  readonly isDown?: () => boolean
}

/** The connections of a sandbox's nodes to its API server. kubectl and the page keep theirs. */
export class ClusterLink implements LinkCommands, NodeLinks {
  readonly #deps: ClusterLinkDeps

  constructor(deps: ClusterLinkDeps) {
    this.#deps = deps
    this.#deps.session.setCutOff(new Set())
  }

  readonly cutOff = (): LinkResult =>
    this.#switchAll(true, 'Nodes disconnected from the API server')

  readonly reconnect = (): LinkResult =>
    this.#switchAll(false, 'Nodes reconnected to the API server')

  readonly isCutOff = (node: string): boolean => this.#deps.links.get(node)?.isCut ?? false

  readonly setCutOff = (node: string, isCutOff: boolean): void => {
    const link = this.#deps.links.get(node)
    this.#deps.clock.catchUp()
    if (isCutOff) link?.cut()
    else link?.restore()
    this.#publish()
  }

  /** After the switches were set elsewhere. */
  refresh(): void {
    this.#publish()
  }

  #switchAll(cut: boolean, message: string): LinkResult {
    if (this.#deps.readOnly) return readOnly
    const changed = [...this.#deps.links].filter(([, link]) => link.isCut !== cut)
    if (changed.length === 0) return ok({ message })
    this.#deps.clock.catchUp()
    this.#deps.trace.emit('', {
      kind: 'cluster.linkSwitched',
      subject: { kind: 'cluster' },
      causes: [],
      data: { cut },
    })
    for (const [, link] of changed)
      if (cut) link.cut()
      else link.restore()
    this.#publish()
    return ok({ message })
  }

  #publish(): void {
    const cut = new Set([...this.#deps.links.keys()].filter(this.isCutOff))
    this.#deps.session.setCutOff(cut)
    const isDown = this.#deps.isDown?.() === true
    const message = isDown
      ? 'The API server is down, made so in Nodescope (fault Outage).'
      : 'The nodes were disconnected from the API server in Nodescope.'
    this.#deps.session.setConnection(
      !isDown && cut.size < this.#deps.links.size
        ? { kind: 'connected' }
        : { kind: 'away', since: Date.now(), retryAt: null, message },
    )
  }
}

const readOnly = err({
  kind: 'read-only',
  message: 'Nodescope was started with --read-only.',
} as const)

const sandboxOnly = err({
  kind: 'refused',
  message: 'Only nodes of a sandbox can be disconnected.',
} as const)

/** For a joined cluster: Nodescope does not cut the connection to a real API server. */
export const noLinkCommands: LinkCommands = {
  cutOff: () => sandboxOnly,
  reconnect: () => sandboxOnly,
}
