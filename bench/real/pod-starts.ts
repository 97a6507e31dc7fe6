import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
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
  return connected(containerd.socketPath, () => containerd.stop())
}

/** The spec of the pods, as a kubelet gets it. */
export const podSpec = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  containers: [{ name: 'main', image, command: ['sleep', '86400'] }],
}

/** The calls that start a pod, made one after the other; returns the milliseconds until its container has started. */
export async function startRaw({ client }: BenchRuntime, name: string): Promise<number> {
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
  return must(await client.containerStatus(id)).startedAt - startedAt
}

/** When the container of a kubelet's pod started, by the runtime: ms since the epoch. */
export async function untilStarted({ client }: BenchRuntime, pod: string): Promise<number> {
  const labelSelector = { [podNameLabel]: pod }
  const limit = Date.now() + givesUpAfterMs
  while (Date.now() < limit) {
    const [container] = must(await client.listContainers({ labelSelector, state: 'running' }))
    if (container !== undefined) return must(await client.containerStatus(container.id)).startedAt
    await pause(pollMs)
  }
  throw new Error(`pod ${pod} has no running container`)
}
