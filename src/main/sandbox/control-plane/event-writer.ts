import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { collectionPath } from './control-client.ts'
import type { ControlClient } from './control-client.ts'

interface NewEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Writes a component's Kubernetes events. Best effort: one that is refused is logged and lost. */
export class EventWriter {
  readonly #client: ControlClient
  readonly #clock: Clock
  readonly #log: Log
  readonly #component: string
  #written = 0

  constructor(deps: {
    readonly client: ControlClient
    readonly clock: Clock
    readonly log: Log
    readonly component: string
  }) {
    this.#client = deps.client
    this.#clock = deps.clock
    this.#log = deps.log
    this.#component = deps.component
  }

  async write(about: KubeObject, event: NewEvent, causes: readonly number[]): Promise<void> {
    const { name, uid, namespace, resourceVersion } = about.metadata
    const now = apiTime(this.#clock.now())
    // A node has no namespace; its events live in the default one.
    const place = namespace ?? 'default'
    const created = await this.#client.create(
      collectionPath('events', place),
      {
        metadata: { name: this.#nameFor(name), namespace: place },
        involvedObject: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          name,
          uid,
          ...(namespace === undefined ? {} : { namespace, resourceVersion }),
        },
        ...event,
        source: { component: this.#component },
        reportingComponent: this.#component,
        reportingInstance: '',
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      },
      causes,
    )
    if (!created.ok) {
      const { message } = created.error
      this.#log.info('an event was refused', { reason: event.reason, name, message })
    }
  }

  /** As client-go names events: by the nanosecond; here a count tells those of one moment apart. */
  #nameFor(subject: string): string {
    this.#written++
    const nanos = BigInt(Math.floor(this.#clock.now())) * 1_000_000n + BigInt(this.#written)
    return `${subject}.${nanos.toString(16)}`
  }
}
