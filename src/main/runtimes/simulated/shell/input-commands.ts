import type { Input } from '../process/byte-streams.ts'
import type { Running } from '../process/running.ts'
import { nextLine } from '../programs/text-input.ts'
import type { Script } from './script.ts'
import { readList } from './script.ts'
import type { CommandList, Dialect } from './syntax/syntax.ts'
import { Unreadable } from './unreadable.ts'

/** What a shell reads from its input: commands, or what it prints of text that is not read. */
type InputCommand =
  | { readonly kind: 'list'; readonly list: CommandList }
  | { readonly kind: 'failure'; readonly text: string }

/** The next whole command, which may take several lines; undefined at the end. */
export function* nextCommand(shell: {
  readonly stdin: Input
  readonly scope: Pick<Script, 'dialect' | 'image' | 'functions'>
  readonly prompt: (isContinued: boolean) => void
}): Running<InputCommand | undefined> {
  const { stdin, scope, prompt } = shell
  let text = ''
  for (;;) {
    prompt(text !== '')
    const line = yield* nextLine(stdin)
    if (line === undefined && text === '') return undefined
    text += line ?? ''
    try {
      return { kind: 'list', list: readList(text, scope) }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const isIncomplete = /(found the end|is missing|is not closed)$/.test(error.message)
      if (!isIncomplete || line === undefined)
        return { kind: 'failure', text: notRead(scope.dialect, error.message) }
    }
  }
}

/** Said by the simulated shell only. */
export function notRead(dialect: Dialect, why: string): string {
  return `${dialect}: the simulated shell does not read this: ${why}\n`
}
