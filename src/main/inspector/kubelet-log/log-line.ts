import type { LogLine } from '../../../shared/model/kubelet-log.ts'
import { afterByteOrderMark, emptyHead, readHead } from './log-head.ts'
import { LogTime } from './log-time.ts'

/** What is shown of a line, in bytes; a status is some thousand. */
const maxShown = 16_384

/** The entry of a line of `journalctl -o json`. */
function journalMessage(bytes: Buffer): { readonly text: Buffer; readonly at: number } | undefined {
  try {
    const fields = JSON.parse(bytes.toString('utf8')) as Readonly<Record<string, unknown>>
    const message = fields['MESSAGE']
    const text = Array.isArray(message)
      ? Buffer.from(message.map(Number))
      : Buffer.from(String(message))
    return { text, at: Number(fields['__REALTIME_TIMESTAMP']) / 1000 }
  } catch {
    return undefined
  }
}

const severities = { 73: 'I', 87: 'W', 69: 'E', 70: 'F' } as const

function severityOf(byte: number): LogLine['severity'] {
  return byte === 73 || byte === 87 || byte === 69 || byte === 70 ? severities[byte] : ''
}

/** A line as it is shown. `near`: a time of the log, which tells the year. */
export function lineOf(line: number, bytes: Buffer, near: number): LogLine {
  const whole = bytes.subarray(afterByteOrderMark(bytes, 0))
  const journal =
    whole.subarray(0, 4).toString('latin1') === '{"__' ? journalMessage(whole) : undefined
  const text = journal?.text ?? whole
  const head = emptyHead()
  const shown = text.subarray(0, maxShown)
  if (!readHead(shown, 0, shown.length, head))
    return { line, at: null, file: '', severity: '', message: '', rest: shown.toString('utf8') }
  const inText = new LogTime(near)
  const at = head.monthDay === -1 ? head.atMs : inText.at(head.monthDay, head.atMs)
  return {
    line,
    at: journal?.at ?? at,
    file: shown.toString('utf8', head.fileStart, head.fileEnd),
    severity: severityOf(head.severity),
    message: shown.toString('utf8', head.messageStart, head.messageEnd),
    rest: shown.toString('utf8', head.restStart).trim(),
  }
}
