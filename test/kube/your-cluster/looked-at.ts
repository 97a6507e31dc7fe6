import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../../src/main/parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../../../src/main/session/fake-session-config.ts'
import type {
  RunningSession,
  SendEvent,
  SessionConnection,
} from '../../../src/main/session/session-channel.ts'
import { startSession } from '../../../src/main/session/start-session.ts'
import type { ClusterView } from '../../../src/shared/model/cluster-view.ts'
import type { PodRow } from '../../../src/shared/model/pod-row.ts'
import type { SeenView } from '../../../src/shared/model/seen-cluster.ts'

const patienceMs = 30_000

/** The program with a kubeconfig that was opened to look at the cluster. */
export class LookedAt {
  readonly page: SessionConnection
  readonly #session: RunningSession
  readonly #folder: string

  private constructor(session: RunningSession, folder: string, onEvent: SendEvent) {
    this.#session = session
    this.#folder = folder
    this.page = session.channel.connect(onEvent)
  }

  static async open(
    kubeconfig: string,
    options: { readonly readOnly?: boolean; readonly onEvent?: SendEvent } = {},
  ) {
    const folder = await mkdtemp(join(tmpdir(), 'nodescope-looked-at-'))
    const config = fakeSessionConfig({
      cluster: { kind: 'look', path: kubeconfig, context: null },
      manifestsPath: join(folder, 'manifests'),
      dataFolder: folder,
      readOnly: options.readOnly ?? false,
    })
    const started = await startSession(config, {
      log: new FakeLog(),
      assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
      parsers: parsersInPlace,
      host: 'web',
      printLine: () => undefined,
      environment: { HOME: folder },
    })
    if (!started.ok) throw new Error(started.error.message)
    return new LookedAt(started.value, folder, options.onEvent ?? (() => undefined))
  }

  async view(cluster?: string): Promise<ClusterView & { readonly seen: SeenView }> {
    const { clusters } = await this.page.request('view.open', {})
    const found = clusters.find(({ id }) => cluster === undefined || id === cluster)
    if (found === undefined || found.seen === null) throw new Error('no cluster is looked at')
    return { ...found, seen: found.seen }
  }

  async rows(): Promise<readonly PodRow[]> {
    return (await this.page.request('view.open', {})).rows
  }

  async row(name: string, cluster?: string): Promise<PodRow> {
    const rows = await this.rows()
    const row = rows.find((one) => one.name === name && (cluster ?? one.cluster) === one.cluster)
    if (row === undefined) throw new Error(`no row of ${name}`)
    return row
  }

  /** Waits until a view of the cluster is as wanted. */
  async until(
    what: string,
    holds: (view: ClusterView & { readonly seen: SeenView }) => boolean,
    cluster?: string,
  ): Promise<ClusterView & { readonly seen: SeenView }> {
    const limit = Date.now() + patienceMs
    for (;;) {
      const view = await this.view(cluster)
      if (holds(view)) return view
      if (Date.now() > limit) throw new Error(`${what} did not come: ${JSON.stringify(view.seen)}`)
      await sleep(50)
    }
  }

  async untilWatching(cluster?: string): Promise<void> {
    const isWatching = ({ seen }: { readonly seen: SeenView }): boolean =>
      seen.watches.every(({ state }) => state === 'watching')
    await this.until('all watches', isWatching, cluster)
  }

  async stop(): Promise<void> {
    await this.#session.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
