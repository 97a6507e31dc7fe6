import { describe, expect, it } from 'vitest'
import type { ClockReceipt } from '../../../shared/ipc/contract.ts'
import type { ClockView } from '../../../shared/model/cluster-view.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { ClockHost } from '../../clock/virtual-clock.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import { systemClockCommands, virtualClockCommands } from './clock-commands.ts'

type Answer = ReturnType<typeof systemClockCommands.pause>

function receipt(answer: Answer): ClockReceipt {
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

/** Real time stands still unless `real.now` is moved; nothing wakes by itself but through `wake`. */
function setUp() {
  const real = { now: 0, wake: (): void => undefined }
  const host: ClockHost = {
    ...nodeClockHost,
    realNow: () => real.now,
    wakeAfter: (_ms, fn) => {
      real.wake = fn
      return () => {
        real.wake = () => undefined
      }
    },
  }
  const clock = new VirtualClock(host, { startAt: 1000 })
  const trace = new ClusterTrace({
    cluster: 'sandbox',
    clock,
    onError: (error) => {
      throw error
    },
  })
  const seen = { changes: 0 }
  const commands = virtualClockCommands({ clock, trace, onChange: () => seen.changes++ })
  const happen = (times = 1): void => {
    for (let time = 0; time < times; time++)
      trace.emit('n', {
        kind: 'loop.sync',
        subject: { kind: 'node' },
        causes: [],
        data: { pods: 1 },
      })
  }
  return { real, clock, commands, seen, happen }
}

const stands: Omit<ClockView, 'now'> = { virtual: true, paused: true, speed: 1, achieved: null }

describe('virtualClockCommands', () => {
  it('runs and pauses, each answered with the clock as it is then', () => {
    const { real, clock, commands, seen } = setUp()
    expect(receipt(commands.run())).toEqual({
      clock: { now: 1000, virtual: true, paused: false, speed: 1, achieved: null },
      stepped: null,
    })
    real.now = 250
    expect(receipt(commands.pause()).clock).toEqual({ ...stands, now: 1250 })
    real.now = 900
    expect(clock.now()).toBe(1250)
    expect(receipt(commands.pause()).clock.now).toBe(1250)
    expect(seen.changes).toBe(3)
  })

  it('changes the speed, running or not, and keeps it within 0.1 and 1000', () => {
    const { real, commands } = setUp()
    expect(receipt(commands.setSpeed(10)).clock).toEqual({ ...stands, now: 1000, speed: 10 })
    commands.run()
    real.now = 100
    expect(receipt(commands.setSpeed(5000)).clock).toMatchObject({ now: 2000, speed: 1000 })
    expect(receipt(commands.setSpeed(0)).clock.speed).toBe(0.1)
  })

  it('steps over timers in which nothing happens to the first in which something does', async () => {
    const { clock, commands, happen } = setUp()
    clock.after(10, () => undefined)
    clock.after(20, () => {
      happen(2)
    })
    clock.after(30, () => {
      happen()
    })
    expect(receipt(await commands.step())).toEqual({
      clock: { ...stands, now: 1020 },
      stepped: { seq: 1, at: 1020, events: 2 },
    })
    expect(receipt(await commands.step()).stepped).toEqual({ seq: 3, at: 1030, events: 1 })
    expect(receipt(await commands.step()).stepped).toBeNull()
  })

  it('counts what the timer settles, not only what it does at once', async () => {
    const { clock, commands, happen } = setUp()
    clock.after(10, () => {
      void Promise.resolve().then(() => {
        happen(3)
      })
    })
    expect(receipt(await commands.step()).stepped?.events).toBe(3)
  })

  it('pauses a clock that runs, and lets it stand after the step', async () => {
    const { real, clock, commands, happen } = setUp()
    commands.run()
    clock.after(100, () => {
      happen()
    })
    real.now = 40
    expect(receipt(await commands.step())).toMatchObject({
      clock: { now: 1100, paused: true },
      stepped: { at: 1100, events: 1 },
    })
    expect(clock.isPaused).toBe(true)
  })

  it('takes two clicks as two steps', async () => {
    const { clock, commands, happen } = setUp()
    for (const delay of [10, 20, 30])
      clock.after(delay, () => {
        happen()
      })
    const [first, second] = await Promise.all([commands.step(), commands.step()])
    expect(receipt(first).stepped?.at).toBe(1010)
    expect(receipt(second).stepped?.at).toBe(1020)
    expect(clock.now()).toBe(1020)
  })

  it('gives up after 5000 timers in which nothing happened', async () => {
    const { clock, commands } = setUp()
    let fired = 0
    const tick = (): void => {
      fired++
      clock.after(1, tick)
    }
    clock.after(1, tick)
    expect(receipt(await commands.step()).stepped).toBeNull()
    expect(fired).toBe(5000)
  })

  it('ends a step when somebody sets the clock running', async () => {
    const { clock, commands } = setUp()
    let fired = 0
    const tick = (): void => {
      fired++
      if (fired === 10) commands.run()
      clock.after(1000, tick)
    }
    clock.after(1000, tick)
    const answer = receipt(await commands.step())
    expect(answer).toMatchObject({ clock: { paused: false }, stepped: null })
    expect(fired).toBe(10)
  })

  it('stamps what comes from outside with the time of its arrival', () => {
    const { real, clock, commands } = setUp()
    commands.run()
    real.now = 70
    expect(clock.now()).toBe(1000)
    commands.catchUp()
    expect(clock.now()).toBe(1070)
  })
})

describe('systemClockCommands', () => {
  it('refuses them all, in one sentence', async () => {
    const { pause, run, step, setSpeed } = systemClockCommands
    const refused = {
      ok: false,
      error: { kind: 'refused', message: expect.stringMatching(/^This cluster runs on .*\.$/) },
    }
    for (const answer of [pause(), run(), await step(), setSpeed(2)])
      expect(answer).toEqual(refused)
  })
})
