import { defined, withFields } from '../../../shared/json.ts'
import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { fromTimestamp, toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'

/** All termination messages of a pod together, in bytes (containers#termination-message). */
const maxTerminationBytes = 12 * 1024

/**
 * The status as the API server will give it back (status#cache-updates step 7): whole seconds, termination
 * messages cut to their share, statuses by name, init statuses as in the spec.
 */
export function normalizeStatus(pod: Pod, status: PodStatus): PodStatus {
  const count = allContainers(pod).length
  const maxBytes = Math.floor(maxTerminationBytes / Math.max(count, 1))
  const { startTime, conditions, containerStatuses, initContainerStatuses } = status
  const { ephemeralContainerStatuses } = status
  const order = (pod.spec.initContainers ?? []).map(({ name }) => name)
  const normalized = (statuses: readonly ContainerStatus[]): readonly ContainerStatus[] =>
    statuses.map((one) => normalizeContainer(one, maxBytes))
  return withFields(
    status,
    defined({
      startTime: startTime === undefined ? undefined : wholeSeconds(startTime),
      conditions: conditions?.map(normalizeCondition),
      containerStatuses: containerStatuses && byName(normalized(containerStatuses)),
      initContainerStatuses:
        initContainerStatuses && inOrder(normalized(initContainerStatuses), order),
      ephemeralContainerStatuses:
        ephemeralContainerStatuses && byName(normalized(ephemeralContainerStatuses)),
    }),
  )
}

/** As `toTimestamp` writes it: nothing is to be cut off. */
const inWholeSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

function isWhole(time: string | null | undefined): boolean {
  return !time || inWholeSeconds.test(time)
}

function wholeSeconds(time: string): string {
  if (isWhole(time)) return time
  const ms = fromTimestamp(time)
  return ms === undefined ? time : toTimestamp(ms)
}

function normalizeCondition(condition: PodCondition): PodCondition {
  const { lastTransitionTime, lastProbeTime } = condition
  if (isWhole(lastTransitionTime) && isWhole(lastProbeTime)) return condition
  return {
    ...condition,
    ...(lastProbeTime ? { lastProbeTime: wholeSeconds(lastProbeTime) } : {}),
    ...(lastTransitionTime ? { lastTransitionTime: wholeSeconds(lastTransitionTime) } : {}),
  }
}

function normalizeContainer(status: ContainerStatus, maxBytes: number): ContainerStatus {
  const state = status.state && normalizeState(status.state, maxBytes)
  const lastState = status.lastState && normalizeState(status.lastState, maxBytes)
  if (state === status.state && lastState === status.lastState) return status
  return withFields(status, defined({ state, lastState }))
}

function normalizeState(state: ContainerState, maxBytes: number): ContainerState {
  const { running, terminated } = state
  if (running?.startedAt !== undefined) {
    if (isWhole(running.startedAt)) return state
    return { ...state, running: { startedAt: wholeSeconds(running.startedAt) } }
  }
  if (terminated === undefined) return state
  const { startedAt, finishedAt, message } = terminated
  return {
    ...state,
    terminated: {
      ...terminated,
      ...defined({
        startedAt: startedAt === undefined ? undefined : wholeSeconds(startedAt),
        finishedAt: finishedAt === undefined ? undefined : wholeSeconds(finishedAt),
        message: message === undefined ? undefined : cutToBytes(message, maxBytes),
      }),
    },
  }
}

/**
 * So many bytes of the text. Go cuts a character that does not fit, and its JSON has U+FFFD for each byte that is
 * left of it.
 */
export function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (bytes + size > maxBytes) return text.slice(0, end) + '\ufffd'.repeat(maxBytes - bytes)
    bytes += size
    end += character.length
  }
  return text
}

function byName(statuses: readonly ContainerStatus[]): readonly ContainerStatus[] {
  return statuses.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

/** Those of the order first and in it; each changes its place with what stood there (SortInitContainerStatuses). */
function inOrder(
  statuses: readonly ContainerStatus[],
  order: readonly string[],
): readonly ContainerStatus[] {
  const sorted = [...statuses]
  let place = 0
  for (const name of order) {
    const index = sorted.findIndex((status, at) => at >= place && status.name === name)
    const [found, other] = [sorted[index], sorted[place]]
    if (found === undefined || other === undefined) continue
    sorted[index] = other
    sorted[place++] = found
  }
  return sorted
}
