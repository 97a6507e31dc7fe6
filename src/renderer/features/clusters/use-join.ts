import { useState } from 'react'
import type { JoinPlan } from '../../../shared/model/seen/join.ts'
import { useStore } from '../../store/store-context.ts'

interface Wanted {
  readonly node: string
  /** Also on a server that is not on this machine. */
  readonly isAllowed: boolean
}

interface JoinState {
  readonly isBusy: boolean
  /** The last answer, and what was asked. */
  readonly plan: (Wanted & { readonly view: JoinPlan }) | null
  /** Why the last request failed, in one sentence; else empty. */
  readonly problem: string
}

/** Asks what joining a cluster would do, and joins it. The page then shows the joined cluster. */
export function useJoin(cluster: string): {
  readonly state: JoinState
  /** Resolves with whether it first must be allowed on a server that is not on this machine. */
  readonly check: (wanted: Wanted) => Promise<boolean>
  /** Resolves with whether it has joined. */
  readonly join: (wanted: Wanted) => Promise<boolean>
} {
  const { state: store } = useStore()
  const [state, setState] = useState<JoinState>({ isBusy: false, plan: null, problem: '' })
  const argsOf = ({ node, isAllowed }: Wanted) => ({ cluster, node, allowSimulated: isAllowed })
  return {
    state,
    check: async (wanted) => {
      setState({ isBusy: true, plan: null, problem: '' })
      const answer = await store.getState().checkJoin(argsOf(wanted))
      setState(
        answer.ok
          ? { isBusy: false, plan: { ...wanted, view: answer.value }, problem: '' }
          : { isBusy: false, plan: null, problem: answer.error.message },
      )
      return answer.ok && answer.value.needsAllowSimulated
    },
    join: async (wanted) => {
      setState((before) => ({ ...before, isBusy: true, problem: '' }))
      const answer = await store.getState().joinCluster(argsOf(wanted))
      const problem = answer.ok ? '' : answer.error.message
      setState((before) => ({ ...before, isBusy: false, problem }))
      return answer.ok
    },
  }
}
