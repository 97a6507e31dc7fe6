import { printable } from '../../shared/outside-text.ts'
import type { Exit } from './config.ts'
import { endProcess } from './end-process.ts'

/** Facts go to stdout, one a line, so that scripts can read them; sentences about trouble to stderr. */
export function printFact(fact: { readonly name: string; readonly value: string }): void {
  printLine(`${fact.name} ${fact.value}`)
}

/** Everything printed goes through here but the help: one line, whatever a server or a file put into it. */
export function writeLine(
  stream: { readonly write: (text: string) => unknown },
  line: string,
): void {
  stream.write(`${printable(line)}\n`)
}

/** One line for whoever started the program: what is about to be done to a cluster, for example. */
export function printLine(line: string): void {
  writeLine(process.stdout, line)
}

/** A sentence that scripts need not read. */
export function printTrouble(sentence: string): void {
  writeLine(process.stderr, sentence)
}

/** Help goes to stdout, the reason of a failed start to stderr. */
export function printExit(exit: Exit): void {
  // The help is ours, and has many lines.
  if (exit.exitCode === 0) process.stdout.write(`${exit.message}\n`)
  else printTrouble(exit.message)
}

/**
 * Says why the program ends and lets it end by itself, so that the sentence gets out whole; what still
 * runs then is cut off.
 */
export function endWith(exit: Exit): void {
  printExit(exit)
  process.exitCode = exit.exitCode
  setTimeout(() => void endProcess(exit.exitCode), 1_000).unref()
}

/** A reader that went away (`| head -1`) is no reason to stop. */
export function surviveClosedTerminal(): void {
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
}
