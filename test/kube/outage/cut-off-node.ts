import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { UndiciTransport } from '../../../src/main/cluster/transport/undici-transport.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { ClusterTrace } from '../../../src/main/kubelet/trace.ts'
import { describeNode } from '../../../src/main/nodes/node-description.ts'
import { notSimulatedOf } from '../../../src/main/nodes/not-simulated-pods.ts'
import { simulatedHost } from '../../../src/main/nodes/simulated-host.ts'
import { SimulatedNode } from '../../../src/main/nodes/simulated-node.ts'
import { SimulatedRuntime } from '../../../src/main/runtimes/simulated/simulated-runtime.ts'
import { ServerConnection } from '../../../src/main/session/cluster/server-connection.ts'
import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import type { ContainerStatus, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { FaultyProxy } from '../faulty-proxy.ts'
import type { OutageServer } from './outage-server.ts'

/** The node's clock is ten times as fast as the server's: a minute passes in six seconds. */
const speed = 10
const pollMs = 100
const patienceMs = 240_000
/** Real time, of a busy machine. */
const requestTimeoutMs = 5000

/** A container that keeps running. */
export const steady = [{ name: 'c', image: 'registry.example/app:1', command: ['sleep', '9999'] }]
/** One that exits after ten seconds and is started again. */
export const restless = [
  { name: 'c', image: 'registry.example/app:1', command: ['sh', '-c', 'sleep 10; exit 1'] },
]

/** A kubelet behind a faulty proxy; static pods come from its folder, ordinary ones from an administrator. */
export class CutOffNode {
  readonly name: string
  readonly proxy: FaultyProxy
  readonly clock: VirtualClock
  readonly node: SimulatedNode
  readonly #server: OutageServer
  readonly #folder: string
  readonly #stop: () => Promise<void>

  private constructor(parts: {
    readonly name: string
    readonly proxy: FaultyProxy
    readonly clock: VirtualClock
    readonly node: SimulatedNode
    readonly server: OutageServer
    readonly folder: string
    readonly stop: () => Promise<void>
  }) {
    this.name = parts.name
    this.proxy = parts.proxy
    this.clock = parts.clock
    this.node = parts.node
    this.#server = parts.server
    this.#folder = parts.folder
    this.#stop = parts.stop
  }

  static async start(server: OutageServer, name: string): Promise<CutOffNode> {
    const folder = await mkdtemp(join(tmpdir(), 'nodescope-outage-'))
    const clock = new VirtualClock(nodeClockHost, { startAt: Date.now() })
    const proxy = await FaultyProxy.start(await server.upstreamOf(name), clock.now)
    const newTransport = (): UndiciTransport =>
      new UndiciTransport({
        server: proxy.url,
        credentials: {
          get: () =>
            Promise.resolve({ tls: { ca: proxy.caPem, rejectUnauthorized: true }, headers: {} }),
          refused: () => undefined,
        },
        requestTimeoutMs,
      })
    const connection = new ServerConnection({
      createTransport: newTransport,
      heartbeatTimeoutMs: requestTimeoutMs,
      clock,
      onChange: () => undefined,
      onReachable: () => {
        node.retryNow()
      },
    })
    const trace = new ClusterTrace({ cluster: name, clock, onError: () => undefined })
    const nodeTrace = trace.forNode(name)
    const random = seededRandom(1)
    const log = new FakeLog()
    const runtime = new SimulatedRuntime({
      clock,
      random: random.fork('runtime'),
      trace: nodeTrace,
      log,
    })
    const node = new SimulatedNode({
      ...connection.ofNode,
      nodeName: name,
      description: describeNode({ nodeName: name, runtime, isTainted: false }),
      clock,
      random: random.fork('node'),
      trace: nodeTrace,
      log,
      runtime,
      containerHost: simulatedHost(runtime),
      manifests: { path: folder },
      notSimulated: (pod) => notSimulatedOf(pod, false),
    })
    clock.setSpeed(speed)
    clock.run()
    node.startKubelet()
    const stop = async (): Promise<void> => {
      node.stopKubelet()
      clock.pause()
      await connection.close()
      await proxy.stop()
      await rm(folder, { recursive: true })
    }
    return new CutOffNode({ name, proxy, clock, node, server, folder, stop })
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  /** Its name in the API has the node's behind it. */
  async putManifest(name: string, containers: unknown): Promise<string> {
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default' },
      spec: { terminationGracePeriodSeconds: 2, containers },
    })
    await writeFile(join(this.#folder, `${name}.yaml`), text)
    return `${name}-${this.name}`
  }

  async createPod(name: string, containers: unknown): Promise<string> {
    const full = `${name}-${this.name}`
    const created = await this.#server.ask('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: full },
      spec: {
        nodeName: this.name,
        terminationGracePeriodSeconds: 2,
        automountServiceAccountToken: false,
        containers,
      },
    })
    if (created.status !== 201) throw new Error(JSON.stringify(created.body))
    return full
  }

  async deletePod(fullName: string): Promise<void> {
    await this.#server.ask('DELETE', this.#pathOf(fullName))
  }

  /** Of the pod as the kubelet knows it; undefined: it knows none of that name. */
  localStatus(fullName: string): PodStatus | undefined {
    const pod = this.node.kubelet.podManager
      .getPods()
      .find(({ metadata }) => metadata.name === fullName)
    return pod === undefined
      ? undefined
      : this.node.kubelet.statusManager.getPodStatus(pod.metadata.uid)
  }

  localRestarts(fullName: string): number {
    return restartsOf(this.localStatus(fullName))
  }

  /** Of the API object; undefined: none. */
  async apiStatus(fullName: string): Promise<PodStatus | undefined> {
    const { status, body } = await this.#server.ask('GET', this.#pathOf(fullName))
    return status === 200 && isJsonObject(body) ? objectAt(body, 'status') : undefined
  }

  async apiUid(fullName: string): Promise<string> {
    const { body } = await this.#server.ask('GET', this.#pathOf(fullName))
    return isJsonObject(body) ? textAt(objectAt(body, 'metadata'), 'uid') : ''
  }

  async isInApi(fullName: string): Promise<boolean> {
    return (await this.apiStatus(fullName)) !== undefined
  }

  async isRunningInApi(fullName: string): Promise<boolean> {
    return (await this.apiStatus(fullName))?.phase === 'Running'
  }

  /** The API has the kubelet's status of the pod. */
  async hasCaughtUp(fullName: string): Promise<boolean> {
    const theirs = await this.apiStatus(fullName)
    const ours = this.localStatus(fullName)
    return (
      theirs !== undefined &&
      theirs.phase === ours?.phase &&
      restartsOf(theirs) === restartsOf(ours)
    )
  }

  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const limit = Date.now() + patienceMs
    while (!(await holds())) {
      if (Date.now() > limit) throw new Error(`${this.name}: ${what} did not come`)
      await new Promise((resolve) => {
        setTimeout(resolve, pollMs)
      })
    }
  }

  /** Time of the node's own. */
  pass(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(seconds * 1000, resolve)
    })
  }

  #pathOf(fullName: string): string {
    return `/api/v1/namespaces/default/pods/${fullName}`
  }
}

function restartsOf(status: PodStatus | undefined): number {
  const statuses: readonly ContainerStatus[] = status?.containerStatuses ?? []
  return statuses.reduce((sum, { restartCount }) => sum + restartCount, 0)
}
