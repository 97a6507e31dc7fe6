/** `sh`: what busybox and dash agree on; `bash` adds a little. */
export type Dialect = 'sh' | 'bash'

/** A piece of a word. `isQuoted` pieces are neither split nor dropped when empty. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | {
      readonly kind: 'variable'
      readonly name: string
      /** `${name:-fallback}` and `${name-fallback}`. */
      readonly fallback?: { readonly word: Word; readonly alsoWhenEmpty: boolean }
      readonly isQuoted: boolean
    }
  | { readonly kind: 'arithmetic'; readonly expression: Word; readonly isQuoted: boolean }
  | { readonly kind: 'substitution'; readonly command: SimpleCommand; readonly isQuoted: boolean }
  /** A glob or a tilde: what it becomes depends on the container's files. */
  | { readonly kind: 'unknown'; readonly text: string }

export type Word = readonly WordPart[]

export interface Assignment {
  readonly name: string
  readonly value: Word
}

export type OutputStream = 'stdout' | 'stderr'

/** Where the streams of a command go; `file` is a file, /dev/null or closed. */
export interface Redirection {
  readonly streams: readonly OutputStream[]
  readonly to: OutputStream | 'file'
}

interface Redirected {
  /** Redirections of output, in order. The parser checks and drops those of input. */
  readonly redirections?: readonly Redirection[]
}

export interface SimpleCommand extends Redirected {
  readonly kind: 'simple'
  readonly assignments: readonly Assignment[]
  readonly words: readonly Word[]
}

export interface LoopCommand extends Redirected {
  readonly kind: 'loop'
  readonly isUntil: boolean
  readonly condition: CommandList
  readonly body: CommandList
}

export type Command = Redirected & CommandBody

type CommandBody =
  | SimpleCommand
  | LoopCommand
  | { readonly kind: 'group'; readonly body: CommandList }
  | { readonly kind: 'subshell'; readonly body: CommandList }
  | {
      readonly kind: 'if'
      readonly branches: readonly {
        readonly condition: CommandList
        readonly body: CommandList
      }[]
      readonly otherwise: CommandList
    }
  | {
      readonly kind: 'for'
      readonly name: string
      readonly words: readonly Word[]
      readonly body: CommandList
    }
  | { readonly kind: 'function'; readonly name: string; readonly body: Command }

export interface Step {
  readonly isNegated: boolean
  readonly command: Command
}

/** `a && b || c`, left to right; in the background if it ends in `&`. */
export interface AndOrList {
  readonly first: Step
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly step: Step }[]
  readonly isBackground: boolean
}

export type CommandList = readonly AndOrList[]

/** The text of a word without expansions; undefined for others. */
export function staticText(word: Word): string | undefined {
  let text = ''
  for (const part of word) {
    if (part.kind !== 'text') return undefined
    text += part.text
  }
  return text
}

/** A quoted word of this text. */
export function quotedWord(text: string): Word {
  return [{ kind: 'text', text, isQuoted: true }]
}

export function isVariableName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text)
}
