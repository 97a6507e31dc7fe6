import type { FlowPart } from './flow-parts.ts'
import type { PodSource } from './pod-source.ts'
import type { TraceEvent } from './trace-event.ts'

/** One arrow of the picture: something moves from one part to another. */
export interface FlowArrowRow<Part extends string = string> {
  readonly id: string
  readonly from: Part
  readonly to: Part
  /** What moves, for the sentence about the arrow. */
  readonly meaning: string
  /** The call, drawn next to the arrow; `{node}` is the node's name. */
  readonly label?: string
  /** What is drawn of its last move: under the label, or in its place without one. */
  readonly shows?: readonly ('text' | 'pod')[]
  /** The trace events of its moves; none if another arrow's events are counted for it. */
  readonly events: readonly TraceEvent['kind'][]
  /** If arrows share an event: only what this source sent. */
  readonly source?: PodSource
  /** If arrows share an event: only what is about this hook. */
  readonly hook?: 'postStart' | 'preStop'
  /** The lane of the workers at which it starts. */
  readonly lane?: 'SyncPod' | 'TerminatingPod'
  readonly isDashed?: boolean
}

/**
 * All arrows, in the order in which a pod takes them. `apiServer-api` has no event of its own: each merge of the api
 * source is counted for it, too.
 */
export const flowArrowTable = [
  {
    id: 'apiServer-api',
    from: 'apiServer',
    to: 'api',
    meaning: 'watch of the pods of this node',
    label: 'watch, spec.nodeName={node}',
    events: [],
  },
  {
    id: 'api-podConfig',
    from: 'api',
    to: 'podConfig',
    meaning: 'pods of the API server',
    events: ['config.merged'],
    source: 'api',
  },
  {
    id: 'file-podConfig',
    from: 'file',
    to: 'podConfig',
    meaning: 'static pods of the folder',
    events: ['config.merged'],
    source: 'file',
  },
  {
    id: 'http-podConfig',
    from: 'http',
    to: 'podConfig',
    meaning: 'static pods of the URL',
    events: ['config.merged'],
    source: 'http',
  },
  {
    id: 'podConfig-syncLoop',
    from: 'podConfig',
    to: 'syncLoop',
    meaning: 'what changed in the merge',
    events: ['loop.config'],
  },
  {
    id: 'syncLoop-podManager',
    from: 'syncLoop',
    to: 'podManager',
    meaning: 'pods added or removed',
    shows: ['text'],
    events: ['podManager.changed'],
  },
  {
    id: 'podManager-mirrorClient',
    from: 'podManager',
    to: 'mirrorClient',
    meaning: 'mirror UIDs mapped to static UIDs',
    label: 'UIDs',
    events: ['uid.linked', 'uid.unlinked'],
    isDashed: true,
  },
  {
    id: 'syncLoop-podWorkers',
    from: 'syncLoop',
    to: 'podWorkers',
    meaning: 'UpdatePod',
    label: 'UpdatePod',
    events: ['worker.updated'],
  },
  {
    id: 'podWorkers-mirrorClient',
    from: 'podWorkers',
    to: 'mirrorClient',
    meaning: 'a static pod needs its mirror',
    events: ['mirror.skipped'],
  },
  {
    id: 'podWorkers-statusManager',
    from: 'podWorkers',
    to: 'statusManager',
    meaning: 'statuses of pods',
    events: ['status.cached'],
  },
  {
    id: 'mirrorClient-apiServer',
    from: 'mirrorClient',
    to: 'apiServer',
    meaning: 'POST and DELETE of mirror pods',
    label: 'POST, DELETE pods',
    events: ['mirror.created', 'mirror.deleted', 'mirror.failed'],
  },
  {
    id: 'statusManager-apiServer',
    from: 'statusManager',
    to: 'apiServer',
    meaning: 'PATCH of pod statuses',
    label: 'PATCH pods/status',
    events: ['status.patched', 'status.failed', 'status.podDeleted'],
  },
  {
    id: 'nodeController-apiServer',
    from: 'nodeController',
    to: 'apiServer',
    meaning: 'PUT of the lease, PATCH of the node',
    label: 'PUT lease',
    events: [
      'lease.renewed',
      'lease.failed',
      'node.registered',
      'node.registrationFailed',
      'node.statusWritten',
      'node.statusFailed',
      'node.left',
      'node.leaveFailed',
    ],
  },
  {
    id: 'apiServer-volumeManager',
    from: 'apiServer',
    to: 'volumeManager',
    meaning: 'watches of ConfigMaps and Secrets',
    label: 'configmaps, secrets',
    events: ['object.received'],
  },
  {
    id: 'volumeManager-podWorkers',
    from: 'volumeManager',
    to: 'podWorkers',
    meaning: 'volumes that pods wait for',
    shows: ['text', 'pod'],
    events: ['volume.mounted', 'volume.updated', 'volume.failed', 'volume.unmounted'],
  },
  {
    id: 'imageManager-podWorkers',
    from: 'imageManager',
    to: 'podWorkers',
    meaning: 'images that containers wait for',
    shows: ['text', 'pod'],
    events: ['image.pulled', 'image.failed'],
  },
  {
    id: 'imageManager-runtime',
    from: 'imageManager',
    to: 'runtime',
    meaning: 'images to pull',
    label: 'PullImage',
    events: ['image.pulling'],
  },
  {
    id: 'podWorkers-runtime-start',
    from: 'podWorkers',
    to: 'runtime',
    meaning: 'sandboxes and containers to start, postStart hooks',
    label: 'StartContainer',
    shows: ['pod'],
    events: [
      'container.created',
      'container.started',
      'container.resized',
      'sandbox.started',
      'hook.started',
      'hook.ended',
    ],
    hook: 'postStart',
    lane: 'SyncPod',
  },
  {
    id: 'podWorkers-runtime-stop',
    from: 'podWorkers',
    to: 'runtime',
    meaning: 'containers and sandboxes to stop, preStop hooks',
    label: 'StopContainer',
    shows: ['text', 'pod'],
    events: [
      'container.killing',
      'container.signalled',
      'sandbox.stopped',
      'hook.started',
      'hook.ended',
    ],
    hook: 'preStop',
    lane: 'TerminatingPod',
  },
  {
    id: 'runtime-pleg',
    from: 'runtime',
    to: 'pleg',
    meaning: 'containers listed by the runtime',
    label: 'ListContainers',
    events: ['pleg.event'],
  },
  {
    id: 'pleg-syncLoop',
    from: 'pleg',
    to: 'syncLoop',
    meaning: 'containers that started or exited',
    shows: ['text', 'pod'],
    events: ['loop.pleg'],
  },
  {
    id: 'runtime-prober',
    from: 'runtime',
    to: 'prober',
    meaning: 'outcomes of probes, by ExecSync or over the network of the pod',
    label: 'ExecSync',
    events: ['probe.failed', 'probe.resultChanged'],
  },
  {
    id: 'prober-syncLoop',
    from: 'prober',
    to: 'syncLoop',
    meaning: 'results of probes that changed',
    shows: ['text', 'pod'],
    events: ['loop.probe'],
  },
  {
    id: 'evictionManager-podWorkers',
    from: 'evictionManager',
    to: 'podWorkers',
    meaning: 'pods to evict',
    label: 'killPodNow',
    shows: ['pod'],
    events: ['eviction.requested'],
  },
  {
    id: 'garbageCollection-runtime',
    from: 'garbageCollection',
    to: 'runtime',
    meaning: 'dead containers and unused images to remove',
    label: 'RemoveContainer',
    events: ['container.removed', 'image.removed'],
  },
  {
    id: 'podWorkers-podWorkers',
    from: 'podWorkers',
    to: 'podWorkers',
    meaning: 'workers removed by SyncKnownPods; recreated if the pod is wanted again',
    events: ['worker.forgotten'],
  },
] as const satisfies readonly FlowArrowRow<FlowPart>[]

export type FlowArrow = (typeof flowArrowTable)[number]['id']
