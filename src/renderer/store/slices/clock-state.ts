export type ClockCommand =
  | { readonly kind: 'pause' | 'run' | 'toggle' | 'step' | 'faster' | 'slower' }
  | { readonly kind: 'setSpeed'; readonly speed: number }
  /** ms on the clock of a recording. */
  | { readonly kind: 'seek'; readonly at: number }

export interface ClockSlice {
  /** A step can take a moment; a second one waits for it. */
  readonly isClockBusy: boolean
  /** What the last step did, as one line; empty before the first step and once the clock runs again. */
  readonly lastStep: string
  /** The number of steps since the page was loaded. */
  readonly steps: number
  /** Whether the note on a clock ahead of the wall clock may show; dismissed, it returns only when asked for. */
  readonly isClockNoteWanted: boolean
  readonly commandClock: (command: ClockCommand) => Promise<void>
  readonly showClockNote: () => void
  /** Permanently: the browser stores it. */
  readonly dismissClockNote: () => void
}
