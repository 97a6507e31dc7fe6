import type { ActError, Bridge } from '../../../shared/ipc/contract.ts'
import type { BehaviorChange } from '../../../shared/model/behavior-act.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import { requestResult } from '../request-result.ts'

/** The container whose behavior is shown. */
export interface BehaviorSubject {
  readonly key: PodKey
  readonly container: string
}

export interface BehaviorSlice {
  readonly behaviorOf: BehaviorSubject | null
  readonly isSettingBehavior: boolean
  readonly behaviorError: ActError | null
  readonly showBehavior: (of: BehaviorSubject) => void
  readonly closeBehavior: () => void
  readonly setBehavior: (change: BehaviorChange) => Promise<void>
}

interface BehaviorState extends BehaviorSlice {
  readonly addToast: (message: string) => void
}

export function behaviorSlice(
  set: (part: Partial<BehaviorSlice>) => void,
  get: () => BehaviorState,
  bridge: Bridge,
): BehaviorSlice {
  const closed = { behaviorOf: null, isSettingBehavior: false, behaviorError: null }
  return {
    ...closed,
    showBehavior: (behaviorOf) => set({ ...closed, behaviorOf }),
    closeBehavior: () => set(closed),
    setBehavior: async (change) => {
      const { behaviorOf, isSettingBehavior } = get()
      if (behaviorOf === null || isSettingBehavior) return
      set({ isSettingBehavior: true, behaviorError: null })
      const { key } = behaviorOf
      const result = await requestResult(
        bridge.request('pod.setBehavior', { key, ...change }),
        text.frame.connection.checkPod,
      )
      if (result.ok) get().addToast(result.value.message)
      // The dialog was closed, or shows another container now.
      if (get().behaviorOf !== behaviorOf) return
      set({ isSettingBehavior: false, behaviorError: result.ok ? null : result.error })
    },
  }
}
