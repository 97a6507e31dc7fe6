import { describe, expect, it } from 'vitest'
import {
  openStorage,
  readPreferences,
  rememberClockNoteDismissed,
  rememberDrawerWidth,
  rememberStartSeen,
  rememberTheme,
} from './preferences.ts'

const nothing = {
  theme: 'system',
  hasSeenStart: false,
  isClockNoteDismissed: false,
  paletteChoices: [],
  drawerWidth: null,
}

describe('the stored preferences', () => {
  it('are stored', () => {
    const kept = new Map<string, string>()
    const store = openStorage(() => ({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
    }))
    expect(readPreferences(store)).toEqual(nothing)
    rememberTheme(store, 'light')
    rememberStartSeen(store)
    rememberClockNoteDismissed(store)
    rememberDrawerWidth(store, 520)
    expect(readPreferences(store)).toEqual({
      theme: 'light',
      hasSeenStart: true,
      isClockNoteDismissed: true,
      paletteChoices: [],
      drawerWidth: 520,
    })
    expect([...kept.keys()]).toEqual([
      'nodescope.theme',
      'nodescope.seen-start',
      'nodescope.clock-note-dismissed',
      'nodescope.drawer-width',
    ])
  })

  it('last as long as the page if the browser blocks storage', () => {
    const store = openStorage(() => {
      throw new Error('SecurityError')
    })
    rememberTheme(store, 'contrast')
    expect(readPreferences(store)).toEqual({ ...nothing, theme: 'contrast' })
  })
})
