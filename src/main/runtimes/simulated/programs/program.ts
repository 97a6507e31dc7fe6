import type { LinuxContainerUser } from '../../../kubelet/cri-types.ts'
import type { FileError } from '../files/file-error.ts'
import { fileErrorText } from '../files/file-error.ts'
import type { FileContent } from '../files/file-node.ts'
import type { WorkingFolder } from '../files/working-folder.ts'
import type { ContainerNetwork } from '../network/container-network.ts'
import type { Input } from '../process/byte-streams.ts'
import type { Running, ShownProcess } from '../process/running.ts'
import type { Signal } from '../process/signals.ts'
import type { Dialect, OutputStream } from '../shell/syntax/syntax.ts'
import { Unreadable } from '../shell/unreadable.ts'

/** What a program works with while it runs. */
export interface ProgramIo {
  readonly stdin: Input
  readonly files: WorkingFolder
  readonly now: () => number
  /** Waits while a pipe is full. A failure ends the program. */
  readonly write: (text: string, stream?: OutputStream) => Running<void>
  /** Continues the waiting program when the file changes. */
  readonly wakeOnChange: (file: FileContent) => void
  readonly network: ContainerNetwork
  /** All of the container, by their ids. */
  readonly processes: () => readonly ShownProcess[]
  readonly signal: (pid: number, signal: Signal) => void
  /** Continues waiting programs, after what a connection has changed. */
  readonly wake: () => void
}

/** The effect of a program. `output` is its standard output, with unknownText for unknown parts. */
export type ProgramEffect =
  | { readonly kind: 'ends'; readonly status: number; readonly output: string }
  | { readonly kind: 'sleeps'; readonly ms: number }
  | { readonly kind: 'runs'; readonly run: (io: ProgramIo) => Running<number> }

interface ShellContext {
  readonly script: {
    readonly dialect: Dialect
    readonly image: string
    /** Undefined: not known. */
    readonly user?: LinuxContainerUser | undefined
  }
  /** The variables of the environment. */
  readonly exportedNames: () => readonly string[]
}

/** `output` as it is, with its last line break. */
export function ends(status: number, output = ''): ProgramEffect {
  return { kind: 'ends', status, output }
}

/** What a program reads. `now`: ms since the epoch; the environment returns undefined for unset variables. */
export interface ProgramContext {
  readonly now: number
  readonly environment: (name: string) => string | undefined
  /** Undefined while a script is only checked. */
  readonly files: WorkingFolder | undefined
  /** Undefined while a script is only checked. */
  readonly shell?: ShellContext
}

export interface Program {
  /** Also called to check a script: it changes nothing until the effect runs. Throws Unreadable. */
  readonly run: (operands: readonly string[], surroundings: ProgramContext) => ProgramEffect
  /** It takes no time, exits 0, and its operands affect only its output. */
  readonly onlyPrints?: true
}

/** A program that reads its operands first, so that unreadable ones are found before anything runs. */
export function programOf(
  read: (operands: readonly string[]) => (io: ProgramIo) => Running<number>,
): Program {
  return { run: (operands) => ({ kind: 'runs', run: read(operands) }) }
}

export interface Options {
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  readonly rest: readonly string[]
}

/** Splits operands by getopt's rules. Throws Unreadable for others than these letters and words. */
export function optionsOf(
  name: string,
  operands: readonly string[],
  known: { readonly flags: string; readonly values?: string; readonly long?: readonly string[] },
): Options {
  const flags = new Set<string>()
  const values = new Map<string, string>()
  const rest: string[] = []
  const left = [...operands]
  for (let operand = left.shift(); operand !== undefined; operand = left.shift()) {
    if (operand === '--') break
    if (operand.startsWith('--') && known.long?.includes(operand.slice(2)) === true) {
      flags.add(operand.slice(2))
    } else if (operand.startsWith('-') && operand !== '-') {
      for (let letters = operand.slice(1); letters !== ''; letters = letters.slice(1)) {
        const letter = letters.charAt(0)
        if (known.values?.includes(letter) === true) {
          values.set(letter, letters.slice(1) || (left.shift() ?? ''))
          break
        }
        if (!known.flags.includes(letter)) throw new Unreadable(`${name} ${operand}`)
        flags.add(letter)
      }
    } else rest.push(operand)
  }
  return { flags, values, rest: [...rest, ...left] }
}

/** `rm: can't remove '/x': No such file or directory`. */
export function* complain(io: ProgramIo, text: string, error?: FileError): Running<void> {
  yield* io.write(`${text}${error === undefined ? '' : `: ${fileErrorText(error)}`}\n`, 'stderr')
}
