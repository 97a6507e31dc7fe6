import { isJsonObject, numberAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeResponse, WatchEvent } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Clock, Random } from '../../kubelet/ports.ts'
import { parseJson } from '../../parsing/bounded-json.ts'
import { badRequest, expired, tooLargeResourceVersion } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { keyOf } from '../object-store.ts'
import type { Collection, ObjectStore, RingLimits, StoreEvent } from '../object-store.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { WatchFeed } from '../watch-feed.ts'
import { parseResourceVersion } from './list-options.ts'
import type { ListOptions } from './list-options.ts'
import { sizeOf } from './object-size.ts'
import type { ListMeta, Representation } from './representation.ts'

interface Scope {
  readonly type: ResourceType
  /** Empty: all namespaces. */
  readonly namespace: string
}

interface ContinueToken {
  /** The version of the list's first page, from which a client watches after the last page. */
  readonly resourceVersion: number
  /** Key of the last object on the page. */
  readonly after: string
}

function encodeToken({ resourceVersion, after }: ContinueToken): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: resourceVersion, start: after })
  return Buffer.from(text).toString('base64url')
}

/** The content of a token of this server; `undefined` for any other text. */
function decodeToken(text: string): ContinueToken | undefined {
  const parsed = parseJson(Buffer.from(text, 'base64url').toString())
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const resourceVersion = numberAt(parsed.value, 'rv') ?? 0
  const token = { resourceVersion, after: textAt(parsed.value, 'start') }
  // Also false for numbers that are not versions, such as 1.5 and 1e999, which is infinite.
  const isOwn = Number.isInteger(resourceVersion) && encodeToken(token) === text
  return isOwn && resourceVersion > 0 && token.after !== '' ? token : undefined
}

/** The version in options, which was checked when they were read. */
function versionOf({ resourceVersion }: ListOptions): number {
  const version = parseResourceVersion(resourceVersion)
  return version.ok ? version.value : 0
}

function keyOfObject({ metadata }: KubeObject): string {
  return keyOf({ namespace: metadata.namespace ?? '', name: metadata.name })
}

const bookmarkEveryMs = 60_000
const lastBookmarkBeforeMs = 2000
const shortestWatchMs = 1_800_000

const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' }

interface ObjectReaderDeps {
  readonly store: ObjectStore
  readonly clock: Clock
  readonly random: Random
  /** Events that wait for a client that does not read. */
  readonly watchCapacity: RingLimits
}

/** Lists and watches. Source: apiserver pkg/storage/cacher. */
export class ObjectReader {
  readonly #deps: ObjectReaderDeps

  constructor(deps: ObjectReaderDeps) {
    this.#deps = deps
  }

  /** A page of a list, or the whole list. */
  list(
    scope: Scope,
    options: ListOptions,
  ): ApiResult<{ readonly objects: readonly KubeObject[]; readonly meta: ListMeta }> {
    const start = this.#listStart(scope.type, options)
    if (!start.ok) return start
    const { resourceVersion, after } = start.value
    const all = this.#selected(scope, options)
    const rest = after === '' ? all : all.filter((object) => keyOfObject(object) > after)
    const isPage = options.limit > 0 && rest.length > options.limit
    const objects = isPage ? rest.slice(0, options.limit) : rest
    const last = objects.at(-1)
    const meta = { resourceVersion: String(resourceVersion) }
    if (!isPage || last === undefined) return ok({ objects, meta })
    return ok({
      objects,
      meta: {
        ...meta,
        continue: encodeToken({ resourceVersion, after: keyOfObject(last) }),
        // With a selector the server does not count the rest.
        ...(options.isSelective ? {} : { remainingItemCount: rest.length - objects.length }),
      },
    })
  }

  /** Starts a watch. If its version is too old, the watch sends an ERROR event, as on real servers. */
  watch(scope: Scope, options: ListOptions, representation: Representation): KubeResponse {
    const collection = this.#deps.store.of(scope.type)
    const version = versionOf(options)
    const wantsInitial =
      options.sendInitialEvents ?? (options.resourceVersion === '' || version === 0)
    const from = wantsInitial || version === 0 ? this.#deps.store.resourceVersion : version
    const missed = wantsInitial ? [] : collection.eventsAfter(from)
    const select = this.#selection(scope, options, representation)
    const initial = wantsInitial
      ? this.#initialEvents(scope, options, representation)
      : (missed ?? []).flatMap(select)
    const feed = this.#feed(collection, { initial, from, select })
    if (missed === undefined) this.#refuse(feed, version, collection)
    else this.#schedule(feed, options, representation)
    return { kind: 'watch', status: 200, stream: feed.stream }
  }

  #listStart(type: ResourceType, options: ListOptions): ApiResult<ContinueToken> {
    const current = this.#deps.store.resourceVersion
    if (options.continueToken !== '') return this.#continued(type, options.continueToken)
    const requested = versionOf(options)
    if (requested > current) return err(tooLargeResourceVersion(requested, current))
    const isOld = options.resourceVersionMatch === 'Exact' && requested < current
    if (isOld) return err(expired('The resourceVersion for the provided list is too old.'))
    return ok({ resourceVersion: current, after: '' })
  }

  /**
   * Later pages show the current objects: a watch from the version of the first page brings the changes in between. When that
   * version is no longer available, the list has to start again.
   */
  #continued(type: ResourceType, text: string): ApiResult<ContinueToken> {
    const token = decodeToken(text)
    if (token === undefined) {
      return err(badRequest('invalid continue token: continue key is not valid'))
    }
    const current = this.#deps.store.resourceVersion
    if (token.resourceVersion > current)
      return err(tooLargeResourceVersion(token.resourceVersion, current))
    if (token.resourceVersion >= this.#deps.store.of(type).oldestVersion) return ok(token)
    const fresh = encodeToken({ ...token, resourceVersion: this.#deps.store.resourceVersion })
    const message =
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'
    return err({ ...expired(message), metadata: { continue: fresh } })
  }

  #selected(scope: Scope, options: ListOptions): readonly KubeObject[] {
    const { namespace } = scope
    return this.#deps.store
      .of(scope.type)
      .list()
      .filter(
        (object) =>
          (namespace === '' || object.metadata.namespace === namespace) && options.matches(object),
      )
  }

  /** How the watch shows a write: an object that begins to match the selectors is ADDED, one that ceases to is DELETED. */
  #selection(scope: Scope, options: ListOptions, representation: Representation) {
    const isIn = (object: KubeObject | undefined): boolean =>
      object !== undefined &&
      (scope.namespace === '' || object.metadata.namespace === scope.namespace) &&
      options.matches(object)
    return (event: StoreEvent): readonly WatchEvent[] => {
      const isNow = event.change !== 'DELETED' && isIn(event.object)
      const wasBefore = isIn(event.previous)
      if (isNow) {
        const type = wasBefore ? 'MODIFIED' : 'ADDED'
        return [representation.event(type, event.object, event.causes)]
      }
      if (!wasBefore) return []
      return [representation.event('DELETED', lastSeen(event), event.causes)]
    }
  }

  /** The current objects. The events are created as the client reads them. */
  #initialEvents(
    scope: Scope,
    options: ListOptions,
    representation: Representation,
  ): Iterable<WatchEvent> {
    const version = this.#deps.store.resourceVersion
    const objects = this.#selected(scope, options)
    const endsWithBookmark = options.sendInitialEvents === true && options.allowWatchBookmarks
    return (function* () {
      for (const object of objects) yield representation.event('ADDED', object, [])
      if (endsWithBookmark) yield representation.bookmark(version, initialEventsEnd)
    })()
  }

  #feed(
    collection: Collection,
    options: {
      readonly initial: Iterable<WatchEvent>
      readonly from: number
      readonly select: (event: StoreEvent) => readonly WatchEvent[]
    },
  ): WatchFeed {
    const stop = collection.listen(
      (event) => {
        if (event.resourceVersion <= options.from) return
        for (const selected of options.select(event)) feed.push(selected, sizeOf(event.object))
      },
      () => {
        feed.close()
      },
    )
    const feed: WatchFeed = new WatchFeed({
      initial: options.initial,
      capacity: this.#deps.watchCapacity,
      overflow: () =>
        expiredEvent('the watch was closed: its client did not read its events in time'),
      onEnd: stop,
    })
    return feed
  }

  #refuse(feed: WatchFeed, version: number, collection: Collection): void {
    const oldest = collection.oldestVersion
    feed.push(expiredEvent(`too old resource version: ${version} (${oldest})`))
    feed.close()
  }

  /** Sends bookmarks every minute and shortly before the end. Ends the watch after the requested time, or after 30 to 60 minutes. */
  #schedule(feed: WatchFeed, options: ListOptions, representation: Representation): void {
    const { clock } = this.#deps
    const durationMs =
      options.timeoutSeconds === undefined || options.timeoutSeconds <= 0
        ? shortestWatchMs * (1 + this.#deps.random.next())
        : options.timeoutSeconds * 1000
    const cancels = new Set<() => void>()
    const later = (delayMs: number, act: () => void): void => {
      const cancel = clock.after(delayMs, () => {
        cancels.delete(cancel)
        act()
      })
      cancels.add(cancel)
    }
    const bookmark = (): void => {
      feed.push(representation.bookmark(this.#deps.store.resourceVersion, undefined))
    }
    const repeat = (): void => {
      bookmark()
      later(bookmarkEveryMs, repeat)
    }
    if (options.allowWatchBookmarks) {
      later(bookmarkEveryMs, repeat)
      if (durationMs > lastBookmarkBeforeMs) later(durationMs - lastBookmarkBeforeMs, bookmark)
    }
    later(durationMs, () => {
      feed.close()
    })
    feed.onEnd(() => {
      for (const cancel of cancels) cancel()
    })
  }
}

/** The object of a DELETED event: as the watch last showed it, with the version of the write that removed it. */
function lastSeen(event: StoreEvent): KubeObject {
  if (event.change === 'DELETED' || event.previous === undefined) return event.object
  const { previous, resourceVersion } = event
  return Object.freeze({
    ...previous,
    metadata: Object.freeze({ ...previous.metadata, resourceVersion: String(resourceVersion) }),
  })
}

function expiredEvent(message: string): WatchEvent {
  return Object.freeze({ type: 'ERROR', object: Object.freeze(expired(message)) })
}
