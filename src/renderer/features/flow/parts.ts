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
  apiServer: 'Stores the objects; tells the kubelet of its pods and takes what it reports.',
  api: 'Pods that the API server has bound to this node.',
  file: 'Static pods from manifests in a folder.',
  http: 'Static pods from manifests at a URL.',
  podConfig: 'Merges the sources and says what is new: ADD, UPDATE, REMOVE, RECONCILE, DELETE.',
  syncLoop: 'Takes one thing after another and hands it on. It never works on a pod itself.',
  podManager: 'The pods that should be here, and which mirror stands for which static pod.',
  mirrorClient: 'Makes and deletes mirror pods, the pictures of static pods in the API.',
  statusManager: 'Keeps the newest status of each pod and writes what has changed.',
  nodeController: 'Registers the node, writes its status, renews its lease.',
  podWorkers: 'One worker for each UID; the only ones that start and stop pods.',
  pleg: 'Relists the containers and tells the sync loop what has changed.',
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
