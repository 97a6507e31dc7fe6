import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeCluster, fakeNow } from '../../bridge/fake-views.ts'
import { nextSpeed } from './clock-slice.ts'
import type { Store } from '../create-store.ts'
import { createStore } from '../create-store.ts'

async function opened(bridge: FakeBridge): Promise<Store> {
  const store = createStore({
    bridge,
    storage: { getItem: () => 'yes', setItem: () => undefined },
    afterPaint: (callback) => queueMicrotask(callback),
    monotonic: () => 0,
    wallClock: () => fakeNow,
  })
  store.start()
  await Promise.resolve()
  return store
}

describe('the clock of the page', () => {
  it.each([
    [0.1, 'faster', 1],
    [5, 'faster', 10],
    [1000, 'faster', 1000],
    [5, 'slower', 1],
    [0.1, 'slower', 0.1],
  ] as const)('goes from %s× %s to %s×', (from, direction, to) => {
    expect(nextSpeed(from, direction)).toBe(to)
  })

  it('toggles between pause and run', async () => {
    const bridge = new FakeBridge()
    const { state } = await opened(bridge)
    await state.getState().commandClock({ kind: 'toggle' })
    expect(state.getState().clusters[0]?.clock.paused).toBe(true)
    await state.getState().commandClock({ kind: 'toggle' })
    expect(state.getState().clusters[0]?.clock.paused).toBe(false)
  })

  it('counts several quick presses, and takes one step at a time', async () => {
    const bridge = new FakeBridge()
    const { state } = await opened(bridge)
    const { commandClock } = state.getState()
    const all = [
      commandClock({ kind: 'faster' }),
      commandClock({ kind: 'faster' }),
      commandClock({ kind: 'faster' }),
    ]
    await Promise.all(all)
    expect(bridge.sentArgs('clock.setSpeed')).toEqual(
      [10, 60, 1000].map((speed) => ({ cluster: 'sandbox', speed })),
    )
    const first = commandClock({ kind: 'step' })
    await Promise.resolve()
    await Promise.all([first, commandClock({ kind: 'step' })])
    expect(bridge.sentArgs('clock.step').length).toBe(1)
  })

  it('describes a step, with its event if main still has it, until the clock runs', async () => {
    const bridge = new FakeBridge()
    const { state } = await opened(bridge)
    const at = fakeNow + 20
    const clock = { now: at, virtual: true, paused: true, speed: 1, achieved: null }
    bridge.clockStep = () => ok({ clock, stepped: { seq: 7, at, events: 2 } })
    bridge.chains.set(7, {
      seq: 7,
      isCut: false,
      events: [
        {
          seq: 7,
          at,
          cluster: 'sandbox',
          node: 'scope-node-1',
          causes: [],
          subject: { kind: 'pod', uid: 'u', namespace: 'default', name: 'loud' },
          kind: 'container.exited',
          data: { container: 'loud', containerId: 'c', exitCode: 137, reason: 'Error' },
        },
      ],
    })
    await state.getState().commandClock({ kind: 'step' })
    expect(state.getState().lastStep).toBe(
      '2 events at 14:02:31.500, first default/loud: Container loud exited 137 (Error, ended by SIGKILL).',
    )
    await state.getState().commandClock({ kind: 'run' })
    expect(state.getState().lastStep).toBe('')
  })

  it('reports a step without events', async () => {
    const { state } = await opened(new FakeBridge())
    await state.getState().commandClock({ kind: 'step' })
    expect(state.getState().lastStep).toBe('No event: no timer is due.')
  })

  it('shows why a command was refused', async () => {
    const bridge = new FakeBridge()
    bridge.clockStep = () => err({ kind: 'refused', message: 'It is the system’s clock.' })
    const { state } = await opened(bridge)
    await state.getState().commandClock({ kind: 'step' })
    expect(state.getState().toasts.map(({ message }) => message)).toEqual([
      'It is the system’s clock.',
    ])
    expect(state.getState().isClockBusy).toBe(false)
  })

  it('shows a paused clock to the millisecond, step by step', async () => {
    const clock = { now: fakeNow, virtual: true, paused: true, speed: 1, achieved: null }
    const bridge = new FakeBridge({ clusters: [fakeCluster({ clock })] })
    const { clocks } = await opened(bridge)
    bridge.patch({ clusters: [fakeCluster({ clock: { ...clock, now: fakeNow + 80 } })] })
    expect(clocks.now('sandbox')).toBe(fakeNow + 80)
    expect(clocks.precise('sandbox')).toBe(fakeNow + 80)
  })
})
