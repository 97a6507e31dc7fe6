/** Resizing of running containers (kubelet kuberuntime_manager.go computePodResizeAction, doPodResizeAction; containers#in-place-resize). */
import { aggregateText, goQuote } from '../../../shared/go/text.ts'
import { isJsonObject } from '../../../shared/json.ts'
import type { Container, Pod, ResourceRequirements } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { amountsWithoutOverhead, resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import { formatQuantity } from '../../../shared/kubernetes/quantity.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { resizeRefusal } from './allocation-manager.ts'
import type { SyncResult } from '../container/runtime.ts'
import { podDescription, tracePod } from '../pod/identity.ts'
import type { ContainerHost, CorePorts, RuntimeContainerStatus, RuntimeService } from '../ports.ts'
import type { ContainerToKill } from '../kuberuntime/container-to-kill.ts'
import { linuxContainerResources } from '../kuberuntime/linux-resources.ts'

/** What the runtime manager asks of the allocations. */
export interface ActuatedResources {
  /** What the container was last started or updated with; undefined: not known. */
  readonly actuatedResources: (
    podUid: string,
    container: string,
  ) => ResourceRequirements | undefined
  readonly setActuatedResources: (
    podUid: string,
    container: string,
    resources: ResourceRequirements,
  ) => void
}

/** CPU in thousandths, memory in bytes; 0: none. */
export interface ContainerAmounts {
  readonly cpuRequest: bigint
  readonly cpuLimit: bigint
  readonly memoryRequest: bigint
  readonly memoryLimit: bigint
}

export interface ContainerToUpdate {
  readonly container: Container
  readonly containerId: string
  readonly desired: ContainerAmounts
  readonly current: ContainerAmounts
}

type Resource = 'memory' | 'cpu'

function amountsOf({ requests, limits }: ResourceRequirements): ContainerAmounts {
  return {
    cpuRequest: resourceAmount('cpu', requests?.['cpu']),
    cpuLimit: resourceAmount('cpu', limits?.['cpu']),
    memoryRequest: resourceAmount('memory', requests?.['memory']),
    memoryLimit: resourceAmount('memory', limits?.['memory']),
  }
}

const fields = {
  memory: ['memoryLimit', 'memoryRequest'],
  cpu: ['cpuLimit', 'cpuRequest'],
} as const satisfies Record<Resource, readonly (keyof ContainerAmounts)[]>

function needsRestart(container: Container, resource: Resource): boolean {
  const { resizePolicy } = container
  const policies: readonly unknown[] = Array.isArray(resizePolicy) ? resizePolicy : []
  const policy = policies.find((one) => isJsonObject(one) && one['resourceName'] === resource)
  return isJsonObject(policy) && policy['restartPolicy'] === 'RestartContainer'
}

/** The resizes of one sync, as they are found container by container. */
export class PodResizes {
  readonly #pod: Pod
  readonly #actuated: ActuatedResources['actuatedResources'] | undefined
  readonly #updates: Record<Resource, ContainerToUpdate[]> = { memory: [], cpu: [] }
  #hasRestarts = false

  /** `actuated` absent: nothing is resized. */
  constructor(pod: Pod, actuated: ActuatedResources['actuatedResources'] | undefined) {
    this.#pod = pod
    this.#actuated = resizeRefusal(pod) === undefined ? actuated : undefined
  }

  /** Of each resource, what decreases comes before what increases. */
  get updates(): Readonly<Record<Resource, readonly ContainerToUpdate[]>> {
    return this.#updates
  }

  /** A container is restarted for its resize. */
  get hasRestarts(): boolean {
    return this.#hasRestarts
  }

  /** Looks at a container; the answer is why it has to be killed and started again. */
  restartOf(container: Container, status: RuntimeContainerStatus): ContainerToKill | undefined {
    if (this.#actuated === undefined || status.state !== 'running') return undefined
    // One that is not known counts as nothing: an update more does no harm.
    const current = amountsOf(this.#actuated(this.#pod.metadata.uid, container.name) ?? {})
    const desired = amountsOf(container.resources ?? {})
    const changed = (['memory', 'cpu'] as const).filter((resource) =>
      fields[resource].some((field) => desired[field] !== current[field]),
    )
    if (changed.some((resource) => needsRestart(container, resource))) {
      this.#hasRestarts = true
      return {
        status,
        message: `Container ${container.name} resize requires restart`,
        reason: '',
      }
    }
    for (const resource of changed) {
      const update = { container, containerId: status.id, desired, current }
      const field = fields[resource].find((one) => desired[one] !== current[one])
      if (field !== undefined && desired[field] < current[field])
        this.#updates[resource].unshift(update)
      else this.#updates[resource].push(update)
    }
    return undefined
  }
}

interface PodResizerDeps extends CorePorts {
  readonly runtimeService: Pick<RuntimeService, 'updateContainerResources' | 'listContainerStats'>
  readonly containerHost?: ContainerHost | undefined
  readonly allocations?: ActuatedResources | undefined
  /** Has the PLEG inspect the pod at its next relist, and the pod synced then. */
  readonly inspectPod?: ((podUid: string) => void) | undefined
}

/** What is resized in one sync of a pod. */
export interface PodResize {
  readonly pod: Pod
  readonly sandboxId: string
  readonly resizes: PodResizes
  readonly causes: TraceCauses
}

/** Updates the resources of running containers: memory first, then CPU; stops at the first failure, which the next sync tries again. */
export class PodResizer {
  readonly #deps: PodResizerDeps

  constructor(deps: PodResizerDeps) {
    this.#deps = deps
  }

  /** The step of the sync; undefined where nothing is to be done. */
  async resize(resize: PodResize): Promise<SyncResult | undefined> {
    const { pod, resizes } = resize
    const { updates, hasRestarts } = resizes
    if (updates.memory.length === 0 && updates.cpu.length === 0 && !hasRestarts) return undefined
    const step: SyncResult = { action: 'ResizePodInPlace', target: podDescription(pod) }
    const message = (await this.#memoryRefusal(resize)) ?? (await this.#update(resize))
    if (message === undefined) return step
    return { ...step, error: { reason: 'ResizePodInPlaceError', message, isBackOff: false } }
  }

  async #update({ pod, resizes, causes }: PodResize): Promise<string | undefined> {
    try {
      const configured = new Map<string, ContainerAmounts>()
      for (const resource of ['memory', 'cpu'] as const) {
        for (const update of resizes.updates[resource]) {
          const { container, containerId, desired } = update
          const current = configured.get(containerId) ?? update.current
          const next = { ...current, ...pick(desired, resource) }
          const resources = requirementsOf(container, next)
          const failure = await this.#updateContainer(pod, { ...container, resources }, containerId)
          if (failure !== undefined) return failure
          configured.set(containerId, next)
          tracePod(this.#deps.trace, pod, 'container.resized', causes, {
            container: container.name,
            containerId,
            resource,
          })
        }
      }
      return undefined
    } finally {
      // Also after a failure: what was done before it shows.
      this.#deps.inspectPod?.(pod.metadata.uid)
    }
  }

  async #updateContainer(
    pod: Pod,
    container: Container,
    containerId: string,
  ): Promise<string | undefined> {
    const { runtimeService, containerHost: host, allocations } = this.#deps
    const resources = host === undefined ? {} : linuxContainerResources(pod, container, host)
    const updated = await runtimeService.updateContainerResources(containerId, resources)
    if (!updated.ok) return updated.error.message
    const { uid } = pod.metadata
    allocations?.setActuatedResources(uid, container.name, container.resources ?? {})
    return undefined
  }

  /** Why memory limits cannot be decreased: the pod or a container uses more (validateMemoryResizeAction). */
  async #memoryRefusal({ pod, sandboxId, resizes }: PodResize): Promise<string | undefined> {
    if (resizes.updates.memory.length === 0 && !resizes.hasRestarts) return undefined
    const limit = podMemoryLimit(pod)
    const current = podMemoryLimit(this.#asActuated(pod))
    const isPodDecreasing = limit !== undefined && (current === undefined || limit < current)
    const decreasing = new Map(
      resizes.updates.memory.flatMap(({ container, desired: { memoryLimit }, current: now }) =>
        memoryLimit !== 0n && (now.memoryLimit === 0n || memoryLimit < now.memoryLimit)
          ? [[container.name, memoryLimit] as const]
          : [],
      ),
    )
    if (!isPodDecreasing && decreasing.size === 0) return undefined
    const stats = await this.#deps.runtimeService.listContainerStats({ podSandboxId: sandboxId })
    if (!stats.ok) return `unable to read memory usage for pod ${goQuote(podDescription(pod))}`
    const used = stats.value.reduce((sum, { memory }) => sum + memory.usageBytes, 0)
    const isPodAbove = isPodDecreasing && BigInt(used) >= limit
    const problems = [
      ...(isPodAbove
        ? [
            `attempting to set pod memory limit (${String(limit)}) below current usage (${String(used)})`,
          ]
        : []),
      ...stats.value.flatMap(({ name, memory }) => {
        const wanted = decreasing.get(name)
        if (wanted === undefined || BigInt(memory.usageBytes) < wanted) return []
        // A kubelet prints the usage of the pod here too.
        return [
          `attempting to set container ${goQuote(name)} memory limit (${String(wanted)}) below current usage (${String(used)})`,
        ]
      }),
    ]
    const text = aggregateText(problems)
    return text === undefined ? undefined : `cannot decrease memory limits: ${text}`
  }

  #asActuated(pod: Pod): Pod {
    const actuated = (container: Container): Container => ({
      ...container,
      resources:
        this.#deps.allocations?.actuatedResources(pod.metadata.uid, container.name) ??
        container.resources ??
        {},
    })
    const { containers, initContainers = [] } = pod.spec
    const spec = { ...pod.spec, containers: containers.map(actuated) }
    return { ...pod, spec: { ...spec, initContainers: initContainers.map(actuated) } }
  }
}

function pick(amounts: ContainerAmounts, resource: Resource): Partial<ContainerAmounts> {
  return Object.fromEntries(fields[resource].map((field) => [field, amounts[field]]))
}

/** In bytes; undefined: a container has none, so that the pod has none (cm ResourceConfigForPod). */
function podMemoryLimit(pod: Pod): bigint | undefined {
  const limits = amountsWithoutOverhead(pod, 'limits').get('memory')
  const resources = pod.spec['resources']
  const ofPod = isJsonObject(resources) ? resources['limits'] : undefined
  if (isJsonObject(ofPod) && ofPod['memory'] !== undefined) return limits
  const { ephemeralContainers: _none, ...spec } = pod.spec
  const areAllLimited = allContainers({ ...pod, spec }).every(
    (container) => resourceAmount('memory', container.resources?.limits?.['memory']) > 0n,
  )
  return areAllLimited ? limits : undefined
}

/** As a kubelet writes them into the spec that it updates with: all four, also what is 0. */
function requirementsOf(container: Container, amounts: ContainerAmounts): ResourceRequirements {
  const cpu = (milli: bigint): string =>
    formatQuantity({ nanos: milli * 1_000_000n, format: 'decimal' })
  const memory = (bytes: bigint): string =>
    formatQuantity({ nanos: bytes * 1_000_000_000n, format: 'binary' })
  return {
    ...container.resources,
    limits: { cpu: cpu(amounts.cpuLimit), memory: memory(amounts.memoryLimit) },
    requests: { cpu: cpu(amounts.cpuRequest), memory: memory(amounts.memoryRequest) },
  }
}
