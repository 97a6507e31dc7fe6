import type { ContainerStatus, Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import type { ContainerProbes } from '../container/probe-results.ts'
import type { StartFailure, StartFailures } from '../container/reason-cache.ts'
import { isProbedReady, isStarted } from './api-status.ts'
import type { ApiStatusInput, PodProbes } from './api-status.ts'
import type { ContainerStatusesInput } from './container-statuses.ts'

type ActuatedResources = NonNullable<ContainerStatusesInput['actuatedResources']>

/** Where a status of a pod comes from; each is replaced, never changed. */
interface Sources extends Pick<ApiStatusInput, 'pod' | 'runtimeStatus'> {
  readonly hostIPs: ApiStatusInput['hostIPs'] | undefined
}

/** What else was asked for, and the answers. */
interface Answers {
  readonly failures: readonly (readonly [container: string, failure: StartFailure | undefined])[]
  readonly resources: readonly (readonly [container: string, resources: object | undefined])[]
}

const noAnswers: Answers = { failures: [], resources: [] }

/**
 * Which cached statuses a further sync of the pod would make again: those that were made of the very same objects the last time.
 * Nearly all syncs are such, and then no status is made.
 */
export class SettledStatuses {
  readonly #madeOf = new WeakMap<PodStatus, Sources & Answers>()

  /** Whether the cached status is what `input` makes. */
  isSettled(input: ApiStatusInput): input is SettledInput {
    const { pod, runtimeStatus, hostIPs, reasonCache, actuatedResources, probes } = input
    const cached = input.oldStatus
    const made = cached === undefined ? undefined : this.#madeOf.get(cached)
    if (cached === undefined || made === undefined || !isPlain(input)) return false
    const { uid } = pod.metadata
    return (
      made.pod === pod &&
      made.runtimeStatus === runtimeStatus &&
      made.hostIPs === hostIPs &&
      made.failures.every(([name, failure]) => isSame(failure, reasonCache.get(uid, name))) &&
      made.resources.every(([name, resources]) => resources === actuatedResources?.(uid, name)) &&
      (probes === undefined || areProbesAsBefore(cached, pod, probes))
    )
  }

  /** `input` made what is cached already. */
  settle(input: ApiStatusInput, { failures, resources }: Answers): void {
    const { oldStatus: cached, pod, runtimeStatus, hostIPs } = input
    if (cached !== undefined && isPlain(input))
      this.#madeOf.set(cached, { pod, runtimeStatus, hostIPs, failures, resources })
  }
}

type SettledInput = ApiStatusInput & { readonly oldStatus: PodStatus }

/** Neither ends nor is resized. */
function isPlain({
  podIsTerminal,
  evictionChecks = [],
  resizeConditions = [],
}: ApiStatusInput): boolean {
  return !podIsTerminal && evictionChecks.length === 0 && resizeConditions.length === 0
}

/** The input, with what is asked for while a status is made of it. */
export function withAnswers(input: ApiStatusInput): {
  readonly input: ApiStatusInput
  readonly answers: () => Answers
} {
  const failures: [string, StartFailure | undefined][] = []
  const resources: [string, object | undefined][] = []
  const reasonCache: StartFailures = {
    get: (uid, name) => {
      const failure = input.reasonCache.get(uid, name)
      failures.push([name, failure])
      return failure
    },
  }
  const actuatedResources: ActuatedResources = (uid, name) => {
    const found = input.actuatedResources?.(uid, name)
    resources.push([name, found])
    return found
  }
  return {
    input: { ...input, reasonCache, actuatedResources },
    answers: () => (failures.length + resources.length === 0 ? noAnswers : { failures, resources }),
  }
}

function isSame(one: StartFailure | undefined, other: StartFailure | undefined): boolean {
  return one?.reason === other?.reason && one?.message === other?.message
}

/** False also while a container is not ready: then its probe is asked for. */
function areProbesAsBefore(cached: PodStatus, pod: Pod, of: ContainerProbes): boolean {
  const probes = { of, podUid: pod.metadata.uid }
  const { containerStatuses = [], initContainerStatuses = [] } = cached
  if (!containerStatuses.every((status) => isAsBefore(status, probes))) return false
  if (initContainerStatuses.length === 0) return true
  const sidecars = new Set(
    (pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name),
  )
  return initContainerStatuses.every((status) =>
    sidecars.has(status.name)
      ? isAsBefore(status, probes)
      : isStarted(status, probes) === status.started,
  )
}

function isAsBefore(status: ContainerStatus, probes: PodProbes): boolean {
  const started = isStarted(status, probes)
  if (started !== status.started) return false
  return !started || (status.ready && isProbedReady(status, probes))
}
