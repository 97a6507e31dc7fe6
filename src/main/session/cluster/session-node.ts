import type { NodeView } from '../../../shared/model/cluster-view.ts'
import type { RuntimeFact } from '../../../shared/model/act.ts'
import type { PodCache } from '../../kubelet/container/runtime.ts'
import type { Kubelet } from '../../kubelet/kubelet.ts'
import type { RuntimeService } from '../../kubelet/ports.ts'

/** The pod manager's queries that rows are made from. */
export type PodLookup = Pick<
  Kubelet['podManager'],
  'getPods' | 'getPodsAndMirrorPods' | 'getPodByUID' | 'getMirrorPodByPod' | 'translatePodUID'
>

/** The parts of a kubelet that the session reads and commands. */
export interface SessionKubelet {
  readonly podManager: PodLookup
  /** A worker's record with the versions of its status. */
  readonly workerView: Kubelet['workerView']
  readonly podWorkers: Pick<Kubelet['podWorkers'], 'workerView' | 'recordUids' | 'lastPod'>
  readonly statusManager: Pick<Kubelet['statusManager'], 'getPodStatus' | 'backlog'>
  readonly podCache: Pick<PodCache, 'get'>
  readonly podConfig: Pick<Kubelet['podConfig'], 'count'>
  readonly sourcesReady: Pick<Kubelet['sourcesReady'], 'allReady'>
  readonly mirrorReconciler: Pick<Kubelet['mirrorReconciler'], 'failure'>
  readonly podsController: Pick<Kubelet['podsController'], 'view'>
  readonly pleg: Pick<Kubelet['pleg'], 'view'>
  readonly server: Pick<Kubelet['server'], 'handle' | 'stream'>
  readonly probeViews: Kubelet['probeViews']
  readonly content: Pick<Kubelet['content'], 'probers' | 'volumes' | 'images'>
  readonly podUse: Kubelet['podUse']
  readonly podCgroups: Kubelet['podCgroups']
  /** Of one container; undefined if it has none. */
  readonly crashLoopBackOff: Kubelet['crashLoopBackOff']
  readonly volumesAndEnvironment: Pick<Kubelet['volumesAndEnvironment'], 'view' | 'valueOf'>
  readonly manualActions: Pick<Kubelet['manualActions'], 'kill' | 'evict'>
}

/** One node, as the session sees it (`SimulatedNode`). */
export interface SessionNode {
  readonly nodeName: string
  /** Whether its kubelet runs. */
  readonly isRunning: boolean
  /** The running kubelet, or the last one. */
  readonly kubelet: SessionKubelet
  /** Whether its runtime follows annotations of pods. */
  readonly isSimulated: boolean
  /** What its container runtime does with calls. */
  readonly runtimeState: RuntimeFact
  readonly runtime: Pick<RuntimeService, 'containerStatus' | 'stopContainer'>
  /** `server`: the API server's name or URL. */
  readonly view: (server: string) => Omit<NodeView, 'isCutOff'>
  readonly listen: (listener: {
    readonly viewChanged: () => void
    readonly kubeletChanged: (previous: SessionKubelet) => void
  }) => void
}
