/** What an entry of a kubelet tells. `docs/kubelet-log.md` lists what follows from each. */
export type LogFactKind =
  | 'add'
  | 'update'
  | 'remove'
  | 'delete'
  | 'pleg'
  | 'containerFinished'
  | 'noSandbox'
  | 'workerCreated'
  | 'waitsForName'
  | 'neverStarts'
  | 'eventTaken'
  | 'syncEnter'
  | 'teardown'
  | 'terminatingEnter'
  | 'terminated'
  | 'terminatedEnter'
  | 'finished'
  | 'forgotten'
  | 'restartsSameUid'
  | 'cancel'
  | 'volumesCleaned'
  | 'syncError'
  | 'rejected'
  | 'kill'
  | 'statusWritten'
  | 'statusFailed'
  | 'statusSkipped'
  | 'finalDelete'
  | 'mirrorCreate'
  | 'mirrorDelete'
  | 'mirrorFailed'
  | 'probeFailed'
  | 'probeChanged'
  | 'evicted'
  | 'pressure'
  | 'stall'
  | 'housekeeping'
  | 'housekeepingEnd'
  | 'eventOccurred'
  | 'startupObserved'
  | 'nodeNamed'

export interface LogMessage {
  readonly text: string
  /** The lowest -v at which it is logged; 0 also for errors. */
  readonly level: number
  readonly kind: LogFactKind
  /** A value may hold what looks like another key. */
  readonly hasFreeText: boolean
}

type Row = readonly [text: string, level: number, kind: LogFactKind]

/**
 * Of kubelet v1.34 (pkg/kubelet), found by their text: line numbers differ between versions. The level of each is what the
 * source at that line says, checked against logs of -v=2 and -v=4.
 */
const rows: readonly Row[] = [
  // kubelet.go: syncLoopIteration
  ['SyncLoop ADD', 2, 'add'],
  ['SyncLoop UPDATE', 2, 'update'],
  ['SyncLoop REMOVE', 2, 'remove'],
  ['SyncLoop DELETE', 2, 'delete'],
  ['SyncLoop (PLEG): event for pod', 2, 'pleg'],
  ['SyncLoop (probe)', 1, 'probeChanged'],
  ['SyncLoop (housekeeping)', 4, 'housekeeping'],
  ['SyncLoop (housekeeping) end', 4, 'housekeepingEnd'],
  // pleg/generic.go
  ['Generic (PLEG): container finished', 2, 'containerFinished'],
  // kuberuntime/util
  ['No sandbox for pod can be found. Need to start a new one', 2, 'noSandbox'],
  // pod_workers.go
  ['Pod is being synced for the first time', 4, 'workerCreated'],
  ['Pod cannot start yet', 4, 'waitsForName'],
  ['Pod cannot start ever', 4, 'neverStarts'],
  ['Processing pod event', 4, 'eventTaken'],
  ['Pod is terminal', 4, 'teardown'],
  ['Pod indicated lifecycle completed naturally and should now terminate', 4, 'teardown'],
  ['Pod is marked for graceful deletion, begin teardown', 4, 'teardown'],
  ['Pod is being removed by the kubelet, begin teardown', 4, 'teardown'],
  ['Pod is being evicted by the kubelet, begin teardown', 4, 'teardown'],
  ['Pod is in a terminal phase (success/failed), begin teardown', 4, 'teardown'],
  ['Pod is orphaned and must be torn down', 4, 'teardown'],
  ['Cancelling current pod sync', 3, 'cancel'],
  ['Pod terminated all containers successfully', 4, 'terminated'],
  ['Pod is complete and the worker can now stop', 4, 'finished'],
  ['Pod worker has stopped', 3, 'finished'],
  [
    'Pod has been terminated and is no longer known to the kubelet, remove all history',
    4,
    'forgotten',
  ],
  [
    'Pod has been terminated and another pod with the same UID was created, remove history to allow restart',
    4,
    'restartsSameUid',
  ],
  [
    'Pod will be restarted because it is in the desired set and not known to the pod workers (likely due to UID reuse)',
    3,
    'restartsSameUid',
  ],
  ['Error syncing pod, skipping', 0, 'syncError'],
  // kubelet.go: syncPod, syncTerminatingPod, syncTerminatedPod
  ['SyncPod enter', 4, 'syncEnter'],
  ['SyncTerminatingPod enter', 4, 'terminatingEnter'],
  ['Pod termination stopped all running containers', 4, 'terminated'],
  ['SyncTerminatedPod enter', 4, 'terminatedEnter'],
  ['Pod termination cleaned up volume paths', 3, 'volumesCleaned'],
  ['Pod is terminated and will need no more status updates', 4, 'finished'],
  ['Pod admission denied', 0, 'rejected'],
  ['Skipping pod synchronization', 0, 'stall'],
  ['Housekeeping took longer than expected', 0, 'stall'],
  // kuberuntime
  ['Killing container with a grace period', 2, 'kill'],
  // status/status_manager.go
  ['Status for pod updated successfully', 3, 'statusWritten'],
  ['Failed to update status for pod', 0, 'statusFailed'],
  ['Failed to get status for pod', 0, 'statusFailed'],
  ['Pod was deleted and then recreated, skipping status update', 2, 'statusSkipped'],
  ['Pod fully terminated and removed from etcd', 3, 'finalDelete'],
  // mirrors
  ['Creating a mirror pod for static pod', 0, 'mirrorCreate'],
  ['Deleting a mirror pod', 2, 'mirrorDelete'],
  ["Deleted mirror pod as it didn't match the static Pod", 0, 'mirrorDelete'],
  ['Failed creating a mirror pod', 0, 'mirrorFailed'],
  // k8s.io/client-go/tools/events: what the kubelet records as Events
  ['Event occurred', 3, 'eventOccurred'],
  // cm/container_manager_linux.go, kubelet_node_status.go, nodestatus/setters.go
  ['Creating Container Manager object based on Node Config', 0, 'nodeNamed'],
  ['Attempting to register node', 0, 'nodeNamed'],
  ['Successfully registered node', 0, 'nodeNamed'],
  ['Node was previously registered', 0, 'nodeNamed'],
  ['Node became not ready', 0, 'nodeNamed'],
  ['Recording event message for node', 2, 'nodeNamed'],
  // util/pod_startup_latency_tracker.go
  ['Observed pod startup duration', 0, 'startupObserved'],
  // prober
  ['Probe failed', 1, 'probeFailed'],
  // eviction
  ['Eviction manager: pod is evicted successfully', 0, 'evicted'],
  ['Eviction manager: attempting to reclaim', 0, 'pressure'],
  ['Eviction manager: must evict pod(s) to reclaim', 0, 'pressure'],
]

const withFreeText: ReadonlySet<LogFactKind> = new Set([
  'syncError',
  'rejected',
  'statusFailed',
  'mirrorFailed',
  'probeFailed',
  'stall',
  'eventOccurred',
])

export const logMessages: readonly LogMessage[] = rows.map(([text, level, kind]) => ({
  text,
  level,
  kind,
  hasFreeText: withFreeText.has(kind),
}))

/** FNV-1a, 32 bit, of bytes from `start` to `end`. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}

interface Known {
  readonly bytes: Buffer
  readonly message: LogMessage
}

const byHash: ReadonlyMap<number, Known> = new Map(
  logMessages.map((message) => {
    const bytes = Buffer.from(message.text)
    return [hashOf(bytes, 0, bytes.length), { bytes, message }]
  }),
)

/** The message whose text the bytes are. */
export function messageAt(buffer: Buffer, start: number, end: number): LogMessage | undefined {
  const known = byHash.get(hashOf(buffer, start, end))
  return known !== undefined && known.bytes.equals(buffer.subarray(start, end))
    ? known.message
    : undefined
}
