import { assertNever } from '../../../shared/assert-never.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type {
  KubeResponse,
  Transport,
  WatchEvent,
  WatchStream,
} from '../../../shared/kubernetes/request.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { withPartsOf } from '../../../shared/shared-parts.ts'
import { ValuePool } from '../../../shared/value-pool.ts'
import type { ApiError, Clock, Log, Random } from '../../kubelet/ports.ts'
import { apiErrorOfResponse, apiErrorOfStatus, apiErrorOfThrown } from '../client/api-errors.ts'
import { BackOff } from './back-off.ts'
import { startIdleWatchdog } from './idle-watchdog.ts'
import { isApiObject, listPages, selectorQuery } from '../client/list-pages.ts'
import type { WatchableObject } from '../client/list-pages.ts'
import { objectKey, resourcePath } from '../client/resource-paths.ts'
import type { AnyResource, AnyResources } from '../client/resource-paths.ts'

/**
 * One change of the store, with the state before it. `REPLACED`: a list, the first one or one after a gap; anything may
 * differ. An object that replaces one of the same name with another UID gives DELETED and ADDED.
 */
export type StoreChange<T> =
  | {
      readonly type: 'REPLACED'
      readonly before: ReadonlyMap<string, T>
      readonly causes: TraceCauses
    }
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
      readonly object: T
      readonly before: T | undefined
      readonly causes: TraceCauses
    }

/**
 * Whether the server responds. Times are ms of the reflector's clock. `since`: the first of the failures in a row, or the last
 * event of a watch that was idle before.
 */
export type ReflectorStatus =
  | { readonly kind: 'connected' }
  | {
      readonly kind: 'away'
      readonly since: number
      readonly retryAt: number
      readonly message: string
      /** The server answers, and refuses this resource for lack of rights (403). */
      readonly isForbidden?: true
    }

export interface ReflectorDeps<R extends AnyResource> {
  readonly transport: Transport
  readonly resource: R
  readonly namespace?: string
  readonly fieldSelector?: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Called after each change, in order. The map is the live store, by `namespace/name`. Errors that it throws are logged. */
  readonly onChange: (
    store: ReadonlyMap<string, AnyResources[R]>,
    change: StoreChange<AnyResources[R]>,
  ) => void
  /**
   * Whether the objects of the first list are told as they arrive, page by page: then it is not known which others there are
   * until `hasSynced`. Default: false.
   */
  readonly tellsPages?: boolean
  /** Called when the server becomes unavailable, after each failed try, and when it responds again. */
  readonly onStatus?: (status: ReflectorStatus) => void
  /** The server ends a watch after this time to twice this time. Default 300 s, as in client-go. */
  readonly minWatchTimeoutSeconds?: number
  /** A watch without an event or a bookmark for this time is reopened. Default 90 s. */
  readonly idleTimeoutMs?: number
}

type Outcome =
  | { readonly kind: 'listed' | 'expired' | 'stopped' }
  | { readonly kind: 'ended'; readonly tooShort: boolean }
  | { readonly kind: 'failed'; readonly error: ApiError }

// client-go tools/cache/reflector.go: 800 ms doubling to 30 s; a watch that ends within a second waits too.
const backOffMs = { baseMs: 800, maxMs: 30_000 } as const
const shortWatchMs = 1000
const defaultMinWatchTimeoutSeconds = 300
const defaultIdleTimeoutMs = 90_000

// The largest part of most objects; Nodescope does not read it.
function withoutManagedFields(object: WatchableObject): WatchableObject {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _dropped, ...metadata } = object.metadata
  return { ...object, metadata }
}

/**
 * The object with its unchanged top-level parts taken from the one before, so that they can be compared by identity: a server
 * sends a pod's whole spec with every change of its status. Parts of what is new are shared with other objects.
 */
function sharedParts(
  before: WatchableObject | undefined,
  object: WatchableObject,
  pool: ValuePool,
): WatchableObject {
  if (before === undefined) return pool.share(object)
  const old: Readonly<Record<string, unknown>> = { ...before }
  const parts = Object.entries(object).map(([field, value]: [string, unknown]) => {
    const taken = withPartsOf(value, old[field])
    return { field, value, shared: taken === old[field] ? taken : pool.share(taken) }
  })
  const changed = parts.filter(({ value, shared }) => value !== shared)
  if (changed.length === 0) return object
  return { ...object, ...Object.fromEntries(changed.map(({ field, shared }) => [field, shared])) }
}

/**
 * client-go's reflector: list and watch of one resource with pages, bookmarks, resuming at the last resource version, a new
 * list after 410, back-off with jitter and Retry-After, and an idle watchdog. Objects are raw JSON without managedFields.
 * After `stop` it cannot be started again.
 */
export class Reflector<R extends AnyResource> {
  readonly #deps: ReflectorDeps<R>
  readonly #store = new Map<string, AnyResources[R]>()
  readonly #backOff: BackOff
  readonly #pool = new ValuePool()
  #state: 'new' | 'running' | 'stopped' = 'new'
  #hasSynced = false
  #resourceVersion: string | undefined
  #unavailableSince: number | undefined
  #isConnected = false
  /** The last event of a watch that got idle, until the server answers again. */
  #silentSince: number | undefined
  #stream: WatchStream | undefined
  #wake: (() => void) | undefined

  constructor(deps: ReflectorDeps<R>) {
    this.#deps = deps
    this.#backOff = new BackOff({ ...backOffMs, random: deps.random })
  }

  /** The live store, by `namespace/name`; `/name` for cluster-scoped objects. */
  get store(): ReadonlyMap<string, AnyResources[R]> {
    return this.#store
  }

  /** True once a whole list has been stored. */
  readonly hasSynced = (): boolean => this.#hasSynced

  start(): void {
    if (this.#state !== 'new') return
    this.#state = 'running'
    void this.#run()
  }

  /** Ends the watch and every wait. No callback runs afterwards. */
  stop(): void {
    this.#state = 'stopped'
    this.#stream?.stop()
    this.#wake?.()
  }

  /** Ends a wait for the next try; a try in flight or an open watch continues. The back-off is not reset. */
  retryNow(): void {
    this.#wake?.()
  }

  get #isStopped(): boolean {
    return this.#state === 'stopped'
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      let outcome: Outcome
      try {
        outcome = await this.#listOrWatch()
      } catch (error) {
        this.#deps.log.error('reflector broke, trying again', { ...this.#what(), error })
        outcome = { kind: 'failed', error: { kind: 'unknown', message: String(error) } }
      }
      const delayMs = this.#isStopped ? 0 : this.#delayAfter(outcome)
      if (delayMs > 0) await this.#sleep(delayMs)
    }
  }

  async #listOrWatch(): Promise<Outcome> {
    return this.#resourceVersion === undefined
      ? await this.#list()
      : await this.#watch(this.#resourceVersion)
  }

  #delayAfter(outcome: Outcome): number {
    switch (outcome.kind) {
      case 'listed':
      case 'stopped':
        return 0
      case 'ended':
        return outcome.tooShort ? this.#backOff.next() : 0
      case 'expired': {
        this.#deps.log.info('watch expired, listing again', this.#what())
        this.#resourceVersion = undefined
        // No delay the first time; but a server that expires every watch must not be listed in a loop.
        const isFirst = this.#backOff.failures === 0
        const delayMs = this.#backOff.next()
        return isFirst ? 0 : delayMs
      }
      case 'failed': {
        const retryAfterMs = (outcome.error.retryAfterSeconds ?? 0) * 1000
        const delayMs = Math.max(this.#backOff.next(), retryAfterMs)
        this.#reportUnavailable(outcome.error, delayMs)
        return delayMs
      }
      default:
        return assertNever(outcome, 'outcome')
    }
  }

  async #list(): Promise<Outcome> {
    const { transport, fieldSelector } = this.#deps
    // Without resourceVersion=0: a stale cache would return older objects than the store has.
    const list = await listPages(
      transport,
      { path: this.#path(), fieldSelector },
      {
        keep: withoutManagedFields,
        isStopped: () => this.#isStopped,
        ...(this.#deps.tellsPages === true && !this.#hasSynced
          ? { onPage: (items) => this.#takePage(items) }
          : {}),
      },
    )
    if (this.#isStopped) return { kind: 'stopped' }
    if (!list.ok) return { kind: 'failed', error: list.error }
    this.#connected()
    const before = new Map(this.#store)
    this.#store.clear()
    for (const item of list.value.items) {
      const key = objectKey(item.metadata)
      const known = before.get(key)
      const isSame = known?.metadata.uid === item.metadata.uid
      const { resourceVersion } = item.metadata
      if (
        isSame &&
        resourceVersion !== undefined &&
        known.metadata.resourceVersion === resourceVersion
      )
        this.#store.set(key, known)
      else this.#put(item, isSame ? known : undefined)
    }
    this.#resourceVersion = list.value.resourceVersion
    this.#hasSynced = true
    this.#changed({ type: 'REPLACED', before, causes: [] })
    return { kind: 'listed' }
  }

  /** Of a list that goes on. What an earlier try has told already is told again only if it differs. */
  #takePage(items: readonly WatchableObject[]): void {
    this.#connected()
    for (const item of items) {
      const known = this.#store.get(objectKey(item.metadata))
      if (known?.metadata.uid === item.metadata.uid) {
        if (known.metadata.resourceVersion !== item.metadata.resourceVersion)
          this.#update('MODIFIED', item, [])
      } else this.#update('ADDED', item, [])
    }
  }

  async #watch(resourceVersion: string): Promise<Outcome> {
    const { transport, clock } = this.#deps
    const openedAt = clock.now()
    let response: KubeResponse
    try {
      response = await transport.send({
        method: 'GET',
        path: this.#path(),
        headers: { accept: 'application/json' },
        query: this.#watchQuery(resourceVersion),
      })
    } catch (error) {
      return { kind: 'failed', error: apiErrorOfThrown(error) }
    }
    if (response.kind !== 'watch') return this.#watchRefused(response)
    if (this.#isStopped) {
      response.stream.stop()
      return { kind: 'stopped' }
    }
    this.#connected()
    const { events, outcome } = await this.#consume(response.stream)
    const livedMs = clock.now() - openedAt
    if (events > 0 || livedMs >= shortWatchMs) this.#backOff.reset()
    if (outcome.kind !== 'ended') return outcome
    return { kind: 'ended', tooShort: livedMs < shortWatchMs }
  }

  #watchQuery(resourceVersion: string): Record<string, string> {
    const { minWatchTimeoutSeconds: shortest = defaultMinWatchTimeoutSeconds, random } = this.#deps
    return {
      ...selectorQuery(this.#deps),
      watch: 'true',
      resourceVersion,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(shortest + Math.floor(random.next() * shortest)),
    }
  }

  #watchRefused(response: Exclude<KubeResponse, { kind: 'watch' }>): Outcome {
    const message = 'the server answered a watch with something else'
    const error = apiErrorOfResponse(response) ?? { kind: 'unknown', message }
    return error.kind === 'gone' ? { kind: 'expired' } : { kind: 'failed', error }
  }

  async #consume(
    stream: WatchStream,
  ): Promise<{ readonly events: number; readonly outcome: Outcome }> {
    this.#stream = stream
    const { clock, idleTimeoutMs = defaultIdleTimeoutMs } = this.#deps
    let [events, heardAt] = [0, clock.now()]
    const watchdog = startIdleWatchdog(clock, idleTimeoutMs, () => {
      this.#silentSince = heardAt
      stream.stop()
    })
    try {
      for await (const event of stream.events) {
        if (this.#isStopped) return { events, outcome: { kind: 'stopped' } }
        watchdog.reset()
        heardAt = clock.now()
        if (event.type === 'ERROR') return { events, outcome: this.#errorEvent(event.object) }
        events++
        this.#apply(event)
      }
      return { events, outcome: { kind: 'ended', tooShort: false } }
    } catch (error) {
      return { events, outcome: { kind: 'failed', error: apiErrorOfThrown(error) } }
    } finally {
      watchdog.cancel()
      stream.stop()
      this.#stream = undefined
    }
  }

  #errorEvent(object: unknown): Outcome {
    const error = apiErrorOfStatus(object, { code: 500, message: 'the server ended the watch' })
    return error.kind === 'gone' ? { kind: 'expired' } : { kind: 'failed', error }
  }

  #apply(event: WatchEvent): void {
    if (event.type === 'BOOKMARK') {
      const metadata = isJsonObject(event.object) ? objectAt(event.object, 'metadata') : {}
      this.#resourceVersion = textAt(metadata, 'resourceVersion') || this.#resourceVersion
      return
    }
    if (event.type === 'ERROR' || !isApiObject(event.object)) {
      this.#deps.log.warn('watch event without an object ignored', { ...this.#what(), ...event })
      return
    }
    const kept = withoutManagedFields(event.object)
    this.#resourceVersion = kept.metadata.resourceVersion ?? this.#resourceVersion
    this.#update(event.type, kept, event.causes ?? [])
  }

  #update(
    type: 'ADDED' | 'MODIFIED' | 'DELETED',
    kept: WatchableObject,
    causes: TraceCauses,
  ): void {
    const key = objectKey(kept.metadata)
    const known = this.#store.get(key)
    if (type === 'DELETED') {
      // A later list lacked or replaced the object.
      if (known?.metadata.uid !== kept.metadata.uid) return
      this.#store.delete(key)
      this.#changed({ type, object: this.#typed(kept), before: known, causes })
      return
    }
    const isAnother = known !== undefined && known.metadata.uid !== kept.metadata.uid
    if (isAnother) this.#update('DELETED', known, causes)
    const before = isAnother ? undefined : known
    const object = this.#put(kept, before)
    this.#changed({ type: isAnother ? 'ADDED' : type, object, before, causes })
  }

  #put(kept: WatchableObject, before: WatchableObject | undefined): AnyResources[R] {
    const object = this.#typed(sharedParts(before, kept, this.#pool))
    this.#store.set(objectKey(kept.metadata), object)
    return object
  }

  // The path names the resource, so the objects have its type; only their metadata was checked.
  #typed(object: WatchableObject): AnyResources[R] {
    return object as unknown as AnyResources[R]
  }

  #changed(change: StoreChange<AnyResources[R]>): void {
    try {
      this.#deps.onChange(this.#store, change)
    } catch (error) {
      this.#deps.log.error('reflector listener failed', { ...this.#what(), error })
    }
  }

  #connected(): void {
    this.#silentSince = undefined
    if (this.#isConnected) return
    this.#isConnected = true
    this.#unavailableSince = undefined
    this.#reportStatus({ kind: 'connected' })
  }

  #reportUnavailable(error: ApiError, delayMs: number): void {
    const now = this.#deps.clock.now()
    this.#unavailableSince ??= this.#silentSince ?? now
    this.#isConnected = false
    this.#deps.log.warn('server does not answer, trying again', {
      ...this.#what(),
      ...error,
      delayMs,
    })
    this.#reportStatus({
      kind: 'away',
      since: this.#unavailableSince,
      retryAt: now + delayMs,
      message:
        error.kind === 'unauthorized'
          ? `The server refuses the credentials: ${error.message}`
          : error.message,
      ...(error.kind === 'forbidden' ? { isForbidden: true as const } : {}),
    })
  }

  #reportStatus(status: ReflectorStatus): void {
    try {
      this.#deps.onStatus?.(status)
    } catch (error) {
      this.#deps.log.error('reflector listener failed', { ...this.#what(), error })
    }
  }

  async #sleep(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.clock.after(delayMs, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
    this.#wake = undefined
  }

  #path(): string {
    return resourcePath({ resource: this.#deps.resource, namespace: this.#deps.namespace })
  }

  #what(): Record<string, unknown> {
    return { resource: this.#deps.resource, fieldSelector: this.#deps.fieldSelector }
  }
}
