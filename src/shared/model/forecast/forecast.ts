import { assertNever } from '../../assert-never.ts'
import type { Act, ActFacts, ActForecast } from '../act.ts'
import { effectOf, graceOfAct, isTerminal } from './forecast-effect.ts'
import { kubectlOf } from './forecast-kubectl.ts'
import { mirrorLanes } from './forecast-lanes.ts'
import { refusalOf } from './forecast-refusal.ts'
import type { Said } from './forecast-words.ts'
import {
  marksOf,
  outcomeOf,
  protectionsOf,
  stillOf,
  summaryOf,
  warningsOf,
} from './forecast-words.ts'

/** What an act is called. */
export const actTitles: Readonly<Record<Act, string>> = {
  kill: 'Kill at the worker',
  evictByKubelet: 'Evict by the kubelet',
  evictThroughApi: 'Evict through the API',
  delete: 'Delete',
  forceDelete: 'Delete by force',
  deleteMirror: 'Delete the mirror pod',
}

/**
 * Says what an act will do to a pod, from facts alone: first as fields (`effect`), then in words made of them.
 * Pure; used by the dialogs before the click and by main before it acts, so that both say the same. `graceSeconds`
 * null: the pod's own.
 */
export function forecastAct(act: Act, facts: ActFacts, graceSeconds: number | null): ActForecast {
  // As kubectl reads it: 0 is for --force alone.
  const asked = act === 'delete' && graceSeconds !== null ? Math.max(1, graceSeconds) : graceSeconds
  const effect = effectOf(act, facts, asked)
  const grace = graceOfAct(act, facts, asked)
  const said: Said = { act, facts, effect, grace, asked }
  const refusal = refusalOf(act, facts)
  return {
    act,
    effect,
    isAllowed: refusal === '',
    refusal,
    title: actTitles[act],
    summary: summaryOf(said),
    marks: marksOf(said),
    still: stillOf(effect),
    graceSeconds: graceSecondsOf(said),
    outcome: outcomeOf(effect, facts),
    warnings: warningsOf(said),
    protections: protectionsOf(said),
    kubectl: kubectlOf(said),
    confirm: confirmOf(said),
    takesGrace: takesGrace(said),
    lanes: act === 'deleteMirror' ? mirrorLanes(effect, facts) : null,
    isSelfRighting: effect.object.kind === 'replaced',
  }
}

function graceSecondsOf({ act, facts, grace }: Said): number {
  if (act === 'deleteMirror') return 0
  const isDeletion = act === 'delete' || act === 'evictThroughApi'
  return isDeletion && isTerminal(facts) ? 0 : grace.workerSeconds
}

function takesGrace({ act, facts }: Said): boolean {
  if (act === 'kill') return true
  return (act === 'delete' || act === 'evictThroughApi') && !isTerminal(facts) && facts.isScheduled
}

function confirmOf(said: Said): string {
  const { act, asked, grace } = said
  const seconds = asked === 0 ? 0 : grace.workerSeconds
  switch (act) {
    case 'kill':
      return `Kill, ${grace.workerSeconds} s grace`
    case 'evictByKubelet':
    case 'forceDelete':
      return actTitles[act]
    case 'evictThroughApi':
      return takesGrace(said) ? `Evict, ${seconds} s grace` : 'Evict'
    case 'delete':
      return takesGrace(said) ? `Delete, ${seconds} s grace` : 'Delete'
    case 'deleteMirror':
      return asked === 0 ? 'Delete mirror by force' : 'Delete mirror'
    default:
      return assertNever(act, 'act')
  }
}
