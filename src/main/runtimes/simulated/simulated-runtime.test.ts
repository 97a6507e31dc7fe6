import { beforeEach, describe, expect, it } from 'vitest'
import type { Result } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeTrace } from '../../kubelet/container/fake-trace.ts'
import type { ContainerConfig, PodSandboxConfig } from '../../kubelet/ports.ts'
import { SimulatedRuntime } from './simulated-runtime.ts'

const startAt = Date.UTC(2026, 0, 1)

let clock: VirtualClock
let trace: FakeTrace
let log: FakeLog
let runtime: SimulatedRuntime

function newRuntime(seed = 1, podCidr?: string): SimulatedRuntime {
  return new SimulatedRuntime({
    clock,
    random: seededRandom(seed),
    trace,
    log,
    options: { images: ['busybox:1.36'], ...(podCidr === undefined ? {} : { podCidr }) },
  })
}

beforeEach(() => {
  clock = new VirtualClock(nodeClockHost, { startAt })
  trace = new FakeTrace()
  log = new FakeLog()
  runtime = newRuntime()
})

function sandboxOf(name: string, attempt = 0, hostNetwork = false): PodSandboxConfig {
  return {
    metadata: { name, uid: `uid-${name}`, namespace: 'default', attempt },
    hostNetwork,
    hostname: name,
    labels: { app: name },
    annotations: {},
  }
}

function containerOf(script: string | undefined, attempt = 0): ContainerConfig {
  return {
    name: 'c',
    attempt,
    image: 'busybox:1.36',
    command: script === undefined ? [] : ['sh', '-c', script],
    args: [],
    envs: [{ key: 'CODE', value: '7' }],
    labels: {},
    annotations: {},
  }
}

/** Lets the call have up to a second of virtual time. */
async function answered<T, E>(call: Promise<Result<T, E>>): Promise<T> {
  let answer: Result<T, E> | undefined
  void call.then((result) => {
    answer = result
  })
  for (let steps = 0; answer === undefined && steps < 100; steps++) await clock.advance(10)
  if (answer?.ok !== true) throw new Error(`no success: ${JSON.stringify(answer)}`)
  return answer.value
}

async function failure<T>(
  call: Promise<Result<T, { readonly message: string }>>,
): Promise<unknown> {
  let answer: Result<T, { readonly message: string }> | undefined
  void call.then((result) => {
    answer = result
  })
  await clock.advance(3000)
  return answer?.ok === false ? answer.error : answer
}

async function started(script: string | undefined, pod = 'p'): Promise<string> {
  const sandbox = await answered(runtime.runPodSandbox(sandboxOf(pod), [100]))
  const id = await answered(
    runtime.createContainer(sandbox, containerOf(script), sandboxOf('p'), [101]),
  )
  await answered(runtime.startContainer(id, [102]))
  return id
}

/** State, code, reason and how many seconds it ran. */
async function outcome(id: string): Promise<unknown> {
  const { state, exitCode, reason, startedAt, finishedAt } = await answered(
    runtime.containerStatus(id),
  )
  return { state, exitCode, reason, ranSeconds: (finishedAt - startedAt) / 1000 }
}

describe('sandboxes', () => {
  it('take some time, have an id of 64 hex digits and an address of their own', async () => {
    let id = ''
    void runtime.runPodSandbox(sandboxOf('a')).then((result) => {
      id = result.ok ? result.value : 'failed'
    })
    await clock.advance(29)
    expect(id).toBe('')
    await clock.advance(91)
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const other = await answered(runtime.runPodSandbox(sandboxOf('b')))
    expect(await answered(runtime.podSandboxStatus(id))).toEqual({
      id,
      metadata: { name: 'a', uid: 'uid-a', namespace: 'default', attempt: 0 },
      state: 'ready',
      createdAt: expect.any(Number),
      hostNetwork: false,
      ips: ['10.244.0.2'],
      labels: { app: 'a' },
      annotations: {},
    })
    expect((await answered(runtime.podSandboxStatus(other))).ips).toEqual(['10.244.0.3'])
  })

  it('have no address of their own on the host network', async () => {
    const id = await answered(runtime.runPodSandbox(sandboxOf('a', 0, true)))
    expect((await answered(runtime.podSandboxStatus(id))).ips).toEqual([])
  })

  it('give their address back when they are stopped, and stay listed until they are removed', async () => {
    runtime = newRuntime(1, '10.244.9.0/30')
    const id = await answered(runtime.runPodSandbox(sandboxOf('a')))
    expect(await failure(runtime.runPodSandbox(sandboxOf('b')))).toEqual({
      kind: 'failed',
      message: expect.stringMatching(
        /^failed to setup network for sandbox "[0-9a-f]{64}": .*no IP addresses available$/,
      ),
    })
    await answered(runtime.stopPodSandbox(id))
    expect(await answered(runtime.listPodSandboxes())).toMatchObject([
      { state: 'notready', ips: [] },
    ])
    await answered(runtime.runPodSandbox(sandboxOf('b')))
    await answered(runtime.removePodSandbox(id))
    expect(await answered(runtime.listPodSandboxes())).toMatchObject([
      { metadata: { name: 'b' }, ips: ['10.244.9.2'] },
    ])
  })

  it('reserve their name until they are removed', async () => {
    const id = await answered(runtime.runPodSandbox(sandboxOf('a')))
    const name = 'a_default_uid-a_0'
    expect(await failure(runtime.runPodSandbox(sandboxOf('a')))).toEqual({
      kind: 'failed',
      message: `failed to reserve sandbox name "${name}": name "${name}" is reserved for "${id}"`,
    })
    await answered(runtime.runPodSandbox(sandboxOf('a', 1)))
    await answered(runtime.removePodSandbox(id))
    await answered(runtime.runPodSandbox(sandboxOf('a')))
  })

  it('kill what still runs in them, without SIGTERM', async () => {
    const id = await started("trap 'exit 3' TERM; sleep 100 & wait")
    const { podSandboxId } = await answered(runtime.containerStatus(id))
    await answered(runtime.stopPodSandbox(podSandboxId, [7]))
    expect(await outcome(id)).toMatchObject({ state: 'exited', exitCode: 137, reason: 'Error' })
    expect(trace.data('container.signalled').map(({ signal }) => signal)).toEqual(['SIGKILL'])
  })

  it('take their containers with them when they are removed', async () => {
    const id = await started('sleep 100')
    const { podSandboxId } = await answered(runtime.containerStatus(id))
    await answered(runtime.removePodSandbox(podSandboxId))
    expect(await answered(runtime.listContainers())).toEqual([])
    expect(await failure(runtime.containerStatus(id))).toMatchObject({ kind: 'not-found' })
    expect(clock.pendingTimers).toBe(0)
  })

  it('may be stopped and removed twice, or without being there', async () => {
    const id = await answered(runtime.runPodSandbox(sandboxOf('a')))
    await answered(runtime.stopPodSandbox(id))
    await answered(runtime.stopPodSandbox(id))
    await answered(runtime.removePodSandbox(id))
    await answered(runtime.removePodSandbox(id))
    await answered(runtime.stopPodSandbox('unknown'))
    await answered(runtime.removeContainer('unknown'))
    expect(trace.kinds).toEqual(['sandbox.started', 'sandbox.stopped'])
  })
})

describe('containers', () => {
  it('are created, run and end, with everything in their status', async () => {
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf('p')))
    const config = {
      ...containerOf('sleep 2; exit $CODE'),
      labels: { a: 'b' },
      annotations: { c: 'd' },
    }
    const id = await answered(runtime.createContainer(sandbox, config, sandboxOf('p')))
    const created = await answered(runtime.containerStatus(id))
    const [image] = await answered(runtime.listImages())
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      podSandboxId: sandbox,
      name: 'c',
      attempt: 0,
      state: 'created',
      image: 'docker.io/library/busybox:1.36',
      imageRef: image?.id,
      createdAt: expect.any(Number),
      labels: { a: 'b' },
      annotations: { c: 'd' },
      startedAt: 0,
      finishedAt: 0,
      exitCode: 0,
      reason: '',
      message: '',
      user: { uid: 0, gid: 0, supplementalGroups: [0] },
    })
    await answered(runtime.startContainer(id))
    const running = await answered(runtime.containerStatus(id))
    expect(running).toEqual({ ...created, state: 'running', startedAt: running.startedAt })
    expect(running.startedAt).toBeGreaterThan(created.createdAt)
    await clock.advance(3000)
    expect(await answered(runtime.containerStatus(id))).toEqual({
      ...running,
      state: 'exited',
      finishedAt: running.startedAt + 2000,
      exitCode: 7,
      reason: 'Error',
    })
  })

  it('end with the reason Completed when they end 0', async () => {
    const id = await started('echo done')
    expect(await outcome(id)).toEqual({
      state: 'exited',
      exitCode: 0,
      reason: 'Completed',
      ranSeconds: 0,
    })
  })

  it('know the name of their pod as HOSTNAME', async () => {
    const id = await started('[ "$HOSTNAME" = web-0 ] && exit 5', 'web-0')
    expect(await outcome(id)).toMatchObject({ exitCode: 5 })
  })

  it('may be known by the id of their image instead of its name', async () => {
    const [image] = await answered(runtime.listImages())
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf('p')))
    const config = { ...containerOf('exit 0'), image: image?.id ?? '' }
    const id = await answered(runtime.createContainer(sandbox, config, sandboxOf('p')))
    expect(await answered(runtime.containerStatus(id))).toMatchObject({
      image: 'docker.io/library/busybox:1.36',
      imageRef: image?.id,
    })
  })

  it('have attempts that stand side by side', async () => {
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf('p')))
    const first = await answered(
      runtime.createContainer(sandbox, containerOf('exit 1'), sandboxOf('p')),
    )
    await answered(runtime.startContainer(first))
    expect(
      await failure(runtime.createContainer(sandbox, containerOf('exit 1'), sandboxOf('p'))),
    ).toEqual({
      kind: 'failed',
      message: `failed to reserve container name "c_p_default_uid-p_0": name "c_p_default_uid-p_0" is reserved for "${first}"`,
    })
    await answered(runtime.createContainer(sandbox, containerOf('exit 1', 1), sandboxOf('p')))
    const listed = await answered(runtime.listContainers())
    expect(listed.map(({ attempt, state }) => [attempt, state])).toEqual([
      [0, 'exited'],
      [1, 'created'],
    ])
    await answered(runtime.removeContainer(first))
    expect(await answered(runtime.listContainers())).toMatchObject([{ attempt: 1 }])
  })

  it('cannot be created without a sandbox or an image', async () => {
    expect(
      await failure(runtime.createContainer('unknown', containerOf('exit 0'), sandboxOf('p'))),
    ).toEqual({
      kind: 'not-found',
      message: 'failed to find sandbox id "unknown": not found',
    })
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf('p')))
    const config = { ...containerOf('exit 0'), image: 'nginx:1.27' }
    expect(await failure(runtime.createContainer(sandbox, config, sandboxOf('p')))).toEqual({
      kind: 'not-found',
      message: 'failed to resolve image "nginx:1.27": not found',
    })
  })

  it('cannot be created or started in a sandbox that was stopped', async () => {
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf('p')))
    const id = await answered(
      runtime.createContainer(sandbox, containerOf('sleep 9'), sandboxOf('p')),
    )
    await answered(runtime.stopPodSandbox(sandbox))
    const error = { kind: 'failed', message: `sandbox container "${sandbox}" is not running` }
    expect(await failure(runtime.startContainer(id))).toEqual(error)
    expect(
      await failure(runtime.createContainer(sandbox, containerOf('sleep 9', 1), sandboxOf('p'))),
    ).toEqual(error)
    expect(trace.data('container.started')).toEqual([])
  })

  it('can be started once only', async () => {
    expect(await failure(runtime.startContainer('unknown'))).toEqual({
      kind: 'not-found',
      message: 'an error occurred when try to find container "unknown": not found',
    })
    const id = await started('sleep 4')
    const states = []
    states.push(await failure(runtime.startContainer(id)))
    await clock.advance(5000)
    states.push(await failure(runtime.startContainer(id)))
    expect(states).toEqual(
      ['CONTAINER_RUNNING', 'CONTAINER_EXITED'].map((state) => ({
        kind: 'failed',
        message: `failed to set starting state for container "${id}": container is in ${state} state`,
      })),
    )
  })

  it('refuse a second start while the first is under way', async () => {
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf('p')))
    const id = await answered(
      runtime.createContainer(sandbox, containerOf('sleep 9'), sandboxOf('p')),
    )
    const first = runtime.startContainer(id)
    expect(await failure(runtime.startContainer(id))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('is in starting state'),
    })
    expect(await first).toEqual({ ok: true, value: undefined })
    expect(trace.data('container.started')).toHaveLength(1)
  })

  it('run until SIGTERM and exit 0 if their command is unreadable', async () => {
    const id = await started('vi x')
    expect(log.lines).toEqual([
      {
        level: 'info',
        message: 'unreadable command: the container runs until SIGTERM',
        fields: { container: 'c', containerId: id },
      },
    ])
    await clock.advance(1_000_000)
    expect(await outcome(id)).toMatchObject({ state: 'running' })
    await answered(runtime.stopContainer(id, 30))
    expect(await outcome(id)).toMatchObject({ state: 'exited', exitCode: 0, reason: 'Completed' })
  })

  it('log nothing of the command of their image, which is not read', async () => {
    await started(undefined)
    expect(log.lines).toEqual([])
  })

  it('say in the trace when their command comes to what only a real container knows', async () => {
    const id = await started('sleep 5; exit $(uname -r)')
    expect(trace.kinds).not.toContain('container.notSimulated')
    await clock.advance(6000)
    expect(trace.data('container.notSimulated')).toEqual([{ container: 'c', containerId: id }])
    const seq = trace.kinds.indexOf('container.notSimulated') + 1
    expect(trace.causesOf(seq)).toEqual([trace.kinds.indexOf('container.started') + 1])
    expect(await outcome(id)).toMatchObject({ state: 'running' })
  })

  it('leave it to others to say what cannot be read before the start', async () => {
    await started('vi x')
    expect(trace.kinds).not.toContain('container.notSimulated')
  })

  it('write nothing of a command into the log, in which variables are expanded', async () => {
    await started('echo $((hunter22 & 7))')
    expect(log.lines).toHaveLength(1)
    expect(JSON.stringify(log.lines)).not.toContain('hunter22')
  })

  it('keep running without calls, as during a restart of the agent', async () => {
    const id = await started('sleep 60; exit 4')
    await clock.advance(61_000)
    expect(await outcome(id)).toMatchObject({ exitCode: 4, ranSeconds: 60 })
  })
})

describe('stopContainer', () => {
  async function stop(id: string, timeoutSeconds: number): Promise<number> {
    const before = clock.now()
    let at = Number.NaN
    void runtime.stopContainer(id, timeoutSeconds).then((result) => {
      if (result.ok) at = clock.now()
    })
    await clock.advance(60_000)
    return (at - before) / 1000
  }

  it('answers when the container has ended: at SIGTERM, where that is handled', async () => {
    const id = await started('trap "exit 0" TERM; sleep 100 & wait')
    expect(await stop(id, 30)).toBe(0)
    expect(await outcome(id)).toMatchObject({ exitCode: 0, reason: 'Completed' })
  })

  it('kills after the timeout what ignores SIGTERM', async () => {
    const id = await started('sleep 3600')
    expect(await stop(id, 5)).toBeCloseTo(5, 1)
    expect(await outcome(id)).toMatchObject({ state: 'exited', exitCode: 137, reason: 'Error' })
  })

  it('kills at once without a timeout', async () => {
    const id = await started('trap "exit 0" TERM; sleep 100 & wait')
    expect(await stop(id, 0)).toBeCloseTo(0, 1)
    expect(await outcome(id)).toMatchObject({ exitCode: 137 })
    expect(trace.data('container.signalled').map(({ signal }) => signal)).toEqual(['SIGKILL'])
  })

  it('sends no SIGKILL to what ends in time by itself', async () => {
    const id = await started('sleep 3; exit 2')
    expect(await stop(id, 30)).toBeGreaterThan(2)
    expect(await outcome(id)).toEqual({
      state: 'exited',
      exitCode: 2,
      reason: 'Error',
      ranSeconds: 3,
    })
    expect(clock.pendingTimers).toBe(0)
  })

  it('answers at once for one that has ended or was never started', async () => {
    const ended = await started('exit 3')
    expect(await stop(ended, 30)).toBe(0)
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf('q')))
    const created = await answered(
      runtime.createContainer(sandbox, containerOf('sleep 9'), sandboxOf('p')),
    )
    expect(await stop(created, 30)).toBe(0)
    expect(await outcome(created)).toMatchObject({ state: 'created' })
    expect(await failure(runtime.stopContainer('unknown', 30))).toMatchObject({ kind: 'not-found' })
  })

  it.each([
    [1, 1],
    [0, 0],
    [40, 20],
  ])('sends no second SIGTERM, and SIGKILL after the shorter timeout: %s s', async (second, at) => {
    const id = await started('sleep 3600')
    const first = stop(id, 20)
    const order: string[] = []
    void runtime.stopContainer(id, second).then(() => order.push(`second@${clock.now()}`))
    expect(await first).toBeCloseTo(at, 1)
    expect(await outcome(id)).toMatchObject({ exitCode: 137 })
    expect(order).toHaveLength(1)
    expect(trace.data('container.signalled').map(({ signal }) => signal)).toEqual([
      'SIGTERM',
      'SIGKILL',
    ])
  })

  it('lets nothing more be done by what is being killed', async () => {
    const id = await started('sleep 10; exit 4')
    const { startedAt } = await answered(runtime.containerStatus(id))
    await clock.advance(startedAt + 4999 - clock.now())
    void runtime.stopContainer(id, 5)
    await clock.advance(5000)
    expect(await outcome(id)).toMatchObject({ state: 'running' })
    await clock.advance(100)
    expect(await outcome(id)).toMatchObject({ state: 'exited', exitCode: 137 })
  })

  it('is overtaken by the stop of the sandbox, also between SIGKILL and the end', async () => {
    const id = await started('sleep 3600')
    const { podSandboxId } = await answered(runtime.containerStatus(id))
    const stopped = runtime.stopContainer(id, 0)
    void runtime.stopPodSandbox(podSandboxId)
    expect(await outcome(id)).toMatchObject({ state: 'exited', exitCode: 137 })
    expect(await stopped).toEqual({ ok: true, value: undefined })
    expect(trace.data('container.signalled')).toHaveLength(1)
    expect(trace.data('container.exited')).toHaveLength(1)
  })

  it('is overtaken by the removal of the container', async () => {
    const id = await started('sleep 3600')
    const first = stop(id, 20)
    void runtime.removeContainer(id)
    expect(await first).toBeLessThan(0.02)
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('images', () => {
  it('are absent until they are pulled, which takes 0.4 to 2 seconds by seed and name', async () => {
    const present = () => runtime.imageStatus('nginx:1.27')
    expect(await present()).toEqual({ ok: true, value: undefined })
    let image: unknown
    void runtime.pullImage('nginx:1.27').then((result) => {
      image = result.ok ? { id: result.value, at: clock.now() - startAt } : result
    })
    await clock.advance(399)
    expect(image).toBeUndefined()
    await clock.advance(1601)
    expect(image).toMatchObject({ id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) })
    expect(await present()).toEqual({
      ok: true,
      value: expect.objectContaining({ sizeBytes: 72_404_038 }),
    })
    expect(await runtime.imageStatus('docker.io/library/nginx:1.27')).toEqual(await present())
    expect(await runtime.imageStatus('nginx')).toEqual({ ok: true, value: undefined })
  })

  it.each([
    ['nginx:1.27', {}],
    ['busybox', {}],
    ['nginxinc/nginx-unprivileged:1.27', { uid: 101 }],
    ['gcr.io/distroless/static:nonroot', { uid: 65_532 }],
    ['docker.io/bitnami/redis:7', { uid: 1001 }],
    ['quay.io/prometheus/prometheus:v3', { username: 'nobody' }],
  ])('%s names its user as %o', async (image, user) => {
    void runtime.pullImage(image)
    await clock.advance(2000)
    const found = await runtime.imageStatus(image)
    if (!found.ok || found.value === undefined) throw new Error('not there')
    const { uid, username } = found.value
    expect({ uid, username }).toEqual({ uid: undefined, username: undefined, ...user })
  })

  async function pullMs(by: SimulatedRuntime, image: string): Promise<number> {
    const before = clock.now()
    let at = Number.NaN
    void by.pullImage(image).then(() => {
      at = clock.now()
    })
    await clock.advance(3000)
    return at - before
  }

  it('take the same time to pull for the same seed and name, whatever came before', async () => {
    const other = newRuntime(1)
    await pullMs(other, 'redis')
    expect(await pullMs(other, 'nginx')).toBe(await pullMs(newRuntime(1), 'nginx'))
    expect(await pullMs(newRuntime(2), 'nginx')).not.toBe(await pullMs(newRuntime(1), 'nginx'))
    expect(await pullMs(newRuntime(1), 'redis')).not.toBe(await pullMs(newRuntime(1), 'nginx'))
  })

  it('are only looked up when they are there, and pulled once by two pods at the same time', async () => {
    const both = [pullMs(runtime, 'redis'), runtime.pullImage('redis')] as const
    const [first] = await Promise.all(both)
    expect(first).toBeGreaterThanOrEqual(400)
    expect(await pullMs(runtime, 'redis')).toBeLessThanOrEqual(250)
    expect(await answered(runtime.listImages())).toHaveLength(2)
  })

  it('fail by their name, and are not there afterwards', async () => {
    expect(await failure(runtime.pullImage('nginx:missing'))).toEqual({
      kind: 'failed',
      message: expect.stringMatching(/nginx:missing: not found$/),
    })
    expect(await failure(runtime.pullImage('Not a name'))).toEqual({
      kind: 'failed',
      message:
        'rpc error: code = Unknown desc = failed to parse image reference "Not a name": invalid reference format',
    })
    expect(await answered(runtime.imageStatus('nginx:missing'))).toBeUndefined()
  })

  it('are but the pause image on a new node', async () => {
    const fresh = new SimulatedRuntime({ clock, random: seededRandom(1), trace, log })
    expect(await answered(fresh.imageStatus('registry.k8s.io/pause:3.10'))).toBeDefined()
    expect(await answered(fresh.listImages())).toHaveLength(1)
  })
})

describe('the trace', () => {
  it('has every step of a container with its cause', async () => {
    const id = await started('sleep 3600')
    const stopped = runtime.stopContainer(id, 2, [103])
    await clock.advance(3000)
    await stopped
    const subject = { kind: 'pod', uid: 'uid-p', namespace: 'default', name: 'p' }
    const names = { container: 'c', containerId: id }
    const { podSandboxId: sandboxId } = await answered(runtime.containerStatus(id))
    expect(trace.events).toEqual([
      {
        kind: 'sandbox.started',
        subject,
        causes: [100],
        data: { sandboxId, attempt: 0, ip: '10.244.0.2' },
      },
      { kind: 'container.created', subject, causes: [101], data: { ...names, attempt: 0 } },
      { kind: 'container.started', subject, causes: [102], data: names },
      {
        kind: 'container.signalled',
        subject,
        causes: [103],
        data: { ...names, signal: 'SIGTERM' },
      },
      { kind: 'container.signalled', subject, causes: [4], data: { ...names, signal: 'SIGKILL' } },
      {
        kind: 'container.exited',
        subject,
        causes: [5],
        data: { ...names, exitCode: 137, reason: 'Error' },
      },
    ])
    expect(runtime.causesOf(id)).toEqual([6])
  })

  it('names the start as the cause of an exit without a signal', async () => {
    const id = await started('sleep 3; exit 1')
    expect(runtime.causesOf(id)).toEqual([3])
    await clock.advance(4000)
    expect(trace.events.at(-1)).toMatchObject({ kind: 'container.exited', causes: [3] })
    expect(runtime.causesOf(id)).toEqual([4])
  })

  it('names the start, too, when SIGTERM was ignored, and SIGTERM when it was handled', async () => {
    const ignoring = await started('sleep 3; exit 1', 'a')
    void runtime.stopContainer(ignoring, 30)
    await clock.advance(4000)
    const handling = await started('trap "exit 4" TERM; sleep 3', 'b')
    void runtime.stopContainer(handling, 30)
    await clock.advance(4000)
    const exits = trace.events.filter(({ kind }) => kind === 'container.exited')
    const causeKinds = exits.map(({ causes }) => trace.events[(causes[0] ?? 0) - 1]?.kind)
    expect(causeKinds).toEqual(['container.started', 'container.signalled'])
  })

  it('is what causesOf reads for sandboxes; for what is gone it is empty', async () => {
    const id = await answered(runtime.runPodSandbox(sandboxOf('p'), [9]))
    expect(runtime.causesOf(id)).toEqual([1])
    await answered(runtime.stopPodSandbox(id, [10]))
    expect(runtime.causesOf(id)).toEqual([2])
    expect(trace.events[1]).toMatchObject({ kind: 'sandbox.stopped', causes: [10] })
    await answered(runtime.removePodSandbox(id))
    expect(runtime.causesOf(id)).toEqual([])
  })
})

describe('faults', () => {
  it('answer the next calls of a kind, each once, and change nothing else', async () => {
    const error = { kind: 'unavailable', message: 'connection refused' } as const
    runtime.faults.failNext('runPodSandbox', error, 2)
    runtime.faults.failNext('status', error)
    expect(await failure(runtime.runPodSandbox(sandboxOf('p')))).toEqual(error)
    expect(await failure(runtime.runPodSandbox(sandboxOf('p')))).toEqual(error)
    expect(await failure(runtime.status())).toEqual(error)
    await answered(runtime.runPodSandbox(sandboxOf('p')))
    expect(await answered(runtime.status())).toMatchObject({
      conditions: [
        { type: 'RuntimeReady', status: true },
        { type: 'NetworkReady', status: true },
      ],
    })
    expect(trace.kinds).toEqual(['sandbox.started'])
  })

  it('can be set for every call, and cleared', async () => {
    const error = { kind: 'failed', message: 'no' } as const
    const streams = { tty: false, stdin: false, stdout: true, stderr: true }
    const calls = {
      status: () => runtime.status(),
      runPodSandbox: () => runtime.runPodSandbox(sandboxOf('x')),
      stopPodSandbox: () => runtime.stopPodSandbox('x'),
      removePodSandbox: () => runtime.removePodSandbox('x'),
      listPodSandboxes: () => runtime.listPodSandboxes(),
      createContainer: () => runtime.createContainer('x', containerOf('true'), sandboxOf('p')),
      startContainer: () => runtime.startContainer('x'),
      stopContainer: () => runtime.stopContainer('x', 1),
      removeContainer: () => runtime.removeContainer('x'),
      listContainers: () => runtime.listContainers(),
      containerStatus: () => runtime.containerStatus('x'),
      imageStatus: () => runtime.imageStatus('x'),
      pullImage: () => runtime.pullImage('x'),
      listImages: () => runtime.listImages(),
      getVersion: () => runtime.getVersion(),
      runtimeConfig: () => runtime.runtimeConfig(),
      updateRuntimeConfig: () => runtime.updateRuntimeConfig(),
      podSandboxStatus: () => runtime.podSandboxStatus('x'),
      updateContainerResources: () => runtime.updateContainerResources('x', {}),
      reopenContainerLog: () => runtime.reopenContainerLog('x'),
      execSync: () => runtime.execSync('x', ['true'], 0),
      exec: () => runtime.exec({ containerId: 'x', cmd: ['true'], ...streams }),
      attach: () => runtime.attach({ containerId: 'x', ...streams }),
      portForward: () => runtime.portForward({ podSandboxId: 'x', ports: [] }),
      containerStats: () => runtime.containerStats('x'),
      listContainerStats: () => runtime.listContainerStats(),
      podSandboxStats: () => runtime.podSandboxStats('x'),
      listPodSandboxStats: () => runtime.listPodSandboxStats(),
      removeImage: () => runtime.removeImage('x'),
      imageFsInfo: () => runtime.imageFsInfo(),
    } satisfies Record<Parameters<typeof runtime.faults.failNext>[0], () => unknown>
    for (const [name, call] of Object.entries(calls)) {
      // Object.entries forgets the keys' type.
      runtime.faults.failNext(name as keyof typeof calls, error)
      expect([name, await call()]).toEqual([name, { ok: false, error }])
    }
    runtime.faults.failNext('listImages', error)
    runtime.faults.clear()
    expect((await runtime.listImages()).ok).toBe(true)
  })
})

describe('a listing with a filter', () => {
  const ofPod = (uid: string): Record<string, string> => ({ 'io.kubernetes.pod.uid': uid })

  async function created(pod: string): Promise<{ sandbox: string; container: string }> {
    const sandbox = await answered(runtime.runPodSandbox(sandboxOf(pod)))
    const config = { ...containerOf('sleep 60'), labels: ofPod(`uid-${pod}`) }
    return {
      sandbox,
      container: await answered(runtime.createContainer(sandbox, config, sandboxOf('p'))),
    }
  }

  async function listed(filter: Parameters<typeof runtime.listContainers>[0]): Promise<string[]> {
    return (await answered(runtime.listContainers(filter))).map(({ id }) => id)
  }

  it('holds only what matches every field of it', async () => {
    const a = await created('a')
    const b = await created('b')
    await answered(runtime.startContainer(b.container))
    expect(await listed({ podUid: 'uid-a' })).toEqual([a.container])
    expect(await listed({ podSandboxId: b.sandbox })).toEqual([b.container])
    expect(await listed({ state: 'running' })).toEqual([b.container])
    expect(await listed({ id: a.container })).toEqual([a.container])
    expect(await listed({ podUid: 'uid-a', state: 'running' })).toEqual([])
    expect(await listed({ labelSelector: ofPod('uid-b') })).toEqual([b.container])
    expect(await listed({})).toEqual([a.container, b.container])
    await answered(runtime.stopPodSandbox(a.sandbox))
    const sandboxes = await Promise.all(
      [
        { podUid: 'uid-b' },
        { state: 'notready' as const },
        { id: a.sandbox },
        { labelSelector: { app: 'b' } },
        { labelSelector: { app: 'b', tier: 'web' } },
      ].map((filter) => answered(runtime.listPodSandboxes(filter))),
    )
    expect(sandboxes.map((some) => some.map(({ id }) => id))).toEqual([
      [b.sandbox],
      [a.sandbox],
      [a.sandbox],
      [b.sandbox],
      [],
    ])
  })

  it('forgets what was removed', async () => {
    const a = await created('a')
    await answered(runtime.removeContainer(a.container))
    expect(await listed({ podUid: 'uid-a' })).toEqual([])
    const again = await created('b')
    await answered(runtime.removePodSandbox(again.sandbox))
    expect(await listed({ podUid: 'uid-b' })).toEqual([])
    expect(await answered(runtime.listPodSandboxes({ podUid: 'uid-b' }))).toEqual([])
  })
})

describe('many containers', () => {
  it(
    'a thousand heartbeats need no timer, a hundred thousand seconds no work',
    { timeout: 60_000 },
    async () => {
      const script =
        'trap "exit 0" TERM; i=0; while true; do i=$((i+1)); echo "$i $(date)"; sleep 5; done'
      const ids = await Promise.all(
        Array.from({ length: 1000 }, async (_, index) => {
          const sandbox = await runtime.runPodSandbox(sandboxOf(`p-${index}`))
          const id = await runtime.createContainer(
            sandbox.ok ? sandbox.value : '',
            containerOf(script),
            sandboxOf(`p-${index}`),
          )
          const containerId = id.ok ? id.value : ''
          await runtime.startContainer(containerId)
          return containerId
        }).concat(clock.advance(500).then(() => '')),
      )
      expect(clock.pendingTimers).toBe(0)
      await clock.advance(100_000_000)
      const stops = ids.slice(0, 1000).map((id) => runtime.stopContainer(id, 30))
      await clock.advance(5000)
      await Promise.all(stops)
      const listed = await answered(runtime.listContainers())
      expect(listed.filter(({ state }) => state === 'exited')).toHaveLength(1000)
      expect(new Set(listed.map(({ id }) => id)).size).toBe(1000)
    },
  )

  it('is the same run for the same seed', async () => {
    const run = async (): Promise<unknown> => {
      clock = new VirtualClock(nodeClockHost, { startAt })
      trace = new FakeTrace()
      runtime = newRuntime(42)
      await started('sleep 3; exit 1', 'a')
      await started(undefined, 'b')
      await clock.advance(5000)
      return [trace.events, await runtime.listContainers(), await runtime.listPodSandboxes()]
    }
    expect(await run()).toEqual(await run())
  })
})
