/** A line that a container printed; a part of one if `isWhole` is false. */
export interface ContainerLogLine {
  /** ms since the epoch. */
  readonly at: number
  readonly stream: 'stdout' | 'stderr'
  readonly isWhole: boolean
  /** Without its newline. A byte that is not part of UTF-8 is a lone low surrogate: U+DC80 to U+DCFF. */
  readonly text: string
}

/** A place in the log of a container. */
export interface ContainerLogCursor {
  /** The lines from there until now; the next call continues behind them. Lines that are no longer kept are missing. */
  readonly read: () => Promise<readonly ContainerLogLine[]>
  /** Whether the last `read` left lines that are there already, because they are many. Absent: it never does. */
  readonly isBehind?: () => boolean
  /** Resolves when there may be more lines, or with false when the container has ended or the cursor is closed. */
  readonly more: () => Promise<boolean>
  readonly close: () => void
}

/** Reads what containers have printed: for termination messages (FallbackToLogsOnError) and `kubectl logs`. */
export interface ContainerLogReader {
  /**
   * The last lines of a container, oldest first, at most `count`; parts of a line count as lines. Undefined if there is
   * no such container. Runtimes keep a bounded number of bytes, so that old lines may be missing.
   */
  readonly lastLogLines: (
    containerId: string,
    count: number,
  ) => Promise<readonly ContainerLogLine[] | undefined>
  /** A cursor at the last lines, at most `count`; Infinity: at the first. Undefined if there is no such container. */
  readonly openLog: (containerId: string, count: number) => Promise<ContainerLogCursor | undefined>
}
