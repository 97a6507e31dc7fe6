import type { FileError } from '../files/file-error.ts'
import { fileErrorText } from '../files/file-error.ts'
import type { WorkingFolder } from '../files/working-folder.ts'
import { shellErrorOf, whyShellFindsNone } from '../process/image-programs.ts'
import { programNamed } from '../process/programs.ts'
import type { Running, ShellHost } from '../process/running.ts'
import { statusOf } from '../process/signals.ts'
import type { ProgramEffect, ProgramIo } from '../programs/program.ts'
import type { ShellStreams } from './redirect.ts'
import type { Script } from './script.ts'
import type { OutputStream } from './syntax/syntax.ts'
import { Unreadable } from './unreadable.ts'

/** Thrown inside a program whose output cannot be written. */
class WriteFailure extends Error {
  readonly reason: FileError | 'EPIPE'

  constructor(reason: FileError | 'EPIPE') {
    super(reason)
    this.reason = reason
  }
}

interface Surroundings {
  readonly host: ShellHost
  /** Whether it runs in the place of its shell, which is shown as the program. */
  readonly isWholeProcess: boolean
  readonly script: Pick<Script, 'dialect' | 'image' | 'user'>
  readonly streams: ShellStreams
  readonly files: WorkingFolder
  readonly now: () => number
  readonly environment: (name: string) => string | undefined
  readonly exportedNames: () => readonly string[]
}

/** Runs a program to its end. Returns its status; 141 if nothing reads its output any more. */
export function* runProgram(
  name: string,
  operands: readonly string[],
  surroundings: Surroundings,
): Running<number> {
  const { host } = surroundings
  const write = writerTo(surroundings)
  try {
    const effect = effectOf(name, operands, surroundings)
    if (effect.kind === 'sleeps') {
      if (effect.ms > 0) yield { until: host.now() + effect.ms }
      return 0
    }
    if (effect.kind === 'runs')
      return yield* effect.run(programIo(surroundings, [name, ...operands].join(' ')))
    if (effect.output !== '') yield* write(effect.output)
    return effect.status
  } catch (error) {
    if (!(error instanceof WriteFailure)) throw error
    if (error.reason === 'EPIPE') return statusOf('PIPE')
    const text = `${name}: write error: ${fileErrorText(error.reason)}\n`
    surroundings.streams.stderr?.write(text, surroundings.now())
    return 1
  }
}

function effectOf(
  name: string,
  operands: readonly string[],
  surroundings: Surroundings,
): ProgramEffect {
  const { environment, files, script, exportedNames } = surroundings
  const missing = whyMissing(name, surroundings)
  if (missing !== undefined) return missing
  const program = programNamed(name)
  if (program === undefined) throw new Unreadable(`${name} is not a command that is read`)
  return program.run(operands, {
    now: surroundings.now(),
    environment,
    files,
    shell: { script, exportedNames },
  })
}

/** `sh: absent: not found`; undefined if the program is there, or if that is not known. */
function whyMissing(
  name: string,
  { script: { dialect, image }, files }: Surroundings,
): ProgramEffect | undefined {
  const why = whyShellFindsNone(image, name, files)
  if (why === undefined) return undefined
  const [text, status] = shellErrorOf(why)
  return {
    kind: 'runs',
    *run(io) {
      yield* io.write(`${dialect}: ${name}: ${text}\n`, 'stderr')
      return status
    },
  }
}

function programIo(surroundings: Surroundings, commandLine: string): ProgramIo {
  const { host, streams, files, now } = surroundings
  return {
    stdin: streams.stdin,
    files,
    now,
    write: writerTo(surroundings),
    wakeOnChange: (file) => {
      host.wakeOnChange(file)
    },
    network: host.network,
    processes: () => host.processes(surroundings.isWholeProcess ? undefined : commandLine),
    signal: (pid, signal) => {
      host.signal(pid, signal)
    },
    wake: () => {
      host.wake()
    },
  }
}

function writerTo({ streams, now }: Surroundings) {
  return function* write(text: string, stream: OutputStream = 'stdout'): Running<void> {
    const output = streams[stream]
    const reason = text === '' ? undefined : output?.write(text, now())
    if (reason !== undefined) throw new WriteFailure(reason)
    if (output?.isFull?.() === true)
      yield { until: Number.POSITIVE_INFINITY, isInterrupted: () => output.isFull?.() !== true }
  }
}
