/** Where a page's copy of a log ends. */
export interface LogPlace {
  /** As in the status, with the runtime's name before it. */
  readonly containerId: string
  /** The time of its last line, ms since the epoch, without fractions. */
  readonly at: number
}

/** What to read of a container's log. */
export interface LogQuery {
  readonly container: string
  /** The container before the last restart. */
  readonly previous: boolean
  /** Only lines of the last seconds; null: all. Without effect together with `after`. */
  readonly sinceSeconds: number | null
  /** Only lines from that millisecond on: those of it come again. Null: from the beginning. */
  readonly after: LogPlace | null
}

/** Lines of one container, each with its time before it, as `kubectl logs --timestamps` prints them. */
export interface LogPart {
  readonly containerId: string
  readonly text: string
}

export interface PodLogs {
  /** Two if the container was restarted after `after`: the rest of that one, and its successor. */
  readonly parts: readonly LogPart[]
  /** Why there is no log, in the kubelet's words; else empty. */
  readonly error: string
}
