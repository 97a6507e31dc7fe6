import type { Lease, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { SeenNode, WatchView } from '../../../shared/model/seen-cluster.ts'
import { Informer } from '../../cluster/informer/informer.ts'
import type { ReflectorStatus } from '../../cluster/informer/reflector.ts'
import type { Clock, Log, Random } from '../../kubelet/ports.ts'
import type { WatchedObjects } from '../../inspector/node-objects.ts'
import type { ApiPods } from '../cluster/cluster-session.ts'
import { LeaseRenewals } from './lease-renewals.ts'
import { seenNode } from './seen-nodes.ts'

interface ClusterWatchDeps {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Nodes, leases or a watch's state have changed. */
  readonly onView: () => void
  /** Of the watch of the pods. */
  readonly onPodsStatus: (status: ReflectorStatus) => void
}

type Watched = 'nodes' | 'pods' | 'leases'

/** What is asked of an informer of any resource. */
type ListedInformer = Pick<Informer<Watched>, 'hasSynced'> & {
  readonly list: () => readonly unknown[]
}

const byNode = 'node'

/** Events have no selector for a node. */
const kubeletEvents = 'involvedObject.kind=Pod,source=kubelet'

/** Nodes, pods and leases of a cluster, listed once and then watched; never polled. */
export class ClusterWatch {
  readonly #deps: ClusterWatchDeps
  readonly #pods: Informer<'pods', typeof byNode>
  readonly #nodes: Informer<'nodes'>
  readonly #leases: Informer<'leases'>
  readonly #renewals = new LeaseRenewals()
  readonly #podsByUid = new Map<string, Pod>()
  readonly #lastAt = new Map<Watched, number>()
  readonly #problems = new Map<Watched, string>()
  readonly #inspecting = new Set<() => void>()
  #awaySince: number | null = null
  #listeners: Parameters<ApiPods['listen']>[0][] = []

  constructor(deps: ClusterWatchDeps) {
    this.#deps = deps
    const { transport, clock, log } = deps
    const watchOf = (resource: Watched) => ({
      transport,
      clock,
      log,
      random: deps.random.fork(`watch ${resource}`),
      onStatus: (status: ReflectorStatus) => {
        this.#noteStatus(resource, status)
      },
    })
    this.#pods = new Informer({
      ...watchOf('pods'),
      resource: 'pods',
      indexers: [[byNode, ({ spec }) => spec.nodeName]],
    })
    this.#nodes = new Informer({ ...watchOf('nodes'), resource: 'nodes' })
    this.#leases = new Informer({
      ...watchOf('leases'),
      resource: 'leases',
      namespace: 'kube-node-lease',
    })
    this.#pods.addEventHandler({
      onAdd: (pod) => {
        this.#podChanged(undefined, pod)
      },
      onUpdate: (pod, _causes, before) => {
        this.#podChanged(before, pod)
      },
      onDelete: (pod) => {
        this.#podChanged(pod, undefined)
      },
    })
    const changed = (resource: Watched) => () => {
      this.#note(resource)
      deps.onView()
    }
    const onNode = changed('nodes')
    this.#nodes.addEventHandler({ onAdd: onNode, onUpdate: onNode, onDelete: onNode })
    const onLease = (lease: Lease): void => {
      this.#renewals.take(lease)
      this.#note('leases')
      deps.onView()
    }
    this.#leases.addEventHandler({
      onAdd: onLease,
      onUpdate: onLease,
      onDelete: ({ metadata }) => {
        this.#renewals.forget(metadata.name)
        this.#note('leases')
        deps.onView()
      },
    })
  }

  start(): void {
    for (const informer of this.#informers) informer.start()
  }

  stop(): void {
    for (const informer of this.#informers) informer.stop()
  }

  retryNow(): void {
    for (const informer of this.#informers) informer.retryNow()
  }

  readonly apiPods: ApiPods = {
    get: (uid) => this.#podsByUid.get(uid),
    list: () => this.#podsByUid.values(),
    listen: (listener) => {
      this.#listeners = [...this.#listeners, listener]
    },
  }

  /** Whether the control plane hears of the node's kubelet: its Ready is not Unknown. */
  readonly isNodeHeard = (name: string): boolean => {
    const conditions = this.#nodes.get('', name)?.status?.conditions ?? []
    return !conditions.some(({ type, status }) => type === 'Ready' && status === 'Unknown')
  }

  /** By name. */
  nodes(): readonly SeenNode[] {
    const now = this.#deps.clock.now()
    const inOrder = (one: Node, other: Node): number =>
      one.metadata.name < other.metadata.name ? -1 : 1
    return this.#nodes
      .list()
      .toSorted(inOrder)
      .map((node) => {
        const { name } = node.metadata
        return seenNode(node, {
          pods: this.#pods.byIndex(byNode, name),
          lease: this.#leases.get('kube-node-lease', name),
          renewals: this.#renewals.of(name),
          now,
        })
      })
  }

  watches(): readonly WatchView[] {
    const informers: Readonly<Record<Watched, ListedInformer>> = {
      nodes: this.#nodes,
      pods: this.#pods,
      leases: this.#leases,
    }
    return (['nodes', 'pods', 'leases'] as const).map((resource) => {
      const problem = this.#problems.get(resource) ?? ''
      const hasSynced = informers[resource].hasSynced()
      return {
        resource,
        count: informers[resource].list().length,
        lastAt: this.#lastAt.get(resource) ?? null,
        state: problem !== '' ? 'away' : hasSynced ? 'watching' : 'listing',
        problem,
        missingRule: '',
      }
    })
  }

  /** What is known of one node, with the events of kubelets, which are watched only meanwhile. */
  objectsOf(nodeName: string, onChange: () => void): WatchedObjects {
    const { transport, clock, log, random } = this.#deps
    const events = new Informer<'events'>({
      transport,
      clock,
      log,
      random: random.fork(`events ${nodeName}`),
      resource: 'events',
      fieldSelector: kubeletEvents,
    })
    events.addEventHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange })
    const readAt = (): number => this.#awaySince ?? clock.now()
    return {
      pods: () => ({ value: this.#pods.byIndex(byNode, nodeName), at: readAt() }),
      node: () => this.#nodes.get('', nodeName),
      lease: () => ({ value: this.#leases.get('kube-node-lease', nodeName), at: readAt() }),
      events: () => events.list(),
      apiAwaySince: () => this.#awaySince,
      start: () => {
        this.#inspecting.add(onChange)
        events.start()
      },
      stop: () => {
        this.#inspecting.delete(onChange)
        events.stop()
      },
    }
  }

  get #informers() {
    return [this.#nodes, this.#pods, this.#leases]
  }

  #podChanged(before: Pod | undefined, after: Pod | undefined): void {
    if (before !== undefined) this.#podsByUid.delete(before.metadata.uid)
    if (after !== undefined) this.#podsByUid.set(after.metadata.uid, after)
    this.#note('pods')
    for (const listener of this.#listeners) listener({ before, after })
    if (before?.spec.nodeName !== after?.spec.nodeName) this.#deps.onView()
  }

  #note(resource: Watched): void {
    this.#lastAt.set(resource, this.#deps.clock.now())
    for (const changed of this.#inspecting) changed()
  }

  #noteStatus(resource: Watched, status: ReflectorStatus): void {
    this.#problems.set(resource, status.kind === 'away' ? status.message : '')
    if (status.kind === 'connected') this.#note(resource)
    if (resource === 'pods') {
      this.#awaySince = status.kind === 'away' ? status.since : null
      this.#deps.onPodsStatus(status)
      for (const changed of this.#inspecting) changed()
    }
    this.#deps.onView()
  }
}
