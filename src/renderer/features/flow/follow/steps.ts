import { eventStep } from '../../../../shared/model/explanation/explanation.ts'
import type { FlowArrow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowMove } from '../../../../shared/model/flow.ts'
import { flowArrow } from '../../../../shared/model/flow.ts'
import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import type { TraceEvent } from '../../../../shared/model/trace-event.ts'
import { text } from '../../../text/text.ts'
import { splitName } from '../../../words/pod-name.ts'
import { plain } from '../layout/fit.ts'
import { legendLines } from '../layout/layout.ts'

interface Move {
  readonly arrow: FlowArrow
  readonly at: number
  readonly sentence: string
}

/** One numbered step of what is followed: an arrow, when it was first taken, and what moved. */
export interface FlowStep extends Move {
  readonly number: number
  /** What moved along the arrow, each once, in order; `sentence` says it in one line. */
  readonly moves: readonly Move[]
}

/** Of the panel with all moves of a step. */
export function stepId(number: number): string {
  return `step-${number}`
}

/** The list under the picture's sources has room for so many. */
export const stepsShown = legendLines

/** For a sentence there, in the picture's units. */
const sentenceWidth = 262

/** A static pod without the name of its node, which is the same for all of them here. */
function subjectName({ subject, node, kind }: TraceEvent): string {
  switch (subject.kind) {
    case 'pod':
    case 'object': {
      const { head, middle, tail } = splitName(subject.name, node)
      return middle === `-${node}` ? head + tail : subject.name
    }
    case 'source':
      return subject.source
    case 'node':
      // PodManager has dropped a removed pod before its containers exit.
      return kind === 'loop.pleg' ? text.flow.steps.removedPod : node
    case 'cluster':
    default:
      return node
  }
}

/** What an event did on its arrow, in one short sentence. Pure. */
export function stepSentence(event: TraceEvent): string {
  return eventStep(event, subjectName(event))
}

/** Two sentences if both have room; else the first, and how many more there are. */
function joined([first = '', second, ...others]: readonly string[]): string {
  if (second === undefined) return first
  const both = `${first}, ${second}`
  if (plain(both) <= sentenceWidth && others.length === 0) return both
  return text.flow.steps.andMore(first, others.length + 1)
}

function number(moves: readonly Move[]): readonly FlowStep[] {
  const arrows = [...new Set(moves.map(({ arrow }) => arrow))].slice(0, stepsShown)
  return arrows.flatMap((arrow, index) => {
    const own = moves.filter((move) => move.arrow === arrow)
    const seen = new Set<string>()
    const each = own.filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence))
    const [first] = each
    const sentence = joined(each.map((move) => move.sentence))
    return first === undefined ? [] : [{ ...first, number: index + 1, sentence, moves: each }]
  })
}

/** A cause step by step, one for each arrow, in the order in which they were first taken. Pure. */
export function chainSteps({ seq, events }: CausalChain): readonly FlowStep[] {
  // What a probe found has the whole history of its container before it.
  const nearest = events.find((event) => event.seq === seq)?.causes ?? []
  const own = events.filter((event) => event.seq >= seq || nearest.includes(event.seq))
  return number(
    own.flatMap((event) => {
      const arrow = flowArrow(event)
      return arrow === undefined ? [] : [{ arrow, at: event.at, sentence: stepSentence(event) }]
    }),
  )
}

/** The last moves of one pod, in the same form. `recent`: newest first. Pure. */
export function podSteps(recent: readonly FlowMove[], uid: string): readonly FlowStep[] {
  const latest = new Map<FlowArrow, FlowMove>()
  for (const move of recent)
    if (move.podUid === uid && !latest.has(move.arrow)) latest.set(move.arrow, move)
  const moves = [...latest.values()].toSorted((left, right) => left.seq - right.seq)
  return number(
    moves
      .slice(-stepsShown)
      .map(({ arrow, at, text: word, podName }) => ({ arrow, at, sentence: `${word} ${podName}` })),
  )
}

/** The UIDs of the pods that a cause has touched. Pure. */
export function chainUids({ events }: CausalChain): ReadonlySet<string> {
  const uids = events.map(({ subject }) => (subject.kind === 'pod' ? subject.uid : ''))
  return new Set(uids.filter((uid) => uid !== ''))
}
