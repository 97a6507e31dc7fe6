import type { ContainerStatus, Pod, PodPhase } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'

/** What else the phase depends on. */
export interface PhaseFacts {
  /** The worker has stopped the pod's containers for good. */
  readonly podIsTerminal: boolean
  /** A regular container of the present sandbox has been created (status#phase, step 2). */
  readonly podHasInitialized: boolean
  /** Static pods are never given a terminal phase for being terminal (status#phase, step 5). */
  readonly isStatic: boolean
}

/** Containers of a pod by what their statuses show. */
const noContainers = {
  pendingInit: 0,
  failedInit: 0,
  pendingSidecars: 0,
  unknown: 0,
  running: 0,
  waiting: 0,
  stopped: 0,
  succeeded: 0,
}
type Counts = typeof noContainers

/** The phase of a pod from all its container statuses (status#phase; kubelet getPhase). */
export function podPhase(
  pod: Pod,
  statuses: readonly ContainerStatus[],
  facts: PhaseFacts,
): PodPhase {
  const byName = new Map(statuses.map((status) => [status.name, status]))
  const counts = { ...noContainers }
  for (const container of pod.spec.initContainers ?? []) {
    const count = isSidecar(container) ? countSidecar : countInit
    count(counts, byName.get(container.name))
  }
  for (const container of pod.spec.containers) countRegular(counts, byName.get(container.name))
  if (counts.failedInit > 0 && pod.spec.restartPolicy === 'Never') return 'Failed'
  if (counts.pendingInit > 0) return 'Pending'
  if (counts.pendingSidecars > 0 && !facts.podHasInitialized) return 'Pending'
  if (counts.waiting > 0) return 'Pending'
  if (counts.unknown > 0) return 'Pending'
  if (counts.running > 0) return 'Running'
  return counts.stopped > 0 ? stoppedPhase(pod, counts, facts) : 'Pending'
}

function stoppedPhase(pod: Pod, counts: Counts, facts: PhaseFacts): PodPhase {
  const haveAllSucceeded = counts.stopped === counts.succeeded
  if (facts.podIsTerminal && !facts.isStatic) return haveAllSucceeded ? 'Succeeded' : 'Failed'
  if (pod.spec.restartPolicy === undefined || pod.spec.restartPolicy === 'Always') return 'Running'
  if (haveAllSucceeded) return 'Succeeded'
  return pod.spec.restartPolicy === 'Never' ? 'Failed' : 'Running'
}

function countInit(counts: Counts, status: ContainerStatus | undefined): void {
  const ended =
    status?.state?.terminated ??
    (status?.state?.waiting === undefined ? undefined : status.lastState?.terminated)
  if (ended === undefined) counts.pendingInit++
  else if (ended.exitCode !== 0) counts.failedInit++
}

function countSidecar(counts: Counts, status: ContainerStatus | undefined): void {
  if (status === undefined) {
    counts.unknown++
  } else if (status.state?.running !== undefined) {
    if (status.started !== true) counts.pendingSidecars++
    counts.running++
  } else if (status.state?.terminated !== undefined) {
    // Ended sidecars do not count.
  } else if (status.state?.waiting === undefined) {
    counts.pendingSidecars++
    counts.unknown++
  } else if (status.lastState?.terminated === undefined) {
    counts.pendingSidecars++
    counts.waiting++
  }
}

function countRegular(counts: Counts, status: ContainerStatus | undefined): void {
  const terminated = status?.state?.terminated
  if (status?.state?.running !== undefined) {
    counts.running++
  } else if (terminated !== undefined) {
    counts.stopped++
    if (terminated.exitCode === 0) counts.succeeded++
  } else if (status?.state?.waiting === undefined) {
    counts.unknown++
  } else if (status.lastState?.terminated === undefined) {
    counts.waiting++
  } else {
    counts.stopped++
  }
}
