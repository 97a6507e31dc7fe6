import { withFields } from '../../../shared/json.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
} from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import {
  findContainerStatus,
  shouldContainerBeRestarted,
} from '../kuberuntime/container-restart.ts'
import { restartCountOf } from '../kuberuntime/container-labels.ts'
import type { StartFailures } from '../container/reason-cache.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'
import type { ActuatedResources } from '../allocation/pod-resize.ts'
import type { RuntimeContainerStatus } from '../ports.ts'
import { containerStatusResources } from './container-resources.ts'
import { volumeMountStatuses } from './volume-mount-statuses.ts'

/** Which list of the status is made: the three differ in their order and in what a finished one means. */
export type ContainerKind = 'regular' | 'init' | 'ephemeral'

export interface ContainerStatusesInput {
  readonly pod: Pod
  readonly runtimeStatus: PodRuntimeStatus
  /** The same list of the status before. */
  readonly previous: readonly ContainerStatus[]
  readonly kind: ContainerKind
  readonly startFailures: StartFailures
  /** See ActuatedResources. */
  readonly actuatedResources?: ActuatedResources['actuatedResources'] | undefined
}

const unknownExit = { exitCode: 137, reason: 'ContainerStatusUnknown' } as const

/** The container as the API names it: the runtime's name, then its own id. */
export function apiContainerId(runtimeName: string | undefined, id: string): string {
  return `${runtimeName ?? ''}://${id}`
}

/** The runtime's own id of a container that the API names. */
export function runtimeContainerId(apiId: string): string {
  const start = apiId.indexOf('://')
  return start === -1 ? apiId : apiId.slice(start + '://'.length)
}

/**
 * One list of container statuses (status#building-the-status; kubelet convertToAPIContainerStatuses): by name, init
 * containers in the order of the spec. `ready` and `started` are filled in later, from the probes.
 */
export function toApiContainerStatuses(input: ContainerStatusesInput): readonly ContainerStatus[] {
  const containers = containersOfKind(input.pod, input.kind)
  if (containers.length === 0) return []
  const statuses = containers.map((container) => {
    const seen = input.runtimeStatus.containers.filter(({ name }) => name === container.name)
    const old = input.previous.findLast(({ name }) => name === container.name)
    const status =
      seen.length === 0
        ? unseenStatus(input.pod, container, old)
        : seenStatus(input, container, seen, old)
    return withStartFailure(input, container, status)
  })
  return input.kind === 'init' || statuses.length === 1
    ? statuses
    : statuses.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

function containersOfKind(pod: Pod, kind: ContainerKind): readonly Container[] {
  switch (kind) {
    case 'regular':
      return pod.spec.containers
    case 'init':
      return pod.spec.initContainers ?? []
    case 'ephemeral':
      return pod.spec.ephemeralContainers ?? []
    default:
      return assertNever(kind, 'container kind')
  }
}

/** A container that the runtime does not know: waiting, unless it had ended before. */
function unseenStatus(
  pod: Pod,
  container: Container,
  old: ContainerStatus | undefined,
): ContainerStatus {
  if (old?.state?.terminated !== undefined) return old
  const hasInitContainers = (pod.spec.initContainers ?? []).length > 0
  const status: ContainerStatus = {
    name: container.name,
    state: { waiting: { reason: hasInitContainers ? 'PodInitializing' : 'ContainerCreating' } },
    lastState: old?.lastState ?? {},
    ready: false,
    restartCount: old?.restartCount ?? 0,
    image: container.image ?? '',
    imageID: '',
    ...volumeMountStatuses(container),
  }
  const wasRunning = old?.state?.running !== undefined
  if (!wasRunning || status.lastState?.terminated !== undefined) return status
  // A last termination is made up, so that the pod does not fall back to Pending.
  const message =
    'The container could not be located when the pod was deleted.  The container used to be Running'
  return {
    ...status,
    lastState: { terminated: { ...unknownExit, message } },
    restartCount: status.restartCount + (pod.metadata.deletionTimestamp === undefined ? 1 : 0),
  }
}

/** `seen`: the runtime's containers of one name, newest first; the one before the newest is the last state. */
function seenStatus(
  input: ContainerStatusesInput,
  container: Container,
  seen: readonly RuntimeContainerStatus[],
  old: ContainerStatus | undefined,
): ContainerStatus {
  const { runtimeName } = input.runtimeStatus
  const [newest, before] = seen
  if (newest === undefined) throw new Error('a seen container without a status')
  const status = convertStatus(runtimeName, newest, old)
  const lastState = before === undefined ? {} : convertStatus(runtimeName, before, old).state
  const allocated = container.resources ?? {}
  const { requests = {} } = allocated
  return withFields(status, {
    lastState: lastState ?? {},
    resources: containerStatusResources(
      allocated,
      newest,
      requests['memory'] === undefined
        ? undefined
        : input.actuatedResources?.(input.pod.metadata.uid, container.name),
      old?.containerID === status.containerID ? old : undefined,
    ),
    ...(Object.keys(requests).length === 0 ? {} : { allocatedResources: requests }),
    ...(newest.user === undefined ? {} : { user: { linux: newest.user } }),
  })
}

function convertStatus(
  runtimeName: string | undefined,
  container: RuntimeContainerStatus,
  old: ContainerStatus | undefined,
): ContainerStatus {
  const containerID = apiContainerId(runtimeName, container.id)
  const isLost = container.state === 'unknown' && old?.state?.running !== undefined
  return {
    name: container.name,
    state: convertState(container, containerID, isLost),
    ready: false,
    // The runtime gave no count for a container that it lost.
    restartCount: isLost ? old.restartCount + 1 : restartCountOf(container),
    image: container.image,
    imageID: container.imageRef,
    containerID,
    // They never change.
    ...(old?.volumeMounts === undefined ? {} : { volumeMounts: old.volumeMounts }),
  }
}

function convertState(
  container: RuntimeContainerStatus,
  containerID: string,
  isLost: boolean,
): ContainerState {
  switch (container.state) {
    case 'running':
      return { running: { startedAt: toTimestamp(container.startedAt) } }
    case 'exited':
      return {
        terminated: {
          exitCode: container.exitCode,
          ...(container.reason === '' ? {} : { reason: container.reason }),
          ...(container.message === '' ? {} : { message: container.message }),
          startedAt: toTimestamp(container.startedAt),
          finishedAt: toTimestamp(container.finishedAt),
          containerID,
        },
      }
    case 'created':
      return { waiting: {} }
    case 'unknown':
      // It ran before: going back to waiting would run a job twice.
      return isLost
        ? {
            terminated: {
              ...unknownExit,
              message: 'The container could not be located when the pod was terminated',
            },
          }
        : { waiting: {} }
    default:
      return assertNever(container.state, 'container state')
  }
}

/** A container that will be started again and failed to start the last time is waiting, with that reason. */
function withStartFailure(
  { pod, runtimeStatus, kind, startFailures }: ContainerStatusesInput,
  container: Container,
  status: ContainerStatus,
): ContainerStatus {
  if (kind === 'init') {
    const last = findContainerStatus(runtimeStatus, container.name)
    if (last?.state === 'exited' && last.exitCode === 0) return status
  }
  if (!shouldContainerBeRestarted(container, pod, runtimeStatus)) return status
  const failure = startFailures.get(pod.metadata.uid, container.name)
  if (failure === undefined) return status
  const { reason, message } = failure
  const lastState = status.state?.terminated === undefined ? status.lastState : status.state
  return {
    ...status,
    ...(lastState === undefined ? {} : { lastState }),
    state: { waiting: { reason, ...(message === '' ? {} : { message }) } },
  }
}
