export type ClockCommand =
  | { readonly kind: 'pause' }
  | { readonly kind: 'run' }
  /** Pauses what runs, runs what is paused. */
  | { readonly kind: 'toggle' }
  | { readonly kind: 'step' }
  | { readonly kind: 'setSpeed'; readonly speed: number }
  | { readonly kind: 'faster' }
  | { readonly kind: 'slower' }

export interface ClockSlice {
  /** A step may take a moment; a second one waits for it. */
  readonly isClockBusy: boolean
  /** What the last step did, as one line; empty before the first and once the clock runs again. */
  readonly lastStep: string
  /** How many steps were taken in this run of the page. */
  readonly steps: number
  /** Whether the note on a clock ahead of the wall clock may show; dismissed, it returns only when asked for. */
  readonly isClockNoteWanted: boolean
  readonly commandClock: (command: ClockCommand) => Promise<void>
  readonly showClockNote: () => void
  /** For good: the page remembers it. */
  readonly dismissClockNote: () => void
}
