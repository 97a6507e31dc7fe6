/** A function that awk has itself. */
export type BuiltinFunction =
  | 'length'
  | 'substr'
  | 'index'
  | 'split'
  | 'sub'
  | 'gsub'
  | 'match'
  | 'sprintf'
  | 'toupper'
  | 'tolower'
  | 'int'

/** What can be assigned to. */
export type Place =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly index: Expression }
  | { readonly kind: 'element'; readonly array: string; readonly key: readonly Expression[] }

export type Expression =
  | Place
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'expression'; readonly pattern: string }
  | {
      readonly kind: 'assign'
      readonly operator: string
      readonly to: Place
      readonly value: Expression
    }
  | { readonly kind: 'step'; readonly by: 1 | -1; readonly isBefore: boolean; readonly of: Place }
  | { readonly kind: 'unary'; readonly operator: '!' | '-' | '+'; readonly of: Expression }
  | {
      readonly kind: 'binary'
      /** `' '` puts two texts together. */
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'choice'
      readonly test: Expression
      readonly met: Expression
      readonly otherwise: Expression
    }
  | { readonly kind: 'in'; readonly key: Expression; readonly array: string }
  | { readonly kind: 'call'; readonly name: BuiltinFunction; readonly given: readonly Expression[] }

export type Statement =
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'expression'; readonly value: Expression }
  | {
      readonly kind: 'print' | 'printf'
      readonly given: readonly Expression[]
      readonly stream: 'stdout' | 'stderr'
    }
  | {
      readonly kind: 'if'
      readonly test: Expression
      readonly met: Statement
      readonly otherwise?: Statement
    }
  | {
      readonly kind: 'loop'
      /** Absent: always true. */
      readonly test?: Expression
      readonly body: Statement
      readonly after?: Statement
      readonly isTestedAfter: boolean
    }
  | {
      readonly kind: 'each'
      readonly name: string
      readonly array: string
      readonly body: Statement
    }
  | { readonly kind: 'next' | 'break' | 'continue' }
  | { readonly kind: 'exit'; readonly status?: Expression }
  | { readonly kind: 'delete'; readonly array: string; readonly key?: readonly Expression[] }

export interface Rule {
  readonly pattern:
    'BEGIN' | 'END' | 'always' | { readonly from: Expression; readonly to?: Expression }
  readonly action: Statement
}
