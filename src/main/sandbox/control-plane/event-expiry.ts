import type { KubeEvent } from '../../../shared/kubernetes/objects.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { ControllerContext } from './controller.ts'
import { repeat } from './work-queue.ts'

const periodMs = 60_000
const lifetimeMs = 3_600_000

function lastWritten({ lastTimestamp, eventTime, metadata }: KubeEvent): number {
  const times = [lastTimestamp, eventTime, metadata.creationTimestamp]
  return Math.max(...times.map((time) => Date.parse(time ?? '') || 0))
}

/**
 * Deletes events an hour after their last occurrence, as a real server with its default --event-ttl does. Returns a function
 * that stops it.
 */
export function startEventExpiry(context: ControllerContext): () => void {
  const { client, events, clock } = context
  // Objects never change: the times of each are parsed once and not every minute.
  const times = new WeakMap<KubeEvent, number>()
  return repeat(context, periodMs, async () => {
    const oldest = clock.now() - lifetimeMs
    for (const event of events.list()) {
      const time = times.get(event) ?? lastWritten(event)
      times.set(event, time)
      if (time >= oldest) continue
      const { uid } = event.metadata
      await client.delete(addressOf('events', event), { preconditions: { uid } })
    }
  })
}
