import type { EventRecorder } from '../../../src/main/kubelet/ports.ts'
import type { KillPodFunc } from '../../../src/main/kubelet/workers/kill-pod.ts'
import { err, ok } from '../../../src/shared/result.ts'
import { plain } from './plain.ts'

/** Kills and statuses, in the oracle's format. */
export class Victims {
  readonly killed: unknown[] = []
  readonly events: string[] = []
  readonly #stuck: readonly string[]

  constructor(stuck: readonly string[]) {
    this.#stuck = stuck
  }

  readonly kill: KillPodFunc = (pod, { evict, gracePeriodSecondsOverride, podStatusFunc }) => {
    const { uid } = pod.metadata
    const status = podStatusFunc?.(pod.status ?? {})
    this.killed.push({ uid, evict, grace: gracePeriodSecondsOverride, status })
    return Promise.resolve(this.#stuck.includes(uid) ? err('timeout') : ok(undefined))
  }

  readonly recorder: EventRecorder = {
    event: (subject, type, reason, message, _causes, annotations = {}) => {
      const about = subject.kind === 'pod' ? subject.pod.metadata.uid : 'node'
      const entries = Object.entries(annotations).toSorted(([a], [b]) => (a < b ? -1 : 1))
      const shown = entries.map(([key, value]) => `${key}:${value}`).join(' ')
      this.events.push(
        `${about} ${type} ${reason} ${message}${entries.length === 0 ? '' : ` map[${shown}]`}`,
      )
    },
  }
}

/** When a condition changed is `then`, or now. */
export function undated(value: unknown): unknown {
  return plain(
    JSON.parse(
      JSON.stringify(value, (field, entry: unknown) =>
        field === 'lastTransitionTime' && entry !== '2020-01-01T00:00:00Z' ? 'now' : entry,
      ),
    ),
  )
}
