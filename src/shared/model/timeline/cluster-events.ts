/** One event of the API. Times are ms since 1970 on the server's clock. */
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
  /** UID of what it is about; of a static pod's mirror its own or the kubelet's. */
  readonly about: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
}

/** Which events, and which page of them. */
export interface ClusterEventQuery {
  /** Null: of all nodes; else those that its components reported or that are about it. */
  readonly node: string | null
  /** Empty: of all. */
  readonly namespace: string
  /** Words that kind, name, reason, message or component must have; empty: all. */
  readonly filter: string
  readonly onlyWarnings: boolean
  /** How many newer ones come before. */
  readonly skip: number
}

/** The most events of a page. */
export const eventsPerPage = 200

export interface ClusterEventList {
  /** Newest first, at most `eventsPerPage`. */
  readonly events: readonly ClusterEventView[]
  /** How many match. */
  readonly matching: number
  /** How many there are in all. */
  readonly total: number
  /** Those of all events, by name. */
  readonly namespaces: readonly string[]
  /** Why the list is not whole; else empty. */
  readonly note: string
}

export const noEvents: Omit<ClusterEventList, 'note'> = {
  events: [],
  matching: 0,
  total: 0,
  namespaces: [],
}
