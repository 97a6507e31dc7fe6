import { freezeJson } from '../../shared/json.ts'
import type { KubeObject } from '../../shared/kubernetes/objects.ts'
import { sizeOf } from './endpoints/object-size.ts'
import { groupResource } from './registry/resource-type.ts'
import type { ResourceRegistry } from './registry/resource-registry.ts'
import type { ResourceType, StoredAs } from './registry/resource-type.ts'
import { resourceTypes, typeOfKind } from './registry/resource-types.ts'

/** One write as watches see it. Objects are frozen. */
export interface StoreEvent {
  readonly resourceVersion: number
  readonly change: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** The current object, or the last state of a deleted one with the resource version of the deletion. */
  readonly object: KubeObject
  readonly previous: KubeObject | undefined
  readonly causes: readonly number[]
}

/** A stored object and its resource, such as `pods` or `leases.coordination.k8s.io`. */
export interface KeptObject {
  readonly resource: string
  readonly object: KubeObject
}

/** A write, for what keeps the objects. */
export type ObjectWritten = KeptObject & Pick<StoreEvent, 'change' | 'resourceVersion'>

/** How the objects outlive the process. */
export interface KeptObjects {
  /** Those of the process before, and its newest resource version. */
  readonly objects: readonly KeptObject[]
  readonly resourceVersion: number
  /** Called synchronously with every write. */
  readonly record: (written: ObjectWritten) => void
}

export interface ObjectName {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string
  readonly name: string
}

/** How many past writes of a resource are kept. */
export interface RingLimits {
  readonly events: number
  /** Characters of the events' objects as JSON. */
  readonly size: number
}

/** The last writes of one resource. */
class EventRing {
  readonly #limits: RingLimits
  /** The entries before `start` are dropped. */
  #events: (StoreEvent | undefined)[] = []
  #start = 0
  #size = 0
  /** The version of the newest dropped entry. */
  newestDropped: number

  constructor(limits: RingLimits, since: number) {
    this.#limits = limits
    this.newestDropped = since
  }

  push(event: StoreEvent): void {
    this.#events.push(event)
    this.#size += sizeOf(event.object)
    const { events, size } = this.#limits
    while (this.#events.length - this.#start > events || this.#size > size) this.#drop()
    // Compacted rarely, so that a push takes constant time on average.
    if (this.#start < events) return
    this.#events = this.#events.slice(this.#start)
    this.#start = 0
  }

  #drop(): void {
    const oldest = this.#events[this.#start]
    if (oldest === undefined) return
    this.newestDropped = oldest.resourceVersion
    this.#size -= sizeOf(oldest.object)
    this.#events[this.#start++] = undefined
  }

  after(resourceVersion: number): readonly StoreEvent[] {
    let low = this.#start
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.resourceVersion ?? 0) > resourceVersion) high = middle
      else low = middle + 1
    }
    return this.#events.slice(low).filter((event) => event !== undefined)
  }
}

/** The objects of one resource. */
export class Collection {
  readonly #objects = new Map<string, KubeObject>()
  readonly #ring: EventRing
  readonly #listeners = new Map<(event: StoreEvent) => void, () => void>()
  #sorted: readonly KubeObject[] | undefined
  #bytes = 0

  /** `since`: no write up to this version is known. */
  constructor(limits: RingLimits, objects: readonly KubeObject[] = [], since = 0) {
    this.#ring = new EventRing(limits, since)
    for (const object of objects) {
      const { namespace = '', name } = object.metadata
      this.#objects.set(keyOf({ namespace, name }), object)
      this.#bytes += sizeOf(object)
    }
  }

  /** Characters of all objects as JSON. */
  get bytes(): number {
    return this.#bytes
  }

  get(key: ObjectName): KubeObject | undefined {
    return this.#objects.get(keyOf(key))
  }

  /** In the order of their keys, as etcd lists them. */
  list(): readonly KubeObject[] {
    this.#sorted ??= [...this.#objects]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object)
    return this.#sorted
  }

  commit(event: StoreEvent): void {
    const { metadata } = event.object
    const key = keyOf({ namespace: metadata.namespace ?? '', name: metadata.name })
    const before = this.#objects.get(key)
    if (before !== undefined) this.#bytes -= sizeOf(before)
    if (event.change === 'DELETED') this.#objects.delete(key)
    else {
      this.#bytes += sizeOf(event.object)
      this.#objects.set(key, event.object)
    }
    this.#sorted = undefined
    this.#ring.push(event)
    for (const listener of this.#listeners.keys()) listener(event)
  }

  /** All writes after a version, oldest first; `undefined` if some of them are no longer kept. */
  eventsAfter(resourceVersion: number): readonly StoreEvent[] | undefined {
    return resourceVersion < this.oldestVersion ? undefined : this.#ring.after(resourceVersion)
  }

  /** The oldest version that `eventsAfter` can start from. */
  get oldestVersion(): number {
    return this.#ring.newestDropped
  }

  /**
   * Calls `listener` synchronously for every later write, and `onEnd` when the resource is no longer served. Returns a function
   * that unsubscribes both.
   */
  listen(listener: (event: StoreEvent) => void, onEnd: () => void = () => undefined): () => void {
    this.#listeners.set(listener, onEnd)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Ends its watches. */
  close(): void {
    for (const onEnd of this.#listeners.values()) onEnd()
    this.#listeners.clear()
  }
}

type Conversion = Pick<StoredAs, 'fromStored' | 'toStored'>

/** The objects of one resource in another version: reads and writes are converted, and nothing is stored twice. */
class ConvertedCollection extends Collection {
  readonly #stored: Collection
  readonly #conversion: Conversion
  readonly #ends = new Set<() => void>()
  /** By the stored object. */
  readonly #shown = new WeakMap<KubeObject, KubeObject>()

  constructor(stored: Collection, conversion: Conversion) {
    super({ events: 0, size: 0 })
    this.#stored = stored
    this.#conversion = conversion
  }

  override get bytes(): number {
    return 0
  }

  override get(key: ObjectName): KubeObject | undefined {
    const object = this.#stored.get(key)
    return object && this.#show(object)
  }

  override list(): readonly KubeObject[] {
    return this.#stored.list().map((object) => this.#show(object))
  }

  override commit(event: StoreEvent): void {
    const { toStored } = this.#conversion
    const { namespace = '', name } = event.object.metadata
    this.#stored.commit({
      ...event,
      object: freezeJson(toStored(event.object)),
      previous: this.#stored.get({ namespace, name }),
    })
  }

  override eventsAfter(resourceVersion: number): readonly StoreEvent[] | undefined {
    return this.#stored.eventsAfter(resourceVersion)?.map((event) => this.#showEvent(event))
  }

  override get oldestVersion(): number {
    return this.#stored.oldestVersion
  }

  override listen(
    listener: (event: StoreEvent) => void,
    onEnd: () => void = () => undefined,
  ): () => void {
    const stop = this.#stored.listen((event) => {
      listener(this.#showEvent(event))
    }, onEnd)
    this.#ends.add(onEnd)
    return () => {
      stop()
      this.#ends.delete(onEnd)
    }
  }

  override close(): void {
    for (const onEnd of this.#ends) onEnd()
  }

  #show(object: KubeObject): KubeObject {
    const known = this.#shown.get(object)
    if (known !== undefined) return known
    const shown = freezeJson(this.#conversion.fromStored(object))
    this.#shown.set(object, shown)
    return shown
  }

  #showEvent(event: StoreEvent): StoreEvent {
    const { object, previous } = event
    return { ...event, object: this.#show(object), previous: previous && this.#show(previous) }
  }
}

/** The key under which an object is stored and sorted. */
export function keyOf({ namespace, name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

/**
 * Clients may have seen writes that a killed process did not keep: their versions are not given a second time, so that no watch
 * continues over them.
 */
const versionGap = 1000

/** All objects in memory, with one counter of resource versions for all of them. */
export class ObjectStore {
  readonly #registry: ResourceRegistry
  readonly #limits: RingLimits
  readonly #kept: KeptObjects | undefined
  readonly #collections = new Map<ResourceType, Collection>()
  /** The stored objects of custom kinds, in whichever version they were written. */
  readonly #custom = new Map<string, Collection>()
  #customTypes: readonly ResourceType[] = []
  #resourceVersion = 0

  constructor(registry: ResourceRegistry, limits: RingLimits, kept?: KeptObjects) {
    this.#registry = registry
    this.#limits = limits
    this.#kept = kept
    if (kept !== undefined && kept.resourceVersion > 0)
      this.#resourceVersion = kept.resourceVersion + versionGap
    for (const type of registry.stored) {
      if (type.storedAs === undefined)
        this.#collections.set(type, this.#collection(groupResource(type), kept?.objects))
    }
    for (const type of registry.stored) {
      if (type.storedAs === undefined) continue
      const stored = this.of(type.storedAs.type)
      this.#collections.set(type, new ConvertedCollection(stored, type.storedAs))
    }
    const definitions = this.of(typeOfKind('CustomResourceDefinition'))
    // Definitions are named like the resources that they define.
    for (const { metadata } of definitions.list())
      this.#custom.set(metadata.name, this.#collection(metadata.name, kept?.objects))
    const define = (): void => {
      registry.define(definitions.list())
      this.#serveCustom()
    }
    define()
    definitions.listen(define)
  }

  /** `kept`: what an earlier process has kept, of all resources. */
  #collection(resource: string, kept: readonly KeptObject[] = []): Collection {
    const own = kept
      .filter((one) => one.resource === resource)
      .map(({ object }) => freezeJson(object))
    const collection = new Collection(this.#limits, own, this.#resourceVersion)
    if (this.#kept !== undefined)
      collection.listen(({ object, change, resourceVersion }) => {
        this.#kept?.record({ resource, object, change, resourceVersion })
      })
    return collection
  }

  /** Gives each served version of a custom kind its view of the stored objects. */
  #serveCustom(): void {
    const { custom } = this.#registry
    if (custom === this.#customTypes) return
    const before = this.#customTypes.filter((type) => !custom.includes(type))
    this.#customTypes = custom
    const ended = new Set(before)
    for (const type of custom) {
      if (type.custom === undefined || this.#collections.has(type)) continue
      const same = before.find(
        (old) => old.version === type.version && old.custom?.definition === type.custom?.definition,
      )
      const view = same && this.#collections.get(same)
      if (same !== undefined && view !== undefined) {
        ended.delete(same)
        this.#collections.set(type, view)
        continue
      }
      const resource = groupResource(type)
      const stored = this.#custom.get(resource) ?? this.#collection(resource)
      this.#custom.set(resource, stored)
      this.#collections.set(type, new ConvertedCollection(stored, type.custom))
    }
    for (const type of before) {
      const view = this.#collections.get(type)
      this.#collections.delete(type)
      // As on a real server, where a changed definition gets a new storage.
      if (ended.has(type)) view?.close()
    }
    const resources = new Set(custom.map(groupResource))
    for (const [resource, stored] of this.#custom) {
      // Objects of a kind that no version serves at present stay.
      if (resources.has(resource) || stored.list().length > 0) continue
      this.#custom.delete(resource)
      stored.close()
    }
  }

  get resourceVersion(): number {
    return this.#resourceVersion
  }

  /** Characters of all objects as JSON. */
  get size(): number {
    let sum = 0
    for (const collection of this.#collections.values()) sum += collection.bytes
    for (const collection of this.#custom.values()) sum += collection.bytes
    return sum
  }

  /** Of which there are collections. */
  get types(): readonly ResourceType[] {
    return this.#registry.stored
  }

  nextResourceVersion(): number {
    return ++this.#resourceVersion
  }

  of(type: ResourceType): Collection {
    const collection = this.#collections.get(type)
    if (collection === undefined) throw new Error(`no collection of ${type.plural}`)
    return collection
  }

  /** Every stored object. */
  objects(): readonly KeptObject[] {
    const all = (collection: Collection, resource: string): readonly KeptObject[] =>
      collection.list().map((object) => ({ resource, object }))
    return [
      ...resourceTypes.flatMap((type) => all(this.of(type), groupResource(type))),
      ...[...this.#custom].flatMap(([resource, stored]) => all(stored, resource)),
    ]
  }
}
