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

/** Real time moves only by `real.now`; timers of the host fire only by `wake`. */
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

const pausedClock: Omit<ClockView, 'now'> = {
  virtual: true,
  paused: true,
  speed: 1,
  achieved: null,
}

describe('virtualClockCommands', () => {
  it('runs and pauses, and answers with the clock’s new state', () => {
    const { real, clock, commands, seen } = setUp()
    expect(receipt(commands.run())).toEqual({
      clock: { now: 1000, virtual: true, paused: false, speed: 1, achieved: null },
      stepped: null,
    })
    real.now = 250
    expect(receipt(commands.pause()).clock).toEqual({ ...pausedClock, now: 1250 })
    real.now = 900
    expect(clock.now()).toBe(1250)
    expect(receipt(commands.pause()).clock.now).toBe(1250)
    expect(seen.changes).toBe(3)
  })

  it('changes the speed, running or not, and keeps it within 0.1 and 1000', () => {
    const { real, commands } = setUp()
    expect(receipt(commands.setSpeed(10)).clock).toEqual({ ...pausedClock, now: 1000, speed: 10 })
    commands.run()
    real.now = 100
    expect(receipt(commands.setSpeed(5000)).clock).toMatchObject({ now: 2000, speed: 1000 })
    expect(receipt(commands.setSpeed(0)).clock.speed).toBe(0.1)
  })

  it('steps over timers without an event to the first with one', async () => {
    const { clock, commands, happen } = setUp()
    clock.after(10, () => undefined)
    clock.after(20, () => {
      happen(2)
    })
    clock.after(30, () => {
      happen()
    })
    expect(receipt(await commands.step())).toEqual({
      clock: { ...pausedClock, now: 1020 },
      stepped: { seq: 1, at: 1020, events: 2 },
    })
    expect(receipt(await commands.step()).stepped).toEqual({ seq: 3, at: 1030, events: 1 })
    expect(receipt(await commands.step()).stepped).toBeNull()
  })

  it('counts all events that the timer causes, not only the immediate ones', async () => {
    const { clock, commands, happen } = setUp()
    clock.after(10, () => {
      void Promise.resolve().then(() => {
        happen(3)
      })
    })
    expect(receipt(await commands.step()).stepped?.events).toBe(3)
  })

  it('pauses a running clock, which stays paused after the step', async () => {
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

  it('makes two steps for two clicks', async () => {
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

  it('gives up after 5000 timers without an event', async () => {
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

  it('ends a step when a command runs the clock', async () => {
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

  it('moves the clock to the time at which a request arrives', () => {
    const { real, clock, commands } = setUp()
    commands.run()
    real.now = 70
    expect(clock.now()).toBe(1000)
    commands.catchUp()
    expect(clock.now()).toBe(1070)
  })
})

describe('systemClockCommands', () => {
  it('refuses all commands in one sentence', async () => {
    const { pause, run, step, setSpeed } = systemClockCommands
    const refused = {
      ok: false,
      error: { kind: 'refused', message: expect.stringMatching(/^This cluster runs on .*\.$/) },
    }
    for (const answer of [pause(), run(), await step(), setSpeed(2)])
      expect(answer).toEqual(refused)
  })
})
