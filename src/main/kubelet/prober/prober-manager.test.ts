import { describe, expect, it } from 'vitest'
import type { Container, Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { podOf, sidecar } from '../container/fake-pods.ts'
import { FakeRuntimeService } from '../container/fake-runtime-service.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { FakePodNetwork } from '../probe/fake-pod-network.ts'
import { PodStatusCache } from '../container/pod-cache.ts'
import { ProberManager } from './prober-manager.ts'

const startAt = Date.UTC(2026, 0, 1)
const tcp = { tcpSocket: { port: 80 } }

function setUp(options: { readonly random?: number; readonly runsForMs?: number } = {}) {
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const recorder = new FakeEventRecorder()
  const trace = new FakeTrace()
  const network = new FakePodNetwork(clock)
  const runtimeService = new FakeRuntimeService({ clock })
  const statuses = new Map<string, PodStatus>()
  const updates: string[] = []
  const random = { next: () => options.random ?? 0, fork: () => random }
  const manager = new ProberManager({
    clock,
    recorder,
    trace,
    network,
    runtimeService,
    random,
    statuses: { getPodStatus: (uid) => statuses.get(uid) },
    podCache: new PodStatusCache({ clock }),
    causesOf: () => [],
    onUpdate: (type, { containerId, result, podUid }) => {
      updates.push(`${(clock.now() - startAt) / 1000} ${podUid} ${type} ${containerId} ${result}`)
    },
  })
  return { clock, recorder, trace, network, runtimeService, statuses, updates, manager }
}

type SetUp = ReturnType<typeof setUp>

/** Containers of the pod that run since the clock's start. */
function run(
  { statuses }: SetUp,
  pod: Pod,
  more: { readonly id?: string; readonly started?: boolean; readonly isInit?: boolean } = {},
): void {
  const { id = 'c-0', started = true, isInit = false } = more
  const [name = ''] = id.split('-')
  const status = {
    name,
    containerID: `fake://${id}`,
    started,
    ready: false,
    restartCount: 0,
    image: '',
    imageID: '',
    state: { running: { startedAt: new Date(startAt).toISOString() } },
  }
  statuses.set(pod.metadata.uid, {
    phase: 'Running',
    podIP: '10.0.0.1',
    [isInit ? 'initContainerStatuses' : 'containerStatuses']: [status],
  })
}

function probedPod(container: Partial<Container>): Pod {
  return podOf({ containers: [{ name: 'c', image: 'i', ...container }] })
}

describe('a prober', () => {
  it('has no worker and no timer for a pod without probes', () => {
    const { manager, clock } = setUp()
    manager.addPod(podOf())
    expect(manager.workerCount).toBe(0)
    expect(clock.pendingTimers).toBe(0)
  })

  it('makes one worker for each probe, sidecars included, and none twice', () => {
    const { manager } = setUp()
    const pod = podOf({
      containers: [{ name: 'c', image: 'i', livenessProbe: tcp, startupProbe: tcp }],
      initContainers: [
        sidecar('s', { readinessProbe: tcp }),
        { name: 'i', image: 'i', readinessProbe: tcp },
      ],
    })
    manager.addPod(pod)
    manager.addPod(pod)
    expect(manager.workerCount).toBe(3)
    expect(manager.probes.hasWorker('u', 's', 'readiness')).toBe(true)
    expect(manager.probes.hasWorker('u', 'i', 'readiness')).toBe(false)
  })

  it('changes a result only after the threshold in a row, and says so with an event each time', async () => {
    const all = setUp()
    const pod = probedPod({ livenessProbe: { ...tcp, periodSeconds: 5, failureThreshold: 3 } })
    run(all, pod)
    all.network.tcp.set('10.0.0.1:80', ok(undefined))
    all.manager.addPod(pod)
    await all.clock.advance(7000)
    all.network.tcp.clear()
    await all.clock.advance(6000)
    all.network.tcp.set('10.0.0.1:80', ok(undefined))
    await all.clock.advance(5000)
    all.network.tcp.clear()
    expect(all.updates).toEqual(['0 u liveness c-0 success'])
    await all.clock.advance(20_000)
    expect(all.updates).toEqual(['0 u liveness c-0 success', '30 u liveness c-0 failure'])
    const refused = 'dial tcp 10.0.0.1:80: connect: connection refused'
    expect(all.recorder.take()).toEqual(
      Array<string>(4).fill(`Warning Unhealthy Liveness probe failed: ${refused}`),
    )
    // On hold until the container is another one.
    await all.clock.advance(60_000)
    expect(all.recorder.take()).toEqual([])
    run(all, pod, { id: 'c-1' })
    await all.clock.advance(5000)
    expect(all.updates.slice(2)).toEqual(['100 u liveness c-1 success'])
    expect(all.manager.probes.liveness('c-0')).toBeUndefined()
    expect(all.recorder.lines).toHaveLength(1)
  })

  it('shows the newest runs of a probe, how many failed in a row, and when it runs next', async () => {
    const all = setUp()
    const httpGet = { path: 'healthz', port: 'web', scheme: 'HTTP' }
    const pod = probedPod({
      startupProbe: { ...tcp, periodSeconds: 1 },
      livenessProbe: { ...tcp, periodSeconds: 5 },
      readinessProbe: { httpGet, initialDelaySeconds: 3600 },
    })
    const view = (type: string) => all.manager.views('u').find((probe) => probe.type === type)
    all.manager.addPod(pod)
    expect(view('startup')).toMatchObject({ skip: 'noContainer', result: null, runs: [] })
    run(all, pod, { started: false })
    all.network.tcp.set('10.0.0.1:80', ok(undefined))
    await all.clock.advance(6000)
    expect(view('startup')).toMatchObject({
      handler: 'tcp-socket :80',
      result: 'success',
      runs: ['success'],
      skip: 'onHold',
    })
    expect(view('liveness')).toMatchObject({ skip: 'notStarted', runs: [] })
    run(all, pod)
    await all.clock.advance(120_000)
    expect(view('liveness')?.runs).toEqual(Array<string>(24).fill('success'))
    all.network.tcp.clear()
    await all.clock.advance(10_000)
    expect(view('liveness')).toMatchObject({
      result: 'success',
      runs: [...Array<string>(22).fill('success'), 'failure', 'failure'],
      resultRun: 2,
      skip: null,
      nextTick: startAt + 140_000,
    })
    expect(view('readiness')).toMatchObject({
      handler: 'http-get http://:web/healthz',
      skip: 'initialDelay',
      failureThreshold: 3,
    })
    await all.clock.advance(5000)
    expect(view('liveness')).toMatchObject({ result: 'failure', skip: 'onHold' })
    run(all, pod, { id: 'c-1' })
    await all.clock.advance(5000)
    expect(view('liveness')).toMatchObject({ runs: ['failure'], result: 'success' })
    expect(all.manager.views('other')).toEqual([])
  })

  it('waits for the startup probe, then for the initial delay', async () => {
    const all = setUp()
    const pod = probedPod({
      startupProbe: { ...tcp, periodSeconds: 1 },
      readinessProbe: { ...tcp, periodSeconds: 1, initialDelaySeconds: 4 },
    })
    run(all, pod, { started: false })
    all.manager.addPod(pod)
    await all.clock.advance(1500)
    all.network.tcp.set('10.0.0.1:80', ok(undefined))
    await all.clock.advance(5000)
    expect(all.updates).toEqual([
      '0 u startup c-0 unknown',
      '0 u readiness c-0 failure',
      '2 u startup c-0 success',
    ])
    run(all, pod)
    await all.clock.advance(1000)
    expect(all.updates.slice(3)).toEqual(['7 u readiness c-0 success'])
    expect(all.trace.kinds).toContain('probe.failed')
  })

  it('delays the first probe by a part of the period, but only while the kubelet is young', async () => {
    const all = setUp({ random: 0.5 })
    const pod = probedPod({ readinessProbe: { ...tcp, periodSeconds: 8 } })
    run(all, pod)
    all.manager.addPod(pod)
    await all.clock.advance(3999)
    expect(all.network.connects).toHaveLength(0)
    await all.clock.advance(1)
    expect(all.network.connects).toHaveLength(1)
    await all.clock.advance(10_000)
    const other = { ...pod, metadata: { ...pod.metadata, uid: 'other' } }
    run(all, other)
    all.manager.addPod(other)
    await all.clock.advance(0)
    expect(all.network.connects).toHaveLength(3)
  })

  it('probes out of turn when triggered, and counts the period from then on', async () => {
    const all = setUp()
    const pod = probedPod({ readinessProbe: { ...tcp, periodSeconds: 10 } })
    run(all, pod)
    all.network.tcp.set('10.0.0.1:80', ok(undefined))
    all.manager.addPod(pod)
    await all.clock.advance(6000)
    expect(all.network.connects).toHaveLength(1)
    all.manager.probes.trigger('u', 'c')
    expect(all.network.connects).toHaveLength(2)
    await all.clock.advance(9999)
    expect(all.network.connects).toHaveLength(2)
    await all.clock.advance(1)
    expect(all.network.connects).toHaveLength(3)
  })

  it('on termination stops liveness and startup of regular containers, then the rest, with their results', async () => {
    const all = setUp()
    const probes = { livenessProbe: tcp, readinessProbe: tcp, startupProbe: tcp }
    const pod = podOf({
      containers: [{ name: 'c', image: 'i', ...probes }],
      initContainers: [sidecar('s', { livenessProbe: tcp })],
    })
    run(all, pod)
    all.manager.addPod(pod)
    await all.clock.advance(0)
    expect(all.manager.probes.liveness('c-0')).toBe('success')
    all.manager.stopLivenessAndStartup(pod)
    await all.clock.advance(0)
    expect(all.manager.workerCount).toBe(2)
    expect(all.manager.probes.liveness('c-0')).toBeUndefined()
    expect(all.manager.probes.readiness('c-0')).toBe('failure')
    all.manager.removePod(pod)
    expect(all.manager.workerCount).toBe(0)
    expect(all.manager.probes.readiness('c-0')).toBeUndefined()
    expect(all.clock.pendingTimers).toBe(0)
  })

  it('stops the probes of pods that are not wanted, and of pods that are over', async () => {
    const all = setUp()
    const pod = probedPod({ readinessProbe: tcp })
    const other = { ...pod, metadata: { ...pod.metadata, uid: 'other' } }
    for (const each of [pod, other]) {
      run(all, each)
      all.manager.addPod(each)
    }
    await all.clock.advance(0)
    all.manager.cleanupPods(new Set(['other']))
    expect(all.manager.workerCount).toBe(1)
    all.statuses.set('other', { phase: 'Failed' })
    await all.clock.advance(10_000)
    expect(all.manager.workerCount).toBe(0)
  })

  it('does nothing after the kubelet has exited, not even with a probe in progress', async () => {
    const all = setUp()
    const probe = { exec: { command: ['hook', '3000'] }, timeoutSeconds: 5 }
    const pod = probedPod({ readinessProbe: probe })
    run(all, pod)
    all.manager.addPod(pod)
    await all.clock.advance(1000)
    all.manager.stop()
    await all.clock.advance(60_000)
    expect(all.runtimeService.calls).toHaveLength(1)
    expect(all.manager.workerCount).toBe(0)
    expect(all.clock.pendingTimers).toBe(0)
  })

  it('takes ticks that pass during a probe as one, right after it', async () => {
    const all = setUp()
    const pod = probedPod({
      readinessProbe: { exec: { command: ['hook', '2500'] }, periodSeconds: 1, timeoutSeconds: 9 },
    })
    run(all, pod)
    all.manager.addPod(pod)
    await all.clock.advance(6000)
    const at = all.runtimeService.calls.map((call) => (call.at - startAt) / 1000)
    expect(at).toEqual([0, 2.5, 5])
  })
})

describe('the kubelet’s words about a probe', () => {
  async function said(
    probe: Readonly<Record<string, unknown>>,
    prepare: (all: SetUp) => void = () => undefined,
  ): Promise<readonly string[]> {
    const all = setUp()
    const pod = probedPod({
      ports: [{ name: 'web', containerPort: 8080 }],
      env: [{ name: 'WHAT', value: 'hook' }],
      readinessProbe: { ...probe, periodSeconds: 60 },
    })
    run(all, pod)
    prepare(all)
    all.manager.addPod(pod)
    await all.clock.advance(5000)
    const result = all.manager.probes.readiness('c-0') ?? 'none'
    return [result, ...all.recorder.lines]
  }

  const get = (action: object) => ({ httpGet: { scheme: 'HTTP', ...action } })
  const answer =
    (of: Partial<{ statusCode: number; body: string; location: string; bodyError: string }>) =>
    ({ network }: SetUp): void => {
      const { location, ...response } = of
      const headers = location === undefined ? [] : [['Location', location] as const]
      network.http.set('10.0.0.1:8080', () => ok({ ...response, headers }))
    }

  it.each([
    ['a success', get({ port: 'web', path: '/' }), answer({ statusCode: 204 }), ['success']],
    [
      'a status code that is no success',
      get({ port: 'web', path: '/' }),
      answer({ statusCode: 503, body: 'secret' }),
      [
        'failure',
        'Warning Unhealthy Readiness probe failed: HTTP probe failed with statuscode: 503',
      ],
    ],
    [
      'a refused connection',
      get({ port: 81, path: 'healthz?a=b' }),
      () => undefined,
      [
        'failure',
        'Warning Unhealthy Readiness probe failed: Get "http://10.0.0.1:81/healthz?a=b": dial tcp 10.0.0.1:81: connect: connection refused',
      ],
    ],
    [
      'a redirect to elsewhere',
      get({ port: 'web', path: '/' }),
      answer({ statusCode: 302, body: 'moved', location: 'http://example.com/' }),
      [
        'success',
        'Warning ProbeWarning Readiness probe warning: Probe terminated redirects, Response body: moved',
      ],
    ],
    [
      'redirects without an end',
      get({ port: 'web', path: '/a' }),
      answer({ statusCode: 302, location: '/a' }),
      ['failure', 'Warning Unhealthy Readiness probe failed: Get "/a": stopped after 10 redirects'],
    ],
    [
      'a body that breaks off',
      get({ port: 'web', path: '/' }),
      answer({ statusCode: 200, bodyError: 'unexpected EOF' }),
      [
        'failure',
        'Warning Unhealthy Readiness probe errored and resulted in failure state: unexpected EOF',
      ],
    ],
    [
      'a port of a name that the container has not',
      get({ port: 'http', path: '/' }),
      () => undefined,
      [
        'failure',
        'Warning Unhealthy Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "http": invalid syntax',
      ],
    ],
    [
      'a gRPC service that does not serve',
      { grpc: { port: 9, service: 's' } },
      ({ network }: SetUp) => network.grpc.set('10.0.0.1:9', ok('NOT_SERVING')),
      [
        'failure',
        'Warning Unhealthy Readiness probe failed: service unhealthy (responded with "NOT_SERVING")',
      ],
    ],
    [
      'a gRPC server without health checks',
      { grpc: { port: 9 } },
      ({ network }: SetUp) =>
        network.grpc.set(
          '10.0.0.1:9',
          err({ kind: 'status', code: 'Unimplemented', message: 'unknown service' }),
        ),
      [
        'failure',
        'Warning Unhealthy Readiness probe failed: error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service',
      ],
    ],
    [
      'no gRPC server',
      { grpc: { port: 9 }, timeoutSeconds: 2 },
      () => undefined,
      [
        'failure',
        'Warning Unhealthy Readiness probe failed: timeout: failed to connect service "10.0.0.1:9" within 2s: context deadline exceeded',
      ],
    ],
    [
      'a command that succeeds',
      { exec: { command: ['$(WHAT)', '5'] } },
      () => undefined,
      ['success'],
    ],
    [
      'a command that fails',
      { exec: { command: ['hook', '5', 'no such file'] } },
      () => undefined,
      ['failure', 'Warning Unhealthy Readiness probe failed: no such file'],
    ],
    [
      'a runtime that cannot run the command',
      { exec: { command: ['hook', '5'] } },
      ({ runtimeService }: SetUp) => {
        runtimeService.failureOf = () => ({ kind: 'failed', message: 'exec: not found' })
      },
      [
        'failure',
        'Warning Unhealthy Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = exec: not found',
      ],
    ],
    [
      'a command that takes too long',
      { exec: { command: ['sleep', '60'] }, timeoutSeconds: 3 },
      ({ runtimeService }: SetUp) => {
        runtimeService.failureOf = () => ({ kind: 'deadline-exceeded', message: 'too late' })
      },
      [
        'failure',
        'Warning Unhealthy Readiness probe failed: command timed out: "sleep 60" timed out after 3s',
      ],
    ],
  ] as const)('are the same for %s', async (_, probe, prepare, expected) => {
    expect(await said({ failureThreshold: 1, ...probe }, prepare)).toEqual(expected)
  })
})
