import { evictionRefusal } from '../../kubernetes/critical-pod.ts'
import type { ActFacts } from '../act.ts'
import { isOver } from './forecast-grace.ts'

export const mirrorWithoutPod =
  'This mirror has no static pod on this node, so no containers run. The kubelet deletes it at its next housekeeping.'

/** Why only a kubelet that is this program can do it. */
const noSuchRequest =
  'A kubelet has no request for this, so it works only on nodes whose kubelet is Nodescope.'

/** Why the worker of the pod cannot stop it. Pure. */
export function workerRefusal(facts: ActFacts, act: 'kill' | 'evict'): string {
  if (facts.seenIn !== '')
    return act === 'kill'
      ? `${noSuchRequest} Delete the pod instead.`
      : `${noSuchRequest} Evict through the API instead.`
  if (facts.worker === 'noKubelet') return `No kubelet has this pod, so there is nothing to ${act}.`
  if (facts.kubelet === 'stopped')
    return 'The kubelet of this node is not running, so it cannot stop containers.'
  if (facts.kind === 'mirror') return mirrorWithoutPod
  if (facts.worker === 'none')
    return `The kubelet has no worker for this pod, so there is nothing to ${act}.`
  if (!isOver(facts)) return ''
  return facts.deletionTimestamp !== null && facts.hasApiObject
    ? 'Containers stopped; waiting for the API object to be deleted.'
    : 'Its containers have already stopped.'
}

/** Why the kubelet does not evict the pod. Pure. */
export function evictRefusal(facts: ActFacts): string {
  const { kind, criticalBecause, priority } = facts
  if (facts.seenIn !== '') return workerRefusal(facts, 'evict')
  if (kind !== 'mirror' && criticalBecause !== '') return evictionRefusal(criticalBecause, priority)
  return workerRefusal(facts, 'evict')
}

/** Why the API server is not asked; `instead`: the advice for a static pod. Pure. */
export function apiRefusal(facts: ActFacts, what: string, instead: string): string {
  if (facts.kind === 'static')
    return `A static pod is not in the API, only its mirror is. ${instead}`
  if (!facts.apiServerReachable)
    return `The API server does not answer now, and only it can ${what}.`
  if (facts.hasApiObject) return ''
  return isOver(facts)
    ? 'The API object is deleted and the containers have stopped. The kubelet removes its worker at its next housekeeping.'
    : 'The API object is deleted already; the kubelet is still stopping the containers.'
}

/** Why there is no mirror to delete. Pure. */
export function mirrorRefusal(facts: ActFacts): string {
  if (facts.kind === 'regular') return 'The pod came from the API, so it has no mirror.'
  if (!facts.apiServerReachable)
    return 'The API server does not answer now, and only it can delete the mirror.'
  return facts.hasApiObject ? '' : 'There is no mirror in the API server now.'
}
