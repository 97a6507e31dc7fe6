import type { ServedCluster } from './session-server.ts'

/** A cluster that is open: what the session serves, what the terminal is told, and how it ends. */
export interface OpenCluster extends ServedCluster {
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  /** Ends it; as a kubelet it writes nothing on the way out. */
  readonly stop: () => Promise<void>
}
