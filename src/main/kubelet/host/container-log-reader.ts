/** A line that a container printed; a part of one if `isWhole` is false. */
export interface ContainerLogLine {
  /** ms since the epoch. */
  readonly at: number
  readonly stream: 'stdout' | 'stderr'
  readonly isWhole: boolean
  /** Without its newline. */
  readonly text: string
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
}
