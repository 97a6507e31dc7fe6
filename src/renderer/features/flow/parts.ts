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

/** The picture's own units; everything in it is placed in them. */
export const pictureSize = { width: 1264, height: 760 } as const

export const partBoxes: Readonly<Record<FlowPart, Box>> = {
  apiServer: { x: 24, y: 8, width: 1216, height: 58 },
  api: { x: 44, y: 232, width: 160, height: 66 },
  file: { x: 44, y: 312, width: 160, height: 66 },
  http: { x: 44, y: 392, width: 160, height: 66 },
  podConfig: { x: 258, y: 262, width: 126, height: 166 },
  syncLoop: { x: 449, y: 288, width: 114, height: 114 },
  podManager: { x: 416, y: 128, width: 180, height: 78 },
  mirrorClient: { x: 632, y: 128, width: 180, height: 78 },
  statusManager: { x: 828, y: 128, width: 188, height: 78 },
  nodeController: { x: 1032, y: 128, width: 190, height: 78 },
  podWorkers: { x: 632, y: 244, width: 594, height: 360 },
  pleg: { x: 462, y: 516, width: 88, height: 44 },
  runtime: { x: 24, y: 662, width: 1216, height: 86 },
}

export function isSource(part: FlowPart): part is PodSource {
  return part === 'api' || part === 'file' || part === 'http'
}
