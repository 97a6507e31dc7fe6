import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import type { KubeEvent, Lease, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type {
  ClusterEventList,
  ClusterEventQuery,
} from '../../../shared/model/timeline/cluster-events.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import type { SeenNode, WatchView } from '../../../shared/model/seen-cluster.ts'
import { Informer } from '../../cluster/informer/informer.ts'
import type { ReflectorStatus } from '../../cluster/informer/reflector.ts'
import type { CancelTimer, Clock, Log, Random } from '../../kubelet/ports.ts'
import type { WatchedObjects } from '../../inspector/node-objects.ts'
import type { ApiPods } from '../cluster/cluster-session.ts'
import { clusterEvents } from '../rows/cluster-events.ts'
import type { Renewals } from './lease-renewals.ts'
import { LeaseRenewals } from './lease-renewals.ts'
import { lateAfterMs } from './node-loss.ts'
import { seenNode } from './seen-nodes.ts'
import { watchRule } from './rights/rbac-rules.ts'

interface ClusterWatchDeps {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Nodes, leases or a watch's state have changed; `node`: of this one. */
  readonly onView: (node?: string) => void
  /** Of the watch of the pods; a refusal for lack of rights is an answer too. */
  readonly onPodsStatus: (status: ReflectorStatus) => void
  /** How far the server's clock is ahead of ours, ms. */
  readonly skewMs: () => number
}

type Watched = WatchView['resource']

/** What is asked of an informer of any resource. */
type AnyInformer = Pick<Informer<'pods'>, 'start' | 'stop' | 'retryNow' | 'hasSynced'> & {
  readonly list: () => readonly unknown[]
}

const byNode = 'node'
const leaseNamespace = 'kube-node-lease'

/** What a kubelet has said of a pod. */
function isOfKubelet({ involvedObject, source }: KubeEvent): boolean {
  return involvedObject.kind === 'Pod' && source?.component === 'kubelet'
}

/** What a cluster is looked at with: nodes, pods, leases, events and budgets, listed once and then watched; never polled. */
export class ClusterWatch {
  readonly #deps: ClusterWatchDeps
  readonly #pods: Informer<'pods', typeof byNode>
  readonly #nodes: Informer<'nodes'>
  readonly #leases: Informer<'leases'>
  readonly #events: Informer<'events'>
  readonly #budgets: Informer<'poddisruptionbudgets'>
  readonly #renewals = new LeaseRenewals()
  readonly #podsByUid = new Map<string, Pod>()
  readonly #lateTimers = new Map<string, CancelTimer>()
  readonly #lastAt = new Map<Watched, number>()
  readonly #problems = new Map<Watched, ReflectorStatus & { readonly kind: 'away' }>()
  /** A node's view stays the same until something of it changes, or its lease gets late. */
  readonly #nodeViews = new Map<string, { readonly view: SeenNode; readonly until: number }>()
  readonly #inspecting = new Set<() => void>()
  readonly #eventListeners: ((event: KubeEvent) => void)[] = []
  #awaySince: number | null = null
  #listeners: Parameters<ApiPods['listen']>[0][] = []
  /** gitVersion of the API server; empty until it is known. */
  serverVersion = ''

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
      tellsPages: true,
      indexers: [[byNode, ({ spec }) => spec.nodeName]],
    })
    this.#nodes = new Informer({ ...watchOf('nodes'), resource: 'nodes' })
    this.#leases = new Informer({
      ...watchOf('leases'),
      resource: 'leases',
      namespace: leaseNamespace,
    })
    this.#events = new Informer({ ...watchOf('events'), resource: 'events' })
    this.#budgets = new Informer({
      ...watchOf('poddisruptionbudgets'),
      resource: 'poddisruptionbudgets',
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
    const changed = (resource: Watched) => {
      const note = (): void => {
        this.#note(resource)
        deps.onView()
      }
      return { onAdd: note, onUpdate: note, onDelete: note }
    }
    const onNode = (node: Node): void => {
      this.#note('nodes')
      this.#nodeChanged(node.metadata.name)
    }
    this.#nodes.addEventHandler({ onAdd: onNode, onUpdate: onNode, onDelete: onNode })
    this.#events.addEventHandler(changed('events'))
    const onEvent = (event: KubeEvent): void => {
      for (const listener of this.#eventListeners) listener(event)
    }
    this.#events.addEventHandler({ onAdd: onEvent, onUpdate: onEvent, onDelete: () => undefined })
    this.#budgets.addEventHandler(changed('poddisruptionbudgets'))
    const onLease = (lease: Lease): void => {
      this.#renewals.take(lease)
      this.#note('leases')
      this.#nodeChanged(lease.metadata.name)
      this.#lateAgain(lease.metadata.name)
    }
    this.#leases.addEventHandler({
      onAdd: onLease,
      onUpdate: onLease,
      onDelete: ({ metadata }) => {
        this.#renewals.forget(metadata.name)
        this.#note('leases')
        this.#nodeChanged(metadata.name)
      },
    })
  }

  start(): void {
    for (const informer of this.#all()) informer.start()
  }

  stop(): void {
    for (const cancel of this.#lateTimers.values()) cancel()
    for (const informer of this.#all()) informer.stop()
  }

  retryNow(): void {
    for (const informer of this.#all()) informer.retryNow()
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
    const conditions = this.node(name)?.status?.conditions ?? []
    return !conditions.some(({ type, status }) => type === 'Ready' && status === 'Unknown')
  }

  node(name: string): Node | undefined {
    return this.#nodes.get('', name)
  }

  /** Of the lease of a node, on our clock; undefined: the API has no such node. */
  renewals(name: string): Renewals | undefined {
    if (this.node(name) === undefined) return undefined
    const { times, count } = this.#renewals.of(name)
    const skewMs = this.#deps.skewMs()
    return { times: times.map((time) => time - skewMs), count }
  }

  /** Those bound to a node, by namespace and name. */
  podsOf(node: string): readonly Pod[] {
    const key = ({ metadata: { namespace = '', name } }: Pod): string => `${namespace}/${name}`
    return this.#pods.byIndex(byNode, node).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  }

  /** Whether all pods are known: the first list tells them page by page. */
  readonly arePodsListed = (): boolean => this.#pods.hasSynced()

  /** Undefined if they cannot be read. */
  readonly budgets = (): readonly PodDisruptionBudget[] | undefined =>
    this.#budgets.hasSynced() ? this.#budgets.list() : undefined

  /** Calls back with each new event of the API, and each that has happened again. */
  onEvent(listener: (event: KubeEvent) => void): void {
    this.#eventListeners.push(listener)
  }

  events(query: ClusterEventQuery): ClusterEventList {
    const away = this.#problems.get('events')
    return clusterEvents(this.#events.list(), query, away?.message ?? '')
  }

  /** Of one namespace; undefined if they cannot be read. */
  eventsIn(namespace: string): readonly KubeEvent[] | undefined {
    if (!this.#events.hasSynced()) return undefined
    return this.#events.list().filter(({ metadata }) => metadata.namespace === namespace)
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
        const known = this.#nodeViews.get(name)
        if (known !== undefined && known.until > now) return known.view
        const lease = this.#leases.get(leaseNamespace, name)
        const view = seenNode(node, {
          pods: this.#pods.byIndex(byNode, name),
          lease,
          renewals: this.#renewals.of(name),
          serverVersion: this.serverVersion,
          now,
          skewMs: this.#deps.skewMs(),
        })
        const lateAt = (view.lease?.renewedAt ?? Infinity) + lateAfterMs
        this.#nodeViews.set(name, { view, until: lateAt > now ? lateAt + 1 : Infinity })
        return view
      })
  }

  watches(): readonly WatchView[] {
    return Object.entries(this.#informers()).map(([name, informer]) => {
      const resource = name as Watched // the keys of the record below
      const away = this.#problems.get(resource)
      return {
        resource,
        count: informer.list().length,
        lastAt: this.#lastAt.get(resource) ?? null,
        state: away !== undefined ? 'away' : informer.hasSynced() ? 'watching' : 'listing',
        problem: away?.message ?? '',
        missingRule: away?.isForbidden === true ? watchRule(resource) : '',
      }
    })
  }

  /** What is known of one node. */
  objectsOf(nodeName: string, onChange: () => void): WatchedObjects {
    const readAt = (): number => this.#awaySince ?? this.#deps.clock.now()
    return {
      pods: () => ({ value: this.#pods.byIndex(byNode, nodeName), at: readAt() }),
      node: () => this.#nodes.get('', nodeName),
      lease: () => ({ value: this.#leases.get(leaseNamespace, nodeName), at: readAt() }),
      events: () => this.#events.list().filter(isOfKubelet),
      apiAwaySince: () => this.#awaySince,
      start: () => {
        this.#inspecting.add(onChange)
      },
      stop: () => {
        this.#inspecting.delete(onChange)
      },
    }
  }

  /** Whether the server answers: what was read is as of `since` otherwise. */
  noteConnection(connection: ConnectionView): void {
    this.#awaySince = connection.kind === 'away' ? connection.since : null
    for (const changed of this.#inspecting) changed()
  }

  #informers(): Readonly<Record<Watched, AnyInformer>> {
    return {
      nodes: this.#nodes,
      pods: this.#pods,
      leases: this.#leases,
      events: this.#events,
      poddisruptionbudgets: this.#budgets,
    }
  }

  #all(): readonly AnyInformer[] {
    return Object.values(this.#informers())
  }

  #podChanged(before: Pod | undefined, after: Pod | undefined): void {
    if (before !== undefined) this.#podsByUid.delete(before.metadata.uid)
    if (after !== undefined) this.#podsByUid.set(after.metadata.uid, after)
    this.#note('pods')
    for (const listener of this.#listeners) listener({ before, after })
    for (const pod of [before, after]) this.#nodeChanged(pod?.spec.nodeName ?? '')
  }

  #nodeChanged(name: string): void {
    this.#nodeViews.delete(name)
    this.#deps.onView(name)
  }

  /** Shows that a lease is late even if nothing else happens. */
  #lateAgain(name: string): void {
    this.#lateTimers.get(name)?.()
    const show = (): void => {
      this.#nodeChanged(name)
    }
    this.#lateTimers.set(name, this.#deps.clock.after(lateAfterMs, show))
  }

  #note(resource: Watched): void {
    this.#lastAt.set(resource, this.#deps.clock.now())
    for (const changed of this.#inspecting) changed()
  }

  #noteStatus(resource: Watched, status: ReflectorStatus): void {
    if (status.kind === 'away') this.#problems.set(resource, status)
    else this.#problems.delete(resource)
    if (status.kind === 'connected') this.#note(resource)
    if (resource === 'pods') {
      const shown: ReflectorStatus =
        status.kind === 'away' && status.isForbidden === true ? { kind: 'connected' } : status
      this.#deps.onPodsStatus(shown)
    }
    this.#deps.onView()
  }
}
