import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import type { Exchange } from '../faulty-proxy.ts'

const mutating: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a path is one of those that are looked at. Heartbeats differ each time by their times. */
export function isPodOrEvent(path: string): boolean {
  return /\/(pods|events)(\/|$)/.test(path)
}

/** Accepted writes to pods and events, in order. */
export function writesOf(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(
    ({ method, path, served = 0 }) =>
      mutating.has(method) && served >= 200 && served < 300 && isPodOrEvent(path),
  )
}

function bodyOf({ body }: Exchange): Readonly<Record<string, unknown>> {
  const value: unknown = body === '' ? {} : JSON.parse(body)
  return isJsonObject(value) ? value : {}
}

function nameOf(write: Exchange): string {
  return textAt(objectAt(bodyOf(write), 'metadata'), 'name')
}

/** The key of equal events; a repeated event increases its count instead. */
function eventKey(write: Exchange): string {
  const event = bodyOf(write)
  const { uid = '', fieldPath = '' } = objectAt(event, 'involvedObject')
  return JSON.stringify([uid, fieldPath, event['reason'], event['message'], event['type']])
}

/**
 * What was written twice, in words; nothing is. A mirror may come again after its deletion; a count of an event
 * may be sent again where its answer was lost, since it says the same.
 */
export function writtenTwice(exchanges: readonly Exchange[]): readonly string[] {
  const twice: string[] = []
  const pods = new Set<string>()
  const events = new Set<string>()
  const deleted = new Set<string>()
  const last = new Map<string, Exchange>()
  for (const write of writesOf(exchanges)) {
    const { method, path, body } = write
    if (method === 'POST') {
      const isPod = path.endsWith('/pods')
      const known = isPod ? pods : events
      const key = isPod ? `${path}/${nameOf(write)}` : eventKey(write)
      if (known.has(key)) twice.push(`created ${key}`)
      known.add(key)
    } else if (method === 'DELETE') {
      if (deleted.has(path + body)) twice.push(`deleted ${path} ${body}`)
      deleted.add(path + body)
      pods.delete(path)
    } else {
      const before = last.get(path)
      const isRepeat = before?.body === body
      const mayRepeat = path.includes('/events/') && before?.responded === undefined
      if (isRepeat && !mayRepeat) twice.push(`wrote ${path} ${body}`)
      last.set(path, write)
    }
  }
  return twice
}
