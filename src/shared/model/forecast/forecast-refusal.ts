import { assertNever } from '../../assert-never.ts'
import { evictionRefusal } from '../../kubernetes/critical-pod.ts'
import type { Act, ActFacts } from '../act.ts'
import { isOver } from './forecast-grace.ts'

const onlyMirror = 'A static pod is not in the API, only its mirror is.'

/** Why Nodescope does not try the act, as one sentence; empty when it does. Pure. */
export function refusalOf(act: Act, facts: ActFacts): string {
  if (facts.readOnly) return 'Nodescope was started with --read-only: it shows and does not act.'
  switch (act) {
    case 'kill':
      return workerRefusal(facts, 'kill')
    case 'evictByKubelet':
      return facts.kind === 'mirror'
        ? workerRefusal(facts, 'evict')
        : criticalRefusal(facts) || workerRefusal(facts, 'evict')
    case 'evictThroughApi':
      return facts.kind === 'static'
        ? `${onlyMirror} Evicting the mirror would delete the copy; the kubelet would create it again, and the containers would keep running.`
        : apiRefusal(facts, 'evict the pod')
    case 'delete':
    case 'forceDelete':
      return facts.kind === 'static'
        ? `${onlyMirror} To stop the pod, remove its manifest.`
        : apiRefusal(facts, 'delete the pod')
    case 'deleteMirror':
      return mirrorRefusal(facts)
    default:
      return assertNever(act, 'act')
  }
}

/** Where the kubelet stops the pod: what stands in the way. */
function workerRefusal(facts: ActFacts, act: 'kill' | 'evict'): string {
  if (facts.worker === 'noKubelet') return `No kubelet has this pod, so there is nothing to ${act}.`
  if (facts.kubelet === 'stopped')
    return 'The kubelet of this node is not running, so it cannot stop containers.'
  if (facts.kind === 'mirror')
    return 'This mirror has no static pod on this node, so no containers run. The kubelet deletes it at its next housekeeping.'
  if (facts.worker === 'none')
    return `The kubelet has no worker for this pod, so there is nothing to ${act}.`
  if (!isOver(facts)) return ''
  return facts.deletionTimestamp !== null && facts.hasApiObject
    ? 'Containers stopped; waiting for the API object to be deleted.'
    : 'Its containers have already stopped.'
}

function criticalRefusal({ criticalBecause, priority }: ActFacts): string {
  return criticalBecause === '' ? '' : evictionRefusal(criticalBecause, priority)
}

function apiRefusal(facts: ActFacts, what: string): string {
  if (!facts.apiServerReachable)
    return `The API server does not answer now, and only it can ${what}.`
  if (facts.hasApiObject) return ''
  return isOver(facts)
    ? 'The API object is deleted and the containers have stopped. The kubelet removes its worker at its next housekeeping.'
    : 'The API object is deleted already; the kubelet is still stopping the containers.'
}

function mirrorRefusal(facts: ActFacts): string {
  if (facts.kind === 'regular') return 'The pod came from the API, so it has no mirror.'
  if (!facts.apiServerReachable)
    return 'The API server does not answer now, and only it can delete the mirror.'
  return facts.hasApiObject ? '' : 'There is no mirror in the API server now.'
}
