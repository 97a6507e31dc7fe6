import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsersInPlace } from '../../../src/main/parsing/kubernetes-text.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { RunningSession } from '../../../src/main/session/session-channel.ts'
import { fakeSessionConfig } from '../../../src/main/session/fake-session-config.ts'
import { startSession } from '../../../src/main/session/start-session.ts'
import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import type { ConnectionView } from '../../../src/shared/model/cluster-view.ts'
import type { OutageServer } from './outage-server.ts'

const pollMs = 100

/** A node name with which the program is started more than once, as with `--kubeconfig F --node NAME`. */
export class HeldNode {
  readonly #server: OutageServer
  readonly #name: string
  readonly #sessions: RunningSession[] = []
  readonly #folders: string[] = []

  constructor(server: OutageServer, name: string) {
    this.#server = server
    this.#name = name
  }

  async start(): Promise<RunningSession> {
    const folder = await mkdtemp(join(tmpdir(), 'nodescope-held-'))
    this.#folders.push(folder)
    const path = join(folder, 'kubeconfig')
    await writeFile(path, await this.#server.kubeconfigOf(this.#name))
    const started = await startSession(
      fakeSessionConfig({
        cluster: { kind: 'kubeconfig', path, context: null, allowSimulated: false },
        nodeName: this.#name,
        manifestsPath: join(folder, 'manifests'),
        dataFolder: folder,
        openPod: '',
      }),
      {
        log: new FakeLog(),
        assets: { list: () => Promise.resolve([]), readText: () => Promise.resolve('') },
        parsers: parsersInPlace,
        host: 'web',
        printLine: () => undefined,
        environment: {},
      },
    )
    if (!started.ok) throw new Error(started.error.message)
    this.#sessions.push(started.value)
    return started.value
  }

  untilWaiting(session: RunningSession): Promise<void> {
    return until(async () => (await connectionOf(session))?.kind === 'waiting')
  }

  /** And with a lease of its own. */
  async untilConnected(session: RunningSession): Promise<void> {
    await until(async () => (await connectionOf(session))?.kind === 'connected')
    await until(async () => (await this.renewTime()) !== '')
  }

  untilRenewed(since: string): Promise<void> {
    return until(async () => (await this.renewTime()) !== since)
  }

  /** Empty without a lease. */
  async renewTime(): Promise<string> {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
    const { body } = await this.#server.ask('GET', `${leases}/${this.#name}`)
    return isJsonObject(body) ? textAt(objectAt(body, 'spec'), 'renewTime') : ''
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) await session.stop()
    for (const folder of this.#folders) await rm(folder, { recursive: true })
  }
}

async function connectionOf({ channel }: RunningSession): Promise<ConnectionView | undefined> {
  const page = channel.connect(() => undefined)
  const { clusters } = await page.request('view.open', {})
  page.close()
  return clusters[0]?.connection
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs)
    })
  }
}
