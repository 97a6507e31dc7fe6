import { useMemo } from 'react'
import type { FlowArrow } from '../../../shared/model/flow.ts'
import { useAppState, useRow } from '../../store/store-context.ts'
import { useFlow } from './flow-context.ts'
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

const nobody: ReadonlySet<string> = new Set()

/** What the picture marks now. */
export function useFollowed(): Followed {
  const follow = useAppState((state) => state.follow)
  const chain = useAppState((state) => state.chain)
  const replayStep = useAppState((state) => state.replayStep)
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
      follow.kind === 'pod'
        ? new Set([uid])
        : follow.kind === 'cause' && chain !== null
          ? chainUids(chain)
          : nobody
    const shownSteps =
      replayStep === 0 || steps.length === 0 ? steps.length : ((replayStep - 1) % steps.length) + 1
    return {
      steps,
      uids,
      title: follow.kind === 'cause' ? follow.text : follow.kind === 'pod' ? (row?.name ?? '') : '',
      at: follow.kind === 'cause' ? follow.at : null,
      shownSteps,
    }
  }, [follow, chain, replayStep, row, recent])
}

export function stepOf(followed: Followed, arrow: FlowArrow): FlowStep | undefined {
  return followed.steps.find((step) => step.arrow === arrow)
}
