/** Writes Kubernetes events as a kubelet does (client-go tools/record; observed: component kubelet, uid of the static pod). */
import { toTimestamp } from '../../shared/kubernetes/timestamps.ts'
import type { KubeEvent, ObjectReference } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSubject } from '../../shared/model/trace-event.ts'
import { EventCorrelator } from './event-correlator.ts'
import { podNamespace, podSubject } from './pod/identity.ts'
import type { ApiClient, ApiError, Clock, EventRecorder, Log, Trace } from './ports.ts'

/** Waiting writes kept at most; beyond that new ones are dropped, counted and logged. */
const queueLimit = 1000
/** A server that is away is asked again so often, so many ms apart (client-go: 12 tries, 10 s). */
const retry = { tries: 12, pauseMs: 10_000 } as const
/** Written events remembered, to be counted up. */
const writtenLimit = 4096

type Subject = Parameters<EventRecorder['event']>[0]

interface Write {
  readonly key: string
  readonly event: KubeEvent
  readonly causes: TraceCauses
}

interface Written {
  readonly namespace: string
  readonly name: string
  readonly count: number
}

export interface ApiEventRecorderDeps {
  readonly api: ApiClient
  readonly nodeName: string
  readonly clock: Clock
  readonly trace: Trace
  readonly log: Log
}

/** The recorder of one kubelet. Returns at once; one write is under way at a time, in order. */
export class ApiEventRecorder implements EventRecorder {
  readonly #deps: ApiEventRecorderDeps
  readonly #correlator: EventCorrelator
  readonly #queue: Write[] = []
  readonly #written = new Map<string, Written>()
  #isWriting = false
  #isStopped = false
  #dropped = 0
  #names = 0

  constructor(deps: ApiEventRecorderDeps) {
    this.#deps = deps
    this.#correlator = new EventCorrelator(deps)
  }

  /** Events that were never written: too many at once, too many of one subject, or refused by the server. */
  get dropped(): number {
    return this.#dropped
  }

  readonly event: EventRecorder['event'] = (subject, type, reason, message, causes = []) => {
    const fieldPath = subject.kind === 'pod' ? (subject.fieldPath ?? '') : ''
    const seq = this.#deps.trace.emit({
      kind: 'event.recorded',
      subject: traceSubject(subject),
      causes,
      data: { type, reason, message, fieldPath },
    })
    const reference = this.#reference(subject)
    const correlated = this.#correlator.correlate({
      subject: reference.uid ?? '',
      fieldPath,
      type,
      reason,
      message,
    })
    if (correlated === undefined || this.#isStopped || this.#queue.length >= queueLimit) {
      this.#drop(reason, 'too many events')
      return
    }
    this.#queue.push({
      key: correlated.key,
      event: this.#kubeEvent(reference, type, reason, correlated.message),
      causes: [seq],
    })
    void this.#drain()
  }

  /** Nothing more is written. */
  stop(): void {
    this.#isStopped = true
    this.#queue.length = 0
  }

  #drop(reason: string, why: string): void {
    this.#dropped++
    this.#deps.log.debug('event dropped', { reason, why, dropped: this.#dropped })
  }

  #reference(subject: Subject): ObjectReference {
    if (subject.kind === 'node') {
      const { nodeName } = this.#deps
      // The kubelet uses the node's name where its uid belongs, and kubectl describe looks for both.
      return { kind: 'Node', name: nodeName, uid: nodeName, apiVersion: 'v1' }
    }
    const { pod, fieldPath } = subject
    const { name, uid, resourceVersion } = pod.metadata
    return {
      kind: 'Pod',
      namespace: podNamespace(pod),
      name,
      uid,
      apiVersion: 'v1',
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(fieldPath === undefined ? {} : { fieldPath }),
    }
  }

  #kubeEvent(
    involvedObject: ObjectReference,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): KubeEvent {
    const { clock, nodeName } = this.#deps
    const now = clock.now()
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${involvedObject.name ?? ''}.${this.#suffix(now)}`,
        namespace: involvedObject.namespace ?? 'default',
        // The server gives it one.
        uid: '',
      },
      involvedObject,
      reason,
      message,
      source: { component: 'kubelet', host: nodeName },
      firstTimestamp: toTimestamp(now),
      lastTimestamp: toTimestamp(now),
      count: 1,
      type,
      eventTime: null,
      reportingComponent: 'kubelet',
      reportingInstance: nodeName,
    }
  }

  /** Go takes the time in nanoseconds, in hex; ours counts where the clock has no finer digits. */
  #suffix(now: number): string {
    this.#names = (this.#names + 1) % 1_000_000
    return (BigInt(Math.floor(now)) * 1_000_000n + BigInt(this.#names)).toString(16)
  }

  async #drain(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    for (;;) {
      const write = this.#queue.shift()
      if (write === undefined) break
      await this.#write(write)
    }
    this.#isWriting = false
  }

  async #write(write: Write): Promise<void> {
    for (let attempt = 0; attempt < retry.tries && !this.#isStopped; attempt++) {
      const error = await this.#tryWrite(write)
      if (error === undefined) return
      if (error.kind !== 'unavailable' && error.kind !== 'timeout') {
        this.#drop(write.event.reason ?? '', error.message)
        return
      }
      await new Promise<void>((resolve) => {
        this.#deps.clock.after(retry.pauseMs, resolve)
      })
    }
    this.#drop(write.event.reason ?? '', 'the API server is away')
  }

  /** Undefined: written. */
  async #tryWrite({ key, event, causes }: Write): Promise<ApiError | undefined> {
    const known = this.#written.get(key)
    if (known !== undefined) {
      const counted = await this.#countUp(key, known, event, causes)
      if (counted === undefined || counted.kind !== 'not-found') return counted
      // Deleted meanwhile (events live for an hour): written as a new one.
      this.#written.delete(key)
    }
    const namespace = event.metadata.namespace ?? 'default'
    const created = await this.#deps.api.create({ resource: 'events', namespace }, event, causes)
    if (!created.ok) return created.error
    this.#remember(key, { namespace, name: event.metadata.name, count: 1 })
    return undefined
  }

  async #countUp(
    key: string,
    known: Written,
    event: KubeEvent,
    causes: TraceCauses,
  ): Promise<ApiError | undefined> {
    const { namespace, name } = known
    const count = known.count + 1
    const patched = await this.#deps.api.patch(
      { resource: 'events', namespace, name },
      {
        type: 'strategic',
        body: { count, lastTimestamp: event.lastTimestamp, message: event.message },
      },
      causes,
    )
    if (!patched.ok) return patched.error
    this.#remember(key, { namespace, name, count })
    return undefined
  }

  #remember(key: string, written: Written): void {
    this.#written.delete(key)
    this.#written.set(key, written)
    const oldest = this.#written.keys().next().value
    if (this.#written.size > writtenLimit && oldest !== undefined) this.#written.delete(oldest)
  }
}

function traceSubject(subject: Subject): TraceSubject {
  return subject.kind === 'pod' ? podSubject(subject.pod) : { kind: 'node' }
}
