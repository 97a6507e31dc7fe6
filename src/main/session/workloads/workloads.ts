import type { KubeObject, Pod } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type {
  OwnerKind,
  OwnerView,
  UnboundPod,
  WorkloadsView,
} from '../../../shared/model/workloads/workloads.ts'
import { isTerminalPhase } from '../../../shared/kubernetes/static-pods.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { Informer } from '../../cluster/informer/informer.ts'
import type { ReflectorStatus } from '../../cluster/informer/reflector.ts'
import type { CancelTimer, Log } from '../../kubelet/ports.ts'
import type { ApiPods } from '../cluster/cluster-session.ts'
import { rolesFor } from '../../inspector/rbac-roles.ts'
import { controllerUid, ownerView } from './owner-view.ts'
import { Replacements } from './replacements.ts'

interface WorkloadsDeps {
  /** For the owners. */
  readonly transport: Transport
  readonly pods: ApiPods
  /** The cluster's time, ms. */
  readonly now: () => number
  readonly log: Log
}

export const ownerResourceKinds = {
  'apps/v1/deployments': 'Deployment',
  'apps/v1/replicasets': 'ReplicaSet',
  'apps/v1/statefulsets': 'StatefulSet',
  'apps/v1/daemonsets': 'DaemonSet',
  'batch/v1/jobs': 'Job',
  'batch/v1/cronjobs': 'CronJob',
  'v1/replicationcontrollers': 'ReplicationController',
} as const satisfies Readonly<Record<`${string}/${string}`, OwnerKind>>

/** As TransportApiClient names them. */
export type OwnerResource = keyof typeof ownerResourceKinds
const ownerResources = Object.keys(ownerResourceKinds) as OwnerResource[] // the keys of the record above

/** The shortest time between two views, ms of the system clock. */
const paceMs = 200

interface OwnerWatch {
  readonly resource: OwnerResource
  readonly informer: Informer<OwnerResource>
  problem: (ReflectorStatus & { readonly kind: 'away' }) | undefined
}

function unboundPod({ metadata, spec, status }: Pod): UnboundPod {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    createdAt: timeOf(metadata.creationTimestamp),
    message: scheduled?.message ?? '',
    reason: scheduled?.reason ?? '',
    gates: (spec.schedulingGates ?? []).map(({ name }) => name),
    nominatedNode: status?.nominatedNodeName ?? '',
  }
}

function missingRule(resource: OwnerResource): string {
  const [plural = '', , group = ''] = resource.split('/').toReversed()
  return rolesFor([{ apiGroup: group, resource: plural, verbs: ['list', 'watch'], namespace: '' }])
}

/** Who owns the pods of one cluster. The owners are watched while a page looks at them. */
export class Workloads {
  readonly #deps: WorkloadsDeps
  readonly #replacements: Replacements
  readonly #unbound = new Map<string, Pod>()
  readonly #listeners = new Set<(view: WorkloadsView) => void>()
  readonly #changeListeners = new Set<() => void>()
  /** An owner's view stays the same until the object changes. */
  readonly #views = new WeakMap<KubeObject, OwnerView>()
  #watches: readonly OwnerWatch[] = []
  #cancel: CancelTimer | undefined

  constructor(deps: WorkloadsDeps) {
    this.#deps = deps
    const changed = (): void => {
      this.#changed()
    }
    this.#replacements = new Replacements(deps.pods, deps.now, changed)
    const take = (before: Pod | undefined, after: Pod | undefined): void => {
      const uid = (after ?? before)?.metadata.uid ?? ''
      const had = this.#unbound.delete(uid)
      const isUnbound =
        after !== undefined &&
        (after.spec.nodeName ?? '') === '' &&
        !isTerminalPhase(after.status?.phase)
      if (isUnbound) this.#unbound.set(uid, after)
      if (had || isUnbound) changed()
    }
    for (const pod of deps.pods.list()) take(undefined, pod)
    deps.pods.listen(({ before, after }) => {
      take(before, after)
    })
  }

  /** The present view, and each that follows until `stop`. */
  watch(listener: (view: WorkloadsView) => void): {
    readonly view: WorkloadsView
    readonly stop: () => void
  } {
    if (this.#listeners.size === 0) this.#start()
    this.#listeners.add(listener)
    this.#changed()
    return {
      view: this.#view(),
      stop: () => {
        this.#listeners.delete(listener)
        if (this.#listeners.size > 0) return
        this.stop()
        this.#tell()
      },
    }
  }

  /** The present view while it is watched; else undefined. */
  readonly shown = (): WorkloadsView | undefined =>
    this.#listeners.size === 0 ? undefined : this.#view()

  /** Calls back at once when `shown` may be another one. Returns the unsubscribe. */
  readonly onChange = (listener: () => void): (() => void) => {
    this.#changeListeners.add(listener)
    return () => {
      this.#changeListeners.delete(listener)
    }
  }

  /** An owner that is watched now, with its resource. */
  find(uid: string): { readonly resource: OwnerResource; readonly object: KubeObject } | undefined {
    for (const { resource, informer } of this.#watches) {
      const object = informer.list().find(({ metadata }) => metadata.uid === uid)
      if (object !== undefined) return { resource, object }
    }
    return undefined
  }

  /** How many pods an owner has, over all levels. */
  podsOf(uid: string): number {
    const owners = new Set([uid])
    const objects = this.#watches.flatMap(({ informer }) => informer.list())
    // At most three levels: CronJob, Job; Deployment, ReplicaSet.
    for (const object of [...objects, ...objects])
      if (owners.has(controllerUid(object) ?? '')) owners.add(object.metadata.uid)
    return [...this.#deps.pods.list()].filter((pod) => owners.has(controllerUid(pod) ?? '')).length
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    for (const { informer } of this.#watches) informer.stop()
    this.#watches = []
  }

  #start(): void {
    const { transport, log } = this.#deps
    this.#watches = ownerResources.map((resource) => {
      const watch: OwnerWatch = {
        resource,
        problem: undefined,
        informer: new Informer({
          transport,
          resource,
          // A paused cluster answers too.
          clock: systemClock,
          random: seededRandom(systemClock.now() >>> 0).fork(resource),
          log,
          onStatus: (status) => {
            watch.problem = status.kind === 'away' ? status : undefined
            this.#changed()
          },
        }),
      }
      const changed = (): void => {
        this.#changed()
      }
      watch.informer.addEventHandler({ onAdd: changed, onUpdate: changed, onDelete: changed })
      watch.informer.start()
      return watch
    })
  }

  #changed(): void {
    if (this.#listeners.size === 0) return
    this.#tell()
    this.#cancel ??= systemClock.after(paceMs, () => {
      this.#cancel = undefined
      const view = this.#view()
      for (const listener of this.#listeners) listener(view)
    })
  }

  #tell(): void {
    for (const listener of this.#changeListeners) listener()
  }

  #view(): WorkloadsView {
    const order = ({ namespace, kind, name }: OwnerView): string => `${namespace}/${kind}/${name}`
    return {
      owners: this.#watches
        .flatMap(({ resource, informer }) =>
          informer.list().map((object) => this.#ownerView(ownerResourceKinds[resource], object)),
        )
        .toSorted((one, other) => (order(one) < order(other) ? -1 : 1)),
      unbound: [...this.#unbound.values()]
        .map(unboundPod)
        .toSorted((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0)),
      replacements: this.#replacements.list(),
      problems: this.#watches.flatMap(({ resource, problem }) =>
        problem === undefined
          ? []
          : [
              {
                resource,
                message: problem.message,
                missingRule: problem.isForbidden === true ? missingRule(resource) : '',
              },
            ],
      ),
      isComplete: this.#watches.every(
        ({ informer, problem }) => informer.hasSynced() || problem !== undefined,
      ),
      nothing: '',
    }
  }

  #ownerView(kind: OwnerKind, object: KubeObject): OwnerView {
    const known = this.#views.get(object)
    if (known !== undefined) return known
    const view = ownerView(kind, object)
    this.#views.set(object, view)
    return view
  }
}
