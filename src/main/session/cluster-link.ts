import type { ActError, Receipt } from '../../shared/ipc/contract.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { OutageSwitch } from '../cluster/outage-switch.ts'
import type { ClusterTrace } from '../kubelet/trace.ts'
import type { ClusterSession } from './cluster-session.ts'

type LinkAnswer = Result<Receipt, ActError>

/** The way from the nodes of a cluster to its API server, as a person can cut it. */
export interface LinkCommands {
  readonly cutOff: () => LinkAnswer
  readonly reconnect: () => LinkAnswer
}

/** The way within a sandbox: all its nodes lose it together, kubectl and the page do not. */
export class ClusterLink implements LinkCommands {
  readonly #session: Pick<ClusterSession, 'setConnection' | 'setStanding'>
  readonly #trace: ClusterTrace
  readonly #clock: { readonly catchUp: () => number }
  readonly #links: readonly OutageSwitch[]
  readonly #readOnly: boolean
  #isCut = false

  constructor(deps: {
    readonly session: Pick<ClusterSession, 'setConnection' | 'setStanding'>
    readonly trace: ClusterTrace
    readonly clock: { readonly catchUp: () => number }
    readonly links: readonly OutageSwitch[]
    readonly readOnly: boolean
  }) {
    this.#session = deps.session
    this.#trace = deps.trace
    this.#clock = deps.clock
    this.#links = deps.links
    this.#readOnly = deps.readOnly
    this.#session.setStanding({ isCutOff: false })
  }

  readonly cutOff = (): LinkAnswer => {
    if (this.#readOnly) return readOnly
    if (!this.#isCut) {
      this.#switch(true)
      for (const link of this.#links) link.cut()
      this.#session.setConnection({
        kind: 'away',
        since: Date.now(),
        retryAt: null,
        message: 'The nodes were disconnected from the API server in Nodescope.',
      })
    }
    return ok({ message: 'Nodes disconnected from the API server' })
  }

  readonly reconnect = (): LinkAnswer => {
    if (this.#readOnly) return readOnly
    if (this.#isCut) {
      this.#switch(false)
      for (const link of this.#links) link.restore()
      this.#session.setConnection({ kind: 'connected' })
    }
    return ok({ message: 'Nodes reconnected to the API server' })
  }

  #switch(cut: boolean): void {
    this.#clock.catchUp()
    this.#isCut = cut
    this.#session.setStanding({ isCutOff: cut })
    this.#trace.emit('', {
      kind: 'cluster.linkSwitched',
      subject: { kind: 'cluster' },
      causes: [],
      data: { cut },
    })
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
