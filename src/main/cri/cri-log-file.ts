import { closeSync, openSync, writeSync } from 'node:fs'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ContainerLog, ContainerLogs } from '../runtimes/simulated/container-log.ts'

type Stream = Parameters<ContainerLog['write']>[0]

/** containerd's max_container_log_line_size: longer lines are cut into parts. */
const maxLineBytes = 16_384

/** `2026-11-22T10:00:00.000000000Z stdout F text`; a part of a line has P instead of F. */
function logLine(stream: Stream, isWhole: boolean, text: string, at: number): string {
  const time = new Date(at).toISOString().replace('Z', '000000Z')
  return `${time} ${stream} ${isWhole ? 'F' : 'P'} ${text}\n`
}

/** A container's log in CRI's format. Written at once, so that what a container said is there when its end is seen. */
class CriLogFile implements ContainerLog {
  readonly #path: string
  readonly #rest: Record<Stream, string> = { stdout: '', stderr: '' }
  #descriptor: number | undefined

  constructor(path: string, descriptor: number) {
    this.#path = path
    this.#descriptor = descriptor
  }

  readonly write = (stream: Stream, text: string, at: number): void => {
    const lines = (this.#rest[stream] + text).split('\n')
    let rest = lines.pop() ?? ''
    let written = ''
    for (const line of lines) {
      const [parts, end] = cut(line)
      for (const part of parts) written += logLine(stream, false, part, at)
      written += logLine(stream, true, end, at)
    }
    const [parts, end] = cut(rest)
    for (const part of parts) written += logLine(stream, false, part, at)
    rest = end
    this.#rest[stream] = rest
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
      const rest = this.#rest[stream]
      // What has no newline is a part of a line, also at the end (containerd pkg/cri/io/logger.go).
      if (rest !== '') this.#append(logLine(stream, false, rest, at))
      this.#rest[stream] = ''
    }
    this.#closeFile()
  }

  #append(text: string): void {
    if (this.#descriptor === undefined || text === '') return
    try {
      writeSync(this.#descriptor, text)
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

function cut(line: string): readonly [parts: readonly string[], end: string] {
  const parts: string[] = []
  let end = line
  while (end.length > maxLineBytes) {
    parts.push(end.slice(0, maxLineBytes))
    end = end.slice(maxLineBytes)
  }
  return [parts, end]
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
