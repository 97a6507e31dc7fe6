import type { IncomingMessage } from 'node:http'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { TerminalEnd } from '../../../shared/model/terminal.ts'

const maxRefusalBytes = 64 * 1024

/** What an API server or a runtime answers instead of a stream: `403 Forbidden: pods "web" is forbidden: …` of an answer that is no WebSocket. */
export async function refusalOf(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk)
      if (text.length > maxRefusalBytes) break
    }
  } catch {
    // What came of it is enough.
  }
  const body = parsed(text)
  const message = (isJsonObject(body) ? textAt(body, 'message') : '').replace(/\.$/, '')
  const status = `${response.statusCode ?? 0} ${response.statusMessage ?? ''}`.trim()
  return message === '' ? status : `${status}: ${message}`
}

/** JSON; of another text, an object with it as its message. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text }
  }
}

/** From the Status that ends a command (apimachinery/pkg/util/remotecommand). */
export function endOf(status: unknown): TerminalEnd {
  if (!isJsonObject(status)) return { exitCode: null, message: 'The runtime gave no exit code.' }
  if (status['status'] === 'Success') return { exitCode: 0, message: '' }
  const causes = objectsAt(objectAt(status, 'details'), 'causes')
  const code = causes.find((cause) => textAt(cause, 'reason') === 'ExitCode')
  if (code === undefined) return { exitCode: null, message: textAt(status, 'message') }
  return { exitCode: Number(textAt(code, 'message')), message: '' }
}
