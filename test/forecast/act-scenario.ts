import { isSidecar } from '../../src/shared/kubernetes/pod-containers.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import type { ClusterSession } from '../../src/main/session/cluster/cluster-session.ts'
import type { OpenSandbox } from '../../src/main/session/cluster/open-cluster.ts'
import { serveSandbox } from '../../src/main/session/cluster/serve-sandbox.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import type { ActError, ActReceipt } from '../../src/shared/ipc/contract.ts'
import type { KubeObject, Pod } from '../../src/shared/kubernetes/objects.ts'
import type { Act, ActFacts } from '../../src/shared/model/act.ts'
import type { NodeAct } from '../../src/shared/model/node-act.ts'
import type { CallFault } from '../../src/shared/model/node/node-faults.ts'
import type { PodKey } from '../../src/shared/model/pod-row.ts'
import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import type { Result } from '../../src/shared/result.ts'

const podsPath = '/api/v1/namespaces/default/pods'

/** The API object of one name at one time; null: none. */
export interface ObjectSample {
  readonly atSeconds: number
  readonly pod: Pod | null
}

/** The program's session and its commands over one node of a virtual cluster, without a page. */
export class ActScenario {
  readonly cluster: MemorySandbox
  readonly node: SimulatedNode
  readonly events: TraceEvent[] = []
  readonly #served: Omit<OpenSandbox, 'stop'>

  /** With a node that is ready for pods, and others that take none. */
  static async open(others: readonly string[] = []): Promise<ActScenario> {
    const scenario = new ActScenario(others)
    await scenario.seconds(5)
    for (const name of others)
      await scenario.cluster.send({
        method: 'PATCH',
        path: `/api/v1/nodes/${name}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { unschedulable: true } },
      })
    return scenario
  }

  private constructor(others: readonly string[]) {
    const cluster = new MemorySandbox({
      seed: 7,
      startAt: Date.UTC(2026, 0, 1),
      nodeNames: ['n', ...others],
      log: new FakeLog(),
    })
    this.cluster = cluster
    this.node = cluster.node('n')
    cluster.trace.listen((event) => this.events.push(event))
    this.#served = serveSandbox({
      id: 'sandbox',
      url: 's',
      kubeconfigPath: '',
      manifestsPath: '',
      seed: 7,
      readOnly: false,
      sandbox: cluster.sandbox,
      clock: cluster.clock,
      trace: cluster.trace,
      log: new FakeLog(),
    })
    cluster.start()
  }

  get session(): ClusterSession {
    return this.#served.session
  }

  get behaviors(): OpenSandbox['behaviors'] {
    return this.#served.behaviors
  }

  get commands(): OpenSandbox['commands'] {
    return this.#served.commands
  }

  /** As from the menu of the page. */
  actOnNode(act: NodeAct, call: CallFault | null = null): void {
    const usual = { shutdownGraceSeconds: null, criticalGraceSeconds: null, call }
    const answer = this.#served.nodes.act({ node: 'n', act, ...usual })
    if (!answer.ok) throw new Error(answer.error.message)
  }

  get now(): number {
    return this.cluster.clock.now()
  }

  async seconds(seconds: number): Promise<void> {
    await this.cluster.clock.advance(seconds * 1000)
  }

  /** The stored object of that name; null: none. */
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

  do(
    act: Act,
    key: PodKey,
    seconds: number | null,
    container = '',
  ): Promise<Result<ActReceipt, ActError>> {
    switch (act) {
      case 'restartContainer':
        return this.commands.restartContainer(key, container, seconds)
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

  /** Samples the object of that name four times a second. */
  async watch(name: string, seconds: number): Promise<readonly ObjectSample[]> {
    const samples: ObjectSample[] = [{ atSeconds: 0, pod: await this.object(name) }]
    for (let atSeconds = 0.25; atSeconds <= seconds; atSeconds += 0.25) {
      await this.seconds(0.25)
      samples.push({ atSeconds, pod: await this.object(name) })
    }
    return samples
  }
}
