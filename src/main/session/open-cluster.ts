import type { Transport } from '../../shared/kubernetes/request.ts'
import type { VirtualClock } from '../clock/virtual-clock.ts'
import type { ApiClient } from '../kubelet/ports.ts'
import type { NodeCommands } from './node-commands.ts'
import type { ServedCluster } from './session-server.ts'
import type { StartError } from './start-session.ts'

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
