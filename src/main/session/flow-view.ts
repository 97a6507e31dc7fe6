import type { FlowView } from '../../shared/model/flow.ts'
import type { LoopEntry } from '../../shared/model/cluster-view.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import { isStatic } from '../kubelet/pod/identity.ts'
import type { FlowRecorder } from './flow-recorder.ts'
import { rootText } from './flow-words.ts'
import { mirrorState } from './mirror-state.ts'
import type { NodeAgent, PodLookup } from './node-agent.ts'

function podManagerCounts(podManager: PodLookup): Pick<FlowView, 'podManager'> & {
  readonly pairs: { readonly paired: number; readonly unpaired: number }
} {
  const { allPods, allMirrorPods, orphanedMirrorPodFullNames } = podManager.getPodsAndMirrorPods()
  const orphans = orphanedMirrorPodFullNames.length
  const states = allPods
    .filter(isStatic)
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

/** The picture of one kubelet at `now`: what moved, from the recorder, and what each part holds, from the agent. */
export function flowView(parts: {
  readonly cluster: string
  readonly agent: NodeAgent
  readonly recorder: FlowRecorder
  readonly roots: readonly TraceEvent[]
  readonly lastLoopEntry: LoopEntry | undefined
  readonly now: number
}): FlowView {
  const { cluster, agent, recorder, roots, lastLoopEntry, now } = parts
  const { podManager, pairs } = podManagerCounts(agent.podManager)
  const { cached, unsent } = agent.statusManager.backlog(0)
  const api = agent.nodeView().sources.find(({ source }) => source === 'api')
  return {
    cluster,
    node: agent.nodeName,
    now,
    arrows: recorder.arrows(now),
    recent: recorder.recent(),
    roots: roots.map((event) => ({ seq: event.seq, at: event.at, text: rootText(event) })),
    api: { pods: api?.pods ?? 0, mirrors: podManager.mirrors },
    podConfig: { ops: recorder.ops(now) },
    podManager,
    mirrorClient: { ...pairs, ...recorder.mirrorCalls(now) },
    statusManager: { cached, unsent, last: recorder.lastStatus },
    syncLoop: {
      iterations: agent.loopIterations(),
      last: lastLoopEntry === undefined ? null : { at: lastLoopEntry.at, text: lastLoopEntry.text },
    },
    pleg: agent.pleg(),
    workers: { forgotten: recorder.forgotten },
  }
}
