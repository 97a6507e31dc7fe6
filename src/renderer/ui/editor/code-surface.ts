/** A problem with its line and column, from 1; null if unknown. */
export interface CodeProblem {
  readonly line: number | null
  readonly column: number | null
  readonly message: string
}

/** A range of the text, in UTF-16 units from its beginning. */
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
  /** Called with whether Tab now indents; at first it moves the focus. */
  readonly onTabIndents: (does: boolean) => void
}

/** The interface to the editor or the plain text area. */
export interface CodeSurface {
  /** Keeps scroll position, folds and cursor as far as the new text allows. */
  readonly setText: (text: string) => void
  readonly setProblems: (problems: readonly CodeProblem[]) => void
  /** Marks the matches and scrolls to the one at `current`. */
  readonly setMatches: (matches: readonly CodeRange[], current: number) => void
  /** Moves cursor and focus there. */
  readonly reveal: (line: number, column: number) => void
  readonly focus: () => void
  readonly hasFocus: () => boolean
  readonly close: () => void
}

export type OpenCodeSurface = (options: CodeSurfaceOptions) => CodeSurface
