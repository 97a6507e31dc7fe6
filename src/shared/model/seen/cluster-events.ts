/** One event of the API in a cluster that is looked at. Times are ms since 1970 on the server's clock. */
export interface ClusterEventView {
  readonly uid: string
  readonly type: string
  readonly reason: string
  readonly message: string
  /** Component that reported it: `kubelet`, `default-scheduler`. */
  readonly source: string
  /** Node of the component; empty if it does not say. */
  readonly node: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface ClusterEventList {
  /** Newest first, at most 1000. */
  readonly events: readonly ClusterEventView[]
  /** How many there are in all. */
  readonly total: number
  /** Why the list is not whole; else empty. */
  readonly note: string
}
