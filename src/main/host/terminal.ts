import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { printable } from '../../shared/untrusted-text.ts'
import type { Exit } from './config.ts'
import { endProcess } from './end-process.ts'

/** Facts go to stdout, one on a line, so that scripts can read them; notices go to stderr. */
export function printFact(fact: { readonly name: string; readonly value: string }): void {
  printLine(`${fact.name} ${fact.value}`)
}

/** Prints one line, without the control characters of texts from servers and files. Only the help does not use it. */
export function writeLine(
  stream: { readonly write: (text: string) => unknown },
  line: string,
): void {
  stream.write(`${printable(line)}\n`)
}

/** One line for the user, for example what the program is about to do to a cluster. */
export function printLine(line: string): void {
  writeLine(process.stdout, line)
}

/** A sentence for the user, not for scripts. */
export function printNotice(sentence: string): void {
  writeLine(process.stderr, sentence)
}

/** Asks for yes or no; no other answer than `y` and `yes` is a yes. Undefined: there is no terminal. */
export function terminalQuestion(
  input: NodeJS.ReadStream = process.stdin,
  output: NodeJS.WriteStream = process.stderr,
): ((question: string) => Promise<boolean>) | undefined {
  if (!input.isTTY || !output.isTTY) return undefined
  return async (question) => {
    // Ctrl C stays the terminal's: it ends the program.
    const lines = createInterface({ input, output, terminal: false })
    try {
      const closed = once(lines, 'close').then(() => '')
      const answer = await Promise.race([lines.question(`${printable(question)} [y/N] `), closed])
      return /^y(es)?$/i.test(answer.trim())
    } finally {
      lines.close()
    }
  }
}

/** Prints the help to stdout, or the reason of a failed start to stderr. */
export function printExit(exit: Exit): void {
  // The help has many lines.
  if (exit.exitCode === 0) process.stdout.write(`${exit.message}\n`)
  else printNotice(exit.message)
}

/** Prints why the program exits, and lets Node exit, so that the output is complete; ends the process after a second. */
export function exitWith(exit: Exit): void {
  printExit(exit)
  process.exitCode = exit.exitCode
  setTimeout(() => void endProcess(exit.exitCode), 1_000).unref()
}

/** A closed reader (`| head -1`) must not end the program. */
export function ignoreClosedOutput(): void {
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
}
