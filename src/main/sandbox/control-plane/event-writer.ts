import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { collectionPath } from './control-client.ts'
import type { ControlClient } from './control-client.ts'

interface NewEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Writes a component's Kubernetes events. Best effort: one that is refused is lost. */
export class EventWriter {
  readonly #client: ControlClient
  readonly #clock: Clock
  readonly #component: string

  constructor(deps: {
    readonly client: ControlClient
    readonly clock: Clock
    readonly component: string
  }) {
    this.#client = deps.client
    this.#clock = deps.clock
    this.#component = deps.component
  }

  async write(about: KubeObject, event: NewEvent, causes: readonly number[]): Promise<void> {
    const { name, uid, namespace, resourceVersion } = about.metadata
    const now = apiTime(this.#clock.now())
    // A node has no namespace; its events live in the default one.
    const place = namespace ?? 'default'
    await this.#client.create(
      collectionPath('events', place),
      {
        metadata: { generateName: `${name}.`, namespace: place },
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
  }
}
