import type { DiffLine } from './line-diff.ts'

/** A problem of a text that is to be applied. Line and column count from 1; null: not known. */
export interface ApplyProblem {
  readonly line: number | null
  readonly column: number | null
  readonly message: string
  /** Another field manager owns the field: `--force-conflicts` takes it over. */
  readonly isConflict: boolean
}

/** What kubectl apply says of an object; `failed`: it was refused, or the answer is not known. */
export type ApplyOutcome = 'created' | 'configured' | 'unchanged' | 'failed'

/** One object of the text. */
export interface ApplyObject {
  /** Where it begins. */
  readonly line: number
  /** As kubectl names it: `deployment.apps/web`. */
  readonly name: string
  /** Empty: it has none, or that is not known before the server is asked. */
  readonly namespace: string
}

/** One object after the dry run, or after it was applied. */
export interface AppliedObject extends ApplyObject {
  readonly outcome: ApplyOutcome
  /** From the stored object to the new one, without managedFields and status, cut around the changes. */
  readonly diff: readonly DiffLine[]
  /** Of the server, each a sentence, and why something could not be rehearsed. */
  readonly notes: readonly string[]
}

/** What a text says before any server is asked. */
export interface ApplyCheck {
  readonly objects: readonly ApplyObject[]
  readonly problems: readonly ApplyProblem[]
}

/** What the server has answered for each object, in the order of the text. */
export interface ApplyReport {
  readonly objects: readonly AppliedObject[]
  readonly problems: readonly ApplyProblem[]
}

export interface ApplyArgs {
  readonly cluster: string
  readonly text: string
  /** Nothing is stored. */
  readonly dryRun: boolean
  /** Takes over fields that other managers own. */
  readonly force: boolean
}
