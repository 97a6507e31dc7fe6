import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { VirtualClock } from '../../clock/virtual-clock.ts'
import type { ApiClient } from '../../kubelet/ports.ts'
import type { NodeCommands } from './node-commands.ts'
import type { ManifestDesk } from '../manifests/manifest-desk.ts'
import type { PodInquiry } from '../rows/pod-inquiry.ts'
import type { StartError } from '../start-error.ts'
import type { ClockCommands } from './clock-commands.ts'
import type { LinkCommands } from './cluster-link.ts'
import type { ClusterSession } from './cluster-session.ts'
import type { PodCommands } from './pod-commands.ts'

/** What the session server answers requests about one cluster with. */
export interface ServedCluster {
  readonly session: ClusterSession
  readonly commands: PodCommands
  readonly clock: ClockCommands
  readonly inquiry: PodInquiry
  readonly nodes: NodeCommands
  readonly link: LinkCommands
  readonly manifests: ReadonlyMap<string, ManifestDesk>
  /** Asks a server that is away now. */
  readonly retryNow: () => void
}

/** A cluster that is open: what the session serves, what the terminal is told, and how it ends. */
export interface OpenCluster extends ServedCluster {
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  /** Settles where it is found out after the start that there may be none; `undefined`: it never is. */
  readonly refused: Promise<StartError> | undefined
  /** Ends it; as a kubelet it writes nothing on the way out, unless it was told to. */
  readonly stop: () => Promise<void>
}

/** A sandbox that is open, with what only it can be told. */
export interface OpenSandbox extends OpenCluster {
  readonly virtualClock: VirtualClock
  readonly nodes: NodeCommands
  /** As the person at the dashboard. */
  readonly admin: ApiClient
  /** The same for requests of any form. */
  readonly adminTransport: Transport
}
