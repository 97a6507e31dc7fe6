import type { Anchor } from '../../handbook/anchors.ts'
import type { WhyAnswer, WhyLine } from '../why.ts'

/** One thing that has to happen, with its text for each progress. */
export interface WhyStep {
  /** Default: false. */
  readonly isDone?: boolean
  /** Texts, each needed only if the step can have that progress. */
  readonly done?: string
  readonly now?: string
  readonly next?: string
  readonly source: string
  readonly section?: Anchor
}

const linesShown = 5

/** The first step that is not done is what the pod waits for. Null if all are done. */
export function whyAnswer(question: string, steps: readonly WhyStep[]): WhyAnswer | null {
  const held = steps.findIndex(({ isDone = false }) => !isDone)
  const holding = steps[held]
  if (holding === undefined) return null
  const lines = steps.map(({ done = '', now = '', next = '', source }, index): WhyLine => {
    if (index < held) return { text: done, source, progress: 'done' }
    if (index === held) return { text: now, source, progress: 'now' }
    return { text: next, source, progress: 'next' }
  })
  // Steps that are done may be left out; the one that the pod waits for stays.
  const first = Math.min(held, Math.max(0, lines.length - linesShown))
  return { question, lines: lines.slice(first, first + linesShown), section: holding.section ?? '' }
}
