import type { WhyAnswer } from '../../../shared/model/why.ts'
import { isMirrorPod, isStaticPod } from '../../kubelet/pod/identity.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import { shownPod } from '../rows/pod-row.ts'
import { crashLooping, whyCrashLoop } from './why-crash-loop.ts'
import { whyMirror } from './why-mirror.ts'
import { whyNoNode, whyNoWorker, whyPending, whyWaiting } from './why-not-starting.ts'
import type { WhyFacts } from './why-facts.ts'
import { whyOrphanStays, whyStillHere } from './why-still-here.ts'

function whyInSync(facts: WhyFacts): WhyAnswer | null {
  const { known, containers } = facts
  if (crashLooping(containers) !== undefined) return whyCrashLoop(facts)
  const phase = (known.localStatus ?? shownPod(known).status)?.phase ?? 'Pending'
  if (phase === 'Pending') return whyPending(facts)
  return isStaticPod(known.pod) ? whyMirror(facts) : null
}

/**
 * Why the pod is in its state: why it stays, does not start, crashes, or has no current mirror. Null if it runs and its
 * mirror is current. Pure.
 */
export function whyOf(facts: WhyFacts): WhyAnswer | null {
  const { worker, pod, noKubelet } = facts.known
  if (noKubelet !== '') return whyNoNode(facts)
  const state = worker?.state
  switch (state) {
    case undefined:
    case 'none':
    case 'noKubelet':
      return isMirrorPod(pod) && !isStaticPod(pod) ? whyOrphanStays(facts) : whyNoWorker(facts)
    case 'waiting':
      return whyWaiting(facts)
    case 'SyncPod':
      return whyInSync(facts)
    case 'TerminatingPod':
    case 'TerminatedPod':
    case 'TerminatedAndRecreatedPod':
    case 'finished':
      return whyStillHere(facts)
    default:
      return assertNever(state, 'worker state')
  }
}
