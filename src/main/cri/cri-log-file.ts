import { closeSync, openSync, writeSync } from 'node:fs'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ContainerLog, ContainerLogs } from '../runtimes/simulated/container-log.ts'
import type { LogLine } from '../runtimes/simulated/log-lines.ts'
import { bytesOfText } from '../files/byte-text.ts'
import { LogLines } from '../runtimes/simulated/log-lines.ts'

type Stream = Parameters<ContainerLog['write']>[0]

/** `2026-11-22T10:00:00.000000000Z stdout F text`; a part of a line has P instead of F. */
function logLine(stream: Stream, { isWhole, text }: LogLine, at: number): string {
  const time = new Date(at).toISOString().replace('Z', '000000Z')
  return `${time} ${stream} ${isWhole ? 'F' : 'P'} ${text}\n`
}

/** A container's log in CRI's format. Written at once, so that what a container said is there when its end is seen. */
class CriLogFile implements ContainerLog {
  readonly #path: string
  readonly #lines = new LogLines()
  #descriptor: number | undefined

  constructor(path: string, descriptor: number) {
    this.#path = path
    this.#descriptor = descriptor
  }

  readonly write = (stream: Stream, text: string, at: number): void => {
    let written = ''
    for (const line of this.#lines.take(stream, text)) written += logLine(stream, line, at)
    this.#append(written)
  }

  readonly reopen = (): string | undefined => {
    const opened = openLog(this.#path)
    if (!opened.ok) return opened.error
    this.#closeFile()
    this.#descriptor = opened.value
    return undefined
  }

  readonly close = (at: number): void => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#lines.takeRest(stream)
      if (rest !== undefined) this.#append(logLine(stream, rest, at))
    }
    this.#closeFile()
  }

  #append(text: string): void {
    if (this.#descriptor === undefined || text === '') return
    try {
      writeSync(this.#descriptor, bytesOfText(text))
    } catch {
      // The disk is full, or the folder is gone: what a container says is lost, as with a real runtime.
    }
  }

  #closeFile(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

function openLog(path: string): Result<number, string> {
  try {
    return ok(openSync(path, 'a', 0o640))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return err(`failed to open the log ${path}: ${code}`)
  }
}

/** Logs as files, where the kubelet asked for them. Their folders must exist. */
export const criLogFiles: ContainerLogs = {
  open: (path) => {
    const opened = openLog(path)
    return opened.ok ? ok(new CriLogFile(path, opened.value)) : opened
  },
}
