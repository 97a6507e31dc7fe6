import type { LogFormat } from '../../../shared/model/kubelet-log.ts'

/** Where the parts of an entry's first line are in its buffer. One object is used for all lines. */
export interface LogHead {
  format: LogFormat
  /** 73, 87, 69, 70: I, W, E, F. */
  severity: number
  /** Month * 100 + day; -1: `at` is the time. */
  monthDay: number
  /** Since midnight with `monthDay`, else since 1970. */
  atMs: number
  /** 0: the line has none. */
  pid: number
  /** Of `-v`; -1: the line has none. */
  level: number
  fileStart: number
  fileEnd: number
  /** The message without its quotes. */
  messageStart: number
  messageEnd: number
  /** What follows the message. */
  restStart: number
}

export function emptyHead(): LogHead {
  return {
    format: 'text',
    severity: 0,
    monthDay: 0,
    atMs: 0,
    pid: 0,
    level: -1,
    fileStart: 0,
    fileEnd: 0,
    messageStart: 0,
    messageEnd: 0,
    restStart: 0,
  }
}

const tab = 9
const space = 32
const quote = 34
const backslash = 92
const bracket = 93
const brace = 123
const colon = 58
const zero = 48

function digits(buffer: Buffer, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + count; at++) {
    const digit = (buffer[at] ?? 0) - zero
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

function isSeverity(byte: number | undefined): boolean {
  return byte === 73 || byte === 87 || byte === 69 || byte === 70
}

/** The end of a quoted string whose first character is at `start`. */
function closingQuote(buffer: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = buffer[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  return end
}

/** The length of klog's `I1122 10:28:43.699113 `. */
const timeLength = 22

/** klog's text header: `I1122 10:28:43.699113   14513 pod_workers.go:874] `. */
function readText(buffer: Buffer, start: number, end: number, head: LogHead): boolean {
  if (end - start < timeLength + 4 || !isSeverity(buffer[start])) return false
  const monthDay = digits(buffer, start + 1, 4)
  const hours = digits(buffer, start + 6, 2)
  const minutes = digits(buffer, start + 9, 2)
  const seconds = digits(buffer, start + 12, 2)
  const micros = digits(buffer, start + 15, 6)
  if (monthDay < 0 || hours < 0 || minutes < 0 || seconds < 0 || micros < 0) return false
  let at = start + timeLength
  while (at < end && buffer[at] === space) at++
  let pid = 0
  for (; at < end; at++) {
    const digit = (buffer[at] ?? 0) - zero
    if (digit < 0 || digit > 9) break
    pid = pid * 10 + digit
  }
  if (buffer[at] !== space) return false
  head.fileStart = at + 1
  while (at < end && buffer[at] !== bracket) at++
  if (at >= end || buffer[at + 1] !== space) return false
  head.severity = buffer[start] ?? 0
  head.monthDay = monthDay
  head.atMs = ((hours * 60 + minutes) * 60 + seconds) * 1000 + micros / 1000
  head.pid = pid
  head.level = -1
  head.fileEnd = at
  const message = at + 2
  if (buffer[message] === quote) {
    head.messageStart = message + 1
    head.messageEnd = closingQuote(buffer, message + 1, end)
    head.restStart = Math.min(head.messageEnd + 1, end)
  } else {
    head.messageStart = message
    head.messageEnd = end
    head.restStart = end
  }
  return true
}

const jsonStart = Buffer.from('{"ts":')
const loggerKey = Buffer.from(',"logger":"')
const callerKey = Buffer.from(',"caller":"')
const messageKey = Buffer.from('"msg":"')
const levelKey = Buffer.from(',"v":')

function startsWith(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start < bytes.length) return false
  for (let at = 0; at < bytes.length; at++) if (buffer[start + at] !== bytes[at]) return false
  return true
}

/** The kubelet's JSON: `{"ts":…,"caller":"kubelet/kubelet.go:2515","msg":"SyncLoop ADD","v":2,…}`; no `v`: an error. */
function readJson(buffer: Buffer, start: number, end: number, head: LogHead): boolean {
  if (!startsWith(buffer, start, end, jsonStart)) return false
  let at = start + jsonStart.length
  const timeStart = at
  while (at < end && buffer[at] !== 44) at++
  const time = Number(buffer.toString('latin1', timeStart, at))
  if (startsWith(buffer, at, end, loggerKey))
    at = closingQuote(buffer, at + loggerKey.length, end) + 1
  if (!startsWith(buffer, at, end, callerKey)) return false
  if (Number.isNaN(time)) return false
  const caller = at + callerKey.length
  const callerEnd = closingQuote(buffer, caller, end)
  if (!startsWith(buffer, callerEnd + 2, end, messageKey)) return false
  // Without its folder, as in text.
  const slash = buffer.subarray(caller, callerEnd).lastIndexOf(47)
  head.monthDay = -1
  head.atMs = time
  head.pid = 0
  head.fileStart = caller + slash + 1
  head.fileEnd = callerEnd
  head.messageStart = callerEnd + 2 + messageKey.length
  head.messageEnd = closingQuote(buffer, head.messageStart, end)
  head.restStart = Math.min(head.messageEnd + 1, end)
  const hasLevel = startsWith(buffer, head.restStart, end, levelKey)
  head.level = hasLevel ? digits(buffer, head.restStart + levelKey.length, 1) : -1
  head.severity = hasLevel ? 73 : 69
  if (hasLevel) {
    head.restStart += levelKey.length
    while (head.restStart < end && (buffer[head.restStart] ?? 0) >= zero) head.restStart++
  }
  return true
}

/** The most that journald writes before `]: `. */
const longestPrefix = 200

/** After journald's `Nov 22 10:28:43 host kubelet[14513]: `; -1: there is none. */
function afterJournalPrefix(buffer: Buffer, start: number, end: number): number {
  const limit = Math.min(end - 2, start + longestPrefix)
  for (let at = start + 10; at < limit; at++)
    if (buffer[at] === bracket && buffer[at + 1] === colon && buffer[at + 2] === space)
      return at + 3
  return -1
}

/** Where a line begins behind the byte order mark that editors and PowerShell put in front of UTF-8. */
export function afterByteOrderMark(buffer: Buffer, start: number): number {
  const isMark = buffer[start] === 0xef && buffer[start + 1] === 0xbb && buffer[start + 2] === 0xbf
  return isMark ? start + 3 : start
}

/** Reads the first line of an entry; false: the line is none. */
export function readHead(buffer: Buffer, start: number, end: number, head: LogHead): boolean {
  if (buffer[start] === brace) {
    head.format = 'json'
    return readJson(buffer, start, end, head)
  }
  head.format = 'text'
  if (readText(buffer, start, end, head)) return true
  const inner = afterJournalPrefix(buffer, start, end)
  if (inner === -1) return false
  head.format = 'journal'
  return buffer[inner] === brace
    ? readJson(buffer, inner, end, head)
    : readText(buffer, inner, end, head)
}

/** Whether a line goes on with a value of several lines: klog indents it with a tab and ends it with ` >`. */
export function isContinuation(buffer: Buffer, start: number, end: number): boolean {
  const isOne = (at: number): boolean =>
    buffer[at] === tab || (buffer[at] === space && buffer[at + 1] === 62)
  if (start === end || isOne(start)) return true
  const inner = afterJournalPrefix(buffer, start, end)
  return inner !== -1 && (inner === end || isOne(inner))
}
