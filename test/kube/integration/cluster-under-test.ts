import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { administratorOf, type Administrator } from './administrator.ts'
import { AgentUnderTest } from './agent.ts'
import type { ApiServerUnderTest } from './api-servers.ts'
import { NodeMemory } from '../cri/node-memory.ts'
import type { NodeOptions, NodeUnderTest } from './node-under-test.ts'
import { Observer } from './observer.ts'
import { mainNode, ScenarioRun } from './scenario-run.ts'
import type { KubeletStart, Outcome, Scenario, ScenarioCluster } from './scenario-run.ts'
import { TcpGate } from './tcp-gate.ts'

/** A server with its administrator and its kubelets. */
export class ClusterUnderTest implements ScenarioCluster {
  readonly server: ApiServerUnderTest
  readonly admin: Administrator
  readonly observer = new Observer()
  readonly #kubelets = new Map<string, NodeUnderTest>()
  /** With the stopped ones, for their logs. */
  readonly #everyKubelet: NodeUnderTest[] = []
  readonly #gates = new Map<string, TcpGate>()
  readonly #memories = new Map<string, NodeMemory>()
  readonly #start: (options: NodeOptions) => Promise<NodeUnderTest>

  private constructor(
    server: ApiServerUnderTest,
    admin: Administrator,
    start: (options: NodeOptions) => Promise<NodeUnderTest>,
  ) {
    this.server = server
    this.admin = admin
    this.#start = start
  }

  static async start(
    server: ApiServerUnderTest,
    start: (options: NodeOptions) => Promise<NodeUnderTest> = (options) =>
      AgentUnderTest.start(options),
  ): Promise<ClusterUnderTest> {
    const admin = await administratorOf(server.adminKubeconfig)
    const cluster = new ClusterUnderTest(server, admin, start)
    await cluster.observer.start(cluster.admin.transport)
    return cluster
  }

  kubelet(node: string): NodeUnderTest {
    const kubelet = this.#kubelets.get(node)
    if (kubelet === undefined) throw new Error(`no kubelet of ${node}`)
    return kubelet
  }

  gate(node: string): TcpGate {
    const gate = this.#gates.get(node)
    if (gate === undefined) throw new Error(`no gate before ${node}`)
    return gate
  }

  memory(node: string): NodeMemory {
    const memory = this.#memories.get(node)
    if (memory === undefined) throw new Error(`${node} has no memory of its own`)
    return memory
  }

  async startKubelet(node: string, start: KubeletStart = {}): Promise<NodeUnderTest> {
    const { isGated = false, hasOwnMemory = false, ...options } = start
    const direct = this.server.nodeKubeconfigs.get(node)
    if (direct === undefined) throw new Error(`no kubeconfig of ${node}`)
    const folder = join(this.server.folder, node)
    const memory = hasOwnMemory ? await NodeMemory.create(join(folder, 'memory')) : undefined
    if (memory !== undefined) this.#memories.set(node, memory)
    const kubelet = await this.#start({
      ...options,
      kubeconfig: isGated ? await this.#gated(node, direct) : direct,
      caFile: this.server.caFile,
      node,
      folder,
      memory,
    })
    this.#kubelets.set(node, kubelet)
    this.#everyKubelet.push(kubelet)
    return kubelet
  }

  /** A kubeconfig that leads through a gate. */
  async #gated(node: string, kubeconfig: string): Promise<string> {
    const text = await readFile(kubeconfig, 'utf8')
    const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1])
    const gate = await TcpGate.open(port)
    this.#gates.set(node, gate)
    const file = `${kubeconfig}.gated`
    await writeFile(file, text.replaceAll(`:${port}`, `:${gate.port}`), { mode: 0o600 })
    return file
  }

  async runScenario(scenario: Scenario, repetition = 0): Promise<Outcome> {
    await this.admin.makeNamespace(scenario.key)
    const run = new ScenarioRun(this, scenario.key, scenario.node, repetition)
    const notes = (await scenario.steps(run)) ?? {}
    await run.untilEvents(scenario.events)
    await this.#settle(scenario)
    return run.outcome(notes, scenario.cutAt)
  }

  /** Until all effects of a scenario were written and observed. */
  async #settle({ key, node = mainNode }: Scenario): Promise<void> {
    await this.kubelet(node).untilIdle(key)
    const name = `after-${key}`
    const involvedObject = { kind: 'Scenario', name: key, namespace: 'first' }
    await this.admin.ask('POST', '/api/v1/namespaces/first/events', {
      metadata: { name },
      involvedObject,
    })
    await this.observer.until(
      `the end of ${key}`,
      () => this.observer.of('events', { namespace: 'first', name })[0],
      () => key,
    )
  }

  /** The logged errors of the server and the kubelets. */
  get logged(): readonly string[] {
    const lines = this.#everyKubelet.flatMap(({ log }) => log.lines)
    return [
      ...this.server.logged,
      ...lines.filter(({ level }) => level === 'error').map((line) => JSON.stringify(line)),
    ]
  }

  async stop(): Promise<void> {
    await Promise.all(this.#everyKubelet.map((kubelet) => kubelet.stop()))
    await Promise.all([...this.#gates.values()].map((gate) => gate.close()))
    this.observer.stop()
    await this.admin.close()
    await this.server.stop()
  }
}
