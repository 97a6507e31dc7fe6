/** A place in a text, from 1; null where it is not known. */
export interface CodeProblem {
  readonly line: number | null
  readonly column: number | null
  readonly message: string
}

/** A stretch of the text, in UTF-16 units from its beginning. */
export interface CodeRange {
  readonly from: number
  readonly to: number
}

export interface CodeSurfaceOptions {
  readonly host: HTMLElement
  readonly text: string
  readonly label: string
  readonly language: 'yaml'
  readonly isReadOnly: boolean
  readonly onChange: (text: string) => void
  /** Ctrl or Cmd with S, and with F. */
  readonly onSave: () => void
  readonly onFind: () => void
  /** Whether Tab indents; it moves the focus until the user asks otherwise. */
  readonly onTabIndents: (does: boolean) => void
}

/** What shows and edits a text. Whatever it is made of, it is filled and read through this. */
export interface CodeSurface {
  /** Keeps scroll, folds and cursor as far as the new text has their places. */
  readonly setText: (text: string) => void
  readonly setProblems: (problems: readonly CodeProblem[]) => void
  /** Marks the matches; the one at `current` is brought into sight. */
  readonly setMatches: (matches: readonly CodeRange[], current: number) => void
  /** Puts cursor and focus there. */
  readonly reveal: (line: number, column: number) => void
  readonly focus: () => void
  readonly hasFocus: () => boolean
  readonly close: () => void
}

export type OpenCodeSurface = (options: CodeSurfaceOptions) => CodeSurface
