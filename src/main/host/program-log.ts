import { appendFileSync, renameSync, statSync } from 'node:fs'
import { cutText } from '../../shared/untrusted-text.ts'
import type { Log, LogFields } from '../kubelet/ports.ts'
import { writeLine } from './terminal.ts'

type Level = 'info' | 'warn' | 'error'

/** Writes a formatted line. Never throws. */
export type LogSink = (level: Level, line: string) => void

const oneWord = /^[\w./:@-]+$/

/**
 * Shortened, because values come from servers, files and pages. A text is shortened before a pattern reads it: V8 can end a pattern on
 * millions of characters with a RangeError.
 */
function fieldText(value: unknown): string {
  if (typeof value === 'string') {
    const text = cutText(value)
    return oneWord.test(text) ? text : JSON.stringify(text)
  }
  // JSON.stringify(error) is `{}`.
  if (value instanceof Error) return JSON.stringify(cutText(value.stack ?? String(value)))
  try {
    return cutText(JSON.stringify(value) ?? String(value))
  } catch {
    return '"(not JSON)"' // a cycle or a BigInt
  }
}

function formatLine(level: Level, message: string, fields: LogFields, now: number): string {
  const words = Object.entries(fields).map(([key, value]) => `${key}=${fieldText(value)}`)
  return [new Date(now).toISOString(), level.toUpperCase().padEnd(5), message, ...words].join(' ')
}

/** A log that writes one line for each message to every sink. Drops debug messages. */
export function createLog(deps: {
  readonly sinks: readonly LogSink[]
  readonly now: () => number
}): Log {
  const write =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void => {
      const line = formatLine(level, message, fields, deps.now())
      for (const sink of deps.sinks) sink(level, line)
    }
  return { debug: () => undefined, info: write('info'), warn: write('warn'), error: write('error') }
}

/**
 * Writes errors to the terminal that started the program. Warnings go only to the file: a pod in CrashLoopBackOff causes one
 * every few seconds.
 */
export function terminalSink(stream: { readonly write: (text: string) => unknown }): LogSink {
  return (level, line) => {
    if (level === 'error') writeLine(stream, line)
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Appends to a file; at `maxBytes` it is renamed to `<path>.1` and a new one begins. Writes synchronously, so that the last
 * line before a crash is not lost. After a failed write it stops writing, silently.
 */
export function fileSink(path: string, maxBytes = 2_000_000): LogSink {
  let isUsable = true
  let bytes: number | undefined
  return (_level, line) => {
    if (!isUsable) return
    try {
      bytes ??= sizeOf(path)
      if (bytes > maxBytes) {
        renameSync(path, `${path}.1`)
        bytes = 0
      }
      appendFileSync(path, `${line}\n`, { mode: 0o600 })
      bytes += Buffer.byteLength(line) + 1
    } catch {
      isUsable = false // a full or vanished disk must not stop the program
    }
  }
}
