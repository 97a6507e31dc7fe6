import { isJsonObject, objectAt, objectsAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { PodStatus } from '../../../shared/kubernetes/objects.ts'

const ofContainer = ['name', 'ready', 'started', 'restartCount', 'state'] as const
const ofStatus = ['phase', 'reason', 'message'] as const

function picked(from: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (from[field] === undefined ? [] : [[field, from[field]]])),
  )
}

function keptContainers(status: JsonObject, field: string): JsonObject {
  const statuses = objectsAt(status, field).map((each) => ({
    ...picked(each, ofContainer),
    lastState: picked(objectAt(each, 'lastState'), ['terminated']),
  }))
  return statuses.length === 0 ? {} : { [field]: statuses }
}

/** What kubectl's columns need of a status, as JSON; empty: the text is no status. A log has many pods. */
export function keptStatus(text: string): string {
  try {
    const status: unknown = JSON.parse(text)
    if (!isJsonObject(status)) return ''
    return JSON.stringify({
      ...picked(status, ofStatus),
      ...keptContainers(status, 'initContainerStatuses'),
      ...keptContainers(status, 'containerStatuses'),
    })
  } catch {
    return ''
  }
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** The status with its times in those of the log, which are `zoneMs` ahead of UTC; without a zone, without its times. */
export function loggedStatus(status: string, zoneMs: number | null): PodStatus | null {
  const kept = keptStatus(status)
  if (kept === '') return null
  return JSON.parse(kept, (_field, value: unknown) => {
    if (typeof value !== 'string' || !timestamp.test(value)) return value
    return zoneMs === null ? undefined : new Date(Date.parse(value) + zoneMs).toISOString()
  }) as PodStatus
}
