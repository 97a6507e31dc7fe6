import type { FlowContent, FlowView } from '../../../shared/model/flow.ts'
import type { LoopEntry } from '../../../shared/model/cluster-view.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { isStaticPod } from '../../kubelet/pod/identity.ts'
import type { FlowRecorder } from './flow-recorder.ts'
import { eventCause } from '../../../shared/model/explanation/explanation.ts'
import { mirrorState } from '../rows/mirror-state.ts'
import type { PodLookup, SessionKubelet } from '../cluster/session-node.ts'

function podManagerCounts(podManager: PodLookup): Pick<FlowContent, 'podManager'> & {
  readonly pairs: { readonly paired: number; readonly unpaired: number }
} {
  const { allPods, allMirrorPods, orphanedMirrorPodFullNames } = podManager.getPodsAndMirrorPods()
  const orphans = orphanedMirrorPodFullNames.length
  const states = allPods
    .filter(isStaticPod)
    .map((pod) => mirrorState(pod, podManager.getMirrorPodByPod(pod)))
  const paired = states.filter((state) => state === 'matched').length
  return {
    podManager: {
      pods: allPods.length,
      mirrors: allMirrorPods.length,
      uidLinks: allMirrorPods.filter(
        ({ metadata }) => podManager.translatePodUID(metadata.uid) !== metadata.uid,
      ).length,
      orphans,
    },
    pairs: { paired, unpaired: states.length - paired + orphans },
  }
}

/** What the parts of a kubelet hold now. */
export function flowContent(kubelet: SessionKubelet): FlowContent {
  const { podManager, pairs } = podManagerCounts(kubelet.podManager)
  const { cached, unsent } = kubelet.statusManager.backlog(0)
  return {
    api: { pods: kubelet.podConfig.count('api'), mirrors: podManager.mirrors },
    podManager,
    pairs,
    statuses: { cached, unsent },
    iterations: kubelet.podsController.view().iterations,
    pleg: kubelet.pleg.view(),
    prober: kubelet.content.probers(),
    volumes: kubelet.content.volumes(),
    images: kubelet.content.images(),
  }
}

/** The flow of one kubelet at `now`: movements from the recorder, and what each part holds. */
export function flowView(parts: {
  readonly cluster: string
  readonly node: string
  readonly content: FlowContent
  readonly recorder: FlowRecorder
  readonly roots: readonly TraceEvent[]
  readonly lastLoopEntry: LoopEntry | undefined
  readonly now: number
}): FlowView {
  const { cluster, node, content, recorder, roots, lastLoopEntry, now } = parts
  const { api, podManager, pairs, statuses, iterations, pleg, prober, volumes, images } = content
  return {
    cluster,
    node,
    now,
    arrows: recorder.arrows(now),
    recent: recorder.recent(),
    roots: roots.map((event) => ({ seq: event.seq, at: event.at, text: eventCause(event) })),
    api,
    podConfig: { ops: recorder.ops(now) },
    podManager,
    pairs,
    mirrorClient: recorder.mirrorCalls(now),
    statusManager: { ...statuses, last: recorder.lastStatus },
    syncLoop: {
      iterations,
      last: lastLoopEntry === undefined ? null : { at: lastLoopEntry.at, text: lastLoopEntry.text },
    },
    pleg,
    prober,
    volumes,
    images,
    workers: { forgotten: recorder.forgotten },
  }
}
