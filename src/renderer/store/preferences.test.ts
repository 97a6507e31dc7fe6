import { describe, expect, it } from 'vitest'
import { openStorage, readPreferences, savePreference } from './preferences.ts'

const nothing = {
  theme: 'system',
  hasSeenStart: false,
  isClockNoteDismissed: false,
  paletteChoices: [],
  drawerWidth: null,
  tables: { pods: '', nodes: '' },
}

describe('the stored preferences', () => {
  it('are stored', () => {
    const kept = new Map<string, string>()
    const store = openStorage(() => ({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
    }))
    expect(readPreferences(store)).toEqual(nothing)
    savePreference(store, 'theme', 'light')
    savePreference(store, 'start', 'yes')
    savePreference(store, 'clockNote', 'yes')
    savePreference(store, 'drawerWidth', '520')
    expect(readPreferences(store)).toEqual({
      theme: 'light',
      hasSeenStart: true,
      isClockNoteDismissed: true,
      paletteChoices: [],
      drawerWidth: 520,
      tables: { pods: '', nodes: '' },
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
    savePreference(store, 'theme', 'contrast')
    expect(readPreferences(store)).toEqual({ ...nothing, theme: 'contrast' })
  })
})
