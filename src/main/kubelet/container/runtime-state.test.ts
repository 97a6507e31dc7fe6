import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from './fake-log.ts'
import { FakeRuntimeService } from './fake-runtime-service.ts'
import { RuntimeState } from './runtime-state.ts'

function newState() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const runtime = new FakeRuntimeService({ clock })
  const log = new FakeLog()
  return { clock, runtime, log, state: new RuntimeState({ runtimeService: runtime, clock, log }) }
}

describe('RuntimeState', () => {
  it('knows nothing before the first answer, and is well after it', async () => {
    const { clock, state } = newState()
    expect(state.runtimeErrors()).toEqual([
      'container runtime status check may not have completed yet',
    ])
    expect(state.networkError()).toBe('network state unknown')
    state.start()
    await clock.advance(0)
    expect([state.runtimeErrors(), state.networkError()]).toEqual([[], undefined])
  })

  it('takes the runtime for down after thirty seconds without an answer', async () => {
    const { clock, runtime, log, state } = newState()
    state.start()
    await clock.advance(0)
    runtime.failures.set('status', { kind: 'unavailable', message: 'no socket' })
    await clock.advance(29_999)
    expect(state.runtimeErrors()).toEqual([])
    await clock.advance(1)
    expect(state.runtimeErrors()).toEqual(['container runtime is down'])
    expect(new Set(log.problems)).toEqual(new Set(['container runtime sanity check failed']))
    runtime.failures.clear()
    await clock.advance(5000)
    expect(state.runtimeErrors()).toEqual([])
  })

  it('reports the conditions of the runtime and its network', async () => {
    const { clock, runtime, state } = newState()
    state.start()
    await clock.advance(0)
    runtime.isNetworkReady = false
    await clock.advance(5000)
    expect(state.networkError()).toBe(
      'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:as set',
    )
    expect(state.runtimeErrors()).toEqual([])
    runtime.isRuntimeReady = false
    await clock.advance(5000)
    const notReady =
      'container runtime not ready: RuntimeReady=false reason:RuntimeNotReady message:as set'
    expect(state.runtimeErrors()).toEqual([notReady])
    await clock.advance(30_000)
    expect(state.runtimeErrors()).toEqual(['container runtime is down', notReady])
  })

  it('asks every five seconds until it is stopped', async () => {
    const { clock, runtime, state } = newState()
    state.start()
    state.start()
    await clock.advance(14_999)
    expect(runtime.take()).toHaveLength(3)
    state.stop()
    await clock.advance(60_000)
    expect(runtime.take()).toHaveLength(0)
  })
})
