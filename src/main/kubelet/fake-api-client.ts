import type { Node, ObjectMeta, Pod, PodStatus } from '../../shared/kubernetes/objects.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { sleep } from './container/deferred.ts'
import type {
  ApiClient,
  ApiError,
  Clock,
  DeleteOptions,
  ObjectKey,
  Patch,
  ResourceName,
  Resources,
  TokenClient,
} from './ports.ts'

/** One call on the fake, as tests look at it. `at`: ms since the fake was made. */
export interface ApiCall {
  readonly at: number
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'evict'
  readonly resource: string
  readonly name: string
  /** Body or options. */
  readonly body: unknown
  /** `ok`, or the kind of the refusal. */
  readonly outcome: string
}

export type WatchEvent = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Stored
}

interface Stored {
  readonly metadata: ObjectMeta
}

const notFound = (what: string): ApiError => ({
  kind: 'not-found',
  message: `${what} not found`,
  code: 404,
})

const mergeKeys: Readonly<Record<string, string>> = {
  conditions: 'type',
  podIPs: 'ip',
  hostIPs: 'ip',
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mergedList(before: readonly Fields[], patch: readonly Fields[], key: string): Fields[] {
  const kept = new Map(before.map((item) => [item[key], item]))
  for (const item of patch) {
    if (item['$patch'] === 'delete') kept.delete(item[key])
    else kept.set(item[key], merged(kept.get(item[key]) ?? {}, item))
  }
  return [...kept.values()]
}

/** As much of a strategic merge patch as a pod's status needs: lists by key where the API has one, `$setElementOrder`, null deletes. */
function merged(before: Fields, patch: Fields): Fields {
  const after: Record<string, unknown> = { ...before }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) continue
    const mergeKey = mergeKeys[key]
    const old = before[key]
    if (value === null) delete after[key]
    else if (Array.isArray(value) && mergeKey !== undefined)
      after[key] = mergedList(Array.isArray(old) ? old : [], value, mergeKey)
    else if (isFields(value)) after[key] = merged(isFields(old) ? old : {}, value)
    else after[key] = value
  }
  for (const [name, mergeKey] of Object.entries(mergeKeys)) {
    const order = patch[`$setElementOrder/${name}`]
    const list = after[name]
    if (!Array.isArray(order) || !Array.isArray(list)) continue
    const position = (item: Fields): number =>
      order.findIndex((one: Fields) => one[mergeKey] === item[mergeKey])
    // What the order does not name keeps its place in front.
    after[name] = list.toSorted((a: Fields, b: Fields) => position(a) - position(b))
  }
  return after
}

/**
 * A small API server in memory: uids, generations, AlreadyExists, preconditions, graceful and forced
 * deletion of pods with what a watch would see of them. Every call is under way for `latencyMs` on the clock,
 * and its answer for `answerMs`.
 */
export class FakeApiClient implements ApiClient, TokenClient {
  readonly calls: ApiCall[] = []
  /** Return an error to refuse a call before it is looked at. */
  refuse: (call: Pick<ApiCall, 'verb' | 'resource' | 'name'>) => ApiError | undefined = () =>
    undefined
  readonly #clock: Clock
  readonly #latencyMs: number
  readonly #answerMs: number
  readonly #startedAt: number
  readonly #objects = new Map<string, Stored>()
  readonly #watchers = new Set<(resource: string, event: WatchEvent) => void>()
  #uids = 0
  #tokens = 0
  #version = 0

  constructor(deps: {
    readonly clock: Clock
    readonly latencyMs?: number
    readonly answerMs?: number
  }) {
    this.#clock = deps.clock
    this.#latencyMs = deps.latencyMs ?? 0
    this.#answerMs = deps.answerMs ?? 0
    this.#startedAt = deps.clock.now()
  }

  /** Called for every change, in the call that makes it. */
  watch(listener: (resource: string, event: WatchEvent) => void): () => void {
    this.#watchers.add(listener)
    return () => {
      this.#watchers.delete(listener)
    }
  }

  pods(): readonly Pod[] {
    return this.#all('pods')
  }

  /** What is stored, without a call. */
  object<R extends ResourceName>(key: ObjectKey<R>): Resources[R] | undefined {
    return this.#find(key)
  }

  pod(name: string, namespace = 'default'): Pod | undefined {
    return this.#find({ resource: 'pods', namespace, name })
  }

  node(name: string): Node | undefined {
    return this.#find({ resource: 'nodes', name })
  }

  /** The calls since a time, as `verb name`, without those that only look. */
  writes(since = 0): readonly string[] {
    return this.calls
      .filter((call) => call.at >= since && call.verb !== 'get' && call.verb !== 'list')
      .map((call) => `${call.verb} ${call.resource}/${call.name} ${call.outcome}`)
  }

  /** `kubectl delete`: graceful by default. */
  readonly deletePod = (name: string, gracePeriodSeconds?: number): void => {
    this.#deletePod(
      { resource: 'pods', namespace: 'default', name },
      gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
    )
  }

  readonly get: ApiClient['get'] = (key) =>
    this.#call('get', key.resource, key.name, undefined, () => {
      const found = this.#find(key)
      return found === undefined ? err(notFound(key.name)) : ok(found)
    })

  readonly list: ApiClient['list'] = (scope) =>
    this.#call('list', scope.resource, '', undefined, () => ok(this.#all(scope.resource)))

  readonly create: ApiClient['create'] = (scope, object) =>
    this.#call('create', scope.resource, object.metadata.name, object, () =>
      this.#create(scope.resource, scope.namespace, object),
    )

  readonly update: ApiClient['update'] = (key, object) =>
    this.#call('update', key.resource, key.name, object, () => {
      if (this.#find(key) === undefined) return err(notFound(key.name))
      return ok(this.#store('MODIFIED', key, object))
    })

  readonly patch: ApiClient['patch'] = (key, patch) =>
    this.#call('patch', key.resource, key.name, patch.body, () => this.#patch(key, patch))

  readonly delete: ApiClient['delete'] = (key, options) =>
    this.#call('delete', key.resource, key.name, options, () =>
      key.resource === 'pods' ? this.#deletePod(key, options) : this.#remove(key),
    )

  readonly evict: ApiClient['evict'] = (key, options) =>
    this.#call('evict', 'pods', key.name, options, () =>
      this.#deletePod({ resource: 'pods', ...key }, options),
    )

  /** `token 1 for NAME`, and so on. */
  readonly createToken: TokenClient['createToken'] = (account, spec) =>
    this.#call('create', 'serviceaccounts/token', account.name, spec, () => {
      const expiresAt = this.#clock.now() + spec.expirationSeconds * 1000
      const token = `token ${++this.#tokens} for ${account.name}`
      return ok({ spec, status: { token, expirationTimestamp: new Date(expiresAt).toISOString() } })
    })

  /** Puts a status as a user would, past the kubelet. */
  setPodStatus(name: string, status: PodStatus): void {
    const key: ObjectKey<'pods'> = { resource: 'pods', namespace: 'default', name }
    const pod = this.#find(key)
    if (pod !== undefined) this.#store('MODIFIED', key, { ...pod, status })
  }

  async #call<T>(
    verb: ApiCall['verb'],
    resource: string,
    name: string,
    body: unknown,
    act: () => Result<T, ApiError>,
  ): Promise<Result<T, ApiError>> {
    const at = this.#clock.now() - this.#startedAt
    if (this.#latencyMs > 0) await sleep(this.#clock, this.#latencyMs)
    const refused = this.refuse({ verb, resource, name })
    const result = refused === undefined ? act() : err(refused)
    this.calls.push({
      at,
      verb,
      resource,
      name,
      body,
      outcome: result.ok ? 'ok' : result.error.kind,
    })
    if (this.#answerMs > 0) await sleep(this.#clock, this.#answerMs)
    return result
  }

  #path(key: ObjectKey): string {
    return `${key.resource}/${key.namespace ?? ''}/${key.name}`
  }

  #find<R extends ResourceName>(key: ObjectKey<R>): Resources[R] | undefined {
    // The path names the resource, so what is stored there is of its type.
    return this.#objects.get(this.#path(key)) as Resources[R] | undefined
  }

  #all<R extends ResourceName>(resource: R): readonly Resources[R][] {
    return [...this.#objects]
      .filter(([path]) => path.startsWith(`${resource}/`))
      .map(([, object]) => object as Resources[R])
  }

  #store<T extends Stored>(type: WatchEvent['type'], key: ObjectKey, object: T): T {
    const stored = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: `${++this.#version}` },
    }
    if (type === 'DELETED') this.#objects.delete(this.#path(key))
    else this.#objects.set(this.#path(key), stored)
    for (const watcher of this.#watchers) watcher(key.resource, { type, object: stored })
    return stored
  }

  #create<R extends ResourceName>(
    resource: R,
    namespace: string | undefined,
    object: Resources[R],
  ): Result<Resources[R], ApiError> {
    const name = object.metadata.name
    const key = { resource, name, ...(namespace === undefined ? {} : { namespace }) }
    if (this.#objects.has(this.#path(key)))
      return err({ kind: 'already-exists', message: `${name} already exists`, code: 409 })
    const isMirror = object.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
    return ok(
      this.#store('ADDED', key, {
        ...object,
        metadata: {
          ...object.metadata,
          ...(namespace === undefined ? {} : { namespace }),
          uid: `api-${++this.#uids}`,
          creationTimestamp: new Date(this.#clock.now()).toISOString(),
          ...(resource === 'pods' && !isMirror ? { generation: 1 } : {}),
        },
      }),
    )
  }

  #patch<R extends ResourceName>(key: ObjectKey<R>, patch: Patch): Result<Resources[R], ApiError> {
    const found = this.#find(key)
    if (found === undefined) return err(notFound(key.name))
    const body = isFields(patch.body) ? patch.body : {}
    const uid = isFields(body['metadata']) ? body['metadata']['uid'] : undefined
    if (uid !== undefined && uid !== found.metadata.uid)
      return err({ kind: 'conflict', message: 'the uid in the patch does not match', code: 409 })
    // The patch was made for this type by the caller.
    const after = merged(found as unknown as Fields, body) as unknown as Resources[R]
    return ok(this.#store('MODIFIED', key, after))
  }

  #remove(key: ObjectKey): Result<undefined, ApiError> {
    const found = this.#find(key)
    if (found === undefined) return err(notFound(key.name))
    this.#store('DELETED', key, found)
    return ok(undefined)
  }

  #deletePod(key: ObjectKey, options: DeleteOptions): Result<undefined, ApiError> {
    const found = this.#find({ ...key, resource: 'pods' })
    if (found === undefined) return err(notFound(key.name))
    const uid = options.preconditions?.uid
    if (uid !== undefined && uid !== found.metadata.uid)
      return err({ kind: 'conflict', message: `the uid is not ${uid}`, code: 409 })
    const wanted = options.gracePeriodSeconds ?? found.spec.terminationGracePeriodSeconds ?? 30
    const before = found.metadata.deletionGracePeriodSeconds
    const grace = before === undefined ? wanted : Math.min(before, wanted)
    const isTerminal = found.status?.phase === 'Succeeded' || found.status?.phase === 'Failed'
    if (before === undefined || grace < before) {
      const { generation } = found.metadata
      this.#store('MODIFIED', key, {
        ...found,
        metadata: {
          ...found.metadata,
          deletionTimestamp: new Date(this.#clock.now() + grace * 1000).toISOString(),
          deletionGracePeriodSeconds: grace,
          ...(generation === undefined ? {} : { generation: generation + 1 }),
        },
      })
    }
    const marked = this.#find({ ...key, resource: 'pods' })
    if (marked !== undefined && (grace === 0 || (isTerminal && before === undefined)))
      this.#store('DELETED', key, marked)
    return ok(undefined)
  }
}
