import type { LogHead } from './log-head.ts'
import { jsonFields, listOf, quickField, textFields } from './log-fields.ts'
import type { LogMessage } from './log-messages.ts'
import type { At } from './pod-lane.ts'

/** An entry whose message is known. */
export interface LogEntry extends At {
  readonly message: LogMessage
  readonly isError: boolean
  /** A value as text; empty: it has none. */
  readonly value: (key: string) => string
  readonly list: (key: string) => readonly string[]
}

/** `line` counts from 1. The values are read from the buffer now, since it is used again. */
export function entryOf(
  message: LogMessage,
  { at, line }: At,
  head: LogHead,
  buffer: Buffer,
  end: number,
): LogEntry {
  const isJson = head.monthDay === -1
  const rest = isJson ? '' : buffer.toString('utf8', head.restStart, end)
  const fields = isJson
    ? jsonFields(buffer.toString('utf8', buffer.lastIndexOf('{"ts":', head.messageStart), end))
    : message.hasFreeText
      ? textFields(rest)
      : undefined
  const value = (key: string): string =>
    fields === undefined ? quickField(rest, key) : (fields.get(key) ?? '')
  return {
    at,
    line,
    message,
    isError: head.severity === 69,
    value,
    list: (key) => listOf(value(key)),
  }
}
