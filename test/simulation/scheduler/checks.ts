import type { KubeEvent, Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { KubeResponse } from '../../../src/shared/kubernetes/request.ts'
import { ClusterCache } from '../../../src/main/sandbox/scheduler/cluster-cache.ts'
import { prepareFilters } from '../../../src/main/sandbox/scheduler/filters.ts'
import type { Listers } from '../../../src/main/sandbox/scheduler/framework.ts'
import { podInfo } from '../../../src/main/sandbox/scheduler/pod-info.ts'
import type { ReportViolation } from '../invariants.ts'

type Watched = 'nodes' | 'pods' | 'events'

/** As old as what a scheduler without its watches may still believe, in ms. */
const staleMs = 60_000

const noListers: Listers = {
  namespaces: () => [],
  namespaceLabels: () => undefined,
  services: () => [],
  ownerSelector: () => undefined,
  claim: () => undefined,
  storageClass: () => undefined,
  volume: () => undefined,
  volumesOfClass: () => [],
}

interface KnownPod {
  readonly pod: Pod
  /** When its labels or its spec changed, other than by a binding. */
  readonly changedAt: number
}

function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

function isUnbound({ spec }: Pod): boolean {
  return (spec.nodeName ?? '') === ''
}

/** What of a pod decides where it and others may go. */
function decisiveOf({ metadata, spec }: Pod): string {
  const { nodeName: _node, ...rest } = spec
  return JSON.stringify([metadata.labels, rest])
}

/** What the scheduler writes, compared with what the API has at that moment (invariants 27 and 28). */
export class SchedulerChecks {
  readonly #watch: (resource: Watched) => Promise<KubeResponse>
  readonly #now: () => number
  readonly #report: ReportViolation
  readonly #nodes = new Map<string, { readonly node: Node; readonly changedAt: number }>()
  readonly #pods = new Map<string, KnownPod>()
  /** Of every pod that ever was, by its UID. */
  readonly #priorities = new Map<string, number>()
  readonly #stops: (() => void)[] = []
  /** When the last pod ended or was deleted: it may still count where pods are spread. */
  #removedAt = 0
  /** How many bindings and preemptions were looked at. */
  readonly seen = { bindings: 0, preemptions: 0 }

  constructor(deps: {
    /** Opens a watch of all objects of the resource. */
    readonly watch: (resource: Watched) => Promise<KubeResponse>
    readonly now: () => number
    readonly report: ReportViolation
  }) {
    this.#watch = deps.watch
    this.#now = deps.now
    this.#report = deps.report
  }

  async start(): Promise<void> {
    await this.#follow<Node>('nodes', this.takeNode)
    await this.#follow<Pod>('pods', this.takePod)
    await this.#follow<KubeEvent>('events', this.takeEvent)
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  async #follow<T>(
    resource: Watched,
    take: (object: T, isDeleted: boolean) => void,
  ): Promise<void> {
    const response = await this.#watch(resource)
    if (response.kind !== 'watch') throw new Error(`${resource} cannot be watched`)
    const { stream } = response
    this.#stops.push(stream.stop)
    void (async () => {
      for await (const { type, object } of stream.events)
        if (type !== 'BOOKMARK' && type !== 'ERROR') take(object as T, type === 'DELETED')
    })()
  }

  readonly takeNode = (node: Node, isDeleted: boolean): void => {
    const { name } = node.metadata
    const before = this.#nodes.get(name)
    const decisive = ({ metadata, spec, status }: Node): string =>
      JSON.stringify([metadata.labels, spec?.taints, spec?.unschedulable, status?.allocatable])
    const isSame = before !== undefined && decisive(before.node) === decisive(node)
    if (isDeleted) this.#nodes.delete(name)
    else this.#nodes.set(name, { node, changedAt: isSame ? before.changedAt : this.#now() })
  }

  readonly takePod = (pod: Pod, isDeleted: boolean): void => {
    const { uid } = pod.metadata
    const before = this.#pods.get(uid)
    this.#priorities.set(uid, pod.spec.priority ?? 0)
    if (isDeleted || isOver(pod)) {
      this.#removedAt = this.#now()
      this.#pods.delete(uid)
      return
    }
    const isBound = before !== undefined && isUnbound(before.pod) && !isUnbound(pod)
    if (isBound) this.#checkBinding(pod)
    const isSame = before !== undefined && decisiveOf(before.pod) === decisiveOf(pod)
    this.#pods.set(uid, { pod, changedAt: isSame ? before.changedAt : this.#now() })
  }

  #checkBinding(pod: Pod): void {
    this.seen.bindings++
    const { nodeName = '' } = pod.spec
    const known = this.#nodes.get(nodeName)
    const isOld = (changedAt: number): boolean => this.#now() - changedAt > staleMs
    // It may have been bound to a node that has just changed or gone.
    if (known === undefined || !isOld(known.changedAt)) return
    const all = [...this.#pods.values()].filter((one) => !isUnbound(one.pod))
    const reason = this.#refusal(
      pod,
      all.map((one) => one.pod),
    )
    if (reason === undefined) return
    const settled = all.filter(({ changedAt }) => isOld(changedAt))
    const withoutNew = this.#refusal(
      pod,
      settled.map((one) => one.pod),
    )
    if (withoutNew === undefined) return
    if (/topology spread/.test(withoutNew) && !isOld(this.#removedAt)) return
    this.#report(27, `${pod.metadata.name} (${pod.metadata.uid}) on ${nodeName}: ${withoutNew}`)
  }

  /** Why the scheduler's filters refuse the pod on its node, if these pods are on the nodes. */
  #refusal(pod: Pod, others: readonly Pod[]): string | undefined {
    const snapshot = new ClusterCache()
    for (const { node } of this.#nodes.values()) snapshot.putNode(node)
    for (const other of others) snapshot.putPod(other, other.spec.nodeName ?? '')
    const { nodeName = '', ...spec } = pod.spec
    const unbound = podInfo({ ...pod, spec })
    const prepared = prepareFilters(unbound, { snapshot, listers: noListers })
    if ('rejected' in prepared) return prepared.rejected.reasons.join(', ')
    const node = snapshot.get(nodeName)
    return node === undefined ? 'no such node' : prepared.filters.run(node)?.reasons.join(', ')
  }

  readonly takeEvent = (event: KubeEvent, isDeleted: boolean): void => {
    if (isDeleted || event.reason !== 'Preempted') return
    const preemptor = /^Preempted by pod (\S+) on node /.exec(event.message ?? '')?.[1] ?? ''
    const victim = event.involvedObject.uid ?? ''
    const [higher, lower] = [this.#priorities.get(preemptor), this.#priorities.get(victim)]
    if (higher === undefined || lower === undefined) return
    this.seen.preemptions++
    if (higher <= lower)
      this.#report(28, `${preemptor} of priority ${higher} preempted ${victim} of ${lower}`)
  }
}
