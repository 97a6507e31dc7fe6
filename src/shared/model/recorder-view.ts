/** The recording of an open cluster: the one that runs, or the last one. */
export interface RecorderView {
  /** The file, absolute. */
  readonly path: string
  /** ms on the system clock. */
  readonly since: number
  readonly isRunning: boolean
  /** Why it ended by itself, in one sentence; else empty. */
  readonly problem: string
}
