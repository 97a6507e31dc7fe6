import type { ActReceipt, ActError, Bridge, NodeRef } from '../../shared/ipc/contract.ts'
import { assertNever } from '../../shared/assert-never.ts'
import type { Result } from '../../shared/result.ts'
import { requestResult } from './request-result.ts'
import type { PreferenceStorage } from './preferences.ts'
import { clearPreferences, readPreferences, savePreference } from './preferences.ts'
import { text } from '../text/text.ts'
import { isOffered } from './offered-views.ts'
import { shownCluster } from './shown-node.ts'
import { firstTables } from './slices/tables-slice.ts'
import { changeShown } from './slices/shown-slice.ts'
import type {
  GetState,
  SetState,
  ActDialog,
  ActSlice,
  FlowSlice,
  LinkSlice,
  NavigationSlice,
  State,
  TableSlice,
  ToastSlice,
} from './state.ts'

export function linkSlice(set: SetState, get: GetState): LinkSlice {
  return {
    link: { kind: 'opening' },
    notCurrent: {},
    setNotCurrent: (what, failure) => {
      const { [what]: before = '', ...others } = get().notCurrent
      if (before !== failure)
        set({ notCurrent: failure === '' ? others : { ...others, [what]: failure } })
    },
    program: null,
    clusters: [],
  }
}

const paletteChoicesKept = 8

export function navigationSlice(
  set: SetState,
  get: GetState,
  memory: PreferenceStorage,
): NavigationSlice {
  const { theme, hasSeenStart, paletteChoices } = readPreferences(memory)
  const to = (of: NodeRef | undefined): Partial<State> =>
    of === undefined ? {} : changeShown(get(), { shown: of })
  return {
    view: hasSeenStart ? 'flow' : 'start',
    mirrorUid: null,
    manifestName: null,
    linkNotice: '',
    openDialog: null,
    paletteChoices,
    theme,
    show: (view) => {
      const cluster = shownCluster(get())
      if (!isOffered(view, cluster)) {
        const name = text.common.views[view]
        const { notRecorded, notOffered } = text.clusters
        const why =
          cluster?.kind === 'recording' ? notRecorded(name) : notOffered(name, cluster?.label ?? '')
        set({ linkNotice: why })
        return
      }
      if (view !== 'start') savePreference(memory, 'start', 'yes')
      set({ view, linkNotice: '', ...(view === 'handbook' ? { isHandbookOpen: false } : {}) })
    },
    showMirror: (mirrorUid, of) => {
      savePreference(memory, 'start', 'yes')
      set({ ...to(of), view: 'mirrors', mirrorUid, linkNotice: '' })
    },
    showManifest: (manifestName, of) => {
      savePreference(memory, 'start', 'yes')
      set({ ...to(of), view: 'manifests', manifestName, linkNotice: '' })
    },
    setLinkNotice: (linkNotice) => set({ linkNotice }),
    setOpenDialog: (openDialog) => set({ openDialog }),
    addPaletteChoice: (id) => {
      const choices = [id, ...get().paletteChoices.filter((other) => other !== id)]
      set({ paletteChoices: choices.slice(0, paletteChoicesKept) })
      savePreference(memory, 'palette', get().paletteChoices.join('\n'))
    },
    clearPreferences: () => {
      clearPreferences(memory)
      set({
        theme: 'system',
        paletteChoices: [],
        isClockNoteWanted: true,
        drawerWidth: null,
        tables: firstTables(memory),
      })
    },
    setTheme: (chosen) => {
      savePreference(memory, 'theme', chosen)
      set({ theme: chosen })
    },
  }
}

export function tableSlice(set: SetState): TableSlice {
  return {
    namespace: '',
    segment: 'all',
    cursor: null,
    setNamespace: (namespace) => set({ namespace }),
    setSegment: (segment) => set({ segment }),
    moveCursor: (cursor) => set({ cursor }),
  }
}

function requestAct(
  bridge: Bridge,
  { act, key, container = '' }: ActDialog,
  gracePeriodSeconds: number | null,
): Promise<Result<ActReceipt, ActError>> {
  switch (act) {
    case 'kill':
      return bridge.request('pod.kill', { key, gracePeriodSeconds })
    case 'evictByKubelet':
      return bridge.request('pod.evictByKubelet', { key })
    case 'evictThroughApi':
      return bridge.request('pod.evictThroughApi', { key, gracePeriodSeconds })
    case 'delete':
      return bridge.request('pod.delete', { key, gracePeriodSeconds })
    case 'forceDelete':
      return bridge.request('pod.forceDelete', { key })
    case 'deleteMirror':
      return bridge.request('pod.deleteMirror', { key, force: gracePeriodSeconds === 0 })
    case 'restartContainer':
      return bridge.request('pod.restartContainer', { key, container, gracePeriodSeconds })
    default:
      return assertNever(act, 'act')
  }
}

export function actSlice(set: SetState, get: GetState, bridge: Bridge): ActSlice {
  return {
    dialog: null,
    isActing: false,
    actError: null,
    askAct: (dialog) => set({ dialog, actError: null, isActing: false }),
    cancelAct: () => set({ dialog: null, actError: null, isActing: false }),
    confirmAct: async (graceSeconds) => {
      const { dialog, isActing } = get()
      if (dialog === null || isActing) return
      set({ isActing: true, actError: null })
      const result = await requestResult(
        requestAct(bridge, dialog, graceSeconds),
        text.frame.connection.checkPod,
      )
      if (result.ok) get().addToast(result.value.message)
      // The dialog was canceled, or another one is open now.
      if (get().dialog !== dialog) return
      if (result.ok) set({ dialog: null, isActing: false })
      else set({ isActing: false, actError: result.error })
    },
  }
}

export function flowSlice(set: SetState, get: GetState): FlowSlice {
  return {
    follow: { kind: 'everything' },
    chain: null,
    chainState: 'none',
    replays: 0,
    replayStep: 0,
    setFollow: (follow) => set({ follow, replayStep: 0 }),
    replay: (direction = 'forward') => {
      const { replays, replayStep } = get()
      const isPaused = shownCluster(get())?.clock.paused ?? false
      if (direction === 'back') set({ replayStep: replayStep - 1 })
      else if (isPaused) set({ replayStep: replayStep + 1 })
      else set({ replays: replays + 1, replayStep: 0 })
    },
  }
}

/** Older toasts disappear first. */
const toastsShown = 3

export function toastSlice(set: SetState, get: GetState): ToastSlice {
  let lastId = 0
  return {
    toasts: [],
    addToast: (message) => {
      lastId += 1
      set({ toasts: [...get().toasts, { id: lastId, message }].slice(-toastsShown) })
    },
    dismissToast: (id) => set({ toasts: get().toasts.filter((toast) => toast.id !== id) }),
  }
}
