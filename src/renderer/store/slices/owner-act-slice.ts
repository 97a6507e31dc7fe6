import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { OwnerActArgs, OwnerForecast } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerView } from '../../../shared/model/workloads/workloads.ts'
import { requestResult } from '../request-result.ts'

/** The dialog before an act on an owner of pods. */
export interface OwnerDialog {
  readonly args: OwnerActArgs
  readonly owner: OwnerView
}

export interface OwnerActSlice {
  readonly ownerDialog: OwnerDialog | null
  /** Null while it is asked. */
  readonly ownerForecast: OwnerForecast | null
  readonly ownerProblem: string
  readonly isOwnerActing: boolean
  /** Opens the dialog, or asks again with other arguments. */
  readonly askOwnerAct: (dialog: OwnerDialog) => void
  readonly cancelOwnerAct: () => void
  readonly confirmOwnerAct: () => Promise<void>
}

interface OwnerActState extends OwnerActSlice {
  readonly addToast: (message: string) => void
}

export function ownerActSlice(
  set: (part: Partial<OwnerActSlice>) => void,
  get: () => OwnerActState,
  bridge: Bridge,
): OwnerActSlice {
  const closed = { ownerDialog: null, ownerForecast: null, ownerProblem: '', isOwnerActing: false }
  return {
    ...closed,
    askOwnerAct: (dialog) => {
      const isSame = get().ownerDialog?.owner.uid === dialog.owner.uid
      set(isSame ? { ownerDialog: dialog } : { ...closed, ownerDialog: dialog })
      void requestResult(bridge.request('owner.forecast', dialog.args)).then((answer) => {
        // The dialog or its arguments have changed.
        if (get().ownerDialog !== dialog) return
        set(
          answer.ok
            ? { ownerForecast: answer.value, ownerProblem: '' }
            : { ownerProblem: answer.error.message },
        )
      })
    },
    cancelOwnerAct: () => set(closed),
    confirmOwnerAct: async () => {
      const { ownerDialog: dialog, isOwnerActing } = get()
      if (dialog === null || isOwnerActing) return
      set({ isOwnerActing: true, ownerProblem: '' })
      const result = await requestResult(bridge.request('owner.act', dialog.args))
      if (result.ok) get().addToast(result.value.message)
      if (get().ownerDialog !== dialog) return
      set(result.ok ? closed : { isOwnerActing: false, ownerProblem: result.error.message })
    },
  }
}
