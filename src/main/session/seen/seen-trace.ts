import type { ContainerStatus, KubeEvent, Pod } from '../../../shared/kubernetes/objects.ts'
import { equalJson, isJsonObject, textAt } from '../../../shared/json.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import type { Certainty, EvidenceLine } from '../../../shared/model/inspect/evidence.ts'
import { inferWorker } from '../../../shared/model/inspect/infer-worker.ts'
import { unseen } from '../../../shared/model/inspect/join-evidence.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { TraceInput, TraceSubject } from '../../../shared/model/trace-event.ts'
import { configMirrorAnnotation, isMirrorPod, podSubject } from '../../kubelet/pod/identity.ts'
import type { Clock } from '../../kubelet/ports.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'

/** What is concluded about a pod's worker; null: it is not known. */
export interface Conclusion {
  readonly worker: WorkerStateWord | null
  readonly certainty: Certainty | null
  readonly because: string
  readonly evidence: readonly EvidenceLine[]
}

interface SeenTraceDeps {
  readonly trace: ClusterTrace
  readonly clock: Clock
  /** Of the API, by UID. */
  readonly pod: (uid: string) => Pod | undefined
  /** With what the kubelet itself says, of a node that a page looks at. */
  readonly inspected: (pod: Pod) => Conclusion | undefined
}

interface StaticWorker {
  /** UID of the first mirror that showed this state. */
  readonly mirror: string
  readonly state: WorkerStateWord | null
  readonly startTime: string | undefined
}

const leaseMs = 40_000
/** Events of pods that are not known yet: the lists come in any order. */
const maxWaiting = 5000

function subjectOf(pod: Pod): TraceSubject {
  return { ...podSubject(pod), kind: 'object', resource: 'pods' }
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

/** What the new status says of a container that the one before did not. Pure. */
function containerEvent(
  before: ContainerStatus | undefined,
  { name, state, lastState, containerID = '' }: ContainerStatus,
): readonly Pick<TraceInput, 'kind' | 'data'>[] {
  const ended = state?.terminated ?? lastState?.terminated
  const endedBefore = before?.state?.terminated ?? before?.lastState?.terminated
  const events: Pick<TraceInput, 'kind' | 'data'>[] = []
  if (ended !== undefined && ended.finishedAt !== endedBefore?.finishedAt) {
    const { exitCode, reason = '', containerID: containerId = containerID } = ended
    events.push({
      kind: 'container.exited',
      data: { container: name, containerId, exitCode, reason },
    })
  }
  const startedAt = state?.running?.startedAt
  if (startedAt !== undefined && startedAt !== before?.state?.running?.startedAt)
    events.push({ kind: 'container.started', data: { container: name, containerId: containerID } })
  return events
}

/** When the API says that it happened. */
function timeIn({ state, lastState }: ContainerStatus, { kind }: Pick<TraceInput, 'kind'>) {
  const ended = state?.terminated ?? lastState?.terminated
  const time = kind === 'container.exited' ? ended?.finishedAt : state?.running?.startedAt
  return timeOf(time) ?? undefined
}

function kubeletOf({ spec }: Pod): string {
  return `system:node:${spec.nodeName ?? ''}`
}

/** When a kubelet last wrote the status, as the API server has recorded it; empty if it has not. */
function kubeletWroteAt({ metadata }: Pod): string {
  const entries = (metadata.managedFields ?? []).filter(isJsonObject)
  const own = entries.find(
    (entry) => textAt(entry, 'manager') === 'kubelet' && textAt(entry, 'subresource') === 'status',
  )
  return own === undefined ? '' : textAt(own, 'time')
}

/**
 * Who has written the status: the kubelet, or empty for not known, if phase or containers changed, which only a kubelet
 * writes. Undefined: it was not written. Pure.
 */
function statusWriter(before: Pod, after: Pod): string | undefined {
  if (kubeletWroteAt(after) !== kubeletWroteAt(before)) return kubeletOf(after)
  const written = ({ status }: Pod): readonly unknown[] => [
    status?.phase,
    status?.initContainerStatuses,
    status?.containerStatuses,
  ]
  return equalJson(written(before), written(after)) ? undefined : ''
}

/** From the API's object alone. */
function apiConclusion(pod: Pod, now: number): Conclusion {
  return inferWorker(
    {
      uid: pod.metadata.uid,
      isStatic: isMirrorPod(pod),
      api: { value: pod, at: now },
      told: null,
      running: null,
      sameName: [],
      kubelet: 'not asked',
      apiAwaySince: null,
      lease: { value: now, at: now },
      leaseDurationMs: leaseMs,
      events: [],
      sightings: unseen,
    },
    null,
    now,
  )
}

/**
 * Writes the trace of a cluster that is only looked at: what its API objects say, and in which state each worker must be.
 * What was there when the cluster was opened is not news: a pod begins with its state.
 */
export class SeenTrace {
  readonly #deps: SeenTraceDeps
  /** By UID: the last conclusion, as text. */
  readonly #concluded = new Map<string, string>()
  /** UIDs of mirrors by those of their static pods, under which a kubelet records events. */
  readonly #mirrors = new Map<string, string>()
  /** The worker of each static pod as its last mirror showed it, by the static pod's UID. */
  readonly #statics = new Map<string, StaticWorker>()
  readonly #waiting = new Map<string, readonly KubeEvent[]>()

  constructor(deps: SeenTraceDeps) {
    this.#deps = deps
  }

  podChanged(before: Pod | undefined, after: Pod | undefined): void {
    const pod = after ?? before
    if (pod === undefined) return
    if (after === undefined) {
      this.#written(pod, 'DELETED')
      this.#observed(pod, { worker: null, certainty: null, because: gone, evidence: [] })
      this.#concluded.delete(pod.metadata.uid)
      this.#mirrors.delete(pod.metadata.annotations?.[configMirrorAnnotation] ?? '')
      return
    }
    if (before === undefined) this.#begin(after)
    else this.#compare(before, after)
    this.conclude(after)
  }

  /** The pod's object or what its kubelet says of it has changed. */
  conclude(pod: Pod): void {
    const { inspected, clock } = this.#deps
    if ((pod.spec.nodeName ?? '') === '') return
    this.#conclude(pod, inspected(pod) ?? apiConclusion(pod, clock.now()))
  }

  /** An event of the API; one about a pod that is not known yet waits for it. */
  eventRecorded(event: KubeEvent): void {
    const { kind, uid } = event.involvedObject
    const pod = this.#deps.pod(this.#mirrors.get(uid ?? '') ?? uid ?? '')
    if (pod !== undefined) return this.#recorded(pod, event)
    if (kind !== 'Pod' || uid === undefined || this.#waiting.size >= maxWaiting) return
    this.#waiting.set(uid, [...(this.#waiting.get(uid) ?? []), event])
  }

  /** What is known of a pod that is seen for the first time, each with the time that the API gives it. */
  #begin(pod: Pod): void {
    const { metadata, status } = pod
    const createdAt = timeOf(metadata.creationTimestamp)
    const startedAt = timeOf(status?.startTime) ?? createdAt
    // Only the kubelet of its node may create a mirror.
    const user = isMirrorPod(pod) ? kubeletOf(pod) : ''
    if (createdAt !== null) this.#written(pod, 'ADDED', { at: createdAt, user })
    const deletesAt = timeOf(metadata.deletionTimestamp)
    const toldAt =
      deletesAt === null ? null : deletesAt - (metadata.deletionGracePeriodSeconds ?? 0) * 1000
    const { worker, certainty, because, evidence } = apiConclusion(pod, this.#deps.clock.now())
    const isEnding = worker !== 'SyncPod' && worker !== null
    const before = 'The API says that it was started, and no more of that time.'
    if (startedAt !== null && (worker === 'SyncPod' || toldAt !== null))
      this.#conclude(
        pod,
        {
          worker: 'SyncPod',
          certainty: 'possible',
          because: isEnding ? before : because,
          evidence,
        },
        startedAt,
      )
    for (const one of statusesOf(pod))
      for (const event of containerEvent(undefined, one)) this.#emit(pod, event, timeIn(one, event))
    if (isEnding && toldAt !== null)
      this.#conclude(pod, { worker, certainty, because, evidence }, toldAt)
    const staticUid = metadata.annotations?.[configMirrorAnnotation]
    if (staticUid !== undefined) this.#mirrors.set(staticUid, metadata.uid)
    for (const uid of [metadata.uid, staticUid ?? '']) {
      for (const event of this.#waiting.get(uid) ?? []) this.#recorded(pod, event)
      this.#waiting.delete(uid)
    }
  }

  #recorded(pod: Pod, event: KubeEvent): void {
    const { type, reason = '', message = '', involvedObject, lastTimestamp, eventTime } = event
    const isWarning = type === 'Warning'
    const component = event.source?.component || event.reportingComponent || ''
    const data = {
      type: isWarning ? ('Warning' as const) : ('Normal' as const),
      reason,
      message,
      fieldPath: involvedObject.fieldPath ?? '',
      ...(component === '' || component === 'kubelet' ? {} : { by: component }),
    }
    const at = timeOf(lastTimestamp ?? eventTime ?? event.metadata.creationTimestamp)
    this.#emit(pod, { kind: 'event.recorded', data }, at ?? undefined)
  }

  #compare(before: Pod, after: Pod): void {
    const isDeleted = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined
    const isNews =
      before.status?.phase !== after.status?.phase ||
      isDeleted(before) !== isDeleted(after) ||
      before.spec.nodeName !== after.spec.nodeName
    const user = statusWriter(before, after)
    if (user !== undefined) this.#written(after, 'MODIFIED', { user, subresource: 'status' })
    else if (isNews) this.#written(after, 'MODIFIED')
    const known = new Map(statusesOf(before).map((status) => [status.name, status]))
    for (const status of statusesOf(after))
      for (const event of containerEvent(known.get(status.name), status)) this.#emit(after, event)
  }

  #written(
    pod: Pod,
    change: 'ADDED' | 'MODIFIED' | 'DELETED',
    more: { readonly at?: number; readonly user?: string; readonly subresource?: string } = {},
  ): void {
    const { at, user = '', subresource = '' } = more
    const { resourceVersion = '' } = pod.metadata
    const data = { change, resourceVersion, user, subresource }
    this.#emit(pod, { kind: 'object.written', data }, at)
  }

  #conclude(pod: Pod, conclusion: Conclusion, at?: number): void {
    const staticUid = pod.metadata.annotations?.[configMirrorAnnotation]
    if (staticUid === undefined) return this.#observed(pod, conclusion, at)
    const { uid } = pod.metadata
    const { worker: state } = conclusion
    const startTime = pod.status?.startTime
    const known = this.#statics.get(staticUid)
    const isOfOther = known !== undefined && known.mirror !== uid
    // The kubelet keeps the startTime of a static pod: until the new mirror has it, this may be another run of the pod.
    const isUnclear = isOfOther && startTime === undefined
    if (isUnclear && state === 'SyncPod') return
    const isContinued = isOfOther && known.state === state && known.startTime === startTime
    if (!isUnclear)
      this.#statics.set(staticUid, { mirror: isContinued ? known.mirror : uid, state, startTime })
    this.#observed(pod, conclusion, at, isContinued)
  }

  #observed(
    pod: Pod,
    { worker, certainty, because, evidence }: Conclusion,
    at?: number,
    isContinued = false,
  ): void {
    const { uid } = pod.metadata
    const said = `${worker} ${certainty}`
    if (this.#concluded.get(uid) === said) return
    this.#concluded.set(uid, said)
    const data = { state: worker, certainty: certainty ?? 'possible', because, evidence }
    const more = isContinued ? { isContinued } : {}
    this.#emit(pod, { kind: 'worker.observed', data: { ...data, ...more } }, at)
  }

  #emit(pod: Pod, event: Pick<TraceInput, 'kind' | 'data'>, at?: number): void {
    // Kind and data belong together where they are made.
    const input = { ...event, subject: subjectOf(pod), causes: [] } as TraceInput
    this.#deps.trace.emit(pod.spec.nodeName ?? '', input, at)
  }
}

const gone = 'The API server has removed the object.'
