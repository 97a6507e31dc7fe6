import type { TraceEvent } from '../../shared/model/trace-event.ts'

function joined(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join(', ')
}

function grace(seconds: number | null): string {
  return seconds === null ? '' : `grace ${seconds} s`
}

/** Enough of a container's or a sandbox's id to tell it from its neighbours, as crictl prints it. */
function shortId(text: string): string {
  return /^[0-9a-f]{40,}$/.test(text) ? text.slice(0, 13) : text
}

/** What is left when a kind has no sentence of its own: its values, as they are. */
function values(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .filter(([, value]) => value !== '' && value !== null && value !== false)
    .map(
      ([key, value]) => `${key} ${Array.isArray(value) ? value.join(' ') : shortId(String(value))}`,
    )
    .join(', ')
}

/** An event of the trace in a few words; the kind stands beside them. */
export function traceWords(event: TraceEvent): string {
  switch (event.kind) {
    case 'request.received':
      return `${event.data.method} ${event.data.path}, ${event.data.client}`
    case 'object.written':
      return joined(event.data.change, event.data.subresource, `by ${event.data.user}`)
    case 'command.received':
      return joined(event.data.act, grace(event.data.gracePeriodSeconds))
    case 'config.merged':
      return joined(`${event.data.op} from ${event.data.source}`, event.data.mirror && 'the mirror')
    case 'worker.updated':
      return joined(
        `${event.data.updateType} ${event.data.outcome}`,
        event.data.transition,
        grace(event.data.gracePeriodSeconds),
        event.data.message,
      )
    case 'worker.waiting':
      return `its name is still used by ${event.data.blockedByUid}`
    case 'worker.started':
      return `${event.data.sinceSeenMs} ms after it was seen`
    case 'worker.syncStarted':
      return joined(
        `${event.data.workType}, because of ${event.data.updateType}`,
        grace(event.data.gracePeriodSeconds),
      )
    case 'worker.syncFinished':
      return joined(
        `${event.data.workType} ${event.data.outcome}`,
        `${Math.round(event.data.durationMs)} ms`,
        event.data.message,
      )
    case 'worker.transitioned':
      return joined(`to ${event.data.to}`, event.data.why)
    case 'worker.acknowledgedTerminating':
      return 'the worker acknowledged the termination'
    case 'worker.requeued':
      return `again in ${(event.data.delayMs / 1000).toFixed(1)} s, ${event.data.why}`
    case 'container.signalled':
      return `${event.data.signal} to ${event.data.container}`
    case 'container.exited':
      return joined(`${event.data.container} exit ${event.data.exitCode}`, event.data.reason)
    case 'container.killing':
      return joined(event.data.container, grace(event.data.gracePeriodSeconds), event.data.why)
    case 'container.backOff':
      return `${event.data.container}, ${(event.data.delayMs / 1000).toFixed(0)} s`
    case 'pleg.event':
    case 'loop.pleg':
      return `${event.data.type}, container ${shortId(event.data.containerId)}`
    case 'status.cached':
    case 'status.patched':
      return joined(`v${event.data.version}`, event.data.phase, event.data.reason)
    case 'image.pulled':
      return joined(
        event.data.image,
        event.data.present ? 'already existed' : `${Math.round(event.data.durationMs)} ms`,
      )
    case 'event.recorded':
      return `${event.data.type} ${event.data.reason}: ${event.data.message}`
    case 'uid.linked':
    case 'uid.unlinked':
      return `static ${event.data.staticUid.slice(0, 8)}…, mirror ${event.data.mirrorUid.slice(0, 8)}…`
    default:
      return values(event.data)
  }
}
