import type { Anchor } from '../../../shared/handbook/anchors.ts'
import type { WhyAnswer, WhyLine } from '../../../shared/model/why.ts'
import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type { PodKnowledge } from '../rows/pod-knowledge.ts'

/** What an answer is made of. Times in ms on the cluster's clock. */
export interface WhyFacts {
  readonly known: PodKnowledge
  readonly containers: readonly ContainerView[]
  /** About this pod, newest first. */
  readonly trace: readonly TraceEvent[]
  /** The other worker that holds the full name of this static pod. */
  readonly holder: NameHolder | undefined
  /** Whether every source has been read once: before that nothing is deleted. */
  readonly areSourcesReady: boolean
  readonly now: number
}

export interface NameHolder {
  readonly uid: string
  readonly state: WorkerStateWord
  /** When SIGKILL ends its grace; null where no stop is under way. */
  readonly killAt: number | null
}

/** One thing that has to happen, said for each way in which it may stand. */
export interface WhyStep {
  readonly isDone: boolean
  readonly done: string
  readonly now: string
  readonly next: string
  readonly source: string
  readonly section: Anchor | ''
}

const linesShown = 5

/** The steps in their order: the first that is not done holds the pod. Null when all are done. */
export function whyAnswer(question: string, steps: readonly WhyStep[]): WhyAnswer | null {
  const held = steps.findIndex(({ isDone }) => !isDone)
  const holding = steps[held]
  if (holding === undefined) return null
  const lines = steps.map(({ done, now, next, source }, index): WhyLine => {
    if (index < held) return { text: done, source, standing: 'done' }
    if (index === held) return { text: now, source, standing: 'now' }
    return { text: next, source, standing: 'next' }
  })
  // What is over may be left out, what holds it not.
  const first = Math.min(held, Math.max(0, lines.length - linesShown))
  return { question, lines: lines.slice(first, first + linesShown), section: holding.section }
}
