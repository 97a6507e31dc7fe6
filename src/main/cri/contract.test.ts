import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../clock/seeded-random.ts'
import { systemClock } from '../clock/system-clock.ts'
import { aroundCalls } from '../kubelet/around-calls.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import type {
  Clock,
  ContainerConfig,
  ImageService,
  PodSandboxConfig,
  RuntimeError,
  RuntimeService,
} from '../kubelet/ports.ts'
import { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'
import type { Result } from '../../shared/result.ts'
import { CriServer } from './cri-server.ts'
import { grpcStatusOf } from './grpc-errors.ts'
import { connectRuntime } from './client/connect-runtime.ts'

type RuntimePorts = RuntimeService & ImageService

/** Ten times as fast as the system's. */
const clock: Clock = {
  now: systemClock.now,
  after: (delayMs, fn) => systemClock.after(delayMs / 10, fn),
}

function newRuntime(): SimulatedRuntime {
  return new SimulatedRuntime({
    clock,
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log: new FakeLog(),
    options: {
      images: ['registry.k8s.io/pause:3.10', 'busybox:1.36', 'bitnami/redis:7'],
      streaming: { command: () => 'http://127.0.0.1:1/command', portForward: () => 'http://p' },
    },
  })
}

const ends: (() => void)[] = []

afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** The runtime behind a server and a client; `received` gets the configs that arrive at the runtime. */
async function throughCri(runtime: SimulatedRuntime, received: unknown[]): Promise<RuntimePorts> {
  const folder = mkdtempSync(join(tmpdir(), 'cri-contract-'))
  const socketPath = join(folder, 'cri.sock')
  const noted = aroundCalls(runtime, (_call, make) => make())
  const receiving = new Proxy(noted, {
    get: (target, key) => {
      const property: unknown = Reflect.get(target, key)
      if (key !== 'runPodSandbox' && key !== 'createContainer') return property
      if (typeof property !== 'function') return property
      return (...given: readonly unknown[]): unknown => {
        received.push(...given.filter((one) => typeof one === 'object' && !Array.isArray(one)))
        return Reflect.apply(property, target, given)
      }
    },
  })
  const server = new CriServer({ runtime: receiving, log: new FakeLog() })
  const listening = await server.listen(socketPath)
  if (!listening.ok) throw new Error(listening.error)
  const client = await connectRuntime(socketPath)
  if (!client.ok) throw new Error(client.error)
  ends.push(() => {
    client.value.close()
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return client.value
}

const sandbox: PodSandboxConfig = {
  metadata: { name: 'web', uid: 'uid-1', namespace: 'default', attempt: 2 },
  hostNetwork: false,
  hostname: 'web',
  logDirectory: '/var/log/pods/default_web_uid-1',
  dnsConfig: { servers: ['10.96.0.10'], searches: ['svc.cluster.local'], options: ['ndots:5'] },
  portMappings: [{ protocol: 'UDP', containerPort: 53, hostPort: 5353, hostIp: '127.0.0.1' }],
  linux: {
    cgroupParent: '/kubepods/burstable/poduid-1',
    securityContext: {
      namespaceOptions: { pid: 'CONTAINER', ipc: 'NODE' },
      runAsUser: 0,
      runAsGroup: 1000,
      supplementalGroups: [1, 2],
      supplementalGroupsPolicy: 'Strict',
      privileged: true,
      selinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0' },
      seccomp: { profileType: 'RuntimeDefault' },
    },
    sysctls: { 'net.core.somaxconn': '1024' },
    overhead: { cpuShares: 2, hugepageLimits: [], unified: {} },
    resources: { cpuQuota: 100_000, hugepageLimits: [], unified: {} },
  },
  labels: { 'io.kubernetes.pod.uid': 'uid-1', app: 'web' },
  annotations: { note: 'ü' },
}

const hostSandbox: PodSandboxConfig = {
  ...sandbox,
  metadata: { name: 'host', uid: 'uid-2', namespace: 'kube-system', attempt: 0 },
  hostNetwork: true,
  labels: { 'io.kubernetes.pod.uid': 'uid-2' },
}

const container: ContainerConfig = {
  name: 'c',
  attempt: 3,
  image: 'busybox:1.36',
  command: ['sh', '-c'],
  args: ['trap "" TERM; while true; do sleep 1; done'],
  workingDir: '/work',
  envs: [{ key: 'A', value: '' }],
  mounts: [
    {
      containerPath: '/data',
      hostPath: '/srv',
      readonly: true,
      propagation: 'PROPAGATION_BIDIRECTIONAL',
    },
  ],
  devices: [{ containerPath: '/dev/a', hostPath: '/dev/b', permissions: 'rwm' }],
  logPath: 'c/3.log',
  stdin: true,
  stdinOnce: true,
  tty: true,
  linux: {
    resources: {
      cpuPeriod: 100_000,
      cpuQuota: 50_000,
      cpuShares: 512,
      memoryLimitInBytes: 8_589_934_592,
      oomScoreAdj: -997,
      cpusetCpus: '0-1',
      hugepageLimits: [{ pageSize: '2MB', limit: 4_194_304 }],
      unified: { 'memory.oom.group': '1' },
    },
    securityContext: {
      namespaceOptions: { pid: 'TARGET', ipc: 'POD', targetId: 'other' },
      capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
      privileged: false,
      readonlyRootfs: true,
      runAsUser: 0,
      runAsUsername: 'root',
      noNewPrivs: true,
      maskedPaths: ['/proc/kcore'],
      readonlyPaths: ['/proc/sys'],
      supplementalGroups: [7],
      apparmor: { profileType: 'Localhost', localhostRef: 'mine' },
    },
  },
  labels: { 'io.kubernetes.pod.uid': 'uid-1', 'io.kubernetes.container.name': 'c' },
  annotations: { 'io.kubernetes.container.hash': '1' },
}

function valueOf<T>(result: Result<T, RuntimeError>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** The fields of the port: a listing may hold more. */
const listed = {
  sandbox: ['id', 'metadata', 'state', 'createdAt', 'labels', 'annotations'],
  container: [
    'id',
    'podSandboxId',
    'name',
    'attempt',
    'state',
    'image',
    'imageRef',
    'createdAt',
    'labels',
    'annotations',
  ],
} as const

function onlyFields(kind: keyof typeof listed, items: readonly object[]): readonly unknown[] {
  const fields: ReadonlySet<string> = new Set(listed[kind])
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([key]) => fields.has(key))),
  )
}

const timeFields: ReadonlySet<string> = new Set([
  'createdAt',
  'startedAt',
  'finishedAt',
  'timestamp',
])

/** Times as whether there is one; an error by its gRPC status. */
function comparable(answer: unknown, key = ''): unknown {
  // Of a container that has just started it may be 0.
  if (key === 'usageCoreNanoSeconds') return 'a duration'
  if (timeFields.has(key)) return answer === 0 ? 'none' : 'a time'
  if (Array.isArray(answer)) return answer.map((item: unknown) => comparable(item))
  if (typeof answer !== 'object' || answer === null) return answer
  const entries: readonly (readonly [string, unknown])[] = Object.entries(answer)
  return Object.fromEntries(entries.map(([name, value]) => [name, comparable(value, name)]))
}

type Step = readonly [what: string, answer: unknown]

class Answers {
  readonly steps: Step[] = []

  async of<T>(
    what: string,
    call: Promise<Result<T, RuntimeError>>,
  ): Promise<Result<T, RuntimeError>> {
    const result = await call
    this.steps.push([what, result.ok ? { value: result.value } : grpcStatusOf(result.error)])
    return result
  }

  async listOf(
    kind: keyof typeof listed,
    what: string,
    call: Promise<Result<readonly object[], RuntimeError>>,
  ): Promise<void> {
    this.steps.push([what, onlyFields(kind, valueOf(await call))])
  }
}

type Case = (runtime: RuntimePorts, answers: Answers) => Promise<void>

const cases: Readonly<Record<string, Case>> = {
  'the runtime itself': async (runtime, answers) => {
    await answers.of('version', runtime.getVersion())
    await answers.of('status', runtime.status())
    await answers.of('config', runtime.runtimeConfig())
    await answers.of('podCidr', runtime.updateRuntimeConfig({ podCidr: '10.1.0.0/16' }))
    answers.steps.push(['name', [runtime.name, runtime.version]])
  },
  sandboxes: async (runtime, answers) => {
    const id = valueOf(await answers.of('run', runtime.runPodSandbox(sandbox)))
    const host = valueOf(await answers.of('run', runtime.runPodSandbox(hostSandbox)))
    await answers.of('twice', runtime.runPodSandbox(sandbox))
    await answers.of('handler', runtime.runPodSandbox(sandbox, [], 'kata'))
    await answers.of('status', runtime.podSandboxStatus(id))
    await answers.of('host status', runtime.podSandboxStatus(host))
    await answers.of('stop', runtime.stopPodSandbox(id))
    await answers.of('stop again', runtime.stopPodSandbox(id))
    await answers.of('stopped', runtime.podSandboxStatus(id))
    const filters = [
      undefined,
      {},
      { id },
      { id: 'x' },
      { state: 'ready' },
      { state: 'notready' },
      { podUid: 'uid-2' },
      { podUid: 'uid-1', state: 'ready' },
      { labelSelector: { app: 'web' } },
    ] as const
    for (const filter of filters)
      await answers.listOf('sandbox', JSON.stringify(filter), runtime.listPodSandboxes(filter))
    await answers.of('remove', runtime.removePodSandbox(id))
    await answers.of('remove again', runtime.removePodSandbox(id))
    await answers.of('removed', runtime.podSandboxStatus(id))
    await answers.of('no stats', runtime.podSandboxStats(id))
    await answers.of('no port', runtime.portForward({ podSandboxId: id, ports: [80] }))
  },
  containers: async (runtime, answers) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const made = runtime.createContainer(podSandboxId, container, sandbox)
    const id = valueOf(await answers.of('create', made))
    await answers.of('created', runtime.containerStatus(id))
    await answers.of('exec early', runtime.execSync(id, ['true'], 0))
    await answers.of('start', runtime.startContainer(id))
    await answers.of('start again', runtime.startContainer(id))
    await answers.of('running', runtime.containerStatus(id))
    const filters = [
      undefined,
      { id },
      { state: 'running' },
      { state: 'exited' },
      { podSandboxId },
      { podUid: 'uid-1' },
      { podUid: 'uid-2' },
      { labelSelector: { 'io.kubernetes.container.name': 'c' } },
    ] as const
    for (const filter of filters)
      await answers.listOf('container', JSON.stringify(filter), runtime.listContainers(filter))
    await answers.of('echo', runtime.execSync(id, ['sh', '-c', 'echo ü; echo e >&2; exit 3'], 5))
    await answers.of('unreadable', runtime.execSync(id, ['python3', 'x.py'], 5))
    const resources = { cpuShares: 1024, memoryLimitInBytes: 1 }
    await answers.of('resources', runtime.updateContainerResources(id, resources))
    await answers.of('updated', runtime.containerStatus(id))
    await answers.of('reopen', runtime.reopenContainerLog(id))
    const streams = { tty: false, stdin: false, stdout: true, stderr: true }
    await answers.of('exec', runtime.exec({ containerId: id, cmd: ['ls'], ...streams }))
    await answers.of('attach', runtime.attach({ containerId: id, ...streams }))
    await answers.of('forward', runtime.portForward({ podSandboxId, ports: [80] }))
    await answers.of('stop', runtime.stopContainer(id, 2))
    await answers.of('exited', runtime.containerStatus(id))
    await answers.of('stop again', runtime.stopContainer(id, 2))
    await answers.of('remove', runtime.removeContainer(id))
    await answers.of('remove again', runtime.removeContainer(id))
    await answers.of('status', runtime.containerStatus(id))
    await answers.of('start removed', runtime.startContainer(id))
    await answers.of('exec removed', runtime.execSync(id, ['true'], 0))
    await answers.of('log removed', runtime.reopenContainerLog(id))
    await answers.of('stats removed', runtime.containerStats(id))
    await answers.of('update removed', runtime.updateContainerResources(id, {}))
    await answers.of('sandbox', runtime.createContainer('x', container, sandbox))
    const unknownImage = { ...container, image: 'absent:1' }
    await answers.of('image', runtime.createContainer(podSandboxId, unknownImage, sandbox))
  },
  'containers with an exit code': async (runtime, answers) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const config = { name: 'e', attempt: 0, image: 'busybox:1.36', envs: [] }
    const id = valueOf(
      await runtime.createContainer(
        podSandboxId,
        { ...config, command: ['sh', '-c', 'exit 7'], args: [], labels: {}, annotations: {} },
        sandbox,
      ),
    )
    await runtime.startContainer(id)
    await answers.of('exited', runtime.containerStatus(id))
    await answers.of('exec', runtime.execSync(id, ['true'], 1))
  },
  statistics: async (runtime, answers) => {
    const podSandboxId = valueOf(await runtime.runPodSandbox(sandbox))
    const made = await runtime.createContainer(podSandboxId, container, sandbox)
    const id = valueOf(made)
    await runtime.startContainer(id)
    await answers.of('one', runtime.containerStats(id))
    await answers.of('list', runtime.listContainerStats())
    await answers.of('by sandbox', runtime.listContainerStats({ podSandboxId }))
    await answers.of('none', runtime.listContainerStats({ labelSelector: { a: 'b' } }))
    await answers.of('pod', runtime.podSandboxStats(podSandboxId))
    await answers.of('pods', runtime.listPodSandboxStats({ id: podSandboxId }))
    await answers.of('no pod', runtime.listPodSandboxStats({ labelSelector: { a: 'b' } }))
  },
  images: async (runtime, answers) => {
    await answers.of('list', runtime.listImages())
    await answers.of('present', runtime.imageStatus('busybox:1.36'))
    await answers.of('with a user', runtime.imageStatus('bitnami/redis:7'))
    await answers.of('absent', runtime.imageStatus('nginx:1'))
    await answers.of('pull', runtime.pullImage('nginx:1'))
    await answers.of('pulled', runtime.listImages('nginx:1'))
    await answers.of('missing', runtime.pullImage('nginx:missing'))
    await answers.of('remove', runtime.removeImage('nginx:1'))
    await answers.of('removed', runtime.removeImage('nginx:1'))
    await answers.of('gone', runtime.imageStatus('nginx:1'))
    await answers.of('disk', runtime.imageFsInfo())
  },
}

describe('a runtime through the CRI server and client', () => {
  it.each(Object.keys(cases))('answers like the runtime itself: %s', async (name) => {
    const direct = new Answers()
    const through = new Answers()
    const run = cases[name]
    await run?.(newRuntime(), direct)
    await run?.(await throughCri(newRuntime(), []), through)
    expect(direct.steps.length).toBeGreaterThan(1)
    expect(comparable(through.steps)).toEqual(comparable(direct.steps))
  })

  it('gets the configs of the kubelet, every field of them', async () => {
    const received: unknown[] = []
    const client = await throughCri(newRuntime(), received)
    const id = valueOf(await client.runPodSandbox(sandbox))
    valueOf(await client.createContainer(id, container, sandbox))
    expect(received).toEqual([sandbox, container, sandbox])
  })

  it('has the same times, to the millisecond', async () => {
    const runtime = newRuntime()
    const client = await throughCri(runtime, [])
    const podSandboxId = valueOf(await client.runPodSandbox(sandbox))
    const id = valueOf(await client.createContainer(podSandboxId, container, sandbox))
    await client.startContainer(id)
    await client.stopContainer(id, 0)
    expect(await client.containerStatus(id)).toEqual(await runtime.containerStatus(id))
    expect(await client.podSandboxStatus(podSandboxId)).toEqual(
      await runtime.podSandboxStatus(podSandboxId),
    )
  })

  it('lists the same object as long as its state is the same', async () => {
    const client = await throughCri(newRuntime(), [])
    const podSandboxId = valueOf(await client.runPodSandbox(sandbox))
    const id = valueOf(await client.createContainer(podSandboxId, container, sandbox))
    const [created] = valueOf(await client.listContainers())
    expect(valueOf(await client.listContainers())[0]).toBe(created)
    await client.startContainer(id)
    const [running] = valueOf(await client.listContainers())
    expect([created?.state, running?.state]).toEqual(['created', 'running'])
    expect(valueOf(await client.listContainers({ podUid: 'uid-1' }))[0]).toBe(running)
  })

  it('names a command that takes too long like the kubelet', async () => {
    const client = await throughCri(newRuntime(), [])
    const podSandboxId = valueOf(await client.runPodSandbox(sandbox))
    const id = valueOf(await client.createContainer(podSandboxId, container, sandbox))
    await client.startContainer(id)
    expect(await client.execSync(id, ['sleep', '60'], 1)).toEqual({
      ok: false,
      error: {
        kind: 'deadline-exceeded',
        message: 'command timed out: "sleep 60" timed out after 1s',
      },
    })
  })
})
