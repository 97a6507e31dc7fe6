import type { FlowArrow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowMove } from '../../../../shared/model/flow.ts'
import { flowArrow } from '../../../../shared/model/flow.ts'
import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import { plain } from '../layout/fit.ts'
import { stepWords } from './step-words.ts'

/** One numbered step of what is followed: an arrow, when it was first taken, and what moved. */
export interface FlowStep {
  readonly number: number
  readonly arrow: FlowArrow
  readonly at: number
  /** In one line; `moves` says all of it. */
  readonly sentence: string
  /** What moved along the arrow, each once, in order. */
  readonly moves: readonly { readonly at: number; readonly sentence: string }[]
}

/** The list under the picture's sources has room for so many. */
export const stepsShown = 7

/** How many causes from outside are listed there. */
export const rootsShown = 6

/** Of a sentence there, in the picture's units. */
const sentenceRoom = 328

interface Moved {
  readonly arrow: FlowArrow
  readonly at: number
  readonly sentence: string
}

/** Two sentences where both have room; else the first, and how many more there are. */
function joined(sentences: readonly string[]): string {
  const [first = '', second, ...others] = sentences
  if (second === undefined) return first
  const both = `${first}, ${second}`
  if (plain(both) <= sentenceRoom && others.length === 0) return both
  return `${first}, and ${others.length + 1} more`
}

function number(moved: readonly Moved[]): readonly FlowStep[] {
  const byArrow = new Map<FlowArrow, Moved[]>()
  for (const move of moved) {
    const same = byArrow.get(move.arrow)
    if (same === undefined) byArrow.set(move.arrow, [move])
    else same.push(move)
  }
  return [...byArrow.values()].slice(0, stepsShown).flatMap(([first, ...others], index) => {
    if (first === undefined) return []
    const bySentence = new Map<string, Moved>()
    for (const move of [first, ...others])
      if (!bySentence.has(move.sentence)) bySentence.set(move.sentence, move)
    const moves = [...bySentence.values()].map(({ at, sentence }) => ({ at, sentence }))
    const sentence = joined(moves.map((move) => move.sentence))
    return [{ ...first, number: index + 1, sentence, moves }]
  })
}

/** A cause step by step, one for each arrow, in the order in which they were first taken. Pure. */
export function chainSteps(chain: CausalChain): readonly FlowStep[] {
  return number(
    chain.events.flatMap((event) => {
      const arrow = flowArrow(event)
      return arrow === undefined ? [] : [{ arrow, at: event.at, sentence: stepWords(event) }]
    }),
  )
}

/** The last moves of one pod, in the same form. `recent`: newest first. Pure. */
export function podSteps(recent: readonly FlowMove[], uid: string): readonly FlowStep[] {
  const latest = new Map<FlowArrow, FlowMove>()
  for (const move of recent)
    if (move.podUid === uid && !latest.has(move.arrow)) latest.set(move.arrow, move)
  const moved = [...latest.values()].toSorted((left, right) => left.seq - right.seq)
  return number(
    moved
      .slice(-stepsShown)
      .map(({ arrow, at, text, podName }) => ({ arrow, at, sentence: `${text} ${podName}` })),
  )
}

/** The UIDs of the pods that a cause has touched. Pure. */
export function chainUids(chain: CausalChain): ReadonlySet<string> {
  return new Set(
    chain.events.flatMap(({ subject }) =>
      subject.kind === 'pod' && subject.uid !== '' ? [subject.uid] : [],
    ),
  )
}
