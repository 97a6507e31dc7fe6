import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { RealKubelet } from '../cri/real-kubelet.ts'
import { serveRecordedRuntime, type RuntimeCall } from '../cri/recorded-runtime.ts'
import { AgentUnderTest } from './agent.ts'
import { ManifestFolder, type Manifest } from './manifest-folder.ts'
import type { NodeOptions, NodeUnderTest } from './node-under-test.ts'

/** A kubelet reports the end of a pod's containers at once, and its events within a second. */
const settledAfterMs = 2000

let lastPort = 20_000 + (process.pid % 10_000)

/** A real kubelet that runs simulated containers through the program's CRI server. */
export class RealNode implements NodeUnderTest {
  readonly log = new FakeLog()
  readonly runtimeCalls: readonly RuntimeCall[]
  readonly #manifests: ManifestFolder
  readonly #kubelet: RealKubelet
  readonly #stopServer: () => void
  #stopped: Promise<void> | undefined

  private constructor(parts: {
    readonly manifests: ManifestFolder
    readonly kubelet: RealKubelet
    readonly runtimeCalls: readonly RuntimeCall[]
    readonly stopServer: () => void
  }) {
    this.#manifests = parts.manifests
    this.#kubelet = parts.kubelet
    this.runtimeCalls = parts.runtimeCalls
    this.#stopServer = parts.stopServer
  }

  /** `file` is the kubelet's binary. */
  static async start(file: string, options: NodeOptions): Promise<RealNode> {
    const { kubeconfig, caFile, node, folder } = options
    await mkdir(folder, { recursive: true })
    const socketPath = join(folder, 'cri.sock')
    const { runtime, stop } = await serveRecordedRuntime(socketPath)
    const kubelet = new RealKubelet({
      file,
      nodeName: node,
      kubeconfig,
      caFile,
      socketPath,
      folder,
      port: ++lastPort,
      // As often as the program reads its folder.
      configuration: { fileCheckFrequency: '1s' },
    })
    await kubelet.start()
    const manifests = new ManifestFolder(folder)
    return new RealNode({ manifests, kubelet, runtimeCalls: runtime.calls, stopServer: stop })
  }

  putManifest(manifest: Manifest, file?: string): Promise<void> {
    return this.#manifests.put(manifest, file)
  }

  removeManifest(metadata: Manifest['metadata']): Promise<void> {
    return this.#manifests.remove(metadata)
  }

  /** It has no answer for this, so its next writes are awaited. */
  async untilIdle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, settledAfterMs))
  }

  /** Its runtime ends with it. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#kubelet.stop().then(this.#stopServer))
  }
}

/** The program on a recorded runtime of its own, which it reaches over CRI as a real kubelet does. */
export async function startOverCri(options: NodeOptions): Promise<NodeUnderTest> {
  await mkdir(options.folder, { recursive: true })
  const runtimeSocketPath = join(options.folder, 'cri.sock')
  const { runtime, stop } = await serveRecordedRuntime(runtimeSocketPath)
  const agent = await AgentUnderTest.start({ ...options, runtimeSocketPath })
  return {
    log: agent.log,
    runtimeCalls: runtime.calls,
    putManifest: (manifest, file) => agent.putManifest(manifest, file),
    removeManifest: (metadata) => agent.removeManifest(metadata),
    untilIdle: (namespace) => agent.untilIdle(namespace),
    stop: () => agent.stop().then(stop),
  }
}
