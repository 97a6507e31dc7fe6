import { useMemo } from 'react'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState, useRow } from '../../../store/store-context.ts'
import { useFlow } from '../flow-context.ts'
import type { FlowStep } from './steps.ts'
import { chainSteps, chainUids, podSteps } from './steps.ts'

export interface Followed {
  readonly steps: readonly FlowStep[]
  /** The pods that it is about. */
  readonly uids: ReadonlySet<string>
  /** `web.yaml modified`; empty while everything is followed. */
  readonly title: string
  readonly at: number | null
  /** Up to which step it is shown; all of them unless it is replayed by steps. */
  readonly shownSteps: number
}

const noUids: ReadonlySet<string> = new Set()

/** Up to which of `count` steps is shown after so many forwards, less those back; it goes round. Pure. */
export function stepShown(replayStep: number, count: number): number {
  return count === 0 ? 0 : ((((replayStep - 1) % count) + count) % count) + 1
}

/** What the picture marks now. */
export function useFollowed(): Followed {
  const follow = useAppState((state) => state.follow)
  const chain = useAppState((state) => state.chain)
  const replayStep = useAppState((state) => state.replayStep)
  const isPaused = useAppState((state) => shownCluster(state)?.clock.paused ?? false)
  const row = useRow(follow.kind === 'pod' ? follow.key : '')
  const recent = useFlow((flow) => (follow.kind === 'pod' ? flow.recent : null))
  return useMemo(() => {
    const uid = row?.uid ?? ''
    const steps =
      follow.kind === 'pod'
        ? podSteps(recent ?? [], uid)
        : follow.kind === 'cause' && chain !== null
          ? chainSteps(chain)
          : []
    const uids =
      follow.kind === 'pod' && uid !== ''
        ? new Set([uid])
        : follow.kind === 'cause' && chain !== null
          ? chainUids(chain)
          : noUids
    const shownSteps = isPaused ? stepShown(replayStep, steps.length) : steps.length
    return {
      steps,
      uids,
      title: follow.kind === 'cause' ? follow.text : follow.kind === 'pod' ? (row?.name ?? '') : '',
      at: follow.kind === 'cause' ? follow.at : null,
      shownSteps,
    }
  }, [follow, chain, replayStep, isPaused, row, recent])
}

export function stepOf(followed: Followed, arrow: string): FlowStep | undefined {
  return followed.steps.find((step) => step.arrow === arrow)
}
