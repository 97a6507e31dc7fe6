import type { PodSource } from '../../../shared/model/trace-event.ts'

/** The parts of the picture, in the order in which a pod passes them; also their order where they are a list. */
export const flowParts = [
  'apiServer',
  'api',
  'file',
  'http',
  'podConfig',
  'syncLoop',
  'podManager',
  'mirrorClient',
  'statusManager',
  'nodeController',
  'podWorkers',
  'pleg',
  'runtime',
] as const

export type FlowPart = (typeof flowParts)[number]

export const partTitles: Readonly<Record<FlowPart, string>> = {
  apiServer: 'API server',
  api: 'api',
  file: 'file',
  http: 'http',
  podConfig: 'PodConfig',
  syncLoop: 'sync loop',
  podManager: 'PodManager',
  mirrorClient: 'MirrorClient',
  statusManager: 'StatusManager',
  nodeController: 'NodeController',
  podWorkers: 'PodWorkers',
  pleg: 'PLEG',
  runtime: 'Container runtime',
}

/** What a part is for, in one sentence. */
export const partPurposes: Readonly<Record<FlowPart, string>> = {
  apiServer: 'Stores the objects, sends the kubelet its pods and receives their statuses.',
  api: 'Pods that the API server has bound to this node.',
  file: 'Static pods from manifests in a folder.',
  http: 'Static pods from manifests at a URL.',
  podConfig: 'Merges the sources and reports changes: ADD, UPDATE, REMOVE, RECONCILE, DELETE.',
  syncLoop: 'Handles one event at a time and dispatches it. It never syncs a pod itself.',
  podManager: 'The desired pods, and which mirror belongs to which static pod.',
  mirrorClient: 'Creates and deletes mirror pods, the copies of static pods in the API.',
  statusManager: 'Caches the latest status of each pod and writes changes to the API.',
  nodeController: 'Registers the node, writes its status, renews its lease.',
  podWorkers: 'One worker per UID. Only workers start and stop pods.',
  pleg: 'Relists containers and sends changes to the sync loop.',
  runtime: 'Runs pod sandboxes and containers.',
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function isSource(part: FlowPart): part is PodSource {
  return part === 'api' || part === 'file' || part === 'http'
}
