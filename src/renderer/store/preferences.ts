import type { Theme } from './theme.ts'
import { isTheme } from './theme.ts'

/** What the browser remembers for the page; no cluster data. */
export interface Preferences {
  readonly theme: Theme
  readonly hasSeenStart: boolean
  /** The note on a clock ahead of the wall clock was dismissed. */
  readonly isClockNoteDismissed: boolean
  /** What was last chosen in the palette, newest first. */
  readonly paletteChoices: readonly string[]
  /** What is remembered of each table, as `tableText` writes it. */
  readonly tables: Readonly<Record<'pods' | 'nodes', string>>
  /** In CSS px; null: the default. */
  readonly drawerWidth: number | null
}

/** The used part of `localStorage`. */
export interface PreferenceStorage {
  readonly getItem: (key: string) => string | null
  readonly setItem: (key: string, value: string) => void
}

/** The storage; if the browser blocks it, one that lasts as long as the page. */
export function openStorage(open: () => PreferenceStorage): PreferenceStorage {
  try {
    const store = open()
    store.getItem(keys.theme)
    return store
  } catch {
    // A browser that blocks site data throws at the first access.
    const kept = new Map<string, string>()
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
    }
  }
}

const keys = {
  theme: 'nodescope.theme',
  start: 'nodescope.seen-start',
  palette: 'nodescope.palette',
  clockNote: 'nodescope.clock-note-dismissed',
  drawerWidth: 'nodescope.drawer-width',
  podsTable: 'nodescope.table-pods',
  nodesTable: 'nodescope.table-nodes',
} as const

export function readPreferences(store: PreferenceStorage): Preferences {
  const drawerWidth = Number(store.getItem(keys.drawerWidth) ?? '')
  const theme = store.getItem(keys.theme)
  return {
    theme: isTheme(theme) ? theme : 'system',
    hasSeenStart: store.getItem(keys.start) === 'yes',
    isClockNoteDismissed: store.getItem(keys.clockNote) === 'yes',
    paletteChoices: (store.getItem(keys.palette) ?? '').split('\n').filter((id) => id !== ''),
    tables: {
      pods: store.getItem(keys.podsTable) ?? '',
      nodes: store.getItem(keys.nodesTable) ?? '',
    },
    drawerWidth: Number.isFinite(drawerWidth) && drawerWidth > 0 ? drawerWidth : null,
  }
}

/** Stores one preference; an empty text is its default. */
export function savePreference(
  storage: PreferenceStorage,
  name: keyof typeof keys,
  value: string,
): void {
  storage.setItem(keys[name], value)
}

/** Restores the state before the first start. */
export function clearPreferences(storage: PreferenceStorage): void {
  for (const key of Object.values(keys)) storage.setItem(key, '')
}
