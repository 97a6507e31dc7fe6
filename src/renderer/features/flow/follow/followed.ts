import { createContext, useContext, useMemo } from 'react'
import { useAppState, useRow } from '../../../store/store-context.ts'
import { useIsPaused } from '../arrows/motion.ts'
import { useFlow } from '../flow-context.ts'
import type { FlowStep } from './steps.ts'
import { chainSteps, chainUids, podSteps } from './steps.ts'

/** The cause or the pod that the picture marks. */
export interface Followed {
  readonly steps: readonly FlowStep[]
  /** Its pods. */
  readonly uids: ReadonlySet<string>
  /** `web.yaml modified`; empty while everything is followed. */
  readonly title: string
  readonly at: number | null
  /** How many steps are shown; all of them unless it is replayed by steps. */
  readonly shownSteps: number
}

const nothing = { steps: [], uids: new Set<string>(), title: '', at: null }

const FollowedContext = createContext<Followed>({ ...nothing, shownSteps: 0 })

export const FollowedProvider = FollowedContext.Provider

export function useFollowed(): Followed {
  return useContext(FollowedContext)
}

/** Up to which of `count` steps is shown after so many forwards, less those back; it goes round. Pure. */
export function stepShown(replayStep: number, count: number): number {
  return count === 0 ? 0 : ((((replayStep - 1) % count) + count) % count) + 1
}

/** What the store says that is followed, for the provider. */
export function useFollowedOfStore(): Followed {
  const follow = useAppState((state) => state.follow)
  const chain = useAppState((state) => state.chain)
  const replayStep = useAppState((state) => state.replayStep)
  const isPaused = useIsPaused()
  const row = useRow(follow.kind === 'pod' ? follow.key : '')
  const recent = useFlow((flow) => (follow.kind === 'pod' ? flow.recent : null)) ?? null
  const { uid = '', name = '' } = row ?? {}
  const followed = useMemo(() => {
    switch (follow.kind) {
      case 'pod': {
        const uids = new Set(uid === '' ? [] : [uid])
        return { ...nothing, steps: podSteps(recent ?? [], uid), uids, title: name }
      }
      case 'cause': {
        const { at, text: title } = follow
        if (chain === null) return { ...nothing, title, at }
        return { steps: chainSteps(chain), uids: chainUids(chain), title, at }
      }
      case 'everything':
      default:
        return nothing
    }
  }, [follow, chain, uid, name, recent])
  const { length } = followed.steps
  const shownSteps = isPaused ? stepShown(replayStep, length) : length
  return useMemo(() => ({ ...followed, shownSteps }), [followed, shownSteps])
}
