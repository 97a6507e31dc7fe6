import { describe, expect, it } from 'vitest'
import type { ViewPatch } from '../shared/ipc/contract.ts'
import { createIpcBridge } from './ipc-bridge.ts'

const patch: ViewPatch = {
  epoch: 'e',
  number: 1,
  now: {},
  upserts: [],
  removed: [],
  clusters: [],
  closed: [],
}

function start(answer: unknown) {
  const calls: unknown[] = []
  let emit = (_event: unknown, _name: string, _payload: unknown): void => undefined
  const bridge = createIpcBridge({
    send: (...words) => {
      calls.push(['send', ...words])
    },
    invoke: (...words) => {
      calls.push(['invoke', ...words])
      return Promise.resolve(answer)
    },
    on: (channel, listener) => {
      calls.push(['on', channel])
      emit = listener
    },
  })
  return {
    bridge,
    calls,
    emit: (name: string, payload: unknown) => emit({ secret: 1 }, name, payload),
  }
}

describe('createIpcBridge', () => {
  it('listens before it connects, so that no event is lost', () => {
    expect(start(undefined).calls).toEqual([
      ['on', 'nodescope:event'],
      ['send', 'nodescope:connect'],
    ])
  })

  it('returns the reply, or rejects with the error of the main process', async () => {
    const good = start({ ok: true, value: null })
    expect(await good.bridge.request('pod.watch', { key: null })).toBe(null)
    expect(good.calls.at(-1)).toEqual(['invoke', 'nodescope:request', 'pod.watch', { key: null }])
    const bad = start({ ok: false, error: 'The page has not connected.' })
    await expect(bad.bridge.request('view.open', {})).rejects.toThrow('The page has not connected.')
  })

  it('passes only payloads to the subscribers of a name, until they unsubscribe', () => {
    const { bridge, emit } = start(undefined)
    const seen: unknown[][] = []
    const listener = (...words: unknown[]): void => {
      seen.push(words)
    }
    const unsubscribe = bridge.subscribe('view.patched', listener)
    bridge.subscribe('view.patched', listener)
    emit('view.patched', patch)
    emit('pod.detailed', {})
    emit('constructor', {})
    unsubscribe()
    emit('view.patched', patch)
    expect(seen).toEqual([[patch], [patch], [patch]])
  })

  it('is always connected', () => {
    const { bridge } = start(undefined)
    const states: string[] = []
    bridge.onConnection((state) => states.push(state))()
    expect(states).toEqual([])
    expect(bridge.onRefused).toBeUndefined()
  })
})
