import { isJsonObject } from '../../shared/json.ts'
import type { Pod, PodSpec } from '../../shared/kubernetes/objects.ts'
import { schemaNamed } from '../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../shared/kubernetes/schema/decode.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import type { SourceProblem } from '../../shared/model/cluster-view.ts'
import type { TraceCauses, TraceSeq } from '../../shared/model/trace-event.ts'
import { cutText } from '../../shared/untrusted-text.ts'
import { Reflector } from '../cluster/informer/reflector.ts'
import type { ReflectorStatus, StoreChange } from '../cluster/informer/reflector.ts'
import type { SourcePod } from '../kubelet/config/pod-config.ts'
import type { CancelTimer, Clock, Log, NodeLister, Random, Trace } from '../kubelet/ports.ts'
import { firstProblems } from './manifest-problems.ts'
import { SourceFailure } from './source-failure.ts'

export interface ApiPodSourceDeps {
  readonly transport: Transport
  readonly nodeName: string
  readonly nodeLister: Pick<NodeLister, 'hasSynced'>
  readonly clock: Clock
  readonly random: Random
  readonly trace: Trace
  readonly log: Log
  /** A SET: all pods of this node. Only pods that changed since the last SET name causes. */
  readonly onPods: (pods: readonly SourcePod[], causes: TraceCauses) => void
  readonly onStatus?: (status: ReflectorStatus) => void
}

// kubelet pkg/kubelet/config/apiserver.go: WaitForAPIServerSyncPeriod.
const nodeSyncPollMs = 1000

function hasNullElement(value: unknown): boolean {
  if (Array.isArray(value))
    return value.some((element) => element === null || hasNullElement(element))
  return isJsonObject(value) && Object.values(value).some(hasNullElement)
}

/** Specs without a fault. The sandbox's pods keep theirs while only their status changes, and specs are most of a pod. */
const faultlessSpecs = new WeakSet<PodSpec>()

/**
 * Why the kubelet ignores a pod of the API server, as the end of a sentence; undefined if it accepts it: Go's decoder would
 * refuse it, a list has a null element, or it has no container, which no API server accepts. Pure.
 */
export function malformedPodReason(pod: Pod): string | undefined {
  const { spec, ...rest } = pod
  const isKnown = isJsonObject(spec) && faultlessSpecs.has(spec)
  const looked = isKnown ? rest : pod
  const [wrong] = decodeAs(schemaNamed('core.v1.Pod'), looked).problems
  if (wrong !== undefined)
    return wrong.field === '' ? wrong.message : `${wrong.field}: ${wrong.message}`
  if (hasNullElement(looked)) return 'one of its lists has an element that is null'
  if (isKnown) return undefined
  if (!Array.isArray(spec?.containers) || spec.containers.length === 0)
    return 'spec.containers: at least one is required'
  faultlessSpecs.add(spec)
  return undefined
}

/**
 * Pods bound to this node, from the API server (sources#api-source): every change gives a SET of all pods.
 * Starts when the node informer has synced.
 *
 * Changes of one turn share a SET, so that a thousand new pods are not a thousand SETs of a thousand pods. No state of a pod
 * is skipped: before a second change of one pod, or of its name, the source sends a SET (the kubelet must see a
 * force-deleted pod with its grace of 0 before it is gone). The objects must not be changed; the sandbox's are frozen.
 */
export class ApiPodSource {
  readonly #deps: ApiPodSourceDeps
  readonly #reflector: Reflector<'pods'>
  readonly #failure: SourceFailure
  /** The pods of a SET, by uid: the same object until the pod changes. */
  readonly #pods = new Map<string, SourcePod>()
  /** Malformed pods, by uid: the problem in one sentence. */
  readonly #malformed = new Map<string, string>()
  /** Changes since the last SET, by uid. */
  readonly #causes = new Map<string, TraceCauses>()
  #names = new Set<string>()
  #cancelSend: CancelTimer | undefined
  #cancelPoll: CancelTimer | undefined
  #isStopped = false

  constructor(deps: ApiPodSourceDeps) {
    this.#deps = deps
    this.#failure = new SourceFailure({ ...deps, source: 'api', where: 'API server' })
    this.#reflector = new Reflector({
      transport: deps.transport,
      resource: 'pods',
      fieldSelector: `spec.nodeName=${deps.nodeName}`,
      clock: deps.clock,
      random: deps.random,
      log: deps.log,
      onChange: (store, change) => {
        this.#changed(store, change)
      },
      onStatus: (status) => {
        this.#statusChanged(status)
      },
    })
  }

  start(): void {
    if (this.#isStopped || this.#cancelPoll !== undefined) return
    const poll = (): void => {
      if (this.#deps.nodeLister.hasSynced()) this.#reflector.start()
      else this.#cancelPoll = this.#deps.clock.after(nodeSyncPollMs, poll)
    }
    this.#cancelPoll = () => undefined
    poll()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelPoll?.()
    this.#cancelSend?.()
    this.#reflector.stop()
  }

  /** Retries an unavailable server now, without waiting for the back-off. */
  retryNow(): void {
    this.#reflector.retryNow()
  }

  /** Problems of the pods that are ignored. */
  problems(): readonly SourceProblem[] {
    const where = 'API server'
    const problems = [...this.#malformed.values()].map((message) => {
      return { where, message, line: null, column: null }
    })
    return firstProblems(problems, where)
  }

  /** The object from the last watch event; undefined if there is none. */
  pod(namespace: string, name: string): Pod | undefined {
    return this.#reflector.store.get(`${namespace}/${name}`)
  }

  /** True once the first list is complete. */
  readonly hasSynced = (): boolean => this.#reflector.hasSynced()

  #changed(store: ReadonlyMap<string, Pod>, change: StoreChange<Pod>): void {
    if (change.type === 'REPLACED') {
      this.#flush()
      const before = new Map(this.#pods)
      this.#pods.clear()
      const uids = new Set<string>()
      for (const pod of store.values()) {
        const { uid } = pod.metadata
        uids.add(uid)
        const known = this.#isMalformed(pod) ? before.get(uid)?.pod : pod
        if (known !== undefined) this.#pods.set(uid, { pod: known })
      }
      for (const uid of this.#malformed.keys()) if (!uids.has(uid)) this.#malformed.delete(uid)
      this.#send()
      return
    }
    const { uid, namespace = '', name } = change.object.metadata
    const key = `${namespace}/${name}`
    // The last valid version stays: the pod was not deleted.
    if (change.type !== 'DELETED' && this.#isMalformed(change.object)) return
    if (this.#causes.has(uid) || this.#names.has(key)) this.#flush()
    if (change.type === 'DELETED') {
      this.#pods.delete(uid)
      this.#malformed.delete(uid)
    } else this.#pods.set(uid, { pod: change.object, causes: change.causes })
    this.#causes.set(uid, change.causes)
    this.#names.add(key)
    // A timer without delay fires after everything that can run now, on both clocks.
    this.#cancelSend ??= this.#deps.clock.after(0, () => {
      this.#send()
    })
  }

  /** One malformed pod, from the server or a proxy, must not affect the others of the SET. */
  #isMalformed(pod: Pod): boolean {
    const { uid, namespace = '', name } = pod.metadata
    const reason = malformedPodReason(pod)
    if (reason === undefined) {
      this.#malformed.delete(uid)
      return false
    }
    const message = cutText(`Pod ${namespace}/${name} is malformed and was ignored: ${reason}.`)
    if (this.#malformed.get(uid) === message) return true
    this.#malformed.set(uid, message)
    const { log, trace } = this.#deps
    log.warn('a pod of the API server is malformed', { message })
    const subject = { kind: 'pod', uid, namespace, name } as const
    const data = { source: 'api', message } as const
    trace.emit({ kind: 'config.invalid', subject, causes: [], data })
    return true
  }

  #flush(): void {
    if (this.#cancelSend !== undefined) this.#send()
  }

  #send(): void {
    this.#cancelSend?.()
    this.#cancelSend = undefined
    const pods = [...this.#pods.values()]
    const all = new Set<TraceSeq>()
    for (const [uid, causes] of this.#causes) {
      for (const cause of causes) all.add(cause)
      const pod = this.#pods.get(uid)?.pod
      if (pod !== undefined) this.#pods.set(uid, { pod })
    }
    this.#causes.clear()
    this.#names.clear()
    this.#deps.onPods(pods, [...all])
  }

  #statusChanged(status: ReflectorStatus): void {
    if (status.kind === 'connected') this.#failure.recovered()
    // Reported once: the reason may change with each try.
    else if (this.#failure.message === undefined) this.#failure.fail(status.message, status.since)
    this.#deps.onStatus?.(status)
  }
}
