import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import type { TraceCauses, TraceSeq } from '../../shared/model/trace-event.ts'
import { Reflector } from '../cluster/reflector.ts'
import type { ReflectorStatus, StoreChange } from '../cluster/reflector.ts'
import type { SourcePod } from '../kubelet/config/pod-config.ts'
import type { CancelTimer, Clock, Log, NodeLister, Random, Trace } from '../kubelet/ports.ts'

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

/**
 * Pods bound to this node, from the API server (semantics 1.7): every change gives a SET of all pods.
 * Starts when the node informer has synced.
 *
 * Changes that come in one turn share a SET, so that a thousand new pods are not a thousand SETs of a
 * thousand pods. No state of a pod is skipped by that: a second change of one pod, or of its name,
 * sends what is there first (a force-deleted pod must be seen with its grace of 0 before it is gone).
 * Objects are handed on as they came: nobody may change them, and the sandbox's are frozen.
 */
export class ApiPodSource {
  readonly #deps: ApiPodSourceDeps
  readonly #reflector: Reflector<'pods'>
  /** What a SET says of each pod, by uid: the same object for as long as nothing changes. */
  readonly #pods = new Map<string, SourcePod>()
  /** What changed since the last SET, by uid. */
  readonly #causes = new Map<string, TraceCauses>()
  #names = new Set<string>()
  #cancelSend: CancelTimer | undefined
  #cancelPoll: CancelTimer | undefined
  #awaySince: number | undefined
  #isStopped = false

  constructor(deps: ApiPodSourceDeps) {
    this.#deps = deps
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
        this.#heard(status)
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

  /** Asks a server that is away now, not when the back-off has run out. */
  retryNow(): void {
    this.#reflector.retryNow()
  }

  /** True once the server's whole list has come. */
  readonly hasSynced = (): boolean => this.#reflector.hasSynced()

  #changed(store: ReadonlyMap<string, Pod>, change: StoreChange<Pod>): void {
    if (change.type === 'REPLACED') {
      this.#flush()
      this.#pods.clear()
      for (const [uid, pod] of store) this.#pods.set(uid, { pod })
      this.#send()
      return
    }
    const { uid, namespace = '', name } = change.object.metadata
    const key = `${namespace}/${name}`
    if (this.#causes.has(uid) || this.#names.has(key)) this.#flush()
    if (change.type === 'DELETED') this.#pods.delete(uid)
    else this.#pods.set(uid, { pod: change.object, causes: change.causes })
    this.#causes.set(uid, change.causes)
    this.#names.add(key)
    // A timer of no delay fires when everything that can run now has run, on both clocks.
    this.#cancelSend ??= this.#deps.clock.after(0, () => {
      this.#send()
    })
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

  #heard(status: ReflectorStatus): void {
    const { trace, clock } = this.#deps
    const subject = { kind: 'source', source: 'api' } as const
    if (status.kind === 'away' && this.#awaySince === undefined) {
      this.#awaySince = status.since
      const { message } = status
      trace.emit({ kind: 'source.failed', subject, causes: [], data: { message } })
    }
    if (status.kind === 'connected' && this.#awaySince !== undefined) {
      const awayMs = clock.now() - this.#awaySince
      this.#awaySince = undefined
      trace.emit({ kind: 'source.recovered', subject, causes: [], data: { awayMs } })
    }
    this.#deps.onStatus?.(status)
  }
}
