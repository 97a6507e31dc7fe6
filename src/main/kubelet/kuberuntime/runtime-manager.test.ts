import { ok } from '../../../shared/result.ts'
import { fakeHost } from '../host/fake-host.ts'
import { noRunOptions } from '../container/fake-runtime-helper.ts'
import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { containerLabels } from './container-labels.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { FakeLog } from '../container/fake-log.ts'
import { containersOf, podOf, sidecar } from '../container/fake-pods.ts'
import { FakeRuntimeService } from '../container/fake-runtime-service.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import type { ProbeResult } from '../../../shared/model/trace-event.ts'
import { podSandboxConfig } from './container-config.ts'
import { RuntimeManager } from './runtime-manager.ts'
import type { RuntimeManagerDeps } from './runtime-manager.ts'
import type { PodRuntimeStatus, PodSyncResult } from '../container/runtime.ts'
import { podSyncError, toApiPod } from '../container/runtime.ts'
import { toRunningPod } from '../container/running-pod.ts'

class Bench {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  readonly runtime = new FakeRuntimeService({ clock: this.clock })
  readonly events = new FakeEventRecorder()
  readonly trace = new FakeTrace()
  readonly log = new FakeLog()
  readonly manager: RuntimeManager

  constructor(rest: Partial<RuntimeManagerDeps> = {}) {
    this.runtime.images.set('i:latest', { id: 'sha256:i', sizeBytes: 1 })
    this.runtime.images.set('i:1', { id: 'sha256:i1', sizeBytes: 1 })
    this.manager = new RuntimeManager({
      runtimeHelper: noRunOptions,
      runtimeService: this.runtime,
      imageService: this.runtime,
      clock: this.clock,
      random: seededRandom(1),
      recorder: this.events,
      trace: this.trace,
      log: this.log,
      ...rest,
    })
  }

  async status(pod: Pod): Promise<PodRuntimeStatus> {
    const { uid, name, namespace = '' } = pod.metadata
    const status = await this.manager.getPodStatus(uid, name, namespace)
    if (!status.ok) throw new Error(status.error.message)
    return status.value
  }

  /** One sync on the present status, given time to finish. */
  async sync(pod: Pod, forMs = 0): Promise<PodSyncResult> {
    const result = this.manager.syncPod(pod, await this.status(pod), [5])
    await this.clock.advance(forMs)
    return result
  }

  /** What happened since the last call, at the runtime and as events. */
  take(): { readonly calls: readonly string[]; readonly events: readonly string[] } {
    return { calls: this.runtime.take(), events: this.events.take() }
  }
}

const spec = (...names: readonly string[]) =>
  containersOf(...names).map((container) => ({ ...container, image: 'i:1' }))
const onePod = podOf({ containers: spec('c'), terminationGracePeriodSeconds: 30 })
const started = (name: string): readonly string[] => [
  'Normal Pulled Container image "i:1" already present on machine',
  `Normal Created Created container: ${name}`,
  `Normal Started Started container ${name}`,
]

describe('syncPod of a new pod', () => {
  it('makes a sandbox, then each container, with the events that were observed', async () => {
    const bench = new Bench()
    const pod = podOf({ containers: spec('a', 'b') })
    expect(await bench.sync(pod)).toEqual({
      results: [
        { action: 'KillPodSandbox', target: 'u' },
        { action: 'CreatePodSandbox', target: 'p_n(u)' },
        { action: 'ConfigPodSandbox', target: 'sandbox-1' },
        { action: 'StartContainer', target: 'a' },
        { action: 'StartContainer', target: 'b' },
      ],
    })
    expect(bench.take()).toEqual({
      calls: [
        'runPodSandbox p 0',
        'createContainer a 0',
        'startContainer a',
        'createContainer b 0',
        'startContainer b',
      ],
      events: [...started('a'), ...started('b')],
    })
    expect(await bench.sync(pod)).toEqual({
      results: [{ action: 'ConfigPodSandbox', target: 'sandbox-1' }],
    })
    expect(bench.take()).toEqual({ calls: [], events: [] })
  })

  it('points events to the container and names what caused them', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    const subject = { kind: 'pod', pod: onePod, fieldPath: 'spec.containers{c}' }
    expect(bench.events.events.map((event) => [event.subject, event.causes])).toEqual([
      [subject, [1]],
      [subject, [1]],
      [subject, [1]],
    ])
    expect(bench.trace.events).toMatchObject([{ kind: 'image.pulled', causes: [5] }])
    expect(bench.runtime.calls.map(({ line, causes }) => [line, causes])).toEqual([
      ['runPodSandbox p 0', [5]],
      ['createContainer c 0', [1]],
      ['startContainer c', [1]],
    ])
  })

  it('makes containers from the image that was found', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    expect(bench.runtime.created).toMatchObject([{ name: 'c', image: 'sha256:i1', attempt: 0 }])
  })

  it('records that the sandbox cannot be created, and tries again', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('runPodSandbox', { kind: 'failed', message: 'no network' })
    const result = await bench.sync(onePod)
    expect(podSyncError(result)).toBe(
      'failed to "CreatePodSandbox" for "p_n(u)" with CreatePodSandboxError: "Failed to create sandbox for pod \\"p_n(u)\\": no network"',
    )
    expect(bench.take().events).toEqual([
      'Warning FailedCreatePodSandBox Failed to create pod sandbox: no network',
    ])
    bench.runtime.failures.clear()
    expect(podSyncError(await bench.sync(onePod))).toBeUndefined()
  })

  it('is silent about a sandbox that cannot be made because the pod was deleted meanwhile', async () => {
    const bench = new Bench({ isPodDeleted: (uid) => uid === 'u' })
    bench.runtime.failures.set('runPodSandbox', { kind: 'failed', message: 'no network' })
    expect(podSyncError(await bench.sync(onePod))).toBeUndefined()
    expect(bench.take().events).toEqual([])
  })
})

describe('syncPod when starting fails', () => {
  it.each([
    ['createContainer', 'CreateContainerError'],
    ['startContainer', 'RunContainerError'],
  ] as const)('in %s says %s and starts the other containers', async (call, reason) => {
    const bench = new Bench()
    const pod = podOf({ containers: spec('a', 'b') })
    bench.runtime.failures.set(call, { kind: 'failed', message: 'exec format error' })
    const result = await bench.sync(pod)
    expect(result.results.filter(({ action }) => action === 'StartContainer')).toEqual([
      {
        action: 'StartContainer',
        target: 'a',
        error: { reason, message: 'exec format error', isBackOff: false },
      },
      {
        action: 'StartContainer',
        target: 'b',
        error: { reason, message: 'exec format error', isBackOff: false },
      },
    ])
    expect(bench.take().events.filter((line) => line.startsWith('Warning'))).toEqual([
      'Warning Failed Error: exec format error',
      'Warning Failed Error: exec format error',
    ])
    expect(bench.trace.data('container.failed')).toEqual([
      { container: 'a', reason, message: 'exec format error' },
      { container: 'b', reason, message: 'exec format error' },
    ])
  })

  it('leaves container ids out of events, so that equal ones can be counted', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('startContainer', {
      kind: 'failed',
      message: 'container "c-2" would not start',
    })
    await bench.sync(onePod)
    expect(bench.take().events.at(-1)).toBe('Warning Failed Error: container "c" would not start')
  })

  it('without an image records the reason and backs off', async () => {
    const bench = new Bench()
    const pod = podOf({ containers: [{ name: 'c', image: 'gone:1' }] })
    bench.runtime.failures.set('pullImage', { kind: 'failed', message: 'not found' })
    expect((await bench.sync(pod)).results.at(-1)).toEqual({
      action: 'StartContainer',
      target: 'c',
      error: { reason: 'ErrImagePull', message: 'not found', isBackOff: false },
    })
    expect(bench.take().events).toEqual([
      'Normal Pulling Pulling image "gone:1"',
      'Warning Failed Failed to pull image "gone:1": not found',
      'Warning Failed Error: ErrImagePull',
    ])
    expect((await bench.sync(pod)).results.at(-1)?.error).toEqual({
      reason: 'ImagePullBackOff',
      message: 'Back-off pulling image "gone:1": ErrImagePull: not found',
      isBackOff: true,
    })
    expect(bench.take().events).toEqual([
      'Normal BackOff Back-off pulling image "gone:1"',
      'Warning Failed Error: ImagePullBackOff',
    ])
  })

  it('starts a container that was only created once more', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('startContainer', { kind: 'failed', message: 'no' })
    await bench.sync(onePod)
    bench.runtime.failures.clear()
    bench.take()
    await bench.sync(onePod)
    expect(bench.take().calls).toEqual(['createContainer c 1', 'startContainer c'])
  })
})

describe('syncPod after a container ended', () => {
  it('starts it again, one attempt higher, then backs off 10, 20, 40 … seconds from its end', async () => {
    const bench = new Bench()
    bench.runtime.scripts.set('c', { endsAfterMs: 500, exitCode: 1 })
    const starts: number[] = []
    for (let second = 0; second < 400; second++) {
      await bench.sync(onePod)
      if (bench.runtime.take().includes('startContainer c')) starts.push(second)
      await bench.clock.advance(1000)
    }
    // Ends half a second after each start, and is looked at every second.
    expect(starts).toEqual([0, 1, 12, 33, 74, 155, 316])
    expect(bench.runtime.of('c').map(({ attempt }) => attempt)).toEqual([6, 5, 4, 3, 2, 1, 0])
  })

  it('says how long it backs off', async () => {
    const bench = new Bench()
    bench.runtime.scripts.set('c', { endsAfterMs: 0, exitCode: 1 })
    for (let round = 0; round < 2; round++) await bench.sync(onePod)
    await bench.clock.advance(0)
    bench.take()
    expect((await bench.sync(onePod)).results).toEqual([
      { action: 'ConfigPodSandbox', target: 'sandbox-1' },
      {
        action: 'StartContainer',
        target: 'c',
        error: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 10s restarting failed container=c pod=p_n(u)',
          isBackOff: true,
        },
      },
    ])
    expect(bench.take()).toEqual({
      calls: [],
      events: ['Warning BackOff Back-off restarting failed container c in pod p_n(u)'],
    })
    expect(bench.trace.data('container.backOff')).toEqual([
      { container: 'c', delayMs: 10_000, until: 11_000 },
    ])
  })

  it('kills the sandbox when the pod is over', async () => {
    const bench = new Bench()
    const pod = podOf({ containers: spec('c'), restartPolicy: 'Never' })
    bench.runtime.scripts.set('c', { endsAfterMs: 0 })
    await bench.sync(pod)
    bench.take()
    expect(await bench.sync(pod)).toEqual({
      results: [
        { action: 'KillPodSandbox', target: 'u' },
        { action: 'ConfigPodSandbox', target: 'sandbox-1' },
      ],
    })
    expect(bench.take().calls).toEqual(['stopPodSandbox sandbox-1'])
  })

  it('keeps counting restarts in a new sandbox', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    await bench.runtime.stopPodSandbox('sandbox-1')
    bench.take()
    await bench.sync(onePod)
    expect(bench.take()).toEqual({
      calls: [
        'stopPodSandbox sandbox-1',
        'runPodSandbox p 1',
        'createContainer c 1',
        'startContainer c',
      ],
      events: [
        'Normal SandboxChanged Pod sandbox changed, it will be killed and re-created.',
        ...started('c'),
      ],
    })
  })
})

describe('syncPod of a running container', () => {
  it('replaces it when its image changed', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    bench.take()
    const changed = podOf({
      containers: [{ name: 'c', image: 'i:2', imagePullPolicy: 'IfNotPresent' }],
      terminationGracePeriodSeconds: 30,
    })
    await bench.sync(changed)
    const { calls, events } = bench.take()
    expect(calls).toEqual([
      'stopContainer c 30',
      'pullImage i:2',
      'createContainer c 1',
      'startContainer c',
    ])
    expect(events[0]).toBe('Normal Killing Container c definition changed, will be restarted')
  })

  it('starts nothing when it cannot be killed', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    bench.take()
    bench.runtime.failures.set('stopContainer', { kind: 'failed', message: 'stuck' })
    const changed = podOf({ containers: [{ name: 'c', image: 'i:2' }] })
    expect(await bench.sync(changed)).toEqual({
      results: [
        {
          action: 'KillContainer',
          target: 'c',
          error: { reason: 'KillContainerError', message: 'stuck', isBackOff: false },
        },
      ],
    })
    expect(bench.take().calls).toEqual(['stopContainer c 2'])
  })

  it('kills and restarts it after a failed liveness probe', async () => {
    const results = new Map<string, ProbeResult>()
    const bench = new Bench({
      probeResults: {
        liveness: (id) => results.get(id),
        startup: () => undefined,
        readiness: () => undefined,
      },
    })
    await bench.sync(onePod)
    results.set(bench.runtime.of('c')[0]?.id ?? '', 'failure')
    bench.take()
    await bench.sync(onePod)
    expect(bench.take().events).toEqual([
      'Normal Killing Container c failed liveness probe, will be restarted',
      ...started('c'),
    ])
  })

  it('waits for a sleeping postStart hook', async () => {
    const bench = new Bench()
    const lifecycle = { postStart: { sleep: { seconds: 3 } } }
    const [first] = spec('a')
    const pod = podOf({ containers: [{ ...first, name: 'a', lifecycle }, ...spec('b')] })
    await bench.sync(pod, 10_000)
    expect(bench.runtime.calls.map(({ at, line }) => `${at} ${line}`)).toEqual([
      '1000 runPodSandbox p 0',
      '1000 createContainer a 0',
      '1000 startContainer a',
      '4000 createContainer b 0',
      '4000 startContainer b',
    ])
  })

  it('starts ephemeral containers first and only once', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    bench.take()
    const pod: Pod = { ...onePod, spec: { ...onePod.spec, ephemeralContainers: spec('e') } }
    bench.runtime.scripts.set('e', { endsAfterMs: 0, exitCode: 1 })
    await bench.sync(pod)
    expect(bench.take().calls).toEqual(['createContainer e 0', 'startContainer e'])
    await bench.sync(pod)
    expect(bench.take().calls).toEqual([])
  })
})

describe('syncPod with an ephemeral container', () => {
  it('starts it once its target was created', async () => {
    const bench = new Bench()
    const ephemeralContainers = spec('e').map((one) => ({ ...one, targetContainerName: 'c' }))
    const initContainers = spec('i')
    bench.runtime.scripts.set('i', { endsAfterMs: 5000 })
    await bench.sync({ ...onePod, spec: { ...onePod.spec, initContainers } })
    const pod = { ...onePod, spec: { ...onePod.spec, initContainers, ephemeralContainers } }
    bench.take()
    const { results } = await bench.sync(pod, 10_000)
    const message = 'unable to find target container c'
    expect(results).toContainEqual({
      action: 'StartContainer',
      target: 'e',
      error: { reason: 'CreateContainerConfigError', message, isBackOff: false },
    })
    expect(bench.take().events).toContain(`Warning Failed Error: ${message}`)
    await bench.sync(pod)
    expect(bench.take().calls).not.toContain('startContainer e')
    await bench.sync(pod)
    expect(bench.take().calls).toContain('startContainer e')
  })
})

describe('syncPod with init containers', () => {
  const pod = podOf({ containers: spec('c'), initContainers: spec('i1', 'i2') })

  it('runs one after the other, then the main ones', async () => {
    const bench = new Bench()
    for (const name of ['i1', 'i2']) bench.runtime.scripts.set(name, { endsAfterMs: 0 })
    const starts: string[] = []
    for (let round = 0; round < 4; round++) {
      await bench.sync(pod)
      starts.push(...bench.take().calls.filter((line) => line.startsWith('start')))
    }
    expect(starts).toEqual(['startContainer i1', 'startContainer i2', 'startContainer c'])
  })

  it('keeps only the newest dead one of each', async () => {
    const bench = new Bench()
    bench.runtime.scripts.set('i1', { endsAfterMs: 0, exitCode: 1 })
    for (let round = 0; round < 3; round++) {
      await bench.sync(pod)
      await bench.clock.advance(60_000)
    }
    expect(bench.runtime.of('i1').map(({ attempt }) => attempt)).toEqual([2, 1])
    await bench.sync(pod)
    expect(bench.runtime.of('i1').map(({ attempt }) => attempt)).toEqual([3, 2])
  })

  it('starts over in a new sandbox, without the old ones', async () => {
    const bench = new Bench()
    for (const name of ['i1', 'i2']) bench.runtime.scripts.set(name, { endsAfterMs: 0 })
    for (let round = 0; round < 3; round++) await bench.sync(pod)
    await bench.runtime.stopPodSandbox('sandbox-1')
    bench.take()
    await bench.sync(pod)
    expect(bench.take().calls).toEqual([
      'stopPodSandbox sandbox-1',
      'removeContainer i1',
      'removeContainer i2',
      'runPodSandbox p 1',
      'createContainer i1 1',
      'startContainer i1',
    ])
  })

  it('stops at one that cannot be started, but not at a sidecar', async () => {
    const bench = new Bench()
    const [init] = spec('x')
    const bad = { ...init, name: 'x', image: 'gone:1' }
    bench.runtime.failures.set('pullImage', { kind: 'failed', message: 'not found' })
    const regular = podOf({ containers: spec('c'), initContainers: [bad, ...spec('i2')] })
    expect((await bench.sync(regular)).results.map(({ target }) => target)).toEqual([
      'u',
      'p_n(u)',
      'sandbox-1',
      'x',
    ])
    const other = new Bench()
    other.runtime.failures.set('pullImage', { kind: 'failed', message: 'not found' })
    const withSidecar = podOf({
      containers: spec('c'),
      initContainers: [sidecar('s1', { image: 'i:1' }), sidecar('x', { image: 'gone:1' })],
    })
    await other.sync(withSidecar)
    other.runtime.scripts.set('s1', {})
    other.runtime.end(other.runtime.of('s1')[0]?.id ?? '', 1)
    other.take()
    const { results } = await other.sync(withSidecar)
    expect(results.map(({ target, error }) => `${target} ${error?.reason ?? 'ok'}`)).toEqual([
      'sandbox-1 ok',
      's1 ok',
    ])
  })
})

describe('killPod', () => {
  it('stops the running containers, then every sandbox', async () => {
    const bench = new Bench()
    const pod = podOf({ containers: spec('a', 'b'), terminationGracePeriodSeconds: 10 })
    await bench.sync(pod)
    bench.runtime.end(bench.runtime.of('b')[0]?.id ?? '', 0)
    bench.take()
    const killing = bench.manager.killPod(pod, toRunningPod(await bench.status(pod)), undefined, [])
    await bench.clock.advance(60_000)
    expect(await killing).toEqual({
      results: [
        { action: 'KillContainer', target: 'a' },
        { action: 'KillPodSandbox', target: 'u' },
      ],
    })
    expect(bench.take()).toEqual({
      calls: ['stopContainer a 10', 'stopPodSandbox sandbox-1'],
      events: ['Normal Killing Stopping container a'],
    })
  })

  it("of a pod without a source uses the runtime's own listing, and runs no hook", async () => {
    const bench = new Bench()
    const lifecycle = { preStop: { sleep: { seconds: 20 } } }
    const hooked = podOf({ containers: [{ name: 'c', image: 'i', lifecycle }] })
    await bench.sync(hooked)
    const pods = await bench.manager.getPods(false)
    const [running] = pods.ok ? pods.value : []
    if (running === undefined) throw new Error('nothing runs')
    bench.take()
    const killing = bench.manager.killPod(toApiPod(running), running, 1, [])
    await bench.clock.advance(60_000)
    expect(podSyncError(await killing)).toBeUndefined()
    expect(bench.runtime.calls.map(({ at, line }) => `${at} ${line}`)).toEqual([
      '1000 stopContainer c 2',
      '1000 stopPodSandbox sandbox-1',
    ])
  })

  it('reports that a sandbox cannot be stopped, and ignores one that is gone', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    const running = toRunningPod(await bench.status(onePod))
    bench.runtime.failures.set('stopPodSandbox', { kind: 'not-found', message: 'gone' })
    const gone = bench.manager.killPod(onePod, running, undefined, [])
    await bench.clock.advance(60_000)
    expect(podSyncError(await gone)).toBeUndefined()
    bench.runtime.failures.set('stopPodSandbox', { kind: 'failed', message: 'busy' })
    expect(await bench.manager.killPod(onePod, running, undefined, [])).toMatchObject({
      results: [
        { action: 'KillContainer' },
        { action: 'KillPodSandbox', error: { reason: 'KillPodSandboxError', message: 'busy' } },
      ],
    })
  })
})

describe('listing', () => {
  it('groups sandboxes and containers by pod, the newest pod first', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    await bench.clock.advance(1000)
    const other = podOf({ containers: spec('c') }, { metadata: { uid: 'v', name: 'q' } })
    await bench.sync(other)
    bench.runtime.end(bench.runtime.of('c')[1]?.id ?? '', 0)
    const all = await bench.manager.getPods(true)
    const shape = all.ok
      ? all.value.map(({ uid, name, namespace, createdAt, containers, sandboxes }) => [
          uid,
          name,
          namespace,
          createdAt,
          containers.map(({ state }) => state),
          sandboxes.length,
        ])
      : []
    expect(shape).toEqual([
      ['v', 'q', 'n', 2000, ['running'], 1],
      ['u', 'p', 'n', 1000, ['exited'], 1],
    ])
  })

  it('of running pods leaves out what does not run', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    await bench.runtime.stopPodSandbox('sandbox-1')
    expect(await bench.manager.getPods(false)).toEqual({ ok: true, value: [] })
    const all = await bench.manager.getPods(true)
    expect(all.ok && all.value).toHaveLength(1)
  })

  it('leaves out containers of others', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    const foreign = {
      name: 'foreign',
      attempt: 0,
      image: 'i',
      command: [],
      args: [],
      envs: [],
      labels: {},
      annotations: {},
    }
    await bench.runtime.createContainer('sandbox-1', foreign, podSandboxConfig(onePod, 0))
    const all = await bench.manager.getPods(true)
    expect(all.ok && all.value.map(({ uid }) => uid)).toEqual(['u'])
  })

  it("gives the runtime's errors back", async () => {
    const bench = new Bench()
    const error = { kind: 'unavailable', message: 'no socket' } as const
    for (const call of ['listPodSandboxes', 'listContainers'] as const) {
      bench.runtime.failures.clear()
      bench.runtime.failures.set(call, error)
      expect(await bench.manager.getPods(true)).toEqual({ ok: false, error })
      expect(await bench.manager.getPodStatus('u', 'p', 'n')).toEqual({ ok: false, error })
    }
  })
})

describe('getPodStatus', () => {
  it('has the newest first, and the IP of the newest sandbox while it is ready', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    const before = await bench.status(onePod)
    expect(before).toMatchObject({ runtimeName: 'fake', uid: 'u', name: 'p', namespace: 'n' })
    expect(before.ips).toEqual(before.sandboxes[0]?.ips)
    await bench.runtime.stopPodSandbox('sandbox-1')
    expect((await bench.status(onePod)).ips).toEqual([])
    await bench.sync(onePod)
    const after = await bench.status(onePod)
    expect(after.sandboxes.map(({ metadata }) => metadata.attempt)).toEqual([1, 0])
    expect(after.containers.map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, 'running'],
      [0, 'exited'],
    ])
  })

  it('asks the runtime for this pod only, and getPods for running pods only on request', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    bench.runtime.listings.length = 0
    await bench.status(onePod)
    await bench.manager.getPods(false)
    expect(bench.runtime.listings).toEqual([
      { call: 'listPodSandboxes', filter: { podUid: 'u' } },
      { call: 'listContainers', filter: { podUid: 'u' } },
      { call: 'listPodSandboxes', filter: { state: 'ready' } },
      { call: 'listContainers', filter: { state: 'running' } },
    ])
  })

  it('of an unknown pod is empty', async () => {
    expect(await new Bench().status(onePod)).toMatchObject({
      ips: [],
      sandboxes: [],
      containers: [],
    })
  })

  it('skips a container that was removed meanwhile, and fails for one that cannot be seen', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    bench.runtime.failures.set('containerStatus', { kind: 'not-found', message: 'gone' })
    expect((await bench.status(onePod)).containers).toEqual([])
    bench.runtime.failures.set('containerStatus', { kind: 'failed', message: 'no' })
    expect(await bench.manager.getPodStatus('u', 'p', 'n')).toMatchObject({ ok: false })
  })
})

describe('garbage collection', () => {
  const twoDead = async (bench: Bench): Promise<void> => {
    bench.runtime.scripts.set('c', { endsAfterMs: 0, exitCode: 1 })
    for (let round = 0; round < 3; round++) {
      await bench.sync(onePod)
      await bench.clock.advance(60_000)
    }
    bench.take()
  }

  it('of one pod keeps the newest dead container of the name that died, or none', async () => {
    const bench = new Bench()
    await twoDead(bench)
    const [newest] = bench.runtime.of('c')
    await bench.manager.deleteContainersInPod(await bench.status(onePod), newest?.id, [9])
    expect(bench.runtime.of('c').map(({ attempt }) => attempt)).toEqual([2])
    expect(bench.runtime.calls.map(({ causes }) => causes)).toEqual([[9], [9]])
    expect(bench.trace.data('container.removed')).toMatchObject([
      { container: 'c' },
      { container: 'c' },
    ])
    await bench.manager.deleteContainersInPod(await bench.status(onePod), undefined, [])
    expect(bench.runtime.of('c')).toEqual([])
  })

  it('of one pod leaves running containers alone', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    await bench.manager.deleteContainersInPod(await bench.status(onePod), undefined, [])
    expect(bench.runtime.of('c')).toHaveLength(1)
  })

  it('runs each minute and keeps one dead container per name, and the newest sandbox', async () => {
    const bench = new Bench()
    await twoDead(bench)
    bench.manager.start()
    await bench.clock.advance(0)
    expect(bench.runtime.of('c').map(({ attempt }) => attempt)).toEqual([2])
    await bench.sync(onePod)
    await bench.clock.advance(60_000)
    expect(bench.runtime.of('c').map(({ attempt }) => attempt)).toEqual([3])
    bench.manager.stop()
    await bench.sync(onePod)
    await bench.clock.advance(120_000)
    expect(bench.runtime.of('c')).toHaveLength(2)
  })

  it('removes everything of pods whose content should be removed, sandboxes one round later', async () => {
    const unwanted = new Set<string>()
    const bench = new Bench({
      podStateProvider: {
        shouldPodContentBeRemoved: (uid) => unwanted.has(uid),
      },
    })
    await twoDead(bench)
    await bench.runtime.stopPodSandbox('sandbox-1')
    unwanted.add('u')
    await bench.manager.collectGarbage()
    expect([bench.runtime.containers.size, bench.runtime.sandboxes.size]).toEqual([0, 0])
  })

  it('removes nothing for being unknown before all sources are ready', async () => {
    let areReady = false
    const bench = new Bench({
      podStateProvider: {
        shouldPodContentBeRemoved: () => true,
      },
      areSourcesReady: () => areReady,
    })
    await twoDead(bench)
    await bench.manager.collectGarbage()
    expect(bench.runtime.of('c')).toHaveLength(1)
    areReady = true
    await bench.manager.collectGarbage()
    expect(bench.runtime.of('c')).toHaveLength(0)
  })

  it('keeps sandboxes that are ready, have containers, or are the newest of a wanted pod', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    await bench.runtime.stopPodSandbox('sandbox-1')
    await bench.sync(onePod)
    await bench.manager.collectGarbage()
    expect([...bench.runtime.sandboxes.keys()]).toEqual(['sandbox-1', 'sandbox-3'])
    for (const { id, podSandboxId } of bench.runtime.of('c')) {
      if (podSandboxId === 'sandbox-1') await bench.runtime.removeContainer(id)
    }
    await bench.manager.collectGarbage()
    expect([...bench.runtime.sandboxes.keys()]).toEqual(['sandbox-3'])
  })

  it('removes the logs of a removed container, and the log folders of pods that are gone', async () => {
    const containerHost = fakeHost()
    const { files } = containerHost
    const bench = new Bench({
      containerHost,
      podStateProvider: { shouldPodContentBeRemoved: (uid) => uid === 'gone' },
    })
    await files.makeFolder('/var/log/pods/n_p_gone/c')
    await files.makeFolder('/var/lib/kubelet/pods/u')
    await bench.sync(onePod)
    const [container] = bench.runtime.of('c')
    if (container === undefined) throw new Error('nothing runs')
    const folder = '/var/log/pods/n_p_u/c'
    await files.makeFolder(folder)
    for (const name of ['0.log', '0.log.20260101', '1.log'])
      await files.write(`${folder}/${name}`, '')
    const status = { ...container, logPath: `${folder}/0.log` }
    bench.runtime.containers.set(container.id, status)
    bench.runtime.end(container.id, 1)
    await bench.manager.deleteContainersInPod(await bench.status(onePod), undefined, [])
    expect(await files.list(folder)).toEqual(ok(['1.log']))
    await bench.manager.collectGarbage()
    expect(await files.list('/var/log/pods')).toEqual(ok(['n_p_u']))
  })

  it('counts restarts on by the log files where the runtime has forgotten the container', async () => {
    const containerHost = fakeHost()
    const { files } = containerHost
    const folder = '/var/log/pods/n_p_u/c'
    await files.makeFolder(folder)
    await files.makeFolder('/var/lib/kubelet/pods/u')
    for (const name of ['2.log', '10.log.20260101-000000', 'x11.log', '12.txt'])
      await files.write(`${folder}/${name}`, '')
    const bench = new Bench({ containerHost })
    await bench.sync(onePod)
    expect(bench.take().calls).toContain('createContainer c 11')
  })

  it('stops a container of unknown state before it removes it', async () => {
    const bench = new Bench()
    await bench.sync(onePod)
    const [container] = bench.runtime.of('c')
    if (container === undefined) throw new Error('nothing runs')
    const labels = containerLabels(onePod, { name: 'c' })
    for (const id of ['x1', 'x2']) {
      bench.runtime.containers.set(id, { ...container, id, labels, state: 'unknown' })
    }
    bench.take()
    await bench.manager.collectGarbage()
    expect(bench.take()).toEqual({
      calls: ['stopContainer c 30', 'removeContainer c'],
      // Its pod is no longer known, and a kubelet drops events about containers without one.
      events: [],
    })
    expect(bench.runtime.containers.has('x2')).toBe(true)
  })
})

describe('a container that must not run as root', () => {
  const nonRoot = podOf({
    containers: [
      { name: 'c', image: 'i', securityContext: { runAsNonRoot: true } },
      { name: 'd', image: 'other' },
    ],
  })
  const forbidden =
    'container has runAsNonRoot and image will run as root (pod: "p_n(u)", container: c)'

  it('is not created from an image without a user, and reports why', async () => {
    const bench = new Bench()
    const { results } = await bench.sync(nonRoot)
    expect(results.filter(({ error }) => error !== undefined)).toEqual([
      {
        action: 'StartContainer',
        target: 'c',
        error: { reason: 'CreateContainerConfigError', message: forbidden, isBackOff: false },
      },
    ])
    expect(bench.runtime.created.map(({ name }) => name)).toEqual(['d'])
    expect(bench.events.lines).toContain(`Warning Failed Error: ${forbidden}`)
  })

  it('runs from an image with a numeric user of its own', async () => {
    const bench = new Bench()
    bench.runtime.users.set('i:latest', { uid: 101 })
    expect(podSyncError(await bench.sync(nonRoot))).toBeUndefined()
    expect(bench.runtime.created.map(({ name }) => name)).toEqual(['c', 'd'])
  })
})

describe('a failed garbage collection', () => {
  it('is recorded for the node, each error once', async () => {
    const bench = new Bench()
    bench.runtime.failures.set('listContainers', { kind: 'unavailable', message: 'no runtime' })
    bench.manager.start()
    await bench.clock.advance(0)
    expect(bench.events.events).toMatchObject([
      {
        subject: { kind: 'node' },
        type: 'Warning',
        reason: 'ContainerGCFailed',
        message: 'no runtime',
      },
    ])
    bench.manager.stop()
  })
})

describe('state', () => {
  it('is that of the runtime, and may be asked for at any time', async () => {
    const bench = new Bench()
    expect(bench.manager.runtimeErrors()).toEqual([
      'container runtime status check may not have completed yet',
    ])
    expect(bench.manager.networkError()).toBe('network state unknown')
    await bench.manager.refreshState()
    expect([bench.manager.runtimeErrors(), bench.manager.networkError()]).toEqual([[], undefined])
  })
})
