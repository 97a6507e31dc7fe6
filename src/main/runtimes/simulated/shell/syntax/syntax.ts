/** `sh`: what busybox and dash agree on; `bash` adds a little. */
export type Dialect = 'sh' | 'bash'

/** What to take instead of a value (`-`, `+`), how to fail without one (`?`), and what to remove of it (POSIX 2.6.2). */
export type VariableOperator = '-' | ':-' | '+' | ':+' | '?' | ':?' | '%' | '%%' | '#' | '##'

/** A piece of a word. `isQuoted` pieces are neither split nor dropped when empty. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | {
      readonly kind: 'variable'
      readonly name: string
      /** `${name[index]}`, only in bash. */
      readonly index?: Word | '@' | '*'
      /** `${#name}`. */
      readonly isLength?: true
      /** `${name:-word}` and its like. */
      readonly operation?: { readonly operator: VariableOperator; readonly word: Word }
      readonly isQuoted: boolean
    }
  | { readonly kind: 'arithmetic'; readonly expression: Word; readonly isQuoted: boolean }
  | { readonly kind: 'substitution'; readonly list: CommandList; readonly isQuoted: boolean }
  /** A pattern of file names. */
  | { readonly kind: 'glob'; readonly text: string }

export type Word = readonly WordPart[]

export interface Assignment {
  readonly name: string
  readonly value: Word
  /** `name=(a b)`, only in bash; the value is empty then. */
  readonly items?: readonly Word[]
}

export type OutputStream = 'stdout' | 'stderr'

/** The standard input, output and error. */
export type Descriptor = 0 | 1 | 2

/** Where a stream of a command comes from or goes to. `duplicate`: to another stream, or closed by `-`. */
export interface Redirection {
  readonly descriptor: Descriptor
  readonly kind: 'read' | 'write' | 'append' | 'duplicate' | 'text'
  /** A path, a descriptor, or the text of a here-document. */
  readonly target: Word
}

interface Redirected {
  /** In order. */
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
  | {
      readonly kind: 'case'
      readonly word: Word
      readonly branches: readonly {
        readonly patterns: readonly Word[]
        readonly body: CommandList
      }[]
    }
  /** At least two commands; the output of each is the input of the next. */
  | { readonly kind: 'pipeline'; readonly commands: readonly Command[] }
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
