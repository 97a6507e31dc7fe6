import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../clock/seeded-random.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeTrace } from '../../kubelet/container/fake-trace.ts'
import { SimulatedRuntime } from '../../runtimes/simulated/simulated-runtime.ts'
import { tracedRuntime } from './traced-runtime.ts'

const sandboxConfig = {
  metadata: { name: 'web', uid: 'u', namespace: 'ns', attempt: 0 },
  hostNetwork: false,
  labels: {},
  annotations: {},
}

function containerConfig(script: string) {
  const command = ['sh', '-c', script]
  const same = { name: 'c', attempt: 1, image: 'busybox:1.36', args: [], envs: [] }
  return { ...same, command, labels: {}, annotations: {} }
}

/** Ten times as fast. */
const clock = {
  now: systemClock.now,
  after: (delayMs: number, fn: () => void) => systemClock.after(delayMs / 10, fn),
}

/** It shares no trace, like one over CRI. */
function newRuntime(): SimulatedRuntime {
  return new SimulatedRuntime({
    clock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log: new FakeLog(),
    options: { images: ['busybox:1.36'] },
  })
}

async function valueOf<T>(answer: Promise<{ ok: true; value: T } | { ok: false }>): Promise<T> {
  const result = await answer
  if (!result.ok) throw new Error('refused')
  return result.value
}

function told(trace: FakeTrace) {
  return trace.events.map(({ kind, causes }) => [kind, causes])
}

describe('tracedRuntime', () => {
  it('traces sandboxes and containers with their causes', async () => {
    const trace = new FakeTrace()
    const runtime = tracedRuntime(newRuntime(), trace)
    const sandbox = await valueOf(runtime.runPodSandbox(sandboxConfig, [100]))
    const config = containerConfig('trap "exit 4" TERM; while true; do sleep 1; done')
    const id = await valueOf(runtime.createContainer(sandbox, config, sandboxConfig, [101]))
    await runtime.startContainer(id, [102])
    expect(runtime.causesOf(id)).toEqual([3])
    await runtime.containerStatus(id)
    await runtime.stopContainer(id, 30, [103])
    await runtime.containerStatus(id)
    await runtime.containerStatus(id)
    expect(runtime.causesOf(id)).toEqual([4])
    await runtime.stopPodSandbox(sandbox, [104])
    await runtime.stopPodSandbox(sandbox, [105])
    expect(told(trace)).toEqual([
      ['sandbox.started', [100]],
      ['container.created', [101]],
      ['container.started', [102]],
      ['container.exited', [103]],
      ['sandbox.stopped', [104]],
    ])
    expect(trace.events[3]).toMatchObject({
      subject: { kind: 'pod', uid: 'u', namespace: 'ns', name: 'web' },
      data: { container: 'c', containerId: id, exitCode: 4, reason: 'Error' },
    })
    await runtime.removePodSandbox(sandbox)
    expect([...runtime.causesOf(id), ...runtime.causesOf(sandbox)]).toEqual([])
  })

  it('names the start as the cause of an exit that was not asked for', async () => {
    const trace = new FakeTrace()
    const runtime = tracedRuntime(newRuntime(), trace)
    const sandbox = await valueOf(runtime.runPodSandbox(sandboxConfig))
    const config = containerConfig('exit 3')
    const id = await valueOf(runtime.createContainer(sandbox, config, sandboxConfig))
    await runtime.startContainer(id)
    await expect.poll(async () => (await valueOf(runtime.containerStatus(id))).state).toBe('exited')
    expect(told(trace).slice(2)).toEqual([
      ['container.started', []],
      ['container.exited', [3]],
    ])
  })

  it('knows the containers of an earlier run once it has seen them run', async () => {
    const machine = newRuntime()
    const sandbox = await valueOf(machine.runPodSandbox(sandboxConfig))
    const make = async (script: string) => {
      const id = await valueOf(
        machine.createContainer(
          sandbox,
          { ...containerConfig(script), name: script },
          sandboxConfig,
        ),
      )
      await machine.startContainer(id)
      return id
    }
    const ended = await make('exit 1')
    const runs = await make('sleep 1000')
    await expect
      .poll(async () => (await valueOf(machine.containerStatus(ended))).state)
      .toBe('exited')
    const trace = new FakeTrace()
    const runtime = tracedRuntime(machine, trace)
    await runtime.podSandboxStatus(sandbox)
    for (const id of [ended, runs]) await runtime.containerStatus(id)
    await runtime.stopPodSandbox(sandbox, [7])
    for (const id of [ended, runs]) await runtime.containerStatus(id)
    expect(told(trace)).toEqual([
      ['sandbox.stopped', [7]],
      ['container.exited', [7]],
    ])
  })

  it('traces nothing of a call that is refused', async () => {
    const trace = new FakeTrace()
    const runtime = tracedRuntime(newRuntime(), trace)
    const config = containerConfig('true')
    expect(await runtime.createContainer('none', config, sandboxConfig)).toMatchObject({
      ok: false,
    })
    expect(trace.events).toEqual([])
    expect(runtime.name).toBe('simulated')
  })
})
