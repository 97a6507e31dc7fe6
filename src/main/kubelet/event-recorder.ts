/** Writes Kubernetes events as a kubelet does (client-go tools/record; observed: component kubelet, uid of the static pod). */
import type { ObjectReference } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSubject } from '../../shared/model/trace-event.ts'
import { TokenBucket } from './container/token-bucket.ts'
import { EventCorrelator } from './event-correlator.ts'
import type { CorrelatedEvent } from './event-correlator.ts'
import { defaultKubeletSettings } from './kubelet-settings.ts'
import type { WithKubeletSettings } from './kubelet-settings.ts'
import { podNamespace, podSubject, traceAbout } from './pod/identity.ts'
import type { ApiClient, CancelTimer, CorePorts, EventRecorder, Random } from './ports.ts'
import { makeEvent, recordEvent } from './record-event.ts'

/** client-go's numbers: waiting events, tries and ms between them. */
const eventRecorderDefaults = {
  queueLimit: 1000,
  tries: 12,
  pauseMs: 10_000,
} as const

/** client-go rest.DefaultQPS. */
const unsetQps = 5

type Subject = Parameters<EventRecorder['event']>[0]

interface Write extends CorrelatedEvent {
  readonly causes: TraceCauses
}

export interface ApiEventRecorderDeps extends CorePorts, WithKubeletSettings {
  readonly api: ApiClient
  readonly nodeName: string
  /** Spreads the first retries of several kubelets. */
  readonly random: Random
}

/** The recorder of one kubelet. Returns at once; one write is under way at a time, in order. */
export class ApiEventRecorder implements EventRecorder {
  readonly #deps: ApiEventRecorderDeps
  readonly #random: Random
  readonly #correlator: EventCorrelator
  readonly #limit: TokenBucket
  readonly #queue: Write[] = []
  #cancelWait: CancelTimer | undefined
  #isWriting = false
  #isStopped = false
  #dropped = 0
  #names = 0

  constructor(deps: ApiEventRecorderDeps) {
    this.#deps = deps
    this.#random = deps.random.fork('events')
    this.#correlator = new EventCorrelator(deps)
    const { eventRecordQPS: qps, eventBurst: burst } = deps.settings ?? defaultKubeletSettings
    this.#limit = new TokenBucket({ clock: deps.clock, qps: qps === 0 ? unsetQps : qps, burst })
  }

  /** Events that were never written: too many at once, too many of one subject, or refused by the server. */
  get dropped(): number {
    return this.#dropped
  }

  /** Events that wait to be written, with the one under way. */
  get held(): number {
    return this.#queue.length + (this.#isWriting ? 1 : 0)
  }

  readonly event: EventRecorder['event'] = (
    subject,
    type,
    reason,
    message,
    causes = [],
    annotations,
  ) => {
    const fieldPath = subject.kind === 'pod' ? (subject.fieldPath ?? '') : ''
    const seq = traceAbout(this.#deps.trace, traceSubject(subject), 'event.recorded', causes, {
      type,
      reason,
      message,
      fieldPath,
    })
    const { clock, nodeName } = this.#deps
    const source = { component: 'kubelet', host: nodeName }
    const involvedObject = this.#reference(subject)
    const event = makeEvent(
      { involvedObject, type, reason, message, source },
      clock.now(),
      ++this.#names,
    )
    const correlated = this.#correlator.correlate(
      annotations === undefined
        ? event
        : { ...event, metadata: { ...event.metadata, annotations } },
    )
    if (
      correlated === undefined ||
      this.#isStopped ||
      this.#queue.length >= eventRecorderDefaults.queueLimit
    ) {
      this.#drop(reason, 'too many events')
      return
    }
    this.#queue.push({ causes: [seq], ...correlated })
    void this.#drain()
  }

  /** Nothing more is written. */
  stop(): void {
    this.#isStopped = true
    this.#queue.length = 0
    this.#cancelWait?.()
  }

  #drop(reason: string, why: string): void {
    this.#dropped++
    this.#deps.log.debug('event dropped', { reason, why, dropped: this.#dropped })
  }

  #reference(subject: Subject): ObjectReference {
    if (subject.kind === 'node') {
      const { nodeName } = this.#deps
      // The kubelet uses the node's name where its uid belongs, and kubectl describe looks for both.
      return { kind: 'Node', name: nodeName, uid: nodeName }
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
    const { tries, pauseMs } = eventRecorderDefaults
    for (let attempt = 0; attempt < tries && !this.#isStopped; attempt++) {
      while (!this.#limit.tryAccept()) await this.#wait(this.#limit.waitMs())
      const error = await recordEvent(this.#deps.api, write, write.causes)
      if (error === undefined) return
      // client-go recordEvent: a server that answered will not take it later either.
      if (error.code !== undefined) {
        this.#drop(write.event.reason ?? '', error.message)
        return
      }
      // The first pause is random, so that kubelets do not retry at the same time.
      await this.#wait(attempt === 0 ? pauseMs * this.#random.next() : pauseMs)
    }
    this.#drop(write.event.reason ?? '', 'the API server is away')
  }

  async #wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#cancelWait = this.#deps.clock.after(ms, resolve)
    })
  }
}

function traceSubject(subject: Subject): TraceSubject {
  return subject.kind === 'pod' ? podSubject(subject.pod) : { kind: 'node' }
}
