import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { GotchaView } from '../../../shared/model/gotcha.ts'
import { requestResult } from '../request-result.ts'

export interface GotchasSlice {
  /** Null until main has sent them. */
  readonly gotchas: readonly GotchaView[] | null
  /** Id of the gotcha that is opening; null: none. */
  readonly openingGotcha: string | null
  /** Id of an opened gotcha's cluster that has not arrived yet; the page shows it when it does. */
  readonly awaitedCluster: string | null
  /** Ids of the gotchas whose answer is shown, in the list and above their cluster. */
  readonly revealedGotchas: ReadonlySet<string>
  /** Why the last gotcha could not be opened; else empty. */
  readonly gotchasError: string
  readonly setGotchaRevealed: (id: string, isRevealed: boolean) => void
  readonly openGotcha: (id: string) => Promise<void>
  readonly closeGotcha: (cluster: string) => Promise<void>
}

interface GotchasState extends GotchasSlice {
  readonly addToast: (message: string) => void
}

export function gotchasSlice(
  set: (part: Partial<GotchasSlice>) => void,
  get: () => GotchasState,
  bridge: Bridge,
): GotchasSlice {
  return {
    gotchas: null,
    openingGotcha: null,
    awaitedCluster: null,
    gotchasError: '',
    revealedGotchas: new Set(),
    setGotchaRevealed: (id, isRevealed) => {
      const revealed = new Set(get().revealedGotchas)
      if (isRevealed) revealed.add(id)
      else revealed.delete(id)
      set({ revealedGotchas: revealed })
    },
    openGotcha: async (id) => {
      if (get().openingGotcha !== null) return
      set({ openingGotcha: id, gotchasError: '' })
      const result = await requestResult(bridge.request('gotchas.open', { id }))
      set(
        result.ok
          ? { openingGotcha: null, awaitedCluster: result.value.cluster }
          : { openingGotcha: null, gotchasError: result.error.message },
      )
    },
    closeGotcha: async (cluster) => {
      const result = await requestResult(bridge.request('gotchas.close', { cluster }))
      get().addToast(result.ok ? result.value.message : result.error.message)
    },
  }
}
