import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeTrace } from '../../kubelet/container/fake-trace.ts'
import type { ContainerConfig, PodSandboxConfig } from '../../kubelet/ports.ts'
import type { ContainerLogs } from './container-log.ts'
import { SimulatedRuntime } from './simulated-runtime.ts'
import type { SimulatedRuntimeOptions } from './simulated-runtime.ts'
import type { Streaming } from './streams.ts'

const startAt = Date.UTC(2026, 0, 1)

let clock: VirtualClock
let written: string[]
let runtime: SimulatedRuntime

function newRuntime(options: Pick<SimulatedRuntimeOptions, 'streaming'> = {}): SimulatedRuntime {
  const logs: ContainerLogs = {
    open: (path) => {
      written.push(`open ${path}`)
      return ok({
        write: (stream, text) => void written.push(`${stream} ${text}`),
        reopen: () => void written.push('reopen'),
        close: () => void written.push('close'),
      })
    },
  }
  return new SimulatedRuntime({
    clock,
    random: seededRandom(1),
    trace: new FakeTrace(),
    log: new FakeLog(),
    options: { images: ['busybox:1.36'], stateFolder: '/state', logs, ...options },
  })
}

beforeEach(() => {
  clock = new VirtualClock(nodeClockHost, { startAt })
  written = []
  runtime = newRuntime()
})

const sandboxConfig: PodSandboxConfig = {
  metadata: { name: 'p', uid: 'u', namespace: 'n', attempt: 0 },
  hostNetwork: false,
  hostname: 'p',
  logDirectory: '/logs/n_p_u',
  labels: { app: 'p' },
  annotations: {},
}

/** Lets the call have up to so many seconds of virtual time. */
async function answerOf<T, E>(call: Promise<Result<T, E>>, seconds = 1): Promise<Result<T, E>> {
  let answer: Result<T, E> | undefined
  void call.then((result) => {
    answer = result
  })
  for (let steps = 0; answer === undefined && steps < seconds * 100; steps++)
    await clock.advance(10)
  if (answer === undefined) throw new Error('no answer')
  return answer
}

async function valueOf<T, E>(call: Promise<Result<T, E>>): Promise<T> {
  const answer = await answerOf(call)
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.value
}

const emptyContainer: ContainerConfig = {
  name: 'c',
  attempt: 0,
  image: 'busybox:1.36',
  command: [],
  args: [],
  envs: [{ key: 'GREETING', value: 'hello' }],
  labels: { tier: 'web' },
  annotations: {},
}

async function started(command: readonly string[], more: Partial<ContainerConfig> = {}) {
  const sandbox = await valueOf(runtime.runPodSandbox(sandboxConfig))
  const config = { ...emptyContainer, command, logPath: 'c/0.log', ...more }
  const id = await valueOf(runtime.createContainer(sandbox, config, sandboxConfig))
  await valueOf(runtime.startContainer(id))
  return { sandbox, id }
}

const shell = (script: string): readonly string[] => ['sh', '-c', script]

describe('the log of a container', () => {
  it('has what echo and printf print, where the kubelet asked for it', async () => {
    const { id } = await started(
      shell('echo $GREETING $HOSTNAME; printf "%s-" a b; echo; echo bad >&2; echo $(date)'),
    )
    expect(written).toEqual([
      'open /logs/n_p_u/c/0.log',
      'stdout hello p\n',
      'stdout a-b-',
      'stdout \n',
      'stderr bad\n',
      'stdout Thu Jan 1 00:00:00 UTC 2026\n',
      'close',
    ])
    expect(await valueOf(runtime.containerStatus(id))).toMatchObject({
      state: 'exited',
      logPath: '/logs/n_p_u/c/0.log',
    })
  })

  it.each([
    ['echo a > /dev/null; echo b >> /tmp/x; echo c', ['stdout c\n']],
    ['{ echo a; echo b >&2; } 2>/dev/null', ['stdout a\n']],
    ['(echo a; echo b) >&2', ['stderr a\n', 'stderr b\n']],
    ['echo a 2>&1 1>&2; echo b 1>&2 2>/dev/null', ['stdout a\n', 'stderr b\n']],
    ['exec >/dev/null; echo a', []],
    ['exec 1>&2; echo a; exec echo b', ['stderr a\n', 'stderr b\n']],
    [
      'for i in 1 2; do echo $i; done > /dev/stderr; echo 3',
      ['stderr 1\n', 'stderr 2\n', 'stdout 3\n'],
    ],
    ['echo a & wait; if true; then echo b; fi', ['stdout a\n', 'stdout b\n']],
    [
      'f() { echo "f $1"; }; f x; cat /etc/hostname; uname -r; echo -n end',
      ['stdout f x\n', 'stdout p\n', 'stdout (unknown)\n', 'stdout end'],
    ],
  ])('follows the redirections of %s', async (script, lines) => {
    await started(shell(script))
    expect(written.slice(1, -1)).toEqual(lines)
  })

  it('goes on while an endless loop prints, and is reopened when asked', async () => {
    const { id } = await started(shell('while true; do echo tick; sleep 1; done'))
    await clock.advance(3000)
    const ticks = written.filter((line) => line === 'stdout tick\n').length
    expect(ticks).toBeGreaterThanOrEqual(3)
    expect(await answerOf(runtime.reopenContainerLog(id))).toEqual({ ok: true, value: undefined })
    expect(written.at(-1)).toBe('reopen')
    await clock.advance(2000)
    expect(written.filter((line) => line === 'stdout tick\n').length).toBe(ticks + 2)
    await answerOf(runtime.stopContainer(id, 0))
    expect(await answerOf(runtime.reopenContainerLog(id))).toMatchObject({
      ok: false,
      error: { kind: 'failed', message: 'container is not running' },
    })
  })

  it('is not written where the sandbox has no folder for it', async () => {
    const { logDirectory: _, ...config } = sandboxConfig
    const sandbox = await valueOf(runtime.runPodSandbox(config))
    const container = { ...emptyContainer, command: ['echo', 'a'], logPath: 'c/0.log' }
    const id = await valueOf(runtime.createContainer(sandbox, container, config))
    await valueOf(runtime.startContainer(id))
    expect(await valueOf(runtime.containerStatus(id))).not.toHaveProperty('logPath')
    expect(written).toEqual([])
  })
})

describe('execSync', () => {
  it('runs a command in the container and answers with what it prints and its code', async () => {
    const { id } = await started(['sleep', '100'])
    expect(await valueOf(runtime.execSync(id, ['echo', 'a', 'b'], 0))).toEqual({
      stdout: 'a b\n',
      stderr: '',
      exitCode: 0,
    })
    const script = shell('echo $GREETING; echo oops >&2; sleep 2; exit 7')
    expect(await answerOf(runtime.execSync(id, script, 0), 5)).toEqual({
      ok: true,
      value: { stdout: 'hello\n', stderr: 'oops\n', exitCode: 7 },
    })
    expect(written.slice(1)).toEqual([])
  })

  it.each([
    ['of a script', shell('trap "exit 3" TERM; while true; do sleep 1; done'), 3],
    ['that the runtime cannot read', ['vi', 'x'], 0],
  ])('reaches PID 1 %s with a signal', async (_, command, exitCode) => {
    const { id } = await started(command)
    await valueOf(runtime.execSync(id, shell('kill 1'), 0))
    await clock.advance(1500)
    expect(await valueOf(runtime.containerStatus(id))).toMatchObject({ state: 'exited', exitCode })
  })

  it('ends with the container, by SIGKILL', async () => {
    const { id } = await started(['sleep', '2'])
    expect(await answerOf(runtime.execSync(id, ['sleep', '50'], 0), 5)).toEqual({
      ok: true,
      value: { stdout: '', stderr: '', exitCode: 137 },
    })
  })

  it('is killed when its time is over', async () => {
    const { id } = await started(['sleep', '100'])
    const call = runtime.execSync(id, shell('trap "" TERM; sleep 50'), 2)
    expect(await answerOf(call, 5)).toEqual({
      ok: false,
      error: {
        kind: 'deadline-exceeded',
        message: 'failed to exec in container: timeout 2s exceeded: context deadline exceeded',
      },
    })
    await answerOf(runtime.stopContainer(id, 0))
    expect(clock.pendingTimers).toBe(0)
  })

  it.each([
    ['at once', ['vi', 's']],
    ['on the way', shell('x=$(uname -r); sleep 1; if [ "$x" = 1 ]; then exit 1; fi')],
  ])('says %s that a command is not run, and leaves the container alone', async (_, command) => {
    const { id } = await started(['sleep', '100'])
    expect(await answerOf(runtime.execSync(id, command, 0), 5)).toMatchObject({
      ok: false,
      error: {
        kind: 'unimplemented',
        message: expect.stringContaining('the simulated runtime does not run this command: '),
      },
    })
    expect(await valueOf(runtime.containerStatus(id))).toMatchObject({ state: 'running' })
  })

  it('refuses a container that does not run', async () => {
    const { id } = await started(['true'])
    expect(await answerOf(runtime.execSync(id, ['true'], 0))).toEqual({
      ok: false,
      error: {
        kind: 'failed',
        message: 'failed to exec in container: container is in CONTAINER_EXITED state',
      },
    })
    expect(await answerOf(runtime.execSync('x', ['true'], 0))).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })
})

describe('streams', () => {
  /** The last stream that was asked for, as a client opens it. */
  let opened: Parameters<Streaming['command']>[1]
  let connect: Parameters<Streaming['portForward']>[0]
  const output = { tty: false, stdin: false, stdout: true, stderr: true }

  beforeEach(() => {
    runtime = newRuntime({
      streaming: {
        command: (_, run) => {
          opened = run
          return 'url'
        },
        portForward: (refuse) => {
          connect = refuse
          return 'url'
        },
      },
    })
  })

  function received() {
    const texts: string[] = []
    const write = (stream: string) => (text: string) => void texts.push(`${stream} ${text}`)
    return { texts, streams: { stdout: write('out'), stderr: write('err') } }
  }

  it('of exec has the output of a command and its exit code, and can be killed', async () => {
    const { id: containerId } = await started(['sleep', '100'])
    const cmd = shell('echo a; echo b >&2; sleep 3; exit 4')
    expect(await valueOf(runtime.exec({ containerId, cmd, ...output }))).toBe('url')
    const { texts, streams } = received()
    const { ended } = opened(streams)
    expect(await answerOf(ended, 5)).toEqual({ ok: true, value: 4 })
    expect(texts).toEqual(['out a\n', 'err b\n'])
    const second = opened(received().streams)
    second.kill()
    expect(await answerOf(second.ended)).toEqual({ ok: true, value: 137 })
  })

  it('of attach has what the container prints from now on, until it ends', async () => {
    const { id: containerId } = await started(shell('echo before; sleep 5; echo after; exit 3'))
    await valueOf(runtime.attach({ containerId, ...output }))
    const { texts, streams } = received()
    const { ended } = opened(streams)
    const left = opened(received().streams)
    left.kill()
    expect(await answerOf(left.ended)).toEqual({ ok: true, value: 0 })
    expect(await answerOf(ended, 6)).toEqual({ ok: true, value: 0 })
    expect(texts).toEqual(['out after\n'])
    expect(await answerOf(opened(streams).ended)).toMatchObject({
      error: { message: 'error attaching to container: container is in CONTAINER_EXITED state' },
    })
    expect(await answerOf(runtime.attach({ containerId, ...output }))).toMatchObject({
      error: { kind: 'failed', message: 'container is not running' },
    })
  })

  it('of port-forward refuses a port that is closed', async () => {
    const { sandbox: podSandboxId } = await started(['sleep', '100'])
    await valueOf(runtime.portForward({ podSandboxId, ports: [] }))
    expect(connect(80)).toMatchObject({
      error: expect.stringMatching(/localhost:80 .*connection refused $/),
    })
    await answerOf(runtime.stopPodSandbox(podSandboxId))
    expect(await answerOf(runtime.portForward({ podSandboxId, ports: [] }))).toMatchObject({
      error: { kind: 'failed' },
    })
  })
})

describe('statistics', () => {
  it('are of what runs, within the limit of its memory', async () => {
    const linux = { resources: { memoryLimitInBytes: 500_000 } }
    const { sandbox, id } = await started(['sleep', '9'], { linux })
    const [stats] = await valueOf(runtime.listContainerStats({ podSandboxId: sandbox }))
    expect(stats).toMatchObject({
      id,
      name: 'c',
      labels: { tier: 'web' },
      memory: { workingSetBytes: 500_000, availableBytes: 0 },
      writableLayer: { mountpoint: '/state' },
    })
    const before = (await valueOf(runtime.containerStats(id))).cpu
    await clock.advance(1000)
    const { cpu } = await valueOf(runtime.containerStats(id))
    const seconds = (cpu.timestamp - before.timestamp) / 1000
    const used = cpu.usageCoreNanoSeconds - before.usageCoreNanoSeconds
    expect(used).toBeCloseTo(cpu.usageNanoCores * seconds, -2)
    expect(await valueOf(runtime.podSandboxStats(sandbox))).toMatchObject({
      metadata: sandboxConfig.metadata,
      cpu: { usageNanoCores: cpu.usageNanoCores },
      process: { processCount: 1 },
      containers: [{ id }],
    })
    expect(await valueOf(runtime.listPodSandboxStats({ labelSelector: { app: 'q' } }))).toEqual([])
    expect(await valueOf(runtime.imageFsInfo())).toMatchObject({
      imageFilesystems: [{ mountpoint: '/state', usedBytes: 2_223_686, inodesUsed: 1 }],
      containerFilesystems: [{ mountpoint: '/state', usedBytes: 12_288 }],
    })
    await clock.advance(10_000)
    expect(await valueOf(runtime.listContainerStats())).toEqual([])
  })

  it('show resources that were updated', async () => {
    const linux = { resources: { cpuShares: 2, memoryLimitInBytes: 500_000 } }
    const { id } = await started(['sleep', '9'], { linux })
    await valueOf(runtime.updateContainerResources(id, { memoryLimitInBytes: 100_000 }))
    expect(await valueOf(runtime.containerStatus(id))).toMatchObject({
      resources: { cpuShares: 2, memoryLimitInBytes: 100_000 },
    })
    expect((await valueOf(runtime.containerStats(id))).memory.usageBytes).toBe(100_000)
  })
})

describe('images', () => {
  it('have their names, and are gone once removed', async () => {
    const id = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
    expect(await valueOf(runtime.listImages('busybox:1.36'))).toEqual([
      {
        id,
        sizeBytes: 2_223_686,
        repoTags: ['docker.io/library/busybox:1.36'],
        repoDigests: [expect.stringMatching(/^docker.io\/library\/busybox@sha256:[0-9a-f]{64}$/)],
      },
    ])
    expect(await valueOf(runtime.listImages('alpine'))).toEqual([])
    await valueOf(runtime.removeImage('docker.io/library/busybox:1.36'))
    await valueOf(runtime.removeImage('busybox:1.36'))
    expect(await valueOf(runtime.listImages())).toEqual([])
  })
})
