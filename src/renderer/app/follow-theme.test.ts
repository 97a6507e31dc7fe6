import { describe, expect, it } from 'vitest'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import { createStore } from '../store/create-store.ts'
import { followTheme } from './follow-theme.ts'

class FakeMedia extends EventTarget {
  matches = false
  set(matches: boolean): void {
    this.matches = matches
    this.dispatchEvent(new Event('change'))
  }
}

describe('followTheme', () => {
  it('follows the desktop until a theme is chosen, and again when System is chosen', () => {
    const contrast = new FakeMedia()
    const light = new FakeMedia()
    const root = document.createElement('html')
    const { state } = createStore({
      bridge: new FakeBridge(),
      storage: { getItem: () => null, setItem: () => undefined },
      afterPaint: () => undefined,
      monotonic: () => 0,
      wallClock: () => 0,
    })
    const shown = (): string | undefined => root.dataset['theme']
    // Only the used part of a MediaQueryList.
    followTheme(
      state,
      root,
      (query) => (query.includes('contrast') ? contrast : light) as unknown as MediaQueryList,
    )
    expect(shown()).toBe('dark')
    light.set(true)
    expect(shown()).toBe('light')
    contrast.set(true)
    expect(shown()).toBe('contrast')
    state.getState().setTheme('dark')
    light.set(false)
    expect(shown()).toBe('dark')
    state.getState().setTheme('system')
    expect(shown()).toBe('contrast')
  })
})
