import type {
  ActError,
  Bridge,
  MenuItem,
  RecordingMenuItem,
  SavedFile,
} from '../../../shared/ipc/contract.ts'
import { maxScenarioLength } from '../../../shared/ipc/limits.ts'
import type { GotchaView } from '../../../shared/model/scenarios/gotcha.ts'
import type { ScenarioSource } from '../../../shared/model/scenarios/scenario.ts'
import type { Result } from '../../../shared/result.ts'
import { text } from '../../text/text.ts'
import { requestResult } from '../request-result.ts'

/** Items of the menu that open a dialog. */
export type ScenarioMenuItem = Exclude<MenuItem, RecordingMenuItem>

/** A dialog about scenarios or the state. `file`: the state file that is to be imported; null: none is chosen yet. */
export type ScenarioDialog =
  | { readonly kind: Exclude<ScenarioMenuItem, 'importState'> }
  | {
      readonly kind: 'importState'
      readonly file: { readonly name: string; readonly text: string } | null
    }

export interface ScenariosSlice {
  /** Null until main has sent them. */
  readonly gotchas: readonly GotchaView[] | null
  /** Name of the scenario that is opening; null: none. */
  readonly openingScenario: string | null
  /** Id of an opened cluster that has not arrived yet; the page shows it when it does. */
  readonly awaitedCluster: string | null
  /** Names of the gotchas whose answer is shown, in the list and above their cluster. */
  readonly revealedGotchas: ReadonlySet<string>
  /** Why the last scenario could not be opened; else empty. */
  readonly scenarioError: string
  readonly scenarioDialog: ScenarioDialog | null
  /** Something of the dialog is under way. */
  readonly isScenarioBusy: boolean
  /** Why it failed; else empty. */
  readonly scenarioDialogError: string
  readonly setGotchaRevealed: (name: string, isRevealed: boolean) => void
  readonly openScenario: (source: ScenarioSource) => Promise<void>
  readonly closeScenario: (cluster: string) => Promise<void>
  readonly askScenario: (dialog: ScenarioDialog | null) => void
  readonly saveScenario: (args: {
    readonly cluster: string
    readonly name: string
    readonly title: string
    readonly sentence: string
  }) => Promise<SavedFile | null>
  readonly exportState: () => Promise<SavedFile | null>
  readonly resetState: () => Promise<void>
  readonly importState: (file: { readonly name: string; readonly text: string }) => Promise<void>
}

interface ScenariosState extends ScenariosSlice {
  readonly addToast: (message: string) => void
}

type Set = (part: Partial<ScenariosSlice>) => void

/** A text in pieces, because a message is not longer than one. */
async function sendState(
  bridge: Bridge,
  { name, text: whole }: { readonly name: string; readonly text: string },
): Promise<Result<{ readonly message: string } | null, ActError>> {
  for (let from = 0; ; from += maxScenarioLength) {
    const isLast = from + maxScenarioLength >= whole.length
    const piece = whole.slice(from, from + maxScenarioLength)
    const args = { name, text: piece, isFirst: from === 0, isLast }
    const answer = await requestResult(bridge.request('state.import', args))
    if (!answer.ok || isLast) return answer
  }
}

/** The dialog's part of the slice: what it saves, and what it does to the state. */
function dialogActs(
  set: Set,
  get: () => ScenariosState,
  bridge: Bridge,
): Pick<
  ScenariosSlice,
  'askScenario' | 'saveScenario' | 'exportState' | 'resetState' | 'importState'
> {
  /** Closes the dialog if it succeeds. */
  const during = async <T>(
    work: Promise<Result<T, ActError>>,
    said: (value: T) => string,
  ): Promise<T | null> => {
    set({ isScenarioBusy: true, scenarioDialogError: '' })
    const result = await work
    set({ isScenarioBusy: false })
    if (!result.ok) {
      set({ scenarioDialogError: result.error.message })
      return null
    }
    const message = said(result.value)
    if (message !== '') {
      get().askScenario(null)
      get().addToast(message)
    }
    return result.value
  }
  const words = text.scenarios
  const savedWords = (file: SavedFile): string =>
    file.kind === 'canceled'
      ? ''
      : file.kind === 'written'
        ? words.writtenTo(file.path)
        : words.downloaded(file.name)
  return {
    askScenario: (scenarioDialog) =>
      set({ scenarioDialog, scenarioDialogError: '', scenarioError: '', isScenarioBusy: false }),
    saveScenario: (args) =>
      during(requestResult(bridge.request('scenario.save', args)), savedWords),
    exportState: () => during(requestResult(bridge.request('state.export', {})), savedWords),
    resetState: async () => {
      await during(requestResult(bridge.request('state.reset', {})), ({ message }) => message)
    },
    importState: async (file) => {
      await during(sendState(bridge, file), (receipt) => receipt?.message ?? '')
    },
  }
}

export function scenariosSlice(
  set: Set,
  get: () => ScenariosState,
  bridge: Bridge,
): ScenariosSlice {
  return {
    gotchas: null,
    openingScenario: null,
    awaitedCluster: null,
    scenarioError: '',
    revealedGotchas: new Set(),
    scenarioDialog: null,
    isScenarioBusy: false,
    scenarioDialogError: '',
    setGotchaRevealed: (name, isRevealed) => {
      const revealed = new Set(get().revealedGotchas)
      if (isRevealed) revealed.add(name)
      else revealed.delete(name)
      set({ revealedGotchas: revealed })
    },
    openScenario: async (source) => {
      if (get().openingScenario !== null) return
      set({ openingScenario: source.name, scenarioError: '' })
      const result = await requestResult(bridge.request('scenario.open', { source }))
      set({ openingScenario: null })
      if (!result.ok) {
        // Of several dropped files, one may have closed the dialog.
        const dialog = source.kind === 'text' ? ({ kind: 'openScenario' } as const) : null
        return set({
          scenarioError: result.error.message,
          scenarioDialog: dialog ?? get().scenarioDialog,
        })
      }
      return set({ awaitedCluster: result.value.cluster, scenarioDialog: null })
    },
    closeScenario: async (cluster) => {
      const result = await requestResult(bridge.request('scenario.close', { cluster }))
      get().addToast(result.ok ? result.value.message : result.error.message)
    },
    ...dialogActs(set, get, bridge),
  }
}
