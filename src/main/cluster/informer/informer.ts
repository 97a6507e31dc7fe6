import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { WatchableObject } from '../client/list-pages.ts'
import { Reflector } from './reflector.ts'
import type { ReflectorDeps, StoreChange } from './reflector.ts'
import { objectKey } from '../client/resource-paths.ts'
import type { AnyResource, AnyResources } from '../client/resource-paths.ts'

/**
 * Called after the store has changed. `causes`: the trace events of the write; none for a list. An object that replaces one
 * of the same name with another UID is a delete and an add.
 */
export interface ResourceEventHandler<T> {
  readonly onAdd?: (object: T, causes: TraceCauses) => void
  readonly onUpdate?: (object: T, causes: TraceCauses, before: T) => void
  readonly onDelete?: (object: T, causes: TraceCauses) => void
}

export interface InformerDeps<R extends AnyResource, I extends string> extends Omit<
  ReflectorDeps<R>,
  'onChange'
> {
  /** client-go's Indexers: the name of each index, and the value under which it finds an object, if any. */
  readonly indexers?: readonly (readonly [
    name: I,
    valueOf: (object: AnyResources[R]) => string | undefined,
  ])[]
}

/** Objects by one value of each. */
class Index<T extends WatchableObject> {
  readonly #valueOf: (object: T) => string | undefined
  readonly #objects = new Map<string, Map<string, T>>()

  constructor(valueOf: (object: T) => string | undefined) {
    this.#valueOf = valueOf
  }

  find(value: string): readonly T[] {
    return [...(this.#objects.get(value)?.values() ?? [])]
  }

  replace(before: T | undefined, after: T | undefined): void {
    const old = before === undefined ? undefined : this.#valueOf(before)
    const value = after === undefined ? undefined : this.#valueOf(after)
    if (before !== undefined && old !== undefined && old !== value) this.#remove(before, old)
    if (after === undefined || value === undefined) return
    const same = this.#objects.get(value) ?? new Map<string, T>()
    this.#objects.set(value, same.set(objectKey(after.metadata), after))
  }

  #remove({ metadata }: T, value: string): void {
    const same = this.#objects.get(value)
    same?.delete(objectKey(metadata))
    if (same?.size === 0) this.#objects.delete(value)
  }
}

/**
 * client-go's shared informer with its lister: one reflector, any number of handlers, and its store by key and by index.
 * After `stop` it cannot be started again.
 */
export class Informer<R extends AnyResource, I extends string = never> {
  readonly #reflector: Reflector<R>
  readonly #handlers: ResourceEventHandler<AnyResources[R]>[] = []
  readonly #indexes: ReadonlyMap<I, Index<AnyResources[R]>>

  constructor(deps: InformerDeps<R, I>) {
    this.#indexes = new Map(
      (deps.indexers ?? []).map(([name, valueOf]) => [name, new Index(valueOf)]),
    )
    this.#reflector = new Reflector({
      ...deps,
      onChange: (store, change) => {
        this.#changed(store, change)
      },
    })
  }

  /** Call it before `start`, so that the handler gets every object. */
  addEventHandler(handler: ResourceEventHandler<AnyResources[R]>): void {
    this.#handlers.push(handler)
  }

  start(): void {
    this.#reflector.start()
  }

  stop(): void {
    this.#reflector.stop()
  }

  /** See `Reflector.retryNow`. */
  retryNow(): void {
    this.#reflector.retryNow()
  }

  /** True once the first list is stored. */
  readonly hasSynced = (): boolean => this.#reflector.hasSynced()

  list(): readonly AnyResources[R][] {
    return [...this.#reflector.store.values()]
  }

  /** `namespace`: empty for cluster-scoped resources. */
  get(namespace: string, name: string): AnyResources[R] | undefined {
    return this.#reflector.store.get(`${namespace}/${name}`)
  }

  byIndex(index: I, value: string): readonly AnyResources[R][] {
    return this.#indexes.get(index)?.find(value) ?? []
  }

  #changed(
    store: ReadonlyMap<string, AnyResources[R]>,
    change: StoreChange<AnyResources[R]>,
  ): void {
    if (change.type !== 'REPLACED') {
      const { type, object, before, causes } = change
      this.#index(before, type === 'DELETED' ? undefined : object)
      if (type === 'DELETED') this.#delete(object, causes)
      else this.#put(object, before, causes)
      return
    }
    const { before, causes } = change
    // First all, then the handlers: a controller that hears of the first object may look for the others.
    for (const [key, object] of store) this.#index(before.get(key), object)
    for (const [key, object] of before) if (!store.has(key)) this.#index(object, undefined)
    for (const [key, object] of store) this.#put(object, before.get(key), causes)
    for (const [key, object] of before) if (!store.has(key)) this.#delete(object, causes)
  }

  #put(object: AnyResources[R], before: AnyResources[R] | undefined, causes: TraceCauses): void {
    if (before?.metadata.uid === object.metadata.uid) {
      if (before.metadata.resourceVersion === object.metadata.resourceVersion) return
      for (const { onUpdate } of this.#handlers) onUpdate?.(object, causes, before)
      return
    }
    if (before !== undefined) this.#delete(before, causes)
    for (const { onAdd } of this.#handlers) onAdd?.(object, causes)
  }

  #delete(object: AnyResources[R], causes: TraceCauses): void {
    for (const { onDelete } of this.#handlers) onDelete?.(object, causes)
  }

  #index(before: AnyResources[R] | undefined, after: AnyResources[R] | undefined): void {
    for (const index of this.#indexes.values()) index.replace(before, after)
  }
}
