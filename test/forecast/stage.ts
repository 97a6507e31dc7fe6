import { TransportApiClient } from '../../src/main/cluster/api-client.ts'
import { isSidecar } from '../../src/main/kubelet/container/container-spec.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { ClusterSession } from '../../src/main/session/cluster-session.ts'
import type { NodeAgent } from '../../src/main/session/node-agent.ts'
import { PodCommands } from '../../src/main/session/pod-commands.ts'
import { VirtualCluster } from '../../src/main/session/virtual-cluster.ts'
import type { VirtualNode } from '../../src/main/session/virtual-node.ts'
import type { ActError, ActReceipt } from '../../src/shared/ipc/contract.ts'
import type { KubeObject, Pod } from '../../src/shared/kubernetes/objects.ts'
import type { Act, ActFacts } from '../../src/shared/model/act.ts'
import { noShutdown } from '../../src/shared/model/node-shutdown-view.ts'
import type { PodKey } from '../../src/shared/model/pod-row.ts'
import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import type { Result } from '../../src/shared/result.ts'

export const podsPath = '/api/v1/namespaces/default/pods'

/** A node of the virtual cluster as the session of the program knows one. */
function agentOf(node: VirtualNode): NodeAgent {
  const { nodeName } = node
  return {
    nodeName,
    get podManager() {
      return node.kubelet.podManager
    },
    get podWorkers() {
      return node.kubelet.podWorkers
    },
    get statusManager() {
      return node.kubelet.statusManager
    },
    get podCache() {
      return node.kubelet.podCache
    },
    mirrorTrouble: (uid) => node.kubelet.mirrorTrouble(uid),
    retryNow: () => undefined,
    loopIterations: () => 0,
    pleg: () => node.kubelet.plegView(),
    nodeView: () => ({
      name: nodeName,
      registered: true,
      status: 'Ready',
      runtime: '',
      leaseRenewedAt: null,
      leaseDurationSeconds: 40,
      sources: [],
      unsentStatuses: { count: 0, names: [] },
      heldEvents: 0,
      shutdown: noShutdown,
      agent: node.isRunning ? 'running' : 'stopped',
      machine: 'on',
    }),
    kill: (...args) => node.kubelet.kill(...args),
    evict: (...args) => node.kubelet.evict(...args),
    shutDown: (...args) => node.kubelet.shutDown(...args),
    cancelShutDown: (...args) => node.kubelet.cancelShutDown(...args),
  }
}

/** The object of one name in the API server, at one moment; null: there is none. */
export interface Sight {
  readonly atSeconds: number
  readonly pod: Pod | null
}

/** The program's session and its commands over one node of a virtual cluster, without a page. */
export class ActStage {
  readonly cluster = new VirtualCluster({
    seed: 7,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n'],
    log: new FakeLog(),
  })
  readonly node = this.cluster.node('n')
  readonly events: TraceEvent[] = []
  readonly session: ClusterSession
  readonly commands: PodCommands

  /** With a node that is ready for pods. */
  static async open(): Promise<ActStage> {
    const stage = new ActStage()
    await stage.seconds(5)
    return stage
  }

  private constructor() {
    const { cluster } = this
    cluster.trace.listen((event) => this.events.push(event))
    this.session = new ClusterSession({
      identity: {
        id: 'sandbox',
        label: 'sandbox',
        server: 's',
        sandbox: true,
        exportLine: '',
        manifestsPath: '',
      },
      clock: cluster.clock,
      trace: cluster.trace,
      readOnly: false,
      budgets: cluster.budgets,
      apiPods: cluster.pods,
      clockFacts: () => ({ virtual: true, paused: false, speed: 1, achieved: null }),
    })
    this.session.setConnection({ kind: 'connected' })
    cluster.start()
    this.session.addAgent(agentOf(this.node))
    this.commands = new PodCommands({
      session: this.session,
      trace: cluster.trace,
      api: new TransportApiClient({ transport: { send: (request) => cluster.send(request) } }),
      log: new FakeLog(),
    })
    this.node.setStaticPods([])
  }

  /** The node loses its way to the API server, as from the menu of the page. */
  cutOff(): void {
    this.node.outage.cut()
    this.session.setCutOff(new Set(['n']))
  }

  reconnect(): void {
    this.node.outage.restore()
    this.session.setCutOff(new Set())
    this.session.setConnection({ kind: 'connected' })
  }

  get now(): number {
    return this.cluster.clock.now()
  }

  async seconds(seconds: number): Promise<void> {
    await this.cluster.clock.advance(seconds * 1000)
  }

  /** The stored object of that name; null: there is none. */
  async object(name: string): Promise<Pod | null> {
    const answer = await this.cluster.request('GET', `${podsPath}/${name}`)
    if (answer.kind !== 'object') throw new Error(`no answer for ${name}`)
    // A pod, as it was asked for.
    return answer.status === 200 ? (answer.body as unknown as Pod) : null
  }

  async create(name: string, more: Partial<Pod> & Pick<Pod, 'spec'>): Promise<void> {
    const { spec, metadata } = more
    const answer = await this.cluster.createPod({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name, namespace: 'default', uid: '' },
      spec: { nodeName: 'n', ...spec },
    })
    if (answer.kind !== 'object' || answer.status !== 201)
      throw new Error(`not created: ${JSON.stringify(answer)}`)
  }

  async post(path: string, body: unknown): Promise<void> {
    // JSON that the server checks itself.
    const answer = await this.cluster.request('POST', path, body as KubeObject)
    if (answer.kind !== 'object' || answer.status !== 201)
      throw new Error(`not created: ${JSON.stringify(answer)}`)
  }

  /** Of the pod's row, as the page would name it; of two static pods of one name the one that waits. */
  keyOf(name: string): PodKey {
    const rows = this.session.rows().filter((one) => one.name === name)
    const row = rows.find(({ worker }) => worker === 'waiting') ?? rows[0]
    if (row === undefined) throw new Error(`no row ${name}`)
    return row.key
  }

  uidOf(key: PodKey): string {
    return this.session.row(key)?.uid ?? key.slice(key.lastIndexOf('/') + 1)
  }

  /** The containers of the pod that run now. */
  running(key: PodKey): readonly { readonly name: string; readonly isSidecar: boolean }[] {
    const cached = this.node.kubelet.podCache.get(this.uidOf(key))
    const known = this.session.knowledge(key)
    if (!cached.ok || known === undefined) return []
    const sidecars = (known.pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name)
    return cached.value.containers
      .filter(({ state }) => state === 'running')
      .map(({ name }) => ({ name, isSidecar: sidecars.includes(name) }))
  }

  facts(key: PodKey): ActFacts {
    const target = this.session.actTarget(key)
    if (target === undefined) throw new Error(`no target ${key}`)
    return target.facts
  }

  do(act: Act, key: PodKey, seconds: number | null): Promise<Result<ActReceipt, ActError>> {
    switch (act) {
      case 'kill':
        return Promise.resolve(this.commands.kill(key, seconds))
      case 'evictByKubelet':
        return Promise.resolve(this.commands.evictByKubelet(key))
      case 'evictThroughApi':
        return this.commands.evictThroughApi(key, seconds)
      case 'delete':
        return this.commands.delete('delete', key, seconds)
      case 'forceDelete':
        return this.commands.delete('forceDelete', key, 0)
      case 'deleteMirror':
        return this.commands.delete('deleteMirror', key, seconds)
    }
  }

  /** What becomes of the object of that name, looked at four times a second. */
  async watch(name: string, seconds: number): Promise<readonly Sight[]> {
    const sights: Sight[] = [{ atSeconds: 0, pod: await this.object(name) }]
    for (let atSeconds = 0.25; atSeconds <= seconds; atSeconds += 0.25) {
      await this.seconds(0.25)
      sights.push({ atSeconds, pod: await this.object(name) })
    }
    return sights
  }
}
