import type { ActError, Bridge } from '../../shared/ipc/contract.ts'
import type { ExhibitView } from '../../shared/model/museum.ts'
import { err } from '../../shared/result.ts'

export interface MuseumSlice {
  /** Null until main has told them. */
  readonly exhibits: readonly ExhibitView[] | null
  /** The exhibit that is being opened; null: none. */
  readonly openingExhibit: string | null
  /** The cluster of an exhibit that main has opened and that is not here yet; shown as soon as it is. */
  readonly awaitedCluster: string | null
  /** Ids of the exhibits whose answer is shown, in the list and over their cluster. */
  readonly revealedExhibits: ReadonlySet<string>
  /** Why the last exhibit could not be opened or closed; else empty. */
  readonly museumError: string
  readonly setExhibitRevealed: (id: string, isRevealed: boolean) => void
  readonly openExhibit: (id: string) => Promise<void>
  readonly closeExhibit: (cluster: string) => Promise<void>
}

interface Around extends MuseumSlice {
  readonly addToast: (message: string) => void
}

const noAnswer: ActError = {
  kind: 'failed',
  message: 'The connection to Nodescope was lost before it responded.',
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
      const result = await bridge.request('museum.open', { id }).catch(() => err(noAnswer))
      set(
        result.ok
          ? { openingExhibit: null, awaitedCluster: result.value.cluster }
          : { openingExhibit: null, museumError: result.error.message },
      )
    },
    closeExhibit: async (cluster) => {
      const result = await bridge.request('museum.close', { cluster }).catch(() => err(noAnswer))
      get().addToast(result.ok ? result.value.message : result.error.message)
    },
  }
}
