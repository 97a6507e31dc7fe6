import { goJson } from '../../../shared/go/json.ts'
import type { Pod, ResourceRequirements } from '../../../shared/kubernetes/objects.ts'
import {
  freedRequest,
  podRequests,
  resourceAmount,
} from '../../../shared/kubernetes/pod-requests.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { firstRefusal } from '../admission/pod-admitter.ts'
import type { AdmissionRefusal, PodAdmitter } from '../admission/pod-admitter.ts'
import type { SourcesReady } from '../config/sources-ready.ts'
import { findContainerStatus } from '../kuberuntime/container-restart.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'
import { isStaticPod, tracePod } from '../pod/identity.ts'
import type { ResourceList } from '../pod/resource-field.ts'
import type { CancelTimer, ContainerHost, CorePorts, EventRecorder } from '../ports.ts'
import { isEmptyValue } from '../status/semantic-equality.ts'
import type { ResizeConditions } from '../status/resize-conditions.ts'
import {
  allocationOf,
  areResizableAmountsEqual,
  resizableContainers,
  updatePodFromAllocation,
} from './pod-allocation.ts'
import type { ContainerAllocations } from './pod-allocation.ts'
import { ResourceCheckpoint } from './resource-checkpoint.ts'

/** Between two tries of pending resizes, in ms; the first comes sooner. */
const retryMs = { initial: 30_000, later: 180_000 } as const

interface AllocationManagerDeps extends CorePorts {
  readonly recorder: EventRecorder
  readonly admitters: readonly PodAdmitter[]
  readonly conditions: ResizeConditions
  readonly sourcesReady: Pick<SourcesReady, 'allReady'>
  readonly activePods: () => readonly Pod[]
  readonly podByUID: (uid: string) => Pod | undefined
  readonly triggerPodSync: (pod: Pod, causes: TraceCauses) => void
  /** Of this machine. */
  readonly allocatable: () => ResourceList
  /** Absent: allocations are forgotten with the kubelet. */
  readonly containerHost?: Pick<ContainerHost, 'files' | 'rootFolder'> | undefined
}

type Verdict =
  | { readonly kind: 'allocated' }
  | { readonly kind: 'Deferred' | 'Infeasible'; readonly message: string }

/**
 * What CPU and memory each pod was given on this node, and what its containers were last started or updated with; and
 * whether a resize fits (kubelet pkg/kubelet/allocation allocation_manager.go; containers#in-place-resize). A pod keeps
 * what it was given until its resize is allocated; resizes that do not fit are tried again.
 */
export class AllocationManager {
  readonly #deps: AllocationManagerDeps
  readonly #allocated: ResourceCheckpoint
  readonly #actuated: ResourceCheckpoint
  /** The last answer for a pod: of its spec much is remembered elsewhere. */
  readonly #updated = new Map<
    string,
    { readonly pod: Pod; readonly allocations: ContainerAllocations; readonly result: Pod }
  >()
  #pending: readonly string[] = []
  #isRestored = false
  /** One at a time. */
  #retrying: Promise<void> = Promise.resolve()
  #cancelTimer: CancelTimer | undefined

  constructor(deps: AllocationManagerDeps) {
    this.#deps = deps
    const host = deps.containerHost
    this.#allocated = new ResourceCheckpoint({ ...deps, host, fileName: 'allocated_pods_state' })
    this.#actuated = new ResourceCheckpoint({ ...deps, host, fileName: 'actuated_pods_state' })
  }

  /** Reads what the kubelet before knew. Needed before pods are added; again: nothing. */
  async restore(): Promise<void> {
    if (this.#isRestored) return
    await Promise.all([this.#allocated.restore(), this.#actuated.restore()])
    this.#isRestored = true
  }

  /** Begins to retry. */
  start(): void {
    this.#arm(retryMs.initial)
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  /** The pod with what it was given; the same object where it asks for just that, or is not known. */
  readonly updatePodFromAllocation = (pod: Pod): Pod => {
    const { uid } = pod.metadata
    const allocations = this.#allocated.pod(uid)
    if (allocations === undefined) return pod
    const known = this.#updated.get(uid)
    if (known?.pod === pod && known.allocations === allocations) return known.result
    const result = updatePodFromAllocation(pod, allocations)
    this.#updated.set(uid, { pod, allocations, result })
    return result
  }

  /** What the container was last started or updated with. */
  readonly actuatedResources = (uid: string, container: string): ResourceRequirements | undefined =>
    this.#actuated.container(uid, container)

  setActuatedResources(uid: string, container: string, resources: ResourceRequirements): void {
    this.#actuated.setContainer(uid, container, resources)
  }

  /** Admits a pod with what it was given before a restart of the kubelet, else with what it asks for. */
  async addPod(
    active: readonly Pod[],
    added: Pod,
    causes: TraceCauses,
  ): Promise<AdmissionRefusal | undefined> {
    const pod = this.updatePodFromAllocation(added)
    const refusal = await this.#refusal(active, pod, causes)
    if (refusal === undefined) this.#allocated.setPod(pod.metadata.uid, allocationOf(pod))
    return refusal
  }

  removePod(uid: string): void {
    this.#allocated.removePod(uid)
    this.#actuated.removePod(uid)
    this.#updated.delete(uid)
  }

  removeOrphanedPods(remaining: ReadonlySet<string>): void {
    this.#allocated.removeOrphanedPods(remaining)
    this.#actuated.removeOrphanedPods(remaining)
    for (const uid of this.#updated.keys()) if (!remaining.has(uid)) this.#updated.delete(uid)
  }

  /** All that it keeps, by UID and container: for tests. */
  records(): {
    readonly allocated: Readonly<Record<string, Readonly<Record<string, ResourceRequirements>>>>
    readonly actuated: Readonly<Record<string, Readonly<Record<string, ResourceRequirements>>>>
    readonly pending: readonly string[]
  } {
    return {
      allocated: this.#allocated.records(),
      actuated: this.#actuated.records(),
      pending: this.#pending,
    }
  }

  get hasPendingResizes(): boolean {
    return this.#pending.length > 0
  }

  /** Queues a pod whose spec asks for something else than it was given. */
  pushPendingResize(uid: string): void {
    if (!this.#pending.includes(uid)) this.#pending = this.#sorted([...this.#pending, uid])
  }

  /** Tries all pending resizes, one after the other. */
  retryPendingResizes(causes: TraceCauses): Promise<void> {
    const next = this.#retrying.then(() => this.#retry(causes))
    this.#retrying = next.catch((error: unknown) => {
      this.#deps.log.error('pending resizes not retried', { error: String(error) })
    })
    return next
  }

  /** Whether running containers still lack what their pod was given; the end of a resize is an event. */
  checkPodResizeInProgress(pod: Pod, status: PodRuntimeStatus, causes: TraceCauses): void {
    const { conditions, recorder } = this.#deps
    const { uid, generation = 0 } = pod.metadata
    if (this.#isResizeInProgress(pod, status)) conditions.setInProgress(uid, '', '', generation)
    else if (conditions.clear(uid, 'PodResizeInProgress')) {
      const message = `Pod resize completed: ${goJson(resourceSummary(pod))}`
      const seq = tracePod(this.#deps.trace, pod, 'pod.resize', causes, {
        outcome: 'completed',
        message,
      })
      recorder.event({ kind: 'pod', pod }, 'Normal', 'ResizeCompleted', message, [seq])
    }
  }

  #isResizeInProgress(pod: Pod, status: PodRuntimeStatus): boolean {
    return resizableContainers(pod).some(({ name, resources = {} }) => {
      // One that does not run gets its resources when it starts.
      if (findContainerStatus(status, name)?.state !== 'running') return false
      const actuated = this.actuatedResources(pod.metadata.uid, name) ?? {}
      return !areResizableAmountsEqual(resources, actuated)
    })
  }

  #arm(ms: number): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#deps.clock.after(ms, () => {
      this.#arm(retryMs.later)
      void this.retryPendingResizes([]).catch(() => undefined)
    })
  }

  async #retry(causes: TraceCauses): Promise<void> {
    const { sourcesReady, podByUID, conditions, triggerPodSync } = this.#deps
    const isRunning = this.#cancelTimer !== undefined
    const areReady = sourcesReady.allReady()
    if (isRunning) this.#arm(areReady ? retryMs.later : retryMs.initial)
    if (!areReady) return
    const pending: string[] = []
    const tried = this.#pending
    for (const uid of tried) {
      const pod = podByUID(uid)
      if (pod === undefined) continue
      const before = conditions.list(uid)
      const isAllocated = await this.#resize(pod, causes)
      if (conditions.isPending(uid, 'Deferred')) pending.push(uid)
      const after = conditions.list(uid)
      const isChanged =
        after.length !== before.length || after.some((one, index) => one !== before[index])
      if (isAllocated || isChanged) triggerPodSync(pod, causes)
    }
    this.#pending = [...pending, ...this.#pending.filter((uid) => !tried.includes(uid))]
  }

  /** Whether the resize was allocated (handlePodResourcesResize). */
  async #resize(pod: Pod, causes: TraceCauses): Promise<boolean> {
    const { conditions, trace } = this.#deps
    const { uid, generation = 0 } = pod.metadata
    if (this.updatePodFromAllocation(pod) === pod) {
      conditions.clear(uid, 'PodResizePending')
      return false
    }
    const verdict = await this.#verdict(pod, causes)
    if (verdict.kind === 'allocated') {
      this.#allocated.setPod(uid, allocationOf(pod))
      conditions.clear(uid, 'PodResizePending')
      conditions.clear(uid, 'PodResizeInProgress')
      conditions.setInProgress(uid, '', '', generation)
      tracePod(trace, pod, 'pod.resize', causes, { outcome: 'allocated', message: '' })
      return true
    }
    const { kind, message } = verdict
    if (!conditions.isPending(uid, kind))
      tracePod(trace, pod, 'pod.resize', causes, { outcome: kind, message })
    conditions.setPending(uid, kind, message, generation)
    return false
  }

  /** Whether the node can give the pod what its spec asks for (canResizePod). Resizes of containers that may swap do not occur: none may. */
  async #verdict(pod: Pod, causes: TraceCauses): Promise<Verdict> {
    const refused = resizeRefusal(pod)
    if (refused !== undefined) return { kind: 'Infeasible', message: refused }
    const allocatable = this.#deps.allocatable()
    const isAbove = (resource: 'cpu' | 'memory'): string | undefined => {
      const requested = freedRequest(pod, resource)
      const capacity = resourceAmount(resource, allocatable[resource])
      return requested > capacity
        ? `Node didn't have enough capacity: ${resource}, requested: ${String(requested)}, capacity: ${String(capacity)}`
        : undefined
    }
    const message = isAbove('memory') ?? isAbove('cpu')
    if (message !== undefined) return { kind: 'Infeasible', message }
    const refusal = await this.#refusal(this.#deps.activePods(), pod, causes)
    return refusal === undefined
      ? { kind: 'allocated' }
      : { kind: 'Deferred', message: refusal.message }
  }

  #refusal(
    active: readonly Pod[],
    pod: Pod,
    causes: TraceCauses,
  ): Promise<AdmissionRefusal | undefined> {
    const others = active
      .filter(({ metadata }) => metadata.uid !== pod.metadata.uid)
      .map(this.updatePodFromAllocation)
    return firstRefusal(this.#deps.admitters, pod, others, causes)
  }

  /** Less first, then by priority and QoS class, then the one that has waited longest (sortPendingResizes). Goes through them as Go's sort does, which counts: smaller ones have no order of their own. */
  #sorted(uids: readonly string[]): readonly string[] {
    const pods = uids.flatMap((uid) => this.#deps.podByUID(uid) ?? [])
    for (let end = 1; end < pods.length; end++) {
      for (let at = end; at > 0; at--) {
        const [before, pod] = [pods[at - 1], pods[at]]
        if (before === undefined || pod === undefined || !this.#comesBefore(pod, before)) break
        pods[at - 1] = pod
        pods[at] = before
      }
    }
    return pods.map(({ metadata }) => metadata.uid)
  }

  #comesBefore(pod: Pod, other: Pod): boolean {
    if (!this.#isIncreasing(pod)) return true
    if (!this.#isIncreasing(other)) return false
    const [own, others] = [pod.spec.priority ?? 0, other.spec.priority ?? 0]
    if (own !== others) return own > others
    const isGuaranteed = recordedQosClass(pod) === 'Guaranteed'
    if (isGuaranteed !== (recordedQosClass(other) === 'Guaranteed')) return isGuaranteed
    const [since, otherSince] = [this.#pendingSince(pod), this.#pendingSince(other)]
    if (since === undefined) return false
    return otherSince === undefined || since < otherSince
  }

  #pendingSince({ metadata }: Pod): number | undefined {
    const conditions = this.#deps.conditions.list(metadata.uid)
    return conditions.find(({ type }) => type === 'PodResizePending')?.changedAt
  }

  #isIncreasing(pod: Pod): boolean {
    const allocated = this.updatePodFromAllocation(pod)
    if (allocated === pod) return false
    const [before, after] = [podRequests(allocated), podRequests(pod)]
    return (['memory', 'cpu'] as const).some(
      (resource) => (after.get(resource) ?? 0n) > (before.get(resource) ?? 0n),
    )
  }
}

/** Why the containers of this pod are never resized in place (IsInPlacePodVerticalScalingAllowed). */
export function resizeRefusal(pod: Pod): string | undefined {
  return isStaticPod(pod) ? 'In-place resize of static-pods is not supported' : undefined
}

/** Whether one of its containers asks for other CPU or memory than before (recordContainerResizeOperations). */
export function hasResize(old: Pod | undefined, pod: Pod): boolean {
  if (old === undefined) return true
  const before = new Map(resizableContainers(old).map(({ name, resources }) => [name, resources]))
  return resizableContainers(pod).some(
    ({ name, resources = {} }) =>
      before.has(name) && !areResizableAmountsEqual(before.get(name) ?? {}, resources),
  )
}

function resourceSummary({ spec }: Pod): object {
  const { initContainers = [], containers } = spec
  const summaries = (list: Pod['spec']['containers']): readonly object[] =>
    list.map(({ name, resources = {} }) => ({ name, resources: inGoOrder(resources) }))
  return {
    ...(initContainers.length === 0 ? {} : { initContainers: summaries(initContainers) }),
    containers: summaries(containers),
  }
}

/** Names sorted, without what is empty. */
function inGoOrder(resources: object): object {
  const { limits = {}, requests = {}, ...others } = resources as ResourceRequirements
  const sorted = (amounts: object): object =>
    Object.fromEntries(Object.entries(amounts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const all = { limits: sorted(limits), requests: sorted(requests), ...others }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmptyValue(value)))
}
