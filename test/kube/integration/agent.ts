import { mkdir } from 'node:fs/promises'
import { parsersInPlace } from '../../../src/main/parsing/kubernetes-text.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type {
  RunningSession,
  SessionConnection,
} from '../../../src/main/session/session-channel.ts'
import { fakeSessionConfig } from '../../../src/main/session/fake-session-config.ts'
import { startSession } from '../../../src/main/session/start-session.ts'
import type { Snapshot } from '../../../src/shared/ipc/contract.ts'
import type { NodeView } from '../../../src/shared/model/cluster-view.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { ManifestFolder, type Manifest } from './manifest-folder.ts'
import type { NodeOptions, NodeUnderTest } from './node-under-test.ts'

const pauseMs = 100
const patienceMs = 90_000

/**
 * The program as with `--kubeconfig F --node NAME`, but without its window: its effects are observed on the
 * server, and a user's actions in the dashboard use the session's channel.
 */
export class AgentUnderTest implements NodeUnderTest {
  readonly log: FakeLog
  /** The lines that it printed before its first write. */
  readonly printed: readonly string[]
  readonly #session: RunningSession
  readonly #page: SessionConnection
  readonly #manifests: ManifestFolder
  #stopped: Promise<void> | undefined

  private constructor(parts: {
    readonly log: FakeLog
    readonly printed: readonly string[]
    readonly session: RunningSession
    readonly manifests: ManifestFolder
  }) {
    this.log = parts.log
    this.printed = parts.printed
    this.#session = parts.session
    this.#page = parts.session.channel.connect(() => undefined)
    this.#manifests = parts.manifests
  }

  /** A restart with the same folder finds the manifests in it. */
  static async start(options: NodeOptions): Promise<AgentUnderTest> {
    const { kubeconfig, node, folder, exit, runtimeSocketPath } = options
    const manifests = new ManifestFolder(folder)
    await mkdir(manifests.path, { recursive: true })
    const log = new FakeLog()
    const printed: string[] = []
    const started = await startSession(
      fakeSessionConfig({
        cluster: {
          kind: 'kubeconfig',
          path: kubeconfig,
          context: null,
          allowSimulated: false,
          ...(exit === undefined ? {} : { exit }),
          ...(runtimeSocketPath === undefined ? {} : { runtimeSocketPath }),
        },
        nodeName: node,
        manifestsPath: manifests.path,
        dataFolder: folder,
        openPod: '',
      }),
      {
        log,
        assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
        parsers: parsersInPlace,
        host: 'web',
        printLine: (line) => printed.push(line),
        environment: {},
      },
    )
    if (!started.ok) throw new Error(`${started.error.message} (printed: ${printed.join('; ')})`)
    return new AgentUnderTest({ log, printed, session: started.value, manifests })
  }

  putManifest(manifest: Manifest, file?: string): Promise<void> {
    return this.#manifests.put(manifest, file)
  }

  removeManifest(metadata: Manifest['metadata']): Promise<void> {
    return this.#manifests.remove(metadata)
  }

  async kill(pod: Pod, gracePeriodSeconds: number | null): Promise<void> {
    const key = await this.#keyOf(pod)
    const answer = await this.#page.request('pod.kill', { key, gracePeriodSeconds })
    if (!answer.ok) throw new Error(answer.error.message)
  }

  async evictByKubelet(pod: Pod): Promise<void> {
    const answer = await this.#page.request('pod.evictByKubelet', { key: await this.#keyOf(pod) })
    if (!answer.ok) throw new Error(answer.error.message)
  }

  async evictThroughApi(pod: Pod): Promise<void> {
    const act = { key: await this.#keyOf(pod), gracePeriodSeconds: null }
    const answer = await this.#page.request('pod.evictThroughApi', act)
    if (!answer.ok) throw new Error(answer.error.message)
  }

  /** Messages of the API's events of a pod, as the dashboard shows them. */
  async eventsOf(pod: Pod): Promise<readonly string[]> {
    const list = await this.#page.request('pod.events', { key: await this.#keyOf(pod) })
    return (list?.events ?? []).map(({ message }) => message)
  }

  untilNode(what: string, holds: (node: NodeView) => boolean): Promise<void> {
    return this.#untilShown(what, ({ clusters }) =>
      clusters.flatMap(({ nodes }) => nodes).every(holds),
    )
  }

  /** Until it has no pods of a namespace, and has sent all events. */
  untilIdle(namespace: string): Promise<void> {
    return this.#untilShown(
      `done with ${namespace}`,
      ({ rows, clusters }) =>
        !rows.some((row) => row.namespace === namespace) &&
        clusters.flatMap(({ nodes }) => nodes).every(({ heldEvents }) => heldEvents === 0),
    )
  }

  /** Like the end of the program: it writes nothing more. Idempotent. */
  stop(): Promise<void> {
    this.#page.close()
    return (this.#stopped ??= this.#session.stop())
  }

  /** Polls the dashboard's view until the condition holds. */
  async #untilShown(what: string, holds: (view: Snapshot) => boolean): Promise<void> {
    const limit = Date.now() + patienceMs
    for (;;) {
      const view = await this.#page.request('view.open', {})
      if (holds(view)) return
      if (Date.now() > limit) throw new Error(`${what}: ${JSON.stringify(view, null, 1)}`)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  async #keyOf(pod: Pod): Promise<string> {
    const { rows } = await this.#page.request('view.open', {})
    const { namespace = '', name } = pod.metadata
    const row = rows.find((one) => one.namespace === namespace && one.name === name)
    if (row === undefined) throw new Error(`the dashboard does not show ${namespace}/${name}`)
    return row.key
  }
}
