import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { RuntimeContainer } from '../ports.ts'
import { containerConfig, podSandboxConfig } from './container-config.ts'
import { ContainerKiller } from './container-killer.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { restoreSpecsFromContainerLabels } from './container-labels.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { FakeLog } from '../container/fake-log.ts'
import { containersOf, podOf, sidecar } from '../container/fake-pods.ts'
import { FakeRuntimeService } from '../container/fake-runtime-service.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { ok } from '../../../shared/result.ts'
import { refusingNetwork } from '../probe/refusing-network.ts'
import { HandlerRunner } from './lifecycle-hooks.ts'
import type { SyncResult } from '../container/runtime.ts'

class Bench {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly runtime = new FakeRuntimeService({ clock: this.clock })
  readonly events = new FakeEventRecorder()
  readonly trace = new FakeTrace()
  readonly log = new FakeLog()
  readonly killer = new ContainerKiller({
    runtimeService: this.runtime,
    clock: this.clock,
    recorder: this.events,
    trace: this.trace,
    log: this.log,
    hooks: new HandlerRunner({
      runtimeService: this.runtime,
      clock: this.clock,
      recorder: this.events,
      trace: this.trace,
      log: this.log,
      network: refusingNetwork(this.clock),
      podIPs: () => Promise.resolve(ok(['10.0.0.1'])),
    }),
  })

  /** Starts all containers of the pod. */
  async run(pod: Pod): Promise<readonly RuntimeContainer[]> {
    const sandbox = await this.runtime.runPodSandbox(podSandboxConfig(pod, 0))
    if (!sandbox.ok) throw new Error('no sandbox')
    for (const container of allContainers(pod)) {
      const config = containerConfig(pod, container, 'i', 0, { envs: [] })
      if (!config.ok) throw new Error(config.error)
      const created = await this.runtime.createContainer(
        sandbox.value,
        config.value,
        podSandboxConfig(pod, 0),
      )
      if (created.ok) await this.runtime.startContainer(created.value)
    }
    this.runtime.take()
    return [...this.runtime.containers.values()]
  }

  /** Kills them all and says when each was signalled: `at stopContainer name timeout`. */
  async killAll(
    pod: Pod,
    options: { readonly gracePeriodOverride?: number } = {},
  ): Promise<{ readonly results: readonly SyncResult[]; readonly stops: readonly string[] }> {
    const containers = await this.run(pod)
    const killing = this.killer.killAll({
      pod,
      containers,
      gracePeriodOverride: options.gracePeriodOverride,
      causes: [5],
    })
    await this.clock.advance(3_600_000)
    const stops = this.runtime.calls.map(({ at, line }) => `${at} ${line}`)
    return { results: await killing, stops }
  }
}

describe('the grace period', () => {
  it.each([
    ['of the spec', { terminationGracePeriodSeconds: 30 }, {}, undefined, 30],
    [
      'of the deletion before that of the spec',
      { terminationGracePeriodSeconds: 30 },
      { deletionGracePeriodSeconds: 7 },
      undefined,
      7,
    ],
    [
      'of an override before all',
      { terminationGracePeriodSeconds: 30 },
      { deletionGracePeriodSeconds: 7 },
      90,
      90,
    ],
    ['of two seconds without any', {}, {}, undefined, 2],
    ['of two seconds at least', { terminationGracePeriodSeconds: 1 }, {}, undefined, 2],
    ['of two seconds for an override of 1', { terminationGracePeriodSeconds: 30 }, {}, 1, 2],
    ['of two seconds for a deletion with 0', {}, { deletionGracePeriodSeconds: 0 }, undefined, 2],
  ])('is that %s', async (_, spec, metadata, override, seconds) => {
    const bench = new Bench()
    const { stops, results } = await bench.killAll(
      podOf(spec, { metadata }),
      override === undefined ? {} : { gracePeriodOverride: override },
    )
    expect(stops).toEqual([`0 stopContainer c ${seconds}`])
    expect(results).toEqual([{ action: 'KillContainer', target: 'c' }])
    expect(bench.trace.data('container.killing')).toMatchObject([{ gracePeriodSeconds: seconds }])
  })

  it.each([
    ['LivenessProbe', 11],
    ['StartupProbe', 12],
    ['Unknown', 30],
  ] as const)('after %s is %d s', async (reason, seconds) => {
    const bench = new Bench()
    const container = {
      name: 'c',
      image: 'i',
      livenessProbe: { terminationGracePeriodSeconds: 11 },
      startupProbe: { terminationGracePeriodSeconds: 12 },
    }
    const pod = podOf({ containers: [container], terminationGracePeriodSeconds: 30 })
    const [running] = await bench.run(pod)
    if (running === undefined) throw new Error('nothing runs')
    const killing = bench.killer.kill({
      pod,
      container: running,
      message: 'Container c failed, will be restarted',
      reason,
      causes: [],
    })
    await bench.clock.advance(60_000)
    expect(await killing).toBeUndefined()
    expect(bench.runtime.take()).toEqual([`stopContainer c ${seconds}`])
    expect(bench.events.take()).toEqual(['Normal Killing Container c failed, will be restarted'])
  })
})

describe('killing', () => {
  it('stops all containers at once, with an event and a trace event each', async () => {
    const bench = new Bench()
    bench.runtime.scripts.set('a', { stopsAfterMs: 'never' })
    bench.runtime.scripts.set('b', { stopsAfterMs: 500 })
    const pod = podOf({ containers: containersOf('a', 'b'), terminationGracePeriodSeconds: 5 })
    const { stops } = await bench.killAll(pod)
    expect(stops).toEqual(['0 stopContainer a 5', '0 stopContainer b 5'])
    expect(
      bench.events.events.map(({ subject, reason, message }) => [subject, reason, message]),
    ).toEqual([
      [{ kind: 'pod', pod, fieldPath: 'spec.containers{a}' }, 'Killing', 'Stopping container a'],
      [{ kind: 'pod', pod, fieldPath: 'spec.containers{b}' }, 'Killing', 'Stopping container b'],
    ])
    expect(bench.runtime.of('a')[0]).toMatchObject({ exitCode: 137, finishedAt: 5000 })
    expect(bench.runtime.of('b')[0]).toMatchObject({ exitCode: 0, finishedAt: 500 })
    expect(bench.trace.events.map(({ causes }) => causes)).toEqual([[5], [5]])
    expect(bench.runtime.calls.map(({ causes }) => causes)).toEqual([[1], [2]])
  })

  it('takes a container that is gone for one that has ended', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('stopContainer', { kind: 'not-found', message: 'gone' })
    const { results } = await bench.killAll(podOf())
    expect(results).toEqual([{ action: 'KillContainer', target: 'c' }])
  })

  it('hands a failure of the runtime on', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('stopContainer', { kind: 'failed', message: 'stuck in D' })
    const { results } = await bench.killAll(podOf())
    expect(results).toEqual([
      {
        action: 'KillContainer',
        target: 'c',
        error: { reason: 'KillContainerError', message: 'stuck in D', isBackOff: false },
      },
    ])
  })

  it('refuses a container that is not in the pod', async () => {
    const bench = new Bench()
    const [container] = await bench.run(podOf())
    if (container === undefined) throw new Error('nothing runs')
    const pod = podOf({ containers: containersOf('other') })
    const message = await bench.killer.kill({
      pod,
      container,
      message: 'why',
      reason: 'Unknown',
      causes: [],
    })
    expect(message).toBe(
      `failed to get containerSpec "c" (id="fake://${container.id}") in pod "p_n(u)" when killing container for reason "why"`,
    )
    expect(bench.events.take()).toEqual([])
  })

  it('of an unknown pod uses the annotations of the container', async () => {
    const bench = new Bench()
    const pod = podOf({ terminationGracePeriodSeconds: 9 })
    const [container] = await bench.run(pod)
    if (container === undefined) throw new Error('nothing runs')
    const kill = { container, message: '', reason: 'Unknown', causes: [] } as const
    const killing = bench.killer.kill({ ...restoreSpecsFromContainerLabels(container), ...kill })
    await bench.clock.advance(1000)
    expect(await killing).toBeUndefined()
    expect(bench.runtime.take()).toEqual(['stopContainer c 9'])
    // A kubelet drops events of containers that the pod does not have.
    expect(bench.events.take()).toEqual([])
  })
})

describe('the preStop hook', () => {
  const sleeping = (seconds: number, grace: number): Pod =>
    podOf({
      containers: [{ name: 'c', image: 'i', lifecycle: { preStop: { sleep: { seconds } } } }],
      terminationGracePeriodSeconds: grace,
    })

  it.each([
    ['takes its seconds from the grace', 10, 30, '10000 stopContainer c 20'],
    ['is cut at the grace, after which two seconds remain', 60, 30, '30000 stopContainer c 2'],
    ['leaves two seconds at least', 29, 30, '29000 stopContainer c 2'],
  ])('%s', async (_, seconds, grace, stop) => {
    const bench = new Bench()
    expect((await bench.killAll(sleeping(seconds, grace))).stops).toEqual([stop])
    expect(bench.events.take()).toEqual(['Normal Killing Stopping container c'])
  })

  it('does not run without a grace', async () => {
    const bench = new Bench()
    expect((await bench.killAll(sleeping(10, 0))).stops).toEqual(['0 stopContainer c 2'])
  })

  it.each([
    ['that runs a command', { exec: { command: ['hook', '5000'] } }, '5000 stopContainer c 25', []],
    [
      'that fails',
      { exec: { command: ['hook', '1000', 'no'] } },
      '1000 stopContainer c 29',
      ['Warning FailedPreStopHook PreStopHook failed'],
    ],
    [
      'that nothing answers',
      { httpGet: { port: 80, path: '/stop' } },
      '0 stopContainer c 30',
      ['Warning FailedPreStopHook PreStopHook failed'],
    ],
    [
      'of a kind that the kubelet does not run',
      { tcpSocket: { port: 80 } },
      '0 stopContainer c 30',
      ['Warning FailedPreStopHook PreStopHook failed'],
    ],
  ])(
    '%s uses its time, and the container is stopped all the same',
    async (_, preStop, stop, events) => {
      const bench = new Bench()
      const pod = podOf({
        containers: [{ name: 'c', image: 'i', lifecycle: { preStop } }],
        terminationGracePeriodSeconds: 30,
      })
      const { stops } = await bench.killAll(pod)
      expect(stops.filter((line) => line.includes('stopContainer'))).toEqual([stop])
      expect(bench.events.take()).toEqual(['Normal Killing Stopping container c', ...events])
    },
  )
})

describe('sidecars', () => {
  const pod = podOf({
    containers: containersOf('a', 'b'),
    initContainers: [...containersOf('i'), sidecar('s1'), sidecar('s2')],
    terminationGracePeriodSeconds: 30,
  })

  it('are stopped after the main containers, the last one first, within the same grace', async () => {
    const bench = new Bench()
    bench.runtime.scripts.set('i', { endsAfterMs: 0 })
    bench.runtime.scripts.set('a', { stopsAfterMs: 4000 })
    bench.runtime.scripts.set('b', { stopsAfterMs: 1000 })
    bench.runtime.scripts.set('s2', { stopsAfterMs: 2500 })
    await bench.run(pod)
    await bench.clock.advance(0)
    const running = [...bench.runtime.containers.values()].filter(
      ({ state }) => state === 'running',
    )
    const killing = bench.killer.killAll({
      pod,
      containers: running,
      gracePeriodOverride: undefined,
      causes: [],
    })
    await bench.clock.advance(60_000)
    await killing
    expect(bench.runtime.calls.map(({ at, line }) => `${at} ${line}`)).toEqual([
      '0 stopContainer a 30',
      '0 stopContainer b 30',
      '4000 stopContainer s2 26',
      '6500 stopContainer s1 24',
    ])
  })

  it('are not waited for when the grace is over', async () => {
    const bench = new Bench()
    for (const name of ['a', 'b', 'i']) bench.runtime.scripts.set(name, { stopsAfterMs: 'never' })
    const short = { ...pod, spec: { ...pod.spec, terminationGracePeriodSeconds: 5 } }
    const { stops } = await bench.killAll(short)
    expect(stops).toEqual([
      '0 stopContainer i 5',
      '0 stopContainer a 5',
      '0 stopContainer b 5',
      '5000 stopContainer s1 2',
      '5000 stopContainer s2 2',
    ])
  })

  it('of which only one is left is stopped at once', async () => {
    const bench = new Bench()
    await bench.run(pod)
    const left = bench.runtime.of('s1')
    const killing = bench.killer.killAll({
      pod,
      containers: left,
      gracePeriodOverride: undefined,
      causes: [],
    })
    await bench.clock.advance(60_000)
    await killing
    expect(bench.runtime.calls.map(({ at, line }) => `${at} ${line}`)).toEqual([
      '0 stopContainer s1 30',
    ])
  })
})
