import { createContext, useContext } from 'react'
import type { Followed } from './follow.ts'

const FollowedContext = createContext<Followed>({
  steps: [],
  uids: new Set(),
  title: '',
  at: null,
  shownSteps: 0,
})

export const FollowedProvider = FollowedContext.Provider

export function useFollowedContext(): Followed {
  return useContext(FollowedContext)
}
