import type { PodKey } from '../pod-row.ts'

/** A port of this machine that leads to a port of a pod. */
export interface PortForwardView {
  readonly id: number
  readonly key: PodKey
  readonly port: number
  /** Of 127.0.0.1. */
  readonly localPort: number
  /** Connections now, and since it began. */
  readonly open: number
  readonly total: number
  /** Why the last connection failed; else empty. */
  readonly problem: string
}

export interface PodPorts {
  /** Ports that the containers name. Others can be forwarded as well. */
  readonly named: readonly {
    readonly port: number
    readonly name: string
    readonly container: string
  }[]
  readonly forwards: readonly PortForwardView[]
}
