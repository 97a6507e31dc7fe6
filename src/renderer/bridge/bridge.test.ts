import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bridge } from '../../shared/ipc/contract.ts'
import { refusedCloseCode } from '../../shared/ipc/wire.ts'
import { connectBridge } from './bridge.ts'
import { findToken, keepToken, tokenOfHash } from './token.ts'

const token = 'AbCdEfGhIjKlMnOpQrStUvWxYz012-_9'

describe('the token of a page', () => {
  beforeEach(() => {
    sessionStorage.clear()
    history.replaceState(null, '', '/')
  })

  it.each([
    [`#${token}`, token],
    ['', undefined],
    ['#/pods', undefined],
    [`#${token}x`, undefined],
    [`#${token.slice(1)}`, undefined],
    ['#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', undefined],
  ])('is read from the fragment %s', (hash, found) => {
    expect(tokenOfHash(hash)).toBe(found)
  })

  it('is removed from the address once it is stored, and found again after a reload', () => {
    history.replaceState({ open: 'pod' }, '', `/?theme=light#${token}`)
    expect(findToken(window)).toBe(token)
    keepToken(window, token)
    expect(location.hash).toBe('')
    expect(location.search).toBe('?theme=light')
    expect(history.state).toEqual({ open: 'pod' })
    expect(findToken(window)).toBe(token)
  })

  it('in the address takes precedence over a stored one', () => {
    keepToken(window, 'x'.repeat(32))
    history.replaceState(null, '', `/#${token}`)
    expect(findToken(window)).toBe(token)
  })

  it('does not touch a fragment that is not a token', () => {
    history.replaceState(null, '', '/#/pods')
    keepToken(window, token)
    expect(location.hash).toBe('#/pods')
  })
})

describe('connectBridge', () => {
  beforeEach(() => {
    sessionStorage.clear()
    history.replaceState(null, '', '/')
  })
  afterEach(() => {
    Reflect.deleteProperty(window, 'nodescope')
  })

  it('uses the preload script’s bridge if there is one', () => {
    const given: Bridge = {
      request: () => Promise.reject(new Error('not asked')),
      subscribe: () => () => undefined,
      onConnection: () => () => undefined,
    }
    Object.defineProperty(window, 'nodescope', { value: given, configurable: true })
    expect(connectBridge()).toBe(given)
  })

  it('stops sharing a token that main refuses, and starts without it after a reload', () => {
    const sockets: EventTarget[] = []
    const closed: string[] = []
    vi.stubGlobal(
      'WebSocket',
      class extends EventTarget {
        constructor() {
          super()
          sockets.push(this)
        }
      },
    )
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        readonly onmessage = null
        readonly #name: string
        constructor(name: string) {
          this.#name = name
        }
        close(): void {
          closed.push(this.#name)
        }
      },
    )
    history.replaceState(null, '', `/#${token}`)
    connectBridge()
    const [socket] = sockets
    socket?.dispatchEvent(new MessageEvent('message', { data: '{"accepted":true}' }))
    expect(findToken(window)).toBe(token)
    expect(closed).toEqual([])
    socket?.dispatchEvent(new CloseEvent('close', { code: refusedCloseCode, reason: 'not valid' }))
    expect(findToken(window)).toBeUndefined()
    expect(closed).toEqual(['nodescope.token'])
    vi.unstubAllGlobals()
  })

  it('says what to do if neither the address nor another tab has a token', async () => {
    vi.useFakeTimers()
    const bridge = connectBridge()
    const said: string[] = []
    bridge.onRefused?.((message) => said.push(message))
    expect(said).toEqual([])
    await vi.advanceTimersByTimeAsync(400)
    vi.useRealTimers()
    expect(said).toEqual(['Access token missing: open the full address that Nodescope printed.'])
    await expect(bridge.request('view.open', {})).rejects.toThrow('Access token missing')
  })
})
