import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { findParts } from '../control-plane.ts'
import { canUnshare, cannotUnshare, RealKubelet } from '../cri/real-kubelet.ts'
import { RecordedMachine } from '../cri/recorded-runtime.ts'
import { AgentUnderTest, fileCheckFrequency } from './agent.ts'
import { ManifestFolder, type Manifest } from './manifest-folder.ts'
import type { NodeOptions, NodeUnderTest } from './node-under-test.ts'

/** A kubelet reports the end of a pod's containers at once, and its events within a second. */
const settledAfterMs = 2000
const pauseMs = 100
const patienceMs = 90_000

let lastPort = 20_000 + (process.pid % 10_000)

/** A real kubelet that runs simulated containers through the program's CRI server. */
export class RealNode implements NodeUnderTest {
  readonly log = new FakeLog()
  readonly machine: RecordedMachine
  readonly #manifests: ManifestFolder
  readonly #kubelet: RealKubelet
  #stopped: Promise<void> | undefined

  private constructor(parts: {
    readonly manifests: ManifestFolder
    readonly kubelet: RealKubelet
    readonly machine: RecordedMachine
  }) {
    this.#manifests = parts.manifests
    this.#kubelet = parts.kubelet
    this.machine = parts.machine
  }

  /** `file` is the kubelet's binary. */
  static async start(file: string, options: NodeOptions): Promise<RealNode> {
    const { kubeconfig, caFile, node, folder, images, memory, configuration } = options
    await mkdir(folder, { recursive: true })
    const socketPath = join(folder, 'cri.sock')
    const machine = await RecordedMachine.start(socketPath, images)
    const kubelet = new RealKubelet({
      file,
      nodeName: node,
      kubeconfig,
      caFile,
      socketPath,
      folder,
      port: ++lastPort,
      mounts: memory?.mounts,
      fields: { fileCheckFrequency, ...configuration },
    })
    await kubelet.start()
    const manifests = new ManifestFolder(folder)
    return new RealNode({ manifests, kubelet, machine })
  }

  /** The folder of the containers' logs. */
  get podLogs(): string {
    return this.#kubelet.podLogs
  }

  get manifestsPath(): string {
    return this.#manifests.path
  }

  putManifest(manifest: Manifest, file?: string): Promise<void> {
    return this.#manifests.put(manifest, file)
  }

  removeManifest(metadata: Manifest['metadata']): Promise<void> {
    return this.#manifests.remove(metadata)
  }

  /** It has no answer for this: its runtime has to have no sandbox left, and then its next writes are awaited. */
  async untilIdle(namespace: string): Promise<void> {
    const labelSelector = { 'io.kubernetes.pod.namespace': namespace }
    const limit = Date.now() + patienceMs
    for (;;) {
      const left = await this.machine.runtime.listPodSandboxes({ labelSelector, state: 'ready' })
      if (left.ok && left.value.length === 0) break
      if (Date.now() > limit) throw new Error(`the runtime still has sandboxes of ${namespace}`)
      await sleep(pauseMs)
    }
    await sleep(settledAfterMs)
  }

  untilEventsSent(): Promise<void> {
    return sleep(settledAfterMs)
  }

  /** Replaces fields of its KubeletConfiguration, from its next start. */
  configure(fields: NodeOptions['configuration']): void {
    this.#kubelet.configure(fields)
  }

  stopKubelet(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    return this.#kubelet.stop(signal)
  }

  startKubelet(): Promise<void> {
    return this.#kubelet.start()
  }

  /** Its runtime ends with it. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#kubelet.stop().then(() => {
      this.machine.end()
    }))
  }
}

/** The binary of the real kubelet. Throws one sentence where it is missing or cannot run. */
export async function realKubeletFile(environment: NodeJS.ProcessEnv): Promise<string> {
  const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], environment)
  if ('missing' in found)
    throw new Error(`${found.missing.join(' and ')} not found: ${found.how} builds it.`)
  if (!canUnshare()) throw new Error(`No real kubelet: ${cannotUnshare}.`)
  return found.files.get('kubelet') ?? ''
}

/** The program on a recorded runtime of its own, which it reaches over CRI as a real kubelet does. */
export async function startOverCri(options: NodeOptions): Promise<NodeUnderTest> {
  await mkdir(options.folder, { recursive: true })
  const runtimeSocketPath = join(options.folder, 'cri.sock')
  const machine = await RecordedMachine.start(runtimeSocketPath, options.images)
  const agent = await AgentUnderTest.start({ ...options, runtimeSocketPath })
  return {
    log: agent.log,
    machine,
    manifestsPath: agent.manifestsPath,
    putManifest: (manifest, file) => agent.putManifest(manifest, file),
    removeManifest: (metadata) => agent.removeManifest(metadata),
    untilIdle: (namespace) => agent.untilIdle(namespace),
    untilEventsSent: () => agent.untilEventsSent(),
    stopKubelet: () => agent.stopKubelet(),
    startKubelet: () => agent.startKubelet(),
    stop: () =>
      agent.stop().then(() => {
        machine.end()
      }),
  }
}
