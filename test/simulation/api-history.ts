import { equalJson } from '../../src/shared/json.ts'
import type { ContainerStatus, Pod } from '../../src/shared/kubernetes/objects.ts'
import type { KubeResponse, WatchEvent } from '../../src/shared/kubernetes/request.ts'
import { fromTimestamp } from '../../src/shared/kubernetes/timestamps.ts'
import { isMirrorPod, isTerminalPhase } from '../../src/main/kubelet/pod/identity.ts'
import type { ReportViolation } from './invariants.ts'

/** A watch's event about a pod; the server's objects are of their resource's type. */
function podOf(event: WatchEvent): Pod | undefined {
  return event.type === 'BOOKMARK' || event.type === 'ERROR' ? undefined : (event.object as Pod)
}

function withoutVersion(pod: Pod): unknown {
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = pod.metadata
  return { ...pod, metadata }
}

/** Before init containers run in a new sandbox, the old ones are removed, and their counts with them. */
function countedStatuses(pod: Pod): readonly ContainerStatus[] {
  return pod.status?.containerStatuses ?? []
}

function titleOf({ metadata }: Pod): string {
  return `pod ${metadata.namespace ?? ''}/${metadata.name} (${metadata.uid})`
}

/** When the pod is to be gone, ms since 1970. */
function deadlineOf({ metadata }: Pod): number | undefined {
  return fromTimestamp(metadata.deletionTimestamp)
}

/**
 * Every version of every API pod, from a watch since the start: compares each with the one before
 * (invariants 6 to 9 and 13), and holds the current pods.
 */
export class ApiHistory {
  readonly #watch: () => Promise<KubeResponse>
  readonly #runs: (uid: string) => boolean
  readonly #report: ReportViolation
  readonly #live = new Map<string, Pod>()
  /** Which node each pod that ever was bound, by uid. */
  readonly #nodeOf = new Map<string, string>()
  /** The writer of each version that the watch has not sent yet. */
  readonly #writers = new Map<string, string>()
  /** Pods that their kubelet has evicted, also if it could not say so. */
  readonly #evicted = new Set<string>()
  /** Pods whose kubelet has reported a terminal phase. */
  readonly #ended = new Set<string>()
  #stop: (() => void) | undefined

  constructor(deps: {
    /** Opens a watch of all pods. */
    readonly watch: () => Promise<KubeResponse>
    /** Whether a container of the pod of that uid runs. */
    readonly runs: (uid: string) => boolean
    readonly report: ReportViolation
  }) {
    this.#watch = deps.watch
    this.#runs = deps.runs
    this.#report = deps.report
  }

  /** Pods that are there now, in the order in which they were created. */
  get pods(): readonly Pod[] {
    return [...this.#live.values()]
  }

  /** The pod of that uid that is there now. */
  pod(uid: string): Pod | undefined {
    return this.#live.get(uid)
  }

  /** The node that the pod of that uid is or was bound to; undefined for no pod of the API. */
  nodeOf(uid: string): string | undefined {
    return this.#nodeOf.get(uid)
  }

  /** Records the writer of a version of a pod; call it before the watch sends the version. */
  written(version: string, user: string): void {
    this.#writers.set(version, user)
  }

  /** The kubelet removes the containers of the pod of that uid as soon as they have exited. */
  evicted(uid: string): void {
    this.#evicted.add(uid)
  }

  async start(): Promise<void> {
    const response = await this.#watch()
    if (response.kind !== 'watch') throw new Error('pods cannot be watched')
    const { stream } = response
    this.#stop = stream.stop
    void (async () => {
      for await (const event of stream.events) this.#take(event)
    })()
  }

  stop(): void {
    this.#stop?.()
  }

  #take(event: WatchEvent): void {
    const pod = podOf(event)
    if (pod === undefined) return
    const { uid } = pod.metadata
    const before = this.#live.get(uid)
    if (event.type === 'DELETED') this.#live.delete(uid)
    else this.#live.set(uid, pod)
    if (pod.spec.nodeName !== undefined) this.#nodeOf.set(uid, pod.spec.nodeName)
    if (before !== undefined && event.type === 'MODIFIED') this.#compare(before, pod)
    this.#noteEnd(pod, isTerminalPhase(before?.status?.phase))
  }

  /** A kubelet may not have seen a terminal phase of another writer yet, and may overwrite it. */
  #noteEnd({ metadata, spec, status }: Pod, wasOver: boolean): void {
    const { uid, resourceVersion = '' } = metadata
    const writer = this.#writers.get(resourceVersion)
    this.#writers.delete(resourceVersion)
    const isByKubelet = writer === `system:node:${spec.nodeName ?? ''}`
    if (wasOver || !isTerminalPhase(status?.phase) || !isByKubelet) return
    const isRejected = status?.message?.startsWith('Pod was rejected') === true
    if (!isRejected && this.#runs(uid)) this.#report(13, `pod ${metadata.name} (${uid})`)
    this.#ended.add(uid)
  }

  #compare(before: Pod, pod: Pod): void {
    const title = titleOf(pod)
    if (equalJson(withoutVersion(before), withoutVersion(pod)))
      this.#report(6, `${title} was written without a change`)
    this.#compareOnce(before, pod)
    // A mirror shows for a while what came in place of the pod that it was made of, and a static pod that is over
    // starts again with a new agent (pod-manager#asymmetries).
    if (isMirrorPod(pod)) return
    const phase = before.status?.phase
    if (
      this.#ended.has(pod.metadata.uid) &&
      pod.status?.phase !== phase &&
      !isReadAnew(before, pod)
    )
      this.#report(7, `${title} went from ${String(phase)} to ${String(pod.status?.phase)}`)
    // The containers of a pod that was evicted, or deleted and is over, are removed at once, but for one that was created
    // and never started.
    const areRemoved =
      this.#evicted.has(pod.metadata.uid) ||
      (pod.metadata.deletionTimestamp !== undefined && isTerminalPhase(pod.status?.phase))
    if (!areRemoved) this.#compareContainers(before, pod)
    this.#compareStart(before, pod)
  }

  #compareContainers(before: Pod, pod: Pod): void {
    const now = new Map(countedStatuses(pod).map((status) => [status.name, status.restartCount]))
    for (const { name, restartCount } of countedStatuses(before)) {
      const count = now.get(name)
      if (count !== undefined && count < restartCount)
        this.#report(8, `${titleOf(pod)}: ${name} from ${restartCount} to ${count}`)
    }
  }

  #compareOnce(before: Pod, pod: Pod): void {
    const title = titleOf(pod)
    const { nodeName } = before.spec
    if (nodeName !== undefined && pod.spec.nodeName !== nodeName)
      this.#report(9, `${title} left ${nodeName}`)
    const [was, is] = [deadlineOf(before), deadlineOf(pod)]
    const isLater = was !== undefined && (is === undefined || is > was)
    if (isLater && !isOverAndShortened(before, pod))
      this.#report(9, `${title}: the deletion moved away`)
  }

  #compareStart(before: Pod, pod: Pod): void {
    const started = before.status?.startTime
    if (started !== undefined && pod.status?.startTime !== started)
      this.#report(9, `${titleOf(pod)}: the start time is another`)
  }
}

/**
 * A kill that says how a pod ended (evicted, preempted, shut down) says so before its containers have been looked at a
 * last time; if all of them ended well the pod has succeeded after all (status#phase).
 */
function isReadAnew({ status: before }: Pod, { status }: Pod): boolean {
  const wasSaid = before?.phase === 'Failed' && (before.reason ?? '') !== ''
  return wasSaid && status?.phase === 'Succeeded'
}

/** A grace period that is over and is then shortened ends now: 1 s, or none if 0 was asked for (rest/delete.go BeforeDelete). */
function isOverAndShortened(before: Pod, pod: Pod): boolean {
  const graceOf = ({ metadata }: Pod): number => metadata.deletionGracePeriodSeconds ?? 0
  return graceOf(pod) <= 1 && graceOf(before) > graceOf(pod)
}
