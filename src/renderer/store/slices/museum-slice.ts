import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { ExhibitView } from '../../../shared/model/museum.ts'
import { answerOf } from '../lost-answer.ts'

export interface MuseumSlice {
  /** Null until main has sent them. */
  readonly exhibits: readonly ExhibitView[] | null
  /** The gotcha that is being opened, or null. */
  readonly openingExhibit: string | null
  /** The cluster of an opened gotcha before its first patch; shown as soon as that arrives. */
  readonly awaitedCluster: string | null
  /** Ids of the gotchas whose answer is shown, in the list and above their cluster. */
  readonly revealedExhibits: ReadonlySet<string>
  /** Why the last gotcha could not be opened; else empty. */
  readonly museumError: string
  readonly setExhibitRevealed: (id: string, isRevealed: boolean) => void
  readonly openExhibit: (id: string) => Promise<void>
  readonly closeExhibit: (cluster: string) => Promise<void>
}

interface Around extends MuseumSlice {
  readonly addToast: (message: string) => void
}

export function museumSlice(
  set: (part: Partial<MuseumSlice>) => void,
  get: () => Around,
  bridge: Bridge,
): MuseumSlice {
  return {
    exhibits: null,
    openingExhibit: null,
    awaitedCluster: null,
    museumError: '',
    revealedExhibits: new Set(),
    setExhibitRevealed: (id, isRevealed) => {
      const revealed = new Set(get().revealedExhibits)
      if (isRevealed) revealed.add(id)
      else revealed.delete(id)
      set({ revealedExhibits: revealed })
    },
    openExhibit: async (id) => {
      if (get().openingExhibit !== null) return
      set({ openingExhibit: id, museumError: '' })
      const result = await answerOf(bridge.request('museum.open', { id }))
      set(
        result.ok
          ? { openingExhibit: null, awaitedCluster: result.value.cluster }
          : { openingExhibit: null, museumError: result.error.message },
      )
    },
    closeExhibit: async (cluster) => {
      const result = await answerOf(bridge.request('museum.close', { cluster }))
      get().addToast(result.ok ? result.value.message : result.error.message)
    },
  }
}
