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
    store.getItem(themeKey)
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

const themeKey = 'nodescope.theme'
const startKey = 'nodescope.seen-start'
const paletteKey = 'nodescope.palette'
const clockNoteKey = 'nodescope.clock-note-dismissed'
const drawerWidthKey = 'nodescope.drawer-width'

export function readPreferences(store: PreferenceStorage): Preferences {
  const drawerWidth = Number(store.getItem(drawerWidthKey) ?? '')
  const theme = store.getItem(themeKey)
  return {
    theme: isTheme(theme) ? theme : 'system',
    hasSeenStart: store.getItem(startKey) === 'yes',
    isClockNoteDismissed: store.getItem(clockNoteKey) === 'yes',
    paletteChoices: (store.getItem(paletteKey) ?? '').split('\n').filter((id) => id !== ''),
    drawerWidth: Number.isFinite(drawerWidth) && drawerWidth > 0 ? drawerWidth : null,
  }
}

export function rememberTheme(store: PreferenceStorage, theme: Theme): void {
  store.setItem(themeKey, theme)
}

export function rememberStartSeen(store: PreferenceStorage): void {
  store.setItem(startKey, 'yes')
}

export function rememberClockNoteDismissed(store: PreferenceStorage): void {
  store.setItem(clockNoteKey, 'yes')
}

export function rememberDrawerWidth(store: PreferenceStorage, width: number | null): void {
  store.setItem(drawerWidthKey, width === null ? '' : String(width))
}

export function rememberPaletteChoices(store: PreferenceStorage, ids: readonly string[]): void {
  store.setItem(paletteKey, ids.join('\n'))
}

/** Restores the state before the first start. */
export function clearPreferences(store: PreferenceStorage): void {
  for (const key of [themeKey, startKey, paletteKey, clockNoteKey, drawerWidthKey])
    store.setItem(key, '')
}
