import { equalJson } from '../../../src/shared/json.ts'
import type { KubeObject, ObjectMeta, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { KubeResponse } from '../../../src/shared/kubernetes/request.ts'
import type { AnyResource, AnyResources } from '../../../src/main/cluster/client/resource-paths.ts'
import { resourcePath } from '../../../src/main/cluster/client/resource-paths.ts'
import { controllerOf } from '../../../src/main/sandbox/control-plane/workloads/controller-ref.ts'

/** What is followed: owners, what they own, and what depends on their pods. */
export const followed = [
  'pods',
  'nodes',
  'namespaces',
  'services',
  'poddisruptionbudgets',
  'apps/v1/deployments',
  'apps/v1/replicasets',
  'apps/v1/statefulsets',
  'apps/v1/daemonsets',
  'apps/v1/controllerrevisions',
  'batch/v1/cronjobs',
  'batch/v1/jobs',
  'v1/replicationcontrollers',
  'v1/endpoints',
  'v1/resourcequotas',
  'discovery.k8s.io/v1/endpointslices',
] as const satisfies readonly AnyResource[]

export type Followed = (typeof followed)[number]

/** So long a controller may still act on what it has read, in ms: the time of its requests, and of repeating them. */
const recentMs = 10_000

/** A version of an object, and when the next one replaced it; undefined: it has not been replaced. */
interface Version {
  readonly object: KubeObject
  readonly until: number | undefined
}

interface Known {
  readonly resource: Followed
  readonly object: KubeObject
  readonly versions: readonly Version[]
}

/** A write of a followed object. */
export interface ObjectChange {
  readonly resource: Followed
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubeObject
  readonly before: KubeObject | undefined
  /** Who wrote it. */
  readonly user: string
}

export const controllerManager = 'system:kube-controller-manager'

function nameOf({ namespace = '', name }: Pick<ObjectMeta, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

/** Every object with an owner or dependents, with its versions of the last ten seconds. */
export class OwnerHistory {
  readonly #watch: (path: string) => Promise<KubeResponse>
  readonly #now: () => number
  readonly #onChange: (change: ObjectChange) => void
  readonly #known = new Map<string, Known>()
  readonly #byResource = new Map<Followed, Map<string, KubeObject>>()
  readonly #byController = new Map<string, Map<string, KubeObject>>()
  readonly #writers = new Map<string, string>()
  readonly #goneAt = new Map<string, number>()
  /** Namespaces and names of objects that lost their controller. */
  readonly #released = new Set<string>()
  /** Pods as they were before their labels were changed. */
  readonly #relabeled: Pod[] = []
  readonly #stops: (() => void)[] = []

  constructor(deps: {
    /** Opens a watch of a collection. */
    readonly watch: (path: string) => Promise<KubeResponse>
    readonly now: () => number
    readonly onChange: (change: ObjectChange) => void
  }) {
    this.#watch = deps.watch
    this.#now = deps.now
    this.#onChange = deps.onChange
  }

  async start(): Promise<void> {
    for (const resource of followed) await this.#follow(resource)
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Records the writer of a version; call it before the watch sends the version. */
  written(resource: string, version: string, user: string): void {
    if (plurals.has(resource)) this.#writers.set(version, user)
  }

  async #follow(resource: Followed): Promise<void> {
    const response = await this.#watch(resourcePath({ resource }))
    if (response.kind !== 'watch') throw new Error(`${resource} cannot be watched`)
    const { stream } = response
    this.#stops.push(stream.stop)
    void (async () => {
      for await (const { type, object } of stream.events)
        if (type !== 'BOOKMARK' && type !== 'ERROR') this.take(resource, type, object as KubeObject)
    })()
  }

  take(resource: Followed, type: ObjectChange['type'], object: KubeObject): void {
    const { uid, resourceVersion = '' } = object.metadata
    const known = this.#known.get(uid)
    const user = this.#writers.get(resourceVersion) ?? ''
    this.#writers.delete(resourceVersion)
    const now = this.#now()
    const before = known?.object
    if (before !== undefined) this.#unlist(resource, before)
    if (
      before !== undefined &&
      controllerOf(before) !== undefined &&
      controllerOf(object) === undefined
    )
      this.#released.add(nameOf(object.metadata))
    if (resource === 'pods' && before !== undefined) this.#noteLabels(before, object)
    if (type === 'DELETED') {
      this.#known.delete(uid)
      this.#goneAt.set(uid, now)
    } else {
      const older = (known?.versions ?? [])
        .map((version) => ({ ...version, until: version.until ?? now }))
        .filter(({ until }) => until >= now - recentMs)
      this.#known.set(uid, {
        resource,
        object,
        versions: [...older, { object, until: undefined }],
      })
      this.#list(resource, object)
    }
    this.#onChange({ resource, type, object, before, user })
  }

  #noteLabels(before: KubeObject, { metadata: { labels } }: KubeObject): void {
    if (!equalJson(before.metadata.labels ?? {}, labels ?? {}))
      this.#relabeled.push(before as unknown as Pod)
  }

  #list(resource: Followed, object: KubeObject): void {
    const { uid } = object.metadata
    setIn(this.#byResource, resource, uid, object)
    const controller = controllerOf(object)
    if (controller !== undefined) setIn(this.#byController, controller.uid, uid, object)
  }

  #unlist(resource: Followed, object: KubeObject): void {
    const { uid } = object.metadata
    this.#byResource.get(resource)?.delete(uid)
    const controller = controllerOf(object)
    if (controller === undefined) return
    const owned = this.#byController.get(controller.uid)
    owned?.delete(uid)
    if (owned?.size === 0) this.#byController.delete(controller.uid)
  }

  all<R extends Followed>(resource: R): readonly AnyResources[R][] {
    // The server's objects are of their resource's type.
    return [...(this.#byResource.get(resource)?.values() ?? [])] as unknown as AnyResources[R][]
  }

  /** Every object that is there. */
  everything(): readonly { readonly resource: Followed; readonly object: KubeObject }[] {
    return [...this.#known.values()]
  }

  /** The object with that UID if it is there and of that resource. */
  get<R extends Followed>(resource: R, uid: string): AnyResources[R] | undefined {
    return this.#byResource.get(resource)?.get(uid) as AnyResources[R] | undefined
  }

  /** Whether an object with that UID is there, or was in the last ten seconds. */
  wasThere(uid: string): boolean {
    const goneAt = this.#goneAt.get(uid)
    return this.#known.has(uid) || (goneAt !== undefined && goneAt >= this.#now() - recentMs)
  }

  /** Whether an object of that name lost its controller, since the history began. */
  wasReleased(of: Pick<ObjectMeta, 'namespace' | 'name'>): boolean {
    return this.#released.has(nameOf(of))
  }

  /** Pods as they were before their labels were changed, since the history began. */
  get relabeled(): readonly Pod[] {
    return this.#relabeled
  }

  exists(uid: string): boolean {
    return this.#known.has(uid)
  }

  /** What the controller with that UID owns. */
  ownedBy<R extends Followed>(resource: R, controllerUid: string): readonly AnyResources[R][] {
    const owned = [...(this.#byController.get(controllerUid)?.values() ?? [])]
    return owned.filter(
      ({ metadata }) => this.#known.get(metadata.uid)?.resource === resource,
    ) as unknown as AnyResources[R][]
  }

  /** The versions that an object had in the last ten seconds, or in these ms, the present one last. */
  recent<T extends { readonly metadata: { readonly uid: string } }>(
    { metadata }: T,
    ms = recentMs,
  ): readonly T[] {
    const earliest = this.#now() - ms
    const versions = this.#known.get(metadata.uid)?.versions ?? []
    // All versions of an object are of its type.
    return versions
      .filter(({ until }) => until === undefined || until >= earliest)
      .map(({ object }) => object as unknown as T)
  }
}

const plurals = new Set(followed.map((resource): string => resource.split('/').at(-1) ?? ''))

function setIn<K>(
  maps: Map<K, Map<string, KubeObject>>,
  key: K,
  uid: string,
  object: KubeObject,
): void {
  const map = maps.get(key) ?? new Map<string, KubeObject>()
  maps.set(key, map.set(uid, object))
}
