import type { NodeExitOptions } from '../../../src/main/kubelet/node/node-exit.ts'
import { isTerminalPhase } from '../../../src/main/kubelet/pod/identity.ts'
import { listAt, objectAt } from '../../../src/shared/json.ts'
import type {
  Container,
  KubeEvent,
  Pod,
  PodCondition,
} from '../../../src/shared/kubernetes/objects.ts'
import { must, type Administrator } from './administrator.ts'
import { AgentUnderTest } from './agent.ts'
import { eventLines, isOver, phasesOf, podObservations, type Observation } from './observations.ts'
import type { ObjectChange, Observer } from './observer.ts'
import type { NodeOptions, NodeUnderTest } from './node-under-test.ts'
import type { NodeMemory } from '../cri/node-memory.ts'
import type { TcpGate } from './tcp-gate.ts'

/** The node that most scenarios happen on. */
export const mainNode = 'main'

/** Actions of a kubelet and an administrator, with the same expected results on every server. */
export interface Scenario {
  readonly title: string
  /** The name of its namespace. */
  readonly key: string
  /** Its own node, in addition to `main`. */
  readonly node?: string
  /** By the pod's name: the phases that watchers saw, `gone` where an object ended. */
  readonly phases: Readonly<Record<string, readonly string[]>>
  /** The reasons of all events of the namespace, sorted; the scenario waits for them. */
  readonly events: readonly string[]
  /** Text of the last state to compare; later states depend on the time of the deletion. */
  readonly cutAt?: string
  /** Whether a pod's sandbox is stopped while the next one starts, in any order. */
  readonly sandboxesOverlap?: boolean
  /** Whether it says how much memory is in use on its node, which not every machine allows. */
  readonly setsMemory?: boolean
  /** Why a real kubelet cannot be asked for it; runs then with the program only. */
  readonly onlyOurs?: string
  /** For docs/kubelet-comparison-races.md: why an outcome is more frequent on one of the two. */
  readonly explanation?: string
  /** Returns other facts that must be the same on both servers. */
  readonly steps: (run: ScenarioRun) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/** The results of a scenario on one server. */
export interface Outcome {
  readonly phases: Readonly<Record<string, readonly string[]>>
  readonly pods: Readonly<Record<string, readonly Observation[]>>
  readonly reasons: readonly string[]
  readonly events: readonly string[]
  readonly notes: Readonly<Record<string, unknown>>
  /** Not compared; for the page. */
  readonly paces: readonly number[]
}

/** What starts a kubelet on a node. */
export type KubeletStart = Pick<NodeOptions, 'exit' | 'images' | 'configuration'> & {
  /** Whether its connections to the API server can be cut. */
  readonly isGated?: boolean
  /** Whether the scenario says how much memory is in use on its machine. */
  readonly hasOwnMemory?: boolean
}

/** The server of a scenario, as `ScenarioRun` uses it. */
export interface ScenarioCluster {
  readonly admin: Administrator
  readonly observer: Observer
  /** Throws where none was started. */
  readonly kubelet: (node: string) => NodeUnderTest
  readonly startKubelet: (node: string, start?: KubeletStart) => Promise<NodeUnderTest>
  /** Between the kubelet of a node and the API server; throws where there is none. */
  readonly gate: (node: string) => TcpGate
  /** Of a node's machine; throws where it is that of this machine. */
  readonly memory: (node: string) => NodeMemory
}

/** A scenario's access to a server: an administrator, the observed changes, and the kubelets. */
export class ScenarioRun {
  readonly namespace: string
  readonly admin: Administrator
  readonly observer: Observer
  /** Where its pods are. */
  readonly node: string
  /** Which repetition it is: 0, 1, 2 … */
  readonly repetition: number
  /** When something happened whose pace is of interest, in seconds since its cause. */
  readonly paces: number[] = []
  readonly #cluster: ScenarioCluster

  constructor(cluster: ScenarioCluster, namespace: string, node = mainNode, repetition = 0) {
    this.namespace = namespace
    this.node = node
    this.repetition = repetition
    this.admin = cluster.admin
    this.observer = cluster.observer
    this.#cluster = cluster
  }

  get mainKubelet(): NodeUnderTest {
    return this.#cluster.kubelet(mainNode)
  }

  /** Throws where the node runs a real kubelet. */
  get mainAgent(): AgentUnderTest {
    return asAgent(this.mainKubelet)
  }

  startAgent(node: string, exit?: NodeExitOptions): Promise<AgentUnderTest> {
    return this.#cluster.startKubelet(node, { exit }).then(asAgent)
  }

  /** The kubelet of the scenario's own node. */
  startKubelet(start: KubeletStart): Promise<NodeUnderTest> {
    return this.#cluster.startKubelet(this.node, start)
  }

  get gate(): TcpGate {
    return this.#cluster.gate(this.node)
  }

  get memory(): NodeMemory {
    return this.#cluster.memory(this.node)
  }

  /** An ordinary pod bound to a node. */
  async create(
    name: string,
    spec: Pod['spec'],
    node = this.node,
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<Pod> {
    return must(
      await this.admin.api.create(
        { resource: 'pods', namespace: this.namespace },
        {
          metadata: { name, uid: '', annotations },
          spec: { automountServiceAccountToken: false, ...spec, nodeName: node },
        },
      ),
    )
  }

  /** `kubectl delete`; a grace of 0 is by force. */
  async delete(name: string, gracePeriodSeconds?: number): Promise<void> {
    const key = { resource: 'pods', namespace: this.namespace, name } as const
    const options = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }
    must(await this.admin.api.delete(key, options))
  }

  async patch(name: string, body: unknown): Promise<void> {
    const key = { resource: 'pods', namespace: this.namespace, name } as const
    must(await this.admin.api.patch(key, { type: 'strategic', body }))
  }

  /** As another client than the kubelet. */
  async patchStatus(name: string, status: unknown): Promise<void> {
    const key = { resource: 'pods', namespace: this.namespace, name } as const
    const body = { status }
    must(await this.admin.api.patch(key, { type: 'strategic', body, subresource: 'status' }))
  }

  /** `kubectl debug` adds it in this way. */
  async addEphemeralContainer(name: string, container: Container): Promise<void> {
    const path = `/api/v1/namespaces/${this.namespace}/pods/${name}/ephemeralcontainers`
    const pod = await this.admin.ask('GET', path)
    const { resourceVersion: _any, ...metadata } = objectAt(pod, 'metadata')
    const spec = objectAt(pod, 'spec')
    const ephemeralContainers = [...listAt(spec, 'ephemeralContainers'), container]
    await this.admin.ask('PUT', path, { ...pod, metadata, spec: { ...spec, ephemeralContainers } })
  }

  /** `kubectl drain` evicts in this way. */
  async evict(name: string): Promise<void> {
    const path = `/api/v1/namespaces/${this.namespace}/pods/${name}/eviction`
    const metadata = { name, namespace: this.namespace }
    await this.admin.ask('POST', path, { apiVersion: 'policy/v1', kind: 'Eviction', metadata })
  }

  /** The newest version of a pod; undefined if it does not exist. */
  pod(name: string): Pod | undefined {
    const last = this.#changes(name).at(-1)
    return last === undefined || last.type === 'DELETED' ? undefined : last.object
  }

  until(name: string, what: string, holds: (pod: Pod) => boolean): Promise<Pod> {
    return this.observer.until(
      `${this.namespace}/${name} ${what}`,
      () => {
        const pod = this.pod(name)
        return pod !== undefined && holds(pod) ? pod : undefined
      },
      () => podObservations(this.#changes(name)).at(-1),
    )
  }

  /** Terminated, with a complete status; without a phase: in either. */
  untilEnded(name: string, phase?: 'Succeeded' | 'Failed'): Promise<Pod> {
    return this.until(name, `has ended ${phase ?? ''}`.trim(), ({ status = {} }) => {
      const isDown = ({ type, status: is }: PodCondition): boolean =>
        type === 'PodReadyToStartContainers' && is === 'False'
      return (
        (phase === undefined ? isTerminalPhase(status.phase) : status.phase === phase) &&
        (status.conditions ?? []).some(isDown) &&
        (status.containerStatuses ?? []).every(isOver)
      )
    })
  }

  untilRunning(name: string): Promise<Pod> {
    return this.until(name, 'runs', isReady)
  }

  async untilGone(name: string): Promise<void> {
    await this.observer.until(
      `${this.namespace}/${name} ends`,
      () => this.#changes(name).at(-1)?.type === 'DELETED' || undefined,
      () => podObservations(this.#changes(name)).at(-1),
    )
  }

  async untilEvents(reasons: readonly string[]): Promise<void> {
    await this.observer.until(
      `the events ${reasons.join(', ')} of ${this.namespace}`,
      () => reasons.every((reason) => this.#reasons().includes(reason)) || undefined,
      () => this.#reasons(),
    )
  }

  /** An event with the reason about a field of a pod: `spec.containers{c}`. */
  async untilEvent(reason: string, fieldPath: string): Promise<void> {
    const events = (): readonly string[] =>
      this.observer
        .of('events', { namespace: this.namespace })
        .map(({ object }) => `${object.reason} ${object.involvedObject.fieldPath}`)
    await this.observer.until(
      `the event ${reason} of ${fieldPath} in ${this.namespace}`,
      () => events().includes(`${reason} ${fieldPath}`) || undefined,
      events,
    )
  }

  outcome(notes: Outcome['notes'], cutAt: string | undefined): Outcome {
    const { namespace } = this
    const changes = this.observer.of('pods', { namespace })
    const names = [...new Set(changes.map(({ object }) => object.metadata.name))].toSorted()
    const ofNames = <T>(tell: (name: string) => T): Readonly<Record<string, T>> =>
      Object.fromEntries(names.map((name) => [name, tell(name)]))
    // The container's state at the deletion is not part of such a scenario.
    const isTold = (reason: string): boolean =>
      cutAt === undefined || (reason !== 'BackOff' && reason !== 'Killing')
    const events = this.#events().filter(({ object }) => isTold(object.reason ?? ''))
    return {
      phases: ofNames((name) => phasesOf(this.#changes(name))),
      pods: ofNames((name) => observationsUntil(podObservations(this.#changes(name)), cutAt)),
      reasons: this.#reasons().filter(isTold),
      events: eventLines(events),
      notes,
      paces: this.paces,
    }
  }

  #changes(name: string): ReturnType<typeof this.observer.of<'pods'>> {
    return this.observer.of('pods', { namespace: this.namespace, name })
  }

  #reasons(): readonly string[] {
    return [...new Set(this.#events().map(({ object }) => object.reason ?? ''))].toSorted()
  }

  /** Without those of a loop of kube-apiserver, which may look at a Service between the two writes that create it. */
  #events(): readonly ObjectChange<KubeEvent>[] {
    return this.observer
      .of('events', { namespace: this.namespace })
      .filter(({ object }) => object.involvedObject.kind !== 'Service')
  }
}

function observationsUntil(
  observations: readonly Observation[],
  cutAt: string | undefined,
): readonly Observation[] {
  if (cutAt === undefined) return observations
  const last = observations.findIndex(({ state }) => JSON.stringify(state).includes(cutAt))
  if (last === -1)
    throw new Error(`no watcher saw "${cutAt}" in ${JSON.stringify(observations, null, 1)}`)
  return observations.slice(0, last + 1)
}

/** Running and ready. */
export function isReady({ status }: Pod): boolean {
  return (
    status?.phase === 'Running' &&
    (status.conditions ?? []).some((one) => one.type === 'Ready' && one.status === 'True')
  )
}

/** Throws for a real kubelet. */
export function asAgent(kubelet: NodeUnderTest): AgentUnderTest {
  if (kubelet instanceof AgentUnderTest) return kubelet
  throw new Error('a real kubelet has no dashboard')
}
