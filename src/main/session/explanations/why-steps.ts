import type { Anchor } from '../../../shared/handbook/anchors.ts'
import type { WhyAnswer, WhyLine } from '../../../shared/model/why.ts'
import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type { PodKnowledge } from '../rows/pod-knowledge.ts'

/** The data for an answer. Times in ms on the cluster's clock. */
export interface WhyFacts {
  readonly known: PodKnowledge
  readonly containers: readonly ContainerView[]
  /** About this pod, newest first. */
  readonly trace: readonly TraceEvent[]
  /** The other worker that holds the full name of this static pod. */
  readonly holder: NameHolder | undefined
  /** Whether every source has been read once; before that nothing is deleted. */
  readonly areSourcesReady: boolean
  readonly now: number
}

export interface NameHolder {
  readonly uid: string
  readonly state: WorkerStateWord
  /** When SIGKILL ends its grace period; null if no stop is in progress. */
  readonly killAt: number | null
}

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
