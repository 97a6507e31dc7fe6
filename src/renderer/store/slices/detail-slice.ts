import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodEventList, PodObjects } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { TraceSeq } from '../../../shared/model/trace-event.ts'
import type { AnswerState } from '../requests/keyed-request.ts'
import type { PreferenceStorage } from '../preferences.ts'
import { readPreferences, savePreference } from '../preferences.ts'

/** In CSS px, as in App.module.css. */
export const defaultDrawerWidth = 408

export const drawerTabs = [
  'summary',
  'containers',
  'logs',
  'terminal',
  'volumes',
  'history',
  'events',
  'yaml',
] as const

export type DrawerTab = (typeof drawerTabs)[number]

export function isDrawerTab(word: string): word is DrawerTab {
  return drawerTabs.some((tab) => tab === word)
}

export interface WantedLog {
  readonly container: string
  /** Of the run before the last restart. */
  readonly isPrevious: boolean
}

export interface DetailSlice {
  readonly isDrawerOpen: boolean
  /** How often a pod was opened by name, row or link; moving the selection with the drawer open does not count. */
  readonly openings: number
  /** In CSS px; null: the default. */
  readonly drawerWidth: number | null
  /** The same for all pods. */
  readonly drawerTab: DrawerTab
  /** The last detail of the watched pod; kept, and shown dimmed, after the pod is gone. */
  readonly detail: PodDetail | null
  readonly detailState: AnswerState
  /** Requested for the drawer's pod while a tab shows it; null before the first answer. */
  readonly podObjects: PodObjects | null
  readonly podEvents: PodEventList | null
  /** The event that the history is to show; null once it is shown. */
  readonly wantedEvent: TraceSeq | null
  /** The log that the Logs tab is to show first; null once it shows one. */
  readonly wantedLog: WantedLog | null
  /** Opens the drawer with the last tab, unless another is named. */
  readonly openDrawer: (key: PodKey, tab?: DrawerTab) => void
  /** Opens the history of a pod at one of its events. */
  readonly openHistory: (key: PodKey, seq: TraceSeq) => void
  readonly clearWantedEvent: () => void
  /** Shows the log of a container of the drawer's pod. */
  readonly openLog: (log: WantedLog) => void
  readonly clearWantedLog: () => void
  readonly closeDrawer: () => void
  readonly setDrawerWidth: (width: number | null) => void
  readonly setDrawerTab: (tab: DrawerTab) => void
}

export function detailSlice(
  set: (part: Partial<DetailSlice & { cursor: PodKey }>) => void,
  get: () => Pick<DetailSlice, 'openings' | 'openDrawer'>,
  memory: PreferenceStorage,
): DetailSlice {
  return {
    isDrawerOpen: false,
    openings: 0,
    drawerWidth: readPreferences(memory).drawerWidth,
    drawerTab: 'summary',
    detail: null,
    detailState: 'none',
    podObjects: null,
    podEvents: null,
    wantedEvent: null,
    wantedLog: null,
    openDrawer: (cursor, tab) =>
      set({
        cursor,
        isDrawerOpen: true,
        openings: get().openings + 1,
        ...(tab === undefined ? {} : { drawerTab: tab }),
      }),
    openHistory: (key, wantedEvent) => {
      set({ wantedEvent })
      get().openDrawer(key, 'history')
    },
    clearWantedEvent: () => set({ wantedEvent: null }),
    openLog: (wantedLog) => set({ wantedLog, drawerTab: 'logs' }),
    clearWantedLog: () => set({ wantedLog: null }),
    closeDrawer: () => set({ isDrawerOpen: false }),
    setDrawerWidth: (drawerWidth) => {
      savePreference(memory, 'drawerWidth', String(drawerWidth ?? ''))
      set({ drawerWidth })
    },
    setDrawerTab: (drawerTab) => set({ drawerTab }),
  }
}
