import { describe, expect, it, vi } from 'vitest'
import { ok } from '../../../shared/result.ts'
import type { TerminalEnd } from '../../../shared/model/terminal.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { TerminalListener } from '../../cri/streaming/terminal-stream.ts'
import { Changes } from './changes.ts'
import { GuardedExec } from './guarded-exec.ts'

const minute = 60_000
const pod = { namespace: 'a', name: 'web' }
const command = { container: 'c', command: ['sh'] }

function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const changes: Changes = new Changes({
    clock,
    isFixed: false,
    onChange: () => {
      if (!changes.areAllowed) guarded.closeAll()
    },
  })
  const guarded = new GuardedExec(changes)
  const closed = vi.fn<() => void>()
  let listening: TerminalListener | undefined
  const open = guarded.guard(async (_pod, _command, listener) => {
    listening = listener
    const nothing = (): void => undefined
    return await Promise.resolve(ok({ write: nothing, resize: nothing, close: closed }))
  }, 'prod')
  const ended = vi.fn<(end: TerminalEnd) => void>()
  const listener = { printed: () => undefined, ended }
  return {
    clock,
    changes,
    closed,
    ended,
    open: () => open(pod, command, listener),
    listening: () => listening,
  }
}

describe('a terminal in a cluster that is looked at', () => {
  it('is not opened before changes are allowed', async () => {
    const { open, listening } = setUp()
    expect(await open()).toMatchObject({ ok: false, error: expect.stringContaining('read-only') })
    expect(listening()).toBeUndefined()
  })

  it('is closed 15 minutes after what was typed last', async () => {
    const { clock, changes, open, closed, ended } = setUp()
    changes.allow()
    const opened = await open()
    if (!opened.ok) throw new Error(opened.error)
    await clock.advance(14 * minute)
    opened.value.write('ls')
    await clock.advance(14 * minute)
    expect(closed).not.toHaveBeenCalled()
    await clock.advance(minute)
    expect(closed).toHaveBeenCalledTimes(1)
    expect(ended).toHaveBeenCalledWith({
      exitCode: null,
      message: 'Changes are no longer allowed here, so the terminal was closed.',
    })
  })

  it('that has ended is not closed again', async () => {
    const { changes, open, closed, listening, ended } = setUp()
    changes.allow()
    await open()
    listening()?.ended({ exitCode: 0, message: '' })
    changes.end()
    expect(closed).not.toHaveBeenCalled()
    expect(ended).toHaveBeenCalledTimes(1)
  })
})
