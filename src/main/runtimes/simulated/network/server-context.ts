import type { FileTree } from '../files/file-tree.ts'
import type { Listener } from './listener.ts'

/** A container whose command is not read, as its servers need it. */
export interface ServerContext {
  readonly image: string
  /** `command` and `args`. */
  readonly words: readonly string[]
  /** The TCP ports that the container declares. */
  readonly declaredPorts: readonly number[]
  readonly hostname: string
  readonly files: () => FileTree
  /** Prints to the container's standard output. */
  readonly log: (text: string) => void
  readonly now: () => number
  /** Since the container's start. */
  readonly ageMs: number
}

/** By port. */
export type Servers = ReadonlyMap<number, Listener>

/** The value of `--name=value` or `--name value`. */
export function flagOf({ words }: Pick<ServerContext, 'words'>, name: string): string | undefined {
  for (const [index, word] of words.entries()) {
    const match = /^--?([^=]+)(?:=(.*))?$/.exec(word)
    if (match?.[1] === name) return match[2] ?? words[index + 1]
  }
  return undefined
}
