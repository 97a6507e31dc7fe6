import type { Anchor } from '../handbook/anchors.ts'

/**
 * The place of a part in the picture; the layout places the parts of an area in the order of the table.
 * `server`, `runtime`: a band across the picture. `sources`: a column at the left. `merge`, `loop`, `workers`: one
 * part each. `managers`: a row above the workers. `feeds`: a row below the sync loop, for parts that send it events.
 * `helpers`: a row between the workers and the runtime.
 */
export type FlowArea =
  'server' | 'sources' | 'merge' | 'loop' | 'managers' | 'workers' | 'feeds' | 'helpers' | 'runtime'

/** One part of the kubelet, or a server or runtime that it calls. */
export interface FlowPartRow {
  readonly id: string
  /** Drawn in its frame. */
  readonly title: string
  /** The name outside the frame, if the title is not enough: `file source`. */
  readonly name?: string
  /** Its purpose, in one sentence. */
  readonly purpose: string
  readonly area: FlowArea
  /** File and Go name in kubernetes v1.34. */
  readonly upstream: readonly [file: string, name: string]
  /** The section of the handbook that explains it. */
  readonly section?: Anchor
  /** The moves that its open panel lists: those along the arrows to it, from it, or both. */
  readonly moves?: {
    readonly along: 'to' | 'from' | 'both'
    readonly heading: string
    readonly without: string
  }
}

/**
 * All parts, in the order in which a pod passes them: the order of lists and of the Tab key. A part shows its moves;
 * what else it shows is a row in `renderer/features/flow/parts/part-forms.tsx`.
 */
export const flowParts = [
  {
    id: 'apiServer',
    title: 'API server',
    purpose: 'Stores the objects, sends the kubelet its pods and receives their statuses.',
    area: 'server',
    upstream: ['cmd/kube-apiserver', 'kube-apiserver'],
    section: 'api-server#kubelet-writes',
    moves: { along: 'to', heading: 'Last written by this kubelet', without: 'Nothing yet.' },
  },
  {
    id: 'api',
    title: 'api',
    name: 'api source',
    purpose: 'Pods that the API server has bound to this node.',
    area: 'sources',
    upstream: ['pkg/kubelet/config/apiserver.go', 'NewSourceApiserver'],
    section: 'sources#api-source',
    moves: { along: 'from', heading: 'Last sent', without: 'Nothing yet.' },
  },
  {
    id: 'file',
    title: 'file',
    name: 'file source',
    purpose: 'Static pods from manifests in a folder.',
    area: 'sources',
    upstream: ['pkg/kubelet/config/file.go', 'sourceFile'],
    section: 'sources#file-source',
    moves: { along: 'from', heading: 'Last sent', without: 'Nothing yet.' },
  },
  {
    id: 'http',
    title: 'http',
    name: 'http source',
    purpose: 'Static pods from manifests at a URL.',
    area: 'sources',
    upstream: ['pkg/kubelet/config/http.go', 'sourceURL'],
    section: 'sources#http-source',
    moves: { along: 'from', heading: 'Last sent', without: 'Nothing yet.' },
  },
  {
    id: 'podConfig',
    title: 'PodConfig',
    purpose: 'Merges the sources and reports changes: ADD, UPDATE, REMOVE, RECONCILE, DELETE.',
    area: 'merge',
    upstream: ['pkg/kubelet/config/config.go', 'PodConfig'],
    section: 'sources#merge',
    moves: {
      along: 'to',
      heading: 'Last merges',
      without: 'No merges yet: no source has sent pods.',
    },
  },
  {
    id: 'syncLoop',
    title: 'sync loop',
    purpose: 'Handles one event at a time and dispatches it. It never syncs a pod itself.',
    area: 'loop',
    upstream: ['pkg/kubelet/kubelet.go', 'Kubelet.syncLoop'],
    section: 'sync-loop#inputs',
  },
  {
    id: 'podManager',
    title: 'PodManager',
    purpose: 'The desired pods, and which mirror belongs to which static pod.',
    area: 'managers',
    upstream: ['pkg/kubelet/pod/pod_manager.go', 'basicManager'],
    section: 'pod-manager#maps',
  },
  {
    id: 'mirrorClient',
    title: 'MirrorClient',
    purpose: 'Creates and deletes mirror pods, the copies of static pods in the API.',
    area: 'managers',
    upstream: ['pkg/kubelet/pod/mirror_client.go', 'basicMirrorClient'],
    section: 'mirror-pods#creation',
    moves: { along: 'both', heading: 'Last moves', without: 'Nothing yet.' },
  },
  {
    id: 'statusManager',
    title: 'StatusManager',
    purpose: 'Caches the latest status of each pod and writes changes to the API.',
    area: 'managers',
    upstream: ['pkg/kubelet/status/status_manager.go', 'manager'],
    section: 'status#status-cache',
    moves: { along: 'both', heading: 'Last versions', without: 'No status has changed yet.' },
  },
  {
    id: 'volumeManager',
    title: 'VolumeManager',
    purpose:
      'Mounts the volumes of pods before their containers start, and unmounts them afterwards. The managers of ConfigMaps and Secrets belong to it here: they watch each object that a pod refers to.',
    area: 'managers',
    upstream: ['pkg/kubelet/volumemanager/volume_manager.go', 'volumeManager'],
    section: 'containers#volumes',
    moves: { along: 'both', heading: 'Last moves', without: 'No volume has been mounted yet.' },
  },
  {
    id: 'nodeController',
    title: 'NodeController',
    purpose: 'Registers the node, writes its status, renews its lease.',
    area: 'managers',
    upstream: ['pkg/kubelet/kubelet_node_status.go', 'Kubelet.syncNodeStatus'],
    section: 'node#lease',
    moves: { along: 'from', heading: 'Last written', without: 'Nothing yet.' },
  },
  {
    id: 'podWorkers',
    title: 'PodWorkers',
    purpose: 'One worker per UID. Only workers start and stop pods.',
    area: 'workers',
    upstream: ['pkg/kubelet/pod_workers.go', 'podWorkers'],
    section: 'pod-workers#states',
  },
  {
    id: 'pleg',
    title: 'PLEG',
    purpose: 'Relists containers and sends changes to the sync loop.',
    area: 'feeds',
    upstream: ['pkg/kubelet/pleg/generic.go', 'GenericPLEG'],
    section: 'containers#pleg',
    moves: {
      along: 'both',
      heading: 'Last found',
      without: 'No container has started or exited yet.',
    },
  },
  {
    id: 'prober',
    title: 'Prober',
    purpose:
      'One worker per probe of a container. The results managers belong to it: they tell the sync loop when a result changes.',
    area: 'feeds',
    upstream: ['pkg/kubelet/prober/prober_manager.go', 'manager'],
    section: 'containers#probes',
    moves: { along: 'both', heading: 'Last results', without: 'No probe has a result yet.' },
  },
  {
    id: 'evictionManager',
    title: 'EvictionManager',
    purpose:
      'Compares what is left of memory, disk and process IDs with its thresholds, and ends one pod after another before the node runs out.',
    area: 'helpers',
    upstream: ['pkg/kubelet/eviction/eviction_manager.go', 'managerImpl'],
    section: 'eviction#eviction-loop',
    moves: { along: 'from', heading: 'Last evictions', without: 'No pod has been evicted yet.' },
  },
  {
    id: 'imageManager',
    title: 'ImageManager',
    purpose: 'Makes sure that the image of a container is on the node before the container starts.',
    area: 'helpers',
    upstream: ['pkg/kubelet/images/image_manager.go', 'imageManager'],
    section: 'images#pulling',
    moves: { along: 'both', heading: 'Last pulls', without: 'No image has been needed yet.' },
  },
  {
    id: 'garbageCollection',
    title: 'Garbage collection',
    purpose:
      'Removes dead containers every minute, and unused images every five minutes if they are too old or the disk is too full. The deletor, which removes older dead containers of a pod as soon as another one exits, belongs to it here.',
    area: 'helpers',
    upstream: ['pkg/kubelet/kubelet.go', 'Kubelet.StartGarbageCollection'],
    section: 'images#garbage-collection',
    moves: { along: 'from', heading: 'Last removed', without: 'Nothing has been removed yet.' },
  },
  {
    id: 'runtime',
    title: 'Container runtime',
    purpose: 'Runs pod sandboxes and containers.',
    area: 'runtime',
    upstream: ['pkg/kubelet/kuberuntime/kuberuntime_manager.go', 'kubeGenericRuntimeManager'],
    section: 'containers#runtime-sync',
    moves: {
      along: 'to',
      heading: 'Last calls',
      without: 'No container has been started or stopped yet.',
    },
  },
] as const satisfies readonly FlowPartRow[]

export type FlowPart = (typeof flowParts)[number]['id']
