import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectRuntime } from '../../src/main/cri/client/connect-runtime.ts'
import type { CriClient } from '../../src/main/cri/client/cri-client.ts'
import type { PodSandboxConfig } from '../../src/main/kubelet/ports.ts'
import type { Result } from '../../src/shared/result.ts'
import { Containerd, whyNoContainers } from '../../test/kube/containerd/containerd.ts'

const image = 'busybox:1.36'
const podNameLabel = 'io.kubernetes.pod.name'
const pollMs = 20
const givesUpAfterMs = 120_000

/** A container runtime with the image of the pods. */
export interface BenchRuntime {
  readonly socketPath: string
  readonly client: CriClient
  /** The file of its log, if it writes down its calls there. */
  readonly logFile?: string
  readonly stop: () => Promise<void>
}

function must<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

async function connected(socketPath: string, stop: () => Promise<void>): Promise<BenchRuntime> {
  const limit = Date.now() + givesUpAfterMs
  for (;;) {
    const client = await connectRuntime(socketPath)
    if (client.ok) {
      must(await client.value.pullImage(image))
      return { socketPath, client: client.value, stop }
    }
    if (Date.now() > limit) throw new Error(client.error)
    await pause(pollMs)
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => {
      resolve()
    })
  })
}

/** The simulated runtime in a process of its own: `host` is the program's. */
export async function startSimulated(host: string): Promise<BenchRuntime> {
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-bench-'))
  const socketPath = join(folder, 'cri.sock')
  const child = spawn(process.execPath, [host, '--serve-cri', `unix://${socketPath}`], {
    stdio: 'ignore',
  })
  return connected(socketPath, async () => {
    const end = ended(child)
    child.kill('SIGTERM')
    await end
    await rm(folder, { recursive: true, force: true })
  })
}

/** Why no containerd runs here, in one clause; undefined: one does. */
export const noContainerd = whyNoContainers()

export async function startContainerd(): Promise<BenchRuntime> {
  const containerd = await Containerd.start([])
  const runtime = await connected(containerd.socketPath, () => containerd.stop())
  return { ...runtime, logFile: join(containerd.folder, 'containerd.log') }
}

/** The spec of the pods, as a kubelet gets it. */
export const podSpec = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  containers: [{ name: 'main', image, command: ['sleep', '86400'] }],
}

/** The milliseconds until the container of a pod has started, by the runtime's clock. */
export interface PodStart {
  /** Since the request that creates the pod, or since RunPodSandbox. */
  readonly sinceRequest: number
  /** Since the runtime created the sandbox. */
  readonly sinceSandbox: number
  /**
   * Between RunPodSandbox, CreateContainer and StartContainer, by the runtime's log; absent where it keeps none of its calls.
   */
  readonly betweenCalls?: number
}

/** By the lines of containerd's log with which RunPodSandbox, CreateContainer and StartContainer begin and end. */
async function betweenCalls(logFile: string, sandbox: string, container: string): Promise<number> {
  const lines = (await readFile(logFile, 'utf8')).split('\n')
  const at = (part: string): number => {
    const [, second = '', fraction = ''] =
      /^time="(.*)(\.\d+)Z"/.exec(lines.find((line) => line.includes(part)) ?? '') ?? []
    return Date.parse(`${second}Z`) + Number(fraction) * 1000
  }
  const quoted = (id: string): string => `\\"${id}\\"`
  return (
    at(`CreateContainer within sandbox ${quoted(sandbox)} for container `) -
    at(`returns sandbox id ${quoted(sandbox)}`) +
    at(`StartContainer for ${quoted(container)}"`) -
    at(`returns container id ${quoted(container)}`)
  )
}

async function startOf(
  { client, logFile }: BenchRuntime,
  containerId: string,
  sandboxId: string,
  requestedAt: number,
): Promise<PodStart> {
  const { startedAt } = must(await client.containerStatus(containerId))
  const { createdAt } = must(await client.podSandboxStatus(sandboxId))
  return {
    sinceRequest: startedAt - requestedAt,
    sinceSandbox: startedAt - createdAt,
    ...(logFile === undefined
      ? {}
      : { betweenCalls: await betweenCalls(logFile, sandboxId, containerId) }),
  }
}

/** The calls that start a pod, made one after the other. */
export async function startRaw(runtime: BenchRuntime, name: string): Promise<PodStart> {
  const { client } = runtime
  const labels = { [podNameLabel]: name }
  const sandbox: PodSandboxConfig = {
    metadata: { name, namespace: 'bench', uid: name, attempt: 0 },
    hostNetwork: false,
    labels,
    annotations: {},
  }
  const startedAt = Date.now()
  const sandboxId = must(await client.runPodSandbox(sandbox))
  const config = {
    name: 'main',
    attempt: 0,
    image,
    command: ['sleep', '86400'],
    args: [],
    envs: [],
    labels,
    annotations: {},
  }
  const id = must(await client.createContainer(sandboxId, config, sandbox))
  must(await client.startContainer(id))
  return startOf(runtime, id, sandboxId, startedAt)
}

/** Waits for the container of a kubelet's pod. `requestedAt` in ms since the epoch. */
export async function untilStarted(
  runtime: BenchRuntime,
  pod: string,
  requestedAt: number,
): Promise<PodStart> {
  const { client } = runtime
  const labelSelector = { [podNameLabel]: pod }
  const limit = Date.now() + givesUpAfterMs
  while (Date.now() < limit) {
    const [container] = must(await client.listContainers({ labelSelector, state: 'running' }))
    if (container !== undefined)
      return startOf(runtime, container.id, container.podSandboxId, requestedAt)
    await pause(pollMs)
  }
  throw new Error(`pod ${pod} has no running container`)
}
