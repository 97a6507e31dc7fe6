import type { Input } from '../process/byte-streams.ts'
import type { Running } from '../process/running.ts'
import { Unreadable } from '../shell/unreadable.ts'
import type { ProgramIo } from './program.ts'
import { complain } from './program.ts'

/** More input at once is refused, because it would use up the program's memory. */
const maxText = 32 * 1024 * 1024

function* untilReadable(input: Input): Running<void> {
  const isInterrupted = (): boolean => input.peek() !== '' || input.isAtEnd()
  if (!isInterrupted()) yield { until: Number.POSITIVE_INFINITY, isInterrupted }
}

/** The next line with its newline, or the rest without; undefined at the end. */
export function* nextLine(input: Input): Running<string | undefined> {
  for (;;) {
    const text = input.peek()
    const end = text.indexOf('\n') + 1
    if (end > 0) {
      input.take(end)
      return text.slice(0, end)
    }
    if (input.isAtEnd() && input.peek() === text) {
      input.take(text.length)
      return text === '' ? undefined : text
    }
    if (text.length > maxText) throw new Unreadable('a line that is too long')
    yield {
      until: Number.POSITIVE_INFINITY,
      isInterrupted: () => input.peek() !== text || input.isAtEnd(),
    }
  }
}

/** Everything up to the end. */
export function* wholeText(input: Input): Running<string> {
  let text = ''
  for (;;) {
    yield* untilReadable(input)
    const part = input.peek()
    if (part === '') return text
    input.take(part.length)
    text += part
    if (text.length > maxText) throw new Unreadable('an input that is too long')
  }
}

/** What is there, waiting if there is nothing; undefined at the end. */
export function* nextText(input: Input): Running<string | undefined> {
  yield* untilReadable(input)
  const text = input.peek()
  if (text === '') return undefined
  input.take(text.length)
  return text
}

/** The text of each file, or of the standard input for `-` and without files; undefined for what cannot be read. */
export function* textsOf(
  io: ProgramIo,
  program: string,
  names: readonly string[],
): Running<readonly { readonly name: string; readonly text: string | undefined }[]> {
  const texts: { name: string; text: string | undefined }[] = []
  for (const name of names.length === 0 ? ['-'] : names) {
    if (name === '-' || name === '/dev/stdin') {
      texts.push({ name: '-', text: yield* wholeText(io.stdin) })
      continue
    }
    const text = io.files.text(name)
    texts.push({ name, text: text.ok ? text.value : undefined })
    if (text.ok) continue
    // busybox opens a folder, and fails when it reads.
    yield* complain(io, `${program}: ${text.error === 'EISDIR' ? 'read error' : name}`, text.error)
  }
  return texts
}

/** Lines without their newlines. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
