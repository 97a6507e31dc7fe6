import { ageSince, humanDuration, timeOf } from './age.ts'
import { isConditionTrue } from '../conditions.ts'
import type { ContainerStateTerminated, ContainerStatus, Pod } from '../objects.ts'
import { isSidecar } from '../pod-containers.ts'

/** What `kubectl get pods` shows of one pod, as values. Times are ms since the epoch. */
export interface PodColumns {
  readonly readyContainers: number
  readonly totalContainers: number
  /** The STATUS word: not the phase, but what kubectl makes of phase, conditions and container states. */
  readonly status: string
  readonly restarts: number
  /** When the run before the last restart ended; `null` when there was none, or its end is not known. */
  readonly lastRestartAt: number | null
  readonly age: string
}

/** What `-o wide` adds, `<none>` where there is nothing. */
export interface PodWideColumns {
  readonly ip: string
  readonly node: string
  readonly nominatedNode: string
  readonly readinessGates: string
}

/** Counts up while container statuses are read. */
interface Tally {
  ready: number
  restarts: number
  lastRestartAt: number | null
}

function emptyTally(): Tally {
  return { ready: 0, restarts: 0, lastRestartAt: null }
}

function countRestarts(tally: Tally, status: ContainerStatus): void {
  tally.restarts += status.restartCount
  const endedAt = timeOf(status.lastState?.terminated?.finishedAt)
  if (endedAt === null) return
  if (tally.lastRestartAt === null || tally.lastRestartAt < endedAt) tally.lastRestartAt = endedAt
}

function phaseWord(pod: Pod): string {
  const isGated = (pod.status?.conditions ?? []).some(
    (condition) => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated',
  )
  if (isGated) return 'SchedulingGated'
  const reason = pod.status?.reason ?? ''
  return reason === '' ? (pod.status?.phase ?? '') : reason
}

function terminatedWord(terminated: ContainerStateTerminated): string {
  if (terminated.reason !== undefined && terminated.reason !== '') return terminated.reason
  const signal = terminated.signal ?? 0
  return signal === 0 ? `ExitCode:${terminated.exitCode}` : `Signal:${signal}`
}

function unfinishedInitWord(status: ContainerStatus, index: number, total: number): string {
  const { terminated, waiting } = status.state ?? {}
  if (terminated !== undefined) return `Init:${terminatedWord(terminated)}`
  const reason = waiting?.reason ?? ''
  if (reason !== '' && reason !== 'PodInitializing') return `Init:${reason}`
  return `Init:${index}/${total}`
}

interface InitReading {
  /** The first init container that is neither done nor a started sidecar; `undefined` when there is none. */
  readonly heldUpBy: string | undefined
  readonly all: Tally
  readonly sidecars: Tally
}

function readInitContainers(pod: Pod): InitReading {
  const specs = pod.spec.initContainers ?? []
  const sidecarNames = new Set(specs.filter(isSidecar).map((container) => container.name))
  const all = emptyTally()
  const sidecars = emptyTally()
  for (const [index, status] of (pod.status?.initContainerStatuses ?? []).entries()) {
    countRestarts(all, status)
    const isSidecarStatus = sidecarNames.has(status.name)
    if (isSidecarStatus) countRestarts(sidecars, status)
    if (status.state?.terminated?.exitCode === 0) continue
    if (isSidecarStatus && status.started === true) {
      if (status.ready) sidecars.ready++
      continue
    }
    // kubectl stops here: containers after the one that holds the pod up are not counted.
    return { heldUpBy: unfinishedInitWord(status, index, specs.length), all, sidecars }
  }
  return { heldUpBy: undefined, all, sidecars }
}

function readContainers(pod: Pod, before: string, tally: Tally): string {
  let word = before
  let hasRunning = false
  // From the last to the first, so that the first container's word wins.
  for (const status of (pod.status?.containerStatuses ?? []).toReversed()) {
    countRestarts(tally, status)
    const { waiting, terminated, running } = status.state ?? {}
    if (waiting?.reason !== undefined && waiting.reason !== '') word = waiting.reason
    else if (terminated !== undefined) word = terminatedWord(terminated)
    else if (status.ready && running !== undefined) {
      hasRunning = true
      tally.ready++
    }
  }
  if (word !== 'Completed' || !hasRunning) return word
  return isConditionTrue(pod.status, 'Ready') ? 'Running' : 'NotReady'
}

function withDeletion(pod: Pod, word: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return word
  if (pod.status?.reason === 'NodeLost') return 'Unknown'
  const phase = pod.status?.phase
  return phase === 'Succeeded' || phase === 'Failed' ? word : 'Terminating'
}

/**
 * READY, STATUS, RESTARTS and AGE of a pod as kubectl shows them at `now` (ms). Restartable init
 * containers count as containers; while init containers hold the pod up only their restarts count.
 * Source: Kubernetes pkg/printers/internalversion printPod (v1.34).
 */
export function podColumns(pod: Pod, now: number): PodColumns {
  const init = readInitContainers(pod)
  const tally = { ...init.sidecars }
  let status = init.heldUpBy ?? phaseWord(pod)
  if (init.heldUpBy === undefined || isConditionTrue(pod.status, 'Initialized')) {
    status = readContainers(pod, status, tally)
  } else {
    tally.restarts = init.all.restarts
    tally.lastRestartAt = init.all.lastRestartAt
  }
  return {
    readyContainers: tally.ready,
    totalContainers:
      pod.spec.containers.length + (pod.spec.initContainers ?? []).filter(isSidecar).length,
    status: withDeletion(pod, status),
    restarts: tally.restarts,
    lastRestartAt: tally.lastRestartAt,
    age: ageSince(pod.metadata.creationTimestamp, now),
  }
}

/** kubectl's RESTARTS cell: `3 (5m ago)`, or the bare number when there was none or its time is not known. */
export function restartsText(
  columns: Pick<PodColumns, 'restarts' | 'lastRestartAt'>,
  now: number,
): string {
  if (columns.restarts === 0 || columns.lastRestartAt === null) return String(columns.restarts)
  return `${columns.restarts} (${humanDuration(now - columns.lastRestartAt)} ago)`
}

function readinessGatesText(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  const open = gates.filter((gate) => isConditionTrue(pod.status, gate.conditionType))
  return `${open.length}/${gates.length}`
}

function orNone(value: string | undefined): string {
  return value || '<none>'
}

/** IP, NODE, NOMINATED NODE and READINESS GATES. Same source as `podColumns`. */
export function podWideColumns(pod: Pod): PodWideColumns {
  const status = pod.status
  return {
    ip: orNone(status?.podIP || status?.podIPs?.[0]?.ip),
    node: orNone(pod.spec.nodeName),
    nominatedNode: orNone(status?.nominatedNodeName),
    readinessGates: readinessGatesText(pod),
  }
}
