import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { WebContents } from 'electron'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { focusWindow, reloadAfterCrash } from './window.ts'

describe('focusWindow', () => {
  function window(state: { isDestroyed?: boolean; isMinimized?: boolean }) {
    const calls: string[] = []
    return {
      calls,
      isDestroyed: () => state.isDestroyed ?? false,
      isMinimized: () => state.isMinimized ?? false,
      restore: () => calls.push('restore'),
      show: () => calls.push('show'),
      focus: () => calls.push('focus'),
    }
  }
  it.each([
    [{}, ['show', 'focus']],
    [{ isMinimized: true }, ['restore', 'show', 'focus']],
    [{ isDestroyed: true }, []],
  ])('of %j calls %j', (state, expected) => {
    const fake = window(state)
    focusWindow(fake)
    expect(fake.calls).toEqual(expected)
  })
})

describe('the page', () => {
  it('is reloaded after a crash, but not after repeated crashes', () => {
    const emitter = new EventEmitter()
    const log = new FakeLog()
    let now = 0
    let reloads = 0
    const contents = Object.assign(emitter, { reload: () => reloads++ })
    // The emitter has every overload of `on` that Electron declares.
    reloadAfterCrash(contents as unknown as WebContents, log, () => now)
    const crash = (reason: string): void => {
      emitter.emit('render-process-gone', {}, { reason, exitCode: 1 })
    }
    crash('crashed')
    expect(reloads).toBe(1)
    now = 9_999
    crash('crashed')
    expect(reloads).toBe(1)
    now = 30_000
    crash('oom')
    expect(reloads).toBe(2)
    now = 60_000
    crash('clean-exit')
    expect(reloads).toBe(2)
    expect(log.lines[0]).toEqual({
      level: 'error',
      message: 'page crashed',
      fields: { reason: 'crashed', exitCode: 1 },
    })
  })
})
