import type { Anchor } from '../handbook/anchors.ts'

/** One line of an answer, in the order in which the kubelet would check. */
export interface WhyLine {
  /** One sentence in plain English. */
  readonly text: string
  /** The field or record that it was read from: `containerStatuses[web].state.running`. */
  readonly source: string
  /** `now`: what it waits for; `next`: follows; `done`: has happened. */
  readonly progress: 'done' | 'now' | 'next'
}

/** Why a pod is where it is: `Why is it still here?`, `Why does it not start?`. At most five lines. */
export interface WhyAnswer {
  readonly question: string
  readonly lines: readonly WhyLine[]
  /** The handbook's section about what holds it; empty where none is. */
  readonly section: Anchor | ''
}
