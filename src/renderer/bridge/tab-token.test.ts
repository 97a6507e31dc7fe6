import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TabChannel } from './tab-token.ts'
import { askTabsForToken, shareToken } from './tab-token.ts'

/** Tabs of one origin: each receives the messages of the others, not its own. */
class FakeTabs {
  readonly #channels = new Set<TabChannel>()

  open(): TabChannel {
    const channel: TabChannel = {
      onmessage: null,
      postMessage: (data) => {
        for (const other of this.#channels)
          if (other !== channel) other.onmessage?.(new MessageEvent('message', { data }))
      },
      close: () => this.#channels.delete(channel),
    }
    this.#channels.add(channel)
    return channel
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a tab opened by a link without a token', () => {
  it('gets the token of a tab that main has accepted', async () => {
    const tabs = new FakeTabs()
    shareToken(tabs.open(), 'secret')
    expect(await askTabsForToken(tabs.open())).toBe('secret')
  })

  it('gets none if no other tab has a token', async () => {
    const tabs = new FakeTabs()
    const first = askTabsForToken(tabs.open())
    const second = askTabsForToken(tabs.open())
    await vi.advanceTimersByTimeAsync(400)
    expect(await first).toBeUndefined()
    expect(await second).toBeUndefined()
  })

  it('gets none from a tab that stopped sharing', async () => {
    const tabs = new FakeTabs()
    shareToken(tabs.open(), 'refused')()
    shareToken(tabs.open(), 'secret')
    expect(await askTabsForToken(tabs.open())).toBe('secret')
  })

  it('ignores other messages', async () => {
    const tabs = new FakeTabs()
    const stranger = tabs.open()
    const asked = askTabsForToken(tabs.open())
    stranger.postMessage('secret')
    stranger.postMessage(null)
    stranger.postMessage({ ask: false, token: '' })
    await vi.advanceTimersByTimeAsync(400)
    expect(await asked).toBeUndefined()
  })
})
