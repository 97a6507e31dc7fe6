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
  /** Why the last exhibit could not be opened or closed; else empty. */
  readonly museumError: string
  readonly openExhibit: (id: string) => Promise<void>
  readonly closeExhibit: (cluster: string) => Promise<void>
}

interface Around extends MuseumSlice {
  readonly addToast: (message: string) => void
}

const noAnswer: ActError = {
  kind: 'failed',
  message: 'The connection to Nodescope was lost before it answered.',
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
