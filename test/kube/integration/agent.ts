import { parseConfig } from '../../../src/main/host/config.ts'
import { parsersInPlace } from '../../../src/main/parsing/kubernetes-text.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type {
  RunningSession,
  SessionConnection,
} from '../../../src/main/session/session-channel.ts'
import type { SessionConfig } from '../../../src/main/session/session-config.ts'
import { startSession } from '../../../src/main/session/start-session.ts'
import type { Snapshot } from '../../../src/shared/ipc/contract.ts'
import type { NodeView } from '../../../src/shared/model/cluster-view.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { writeKubeletConfiguration } from '../cri/kubelet-configuration.ts'
import { ManifestFolder, type Manifest } from './manifest-folder.ts'
import type { NodeOptions, NodeUnderTest } from './node-under-test.ts'

/** As often as a real kubelet of these tests: RealNode. */
export const fileCheckFrequency = '1s'
/** It serves nothing there. */
const port = 10_250
const pauseMs = 100
const patienceMs = 90_000

/**
 * The program as with `--kubeconfig F --node NAME`, but without its window: its effects are observed on the
 * server, and a user's actions in the dashboard use the session's channel.
 */
export class AgentUnderTest implements NodeUnderTest {
  readonly log = new FakeLog()
  readonly #options: NodeOptions
  readonly #manifests: ManifestFolder
  /** The lines that it printed before its first write, of all its starts. */
  readonly #printed: string[] = []
  #session: RunningSession | undefined
  #openedPage: SessionConnection | undefined

  private constructor(options: NodeOptions) {
    this.#options = options
    this.#manifests = new ManifestFolder(options.folder)
  }

  /** A restart with the same folder finds the manifests in it. */
  static async start(options: NodeOptions): Promise<AgentUnderTest> {
    const agent = new AgentUnderTest(options)
    await agent.startKubelet()
    return agent
  }

  get printed(): readonly string[] {
    return this.#printed
  }

  get manifestsPath(): string {
    return this.#manifests.path
  }

  get #page(): SessionConnection {
    if (this.#openedPage === undefined) throw new Error('the program does not run')
    return this.#openedPage
  }

  async startKubelet(): Promise<void> {
    const started = await startSession(await configOf(this.#options), {
      log: this.log,
      assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
      parsers: parsersInPlace,
      host: 'web',
      printLine: (line) => this.#printed.push(line),
      environment: {},
      readMachineFile: this.#options.memory?.read,
    })
    if (!started.ok)
      throw new Error(`${started.error.message} (printed: ${this.#printed.join('; ')})`)
    this.#session = started.value
    this.#openedPage = started.value.channel.connect(() => undefined)
  }

  /** Like the end of the program: it writes nothing more. Idempotent. */
  async stopKubelet(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    this.#openedPage?.close()
    await session?.stop()
  }

  stop(): Promise<void> {
    return this.stopKubelet()
  }

  putManifest(manifest: Manifest, file?: string): Promise<void> {
    return this.#manifests.put(manifest, file)
  }

  removeManifest(metadata: Manifest['metadata']): Promise<void> {
    return this.#manifests.remove(metadata)
  }

  untilEventsSent(): Promise<void> {
    return this.untilNode('it has sent all events', ({ heldEvents }) => heldEvents === 0)
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

/** What `--kubeconfig F --node NAME --config FILE` and `--runtime` make of the options. */
async function configOf(options: NodeOptions): Promise<SessionConfig> {
  const { kubeconfig, caFile, node, folder, exit, runtimeSocketPath, configuration } = options
  const { kubeletAddress } = options
  const fields = { fileCheckFrequency, ...configuration }
  const socketPath = runtimeSocketPath
  const file = await writeKubeletConfiguration({ folder, caFile, port, socketPath, fields })
  const argv = [
    `--kubeconfig=${kubeconfig}`,
    `--node=${node}`,
    `--config=${file}`,
    `--data-dir=${folder}`,
    ...(socketPath === undefined ? [] : [`--runtime=unix://${socketPath}`]),
    ...(kubeletAddress === undefined ? [] : [`--kubelet-address=${kubeletAddress}`]),
  ]
  const parsed = parseConfig({
    argv,
    environment: {},
    homeFolder: folder,
    temporaryFolder: folder,
    workingFolder: folder,
    version: '0.0.0',
  })
  if (!parsed.ok) throw new Error(parsed.error.message)
  const { cluster } = parsed.value
  if (cluster.kind !== 'kubeconfig') throw new Error('no cluster to join')
  return exit === undefined ? parsed.value : { ...parsed.value, cluster: { ...cluster, exit } }
}
