import { goQuote } from '../../../shared/go/text.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { sleep } from '../container/deferred.ts'
import { podNamespace, traceAbout } from '../pod/identity.ts'
import type {
  ApiError,
  CancelTimer,
  Clock,
  ObjectChange,
  ObjectWatch,
  Resources,
  Trace,
  WatchObject,
} from '../ports.ts'

type WatchedResource = 'secrets' | 'configmaps'

export interface ObjectManagerDeps {
  readonly clock: Clock
  readonly trace: Trace
  readonly watchObject: WatchObject
  /** The kubelet's syncFrequency. */
  readonly resyncIntervalMs: number
}

interface Kind<R extends WatchedResource> {
  readonly resource: R
  /** In error messages. */
  readonly singular: string
  readonly namesOf: (spec: Pod['spec']) => ReadonlySet<string>
}

interface CachedObject<R extends WatchedResource> {
  /** UIDs. */
  readonly pods: Set<string>
  watch: ObjectWatch<Resources[R]>
  isStopped: boolean
  /** When the watch ended; undefined while it runs. */
  stoppedAt?: number | undefined
  isImmutable: boolean
  lastAccessAt: number
  /** The trace event of its last arrival; none before. */
  causes: TraceCauses
}

/** What the cache has of an object. `unread`: nothing was read yet, or no registered pod refers to it. */
export type PeekedObject<T> =
  | { readonly state: 'unread' }
  | { readonly state: 'found'; readonly object: T; readonly asOf: number | undefined }
  | { readonly state: 'missing'; readonly asOf: number | undefined }

const pollMs = 10
const syncTimeoutMs = 1000
const recycleMs = 60_000
/** An object that no volume uses is read only when a container starts. */
const idleResyncs = 5

/**
 * Caches the objects of one resource that registered pods refer to, each filled by a watch of its own. The watch begins with the
 * first reference and ends with the last one, when an immutable object was read, or when the object was not read for five
 * resyncs; the next read of such an object begins a new one. Source: pkg/kubelet/util/manager NewWatchBasedManager.
 */
export class WatchBasedManager<R extends WatchedResource> {
  readonly #deps: ObjectManagerDeps
  readonly #kind: Kind<R>
  readonly #maxIdleMs: number
  /** By `namespace/name`. */
  readonly #objects = new Map<string, CachedObject<R>>()
  /** By UID. The names are found in the spec again, to save memory. */
  readonly #registered = new Map<string, Pod['spec']>()
  #cancelRecycling: CancelTimer = () => undefined
  #isStopped = false

  constructor(deps: ObjectManagerDeps, kind: Kind<R>) {
    this.#deps = deps
    this.#kind = kind
    this.#maxIdleMs = Math.max(deps.resyncIntervalMs * idleResyncs, 60_000)
  }

  /** Begins to end watches of objects that are not read. */
  start(): void {
    this.#cancelRecycling = this.#deps.clock.after(recycleMs, () => {
      this.#stopIdle()
      this.start()
    })
  }

  /** Ends all watches. What was read is still answered. */
  stop(): void {
    this.#isStopped = true
    this.#cancelRecycling()
    for (const object of this.#objects.values()) this.#stopWatch(object)
  }

  /** Starts watches for new references of the pod, and drops references that it no longer has. */
  readonly registerPod = (pod: Pod): void => {
    const { uid } = pod.metadata
    const before = this.#registered.get(uid)
    if (before === pod.spec) return
    const names = this.#kind.namesOf(pod.spec)
    this.#registered.set(uid, pod.spec)
    const namesBefore = this.#namesIn(before)
    for (const name of names) if (!namesBefore.has(name)) this.#addReference(pod, name)
    for (const name of namesBefore) if (!names.has(name)) this.#deleteReference(pod, name)
  }

  readonly unregisterPod = (pod: Pod): void => {
    const { uid } = pod.metadata
    const names = this.#namesIn(this.#registered.get(uid))
    this.#registered.delete(uid)
    for (const name of names) this.#deleteReference(pod, name)
  }

  /** `namespace/name` of each object that pods refer to. */
  names(): readonly string[] {
    return [...this.#objects.keys()]
  }

  /** The trace events by which the objects arrived that this part of a pod's spec refers to. */
  causesOf(namespace: string, spec: Pod['spec']): TraceCauses {
    return [...this.#kind.namesOf(spec)].flatMap(
      (name) => this.#objects.get(`${namespace}/${name}`)?.causes ?? [],
    )
  }

  /**
   * The object as its watch last told. Waits up to a second for the first list. Errors: `not-found`; `timeout` if the server did
   * not answer; `unknown` if no registered pod refers to it.
   */
  async getObject(namespace: string, name: string): Promise<Result<Resources[R], ApiError>> {
    const { singular } = this.#kind
    const object = this.#objects.get(`${namespace}/${name}`)
    if (object === undefined) {
      const message = `object ${goQuote(namespace)}/${goQuote(name)} not registered`
      return err({ kind: 'unknown', message })
    }
    object.lastAccessAt = this.#deps.clock.now()
    if (object.isStopped && !object.isImmutable && !this.#isStopped) {
      object.watch = this.#watch(namespace, name)
      object.isStopped = false
      object.stoppedAt = undefined
    }
    if (!(await this.#waitForSync(object))) {
      const message = `failed to sync ${singular} cache: timed out waiting for the condition`
      return err({ kind: 'timeout', message })
    }
    const found = object.watch.get()
    if (found === undefined)
      return err({ kind: 'not-found', message: `${singular} ${goQuote(name)} not found` })
    if (found.immutable === true) {
      object.isImmutable = true
      this.#stopWatch(object)
    }
    return ok(found)
  }

  /** The object as `getObject` answers it, if that is known at once; else undefined, also for each error. */
  readonly heldObject = (namespace: string, name: string): Resources[R] | undefined => {
    const object = this.#objects.get(`${namespace}/${name}`)
    if (object === undefined || !hasSynced(object)) return undefined
    const found = object.watch.get()
    // The first read of an immutable object ends its watch.
    if (found === undefined || (found.immutable === true && !object.isImmutable)) return undefined
    object.lastAccessAt = this.#deps.clock.now()
    return found
  }

  #namesIn(spec: Pod['spec'] | undefined): ReadonlySet<string> {
    return spec === undefined ? new Set() : this.#kind.namesOf(spec)
  }

  /** The same without a wait and without effect on the watch. `asOf`: when it ended, so that what came after is not known. */
  peek(namespace: string, name: string): PeekedObject<Resources[R]> {
    const cached = this.#objects.get(`${namespace}/${name}`)
    if (cached?.watch.hasSynced() !== true) return { state: 'unread' }
    // It has ended since, but an immutable object cannot have changed.
    const asOf = cached.isImmutable ? undefined : cached.stoppedAt
    const object = cached.watch.get()
    return object === undefined ? { state: 'missing', asOf } : { state: 'found', object, asOf }
  }

  #watch(namespace: string, name: string): ObjectWatch<Resources[R]> {
    const { resource } = this.#kind
    return this.#deps.watchObject({ resource, namespace, name }, (change) => {
      this.#received(namespace, name, change)
    })
  }

  #received(namespace: string, name: string, { causes, uid, ...data }: ObjectChange): void {
    const subject = { kind: 'object', resource: this.#kind.resource, namespace, name, uid } as const
    const seq = traceAbout(this.#deps.trace, subject, 'object.received', causes, data)
    const object = this.#objects.get(`${namespace}/${name}`)
    if (object !== undefined) object.causes = [seq]
  }

  #addReference(pod: Pod, name: string): void {
    const namespace = podNamespace(pod)
    const key = `${namespace}/${name}`
    const object = this.#objects.get(key)
    if (object !== undefined) object.pods.add(pod.metadata.uid)
    else if (!this.#isStopped)
      this.#objects.set(key, {
        pods: new Set([pod.metadata.uid]),
        watch: this.#watch(namespace, name),
        isStopped: false,
        isImmutable: false,
        lastAccessAt: Number.NEGATIVE_INFINITY,
        causes: [],
      })
  }

  #deleteReference(pod: Pod, name: string): void {
    const key = `${podNamespace(pod)}/${name}`
    const object = this.#objects.get(key)
    object?.pods.delete(pod.metadata.uid)
    if (object?.pods.size !== 0) return
    this.#stopWatch(object)
    this.#objects.delete(key)
  }

  #stopWatch(object: CachedObject<R>): void {
    object.isStopped = true
    object.stoppedAt ??= this.#deps.clock.now()
    object.watch.stop()
  }

  #stopIdle(): void {
    const idleSince = this.#deps.clock.now() - this.#maxIdleMs
    for (const object of this.#objects.values()) {
      const isIdle = !object.isStopped && object.lastAccessAt < idleSince
      // A list that is under way would have to be repeated.
      if (isIdle && object.watch.hasSynced()) this.#stopWatch(object)
    }
  }

  async #waitForSync(object: CachedObject<R>): Promise<boolean> {
    for (let waitedMs = 0; !hasSynced(object); waitedMs += pollMs) {
      if (waitedMs >= syncTimeoutMs) return false
      await sleep(this.#deps.clock, pollMs)
    }
    return true
  }
}

/** Whether what its watch last told is the object. */
function hasSynced<R extends WatchedResource>({
  watch,
  isStopped,
  isImmutable,
}: CachedObject<R>): boolean {
  return watch.hasSynced() && (!isStopped || isImmutable)
}
