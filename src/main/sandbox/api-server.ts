import type { KubeObject, KubeStatus } from '../../shared/kubernetes/objects.ts'
import type { KubeRequest, KubeResponse } from '../../shared/kubernetes/request.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { KubeletText } from '../kubelet/server/kubelet-request.ts'
import type { NodeAttributes } from '../kubelet/server/request-authorization.ts'
import type { Clock, Log, Random, Trace } from '../kubelet/ports.ts'
import {
  notFound,
  notImplemented,
  retryHeader,
  serverError,
  statusResponse,
  tooLargeResourceVersion,
} from './api-status.ts'
import type { ApiResult } from './api-status.ts'
import { apiServerCaller } from './auth/caller.ts'
import type { Caller } from './auth/caller.ts'
import {
  listOptions,
  parseResourceVersion,
  invalidVersionMessage,
} from './endpoints/list-options.ts'
import { Authorizer } from './auth/authorizer.ts'
import { attributesOf } from './auth/request-attributes.ts'
import type { Attributes } from './auth/request-attributes.ts'
import { bootstrapPolicy } from './auth/rbac/bootstrap-policy.ts'
import { reconcilePolicy } from './auth/rbac/reconcile-policy.ts'
import { TokenAuthenticator } from './auth/token-authenticator.ts'
import { TokenIssuer } from './auth/token-issuer.ts'
import { TokenRequests } from './endpoints/token-request.ts'
import {
  ConnectRequests,
  connectTarget,
  statusText,
  streamTarget,
} from './connect/connect-request.ts'
import type { ConnectResponse, ReachKubelet } from './connect/connect-request.ts'
import { controlResponse } from './control/control-requests.ts'
import type { ControlledObjects } from './control/control-requests.ts'
import { controlGroup } from './control/control-types.ts'
import { MetricsRequests } from './metrics/metrics-requests.ts'
import { metricsGroup } from './metrics/metrics-types.ts'
import { createFirstObjects } from './registry/first-objects.ts'
import type { FirstObject } from './registry/first-objects.ts'
import { ObjectReader } from './endpoints/object-reader.ts'
import { ObjectStore } from './object-store.ts'
import type { Collection, KeptObjects } from './object-store.ts'
import { ObjectWriter } from './endpoints/object-writer.ts'
import { representationFor } from './endpoints/representation.ts'
import type { Representation } from './endpoints/representation.ts'
import { exchangedType, scaleOf, unscalable } from './endpoints/scale.ts'
import { requestInfo } from './endpoints/request-info.ts'
import type { RequestInfo } from './endpoints/request-info.ts'
import { ResourceRegistry } from './registry/resource-registry.ts'
import { typeOfKind } from './registry/resource-types.ts'
import type { ResourceType } from './registry/resource-type.ts'
import { discoveryResponse } from './surface/discovery.ts'
import { openApiResponse } from './surface/openapi.ts'
import { ReviewRequests } from './review/review-requests.ts'
import { isReview } from './review/review-types.ts'
import { warningHeader } from './surface/warning-header.ts'
import { StoredPods } from './stored-pods.ts'
import { WriteRequests } from './endpoints/write-requests.ts'
import type { KindWarnings, PodWarnings, WriteAnswer } from './endpoints/write-requests.ts'

export type { Caller } from './auth/caller.ts'

/** How much the server keeps in memory. */
export interface ApiServerLimits {
  /** Writes of one resource that a watch can still start from; an older version is answered with 410. */
  readonly eventsPerResource?: number
  /** The same as characters of JSON. */
  readonly eventSizePerResource?: number
  /** Events that may wait for a watching client before its watch is closed. */
  readonly eventsPerWatch?: number
  /** The same as characters of JSON. */
  readonly eventSizePerWatch?: number
}

export interface ApiServerDeps {
  readonly clock: Clock
  readonly random: Random
  /** The trace of the cluster. */
  readonly trace: Trace
  readonly log: Log
  readonly limits?: ApiServerLimits
  /** Default: no kubelet listens. */
  readonly reachKubelet?: ReachKubelet
  /** Warnings about new pods and changed pod specs, a sentence each; default none. */
  readonly podWarnings?: PodWarnings
  /** Warnings about new objects of other kinds; default none. */
  readonly kindWarnings?: KindWarnings
  /** Created at the start where they are missing, besides those of every server; default none. */
  readonly firstObjects?: readonly FirstObject[]
  /** The objects of nodescope.dev; default none. */
  readonly control?: ControlledObjects
  /** Enforces the stored roles and bindings, and creates those of every cluster; default false: only nodes have limits. */
  readonly enforcesRbac?: boolean
  /** Signs the tokens of service accounts, in PEM; default: a new one. */
  readonly tokenKeyPem?: string | undefined
  /** Absent: the objects end with the server. */
  readonly kept?: KeptObjects | undefined
}

const deprecatedEndpoints =
  'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'

/** With these warnings before all others. */
function withWarnings(response: KubeResponse, warnings: readonly string[]): KubeResponse {
  if (warnings.length === 0 || response.kind !== 'object') return response
  const { warning } = { warning: undefined, ...response.headers }
  const all = [warningHeader(warnings), warning].filter((one) => one !== undefined)
  return { ...response, headers: { ...response.headers, warning: all.join(', ') } }
}

/** With the warning about a deprecated API. Source: api core/v1 APILifecycleDeprecated. */
function withDeprecation({ kind, custom }: ResourceType, response: KubeResponse): KubeResponse {
  const isEndpoints = kind === 'Endpoints' && custom === undefined
  return withWarnings(response, isEndpoints ? [deprecatedEndpoints] : (custom?.warnings ?? []))
}

/**
 * A Kubernetes API server as a plain object: requests in, answers or watches out. It uses no network and only the timers of
 * its clock; the same seed and the same requests give the same UIDs and versions. `handle` processes a request synchronously,
 * so writes never interleave.
 */
export class SandboxApiServer {
  /** All pods, for the rest of this process. */
  readonly pods: StoredPods
  /** All services, for the rest of this process. */
  readonly services: Pick<Collection, 'list'>
  /** Signs the tokens of service accounts. */
  readonly tokenIssuer: TokenIssuer
  /** What it serves. */
  readonly registry = new ResourceRegistry()
  readonly #deps: ApiServerDeps
  readonly #store: ObjectStore
  readonly #reader: ObjectReader
  readonly #writes: WriteRequests
  readonly #metrics: MetricsRequests
  readonly #connects: ConnectRequests
  readonly #reviews: ReviewRequests
  readonly #authorizer: Authorizer
  readonly #tokens: TokenAuthenticator

  constructor(deps: ApiServerDeps) {
    const { clock, random, trace, limits } = deps
    this.#deps = deps
    const ring = {
      events: limits?.eventsPerResource ?? 5000,
      size: limits?.eventSizePerResource ?? 16 * 1024 * 1024,
    }
    this.#store = new ObjectStore(this.registry, ring, deps.kept)
    const { enforcesRbac = false } = deps
    this.#authorizer = new Authorizer(this.#store, { enforcesRbac })
    this.tokenIssuer = new TokenIssuer(deps.tokenKeyPem)
    this.#tokens = new TokenAuthenticator({
      store: this.#store,
      clock,
      issuer: this.tokenIssuer,
      labelSecret: (secret, labels) => this.#labelSecret(secret, labels),
    })
    this.pods = new StoredPods(this.#store.of(typeOfKind('Pod')))
    this.services = this.#store.of(typeOfKind('Service'))
    this.#reader = new ObjectReader({
      store: this.#store,
      clock,
      random: random.fork('watches'),
      watchCapacity: {
        events: limits?.eventsPerWatch ?? 2000,
        size: limits?.eventSizePerWatch ?? 16 * 1024 * 1024,
      },
    })
    const writer = new ObjectWriter({
      store: this.#store,
      clock,
      uids: random.fork('uids'),
      names: random.fork('names'),
      allocations: random.fork('allocations'),
      trace,
    })
    this.#writes = new WriteRequests({
      store: this.#store,
      registry: this.registry,
      writer,
      reader: this.#reader,
      clock,
      authorizer: this.#authorizer,
      podWarnings: deps.podWarnings ?? (() => []),
      kindWarnings: deps.kindWarnings ?? (() => []),
      volumeNames: random.fork('volume names'),
      tokens: new TokenRequests({
        store: this.#store,
        clock,
        ids: random.fork('tokens'),
        issuer: this.tokenIssuer,
      }),
    })
    const refused: ReachKubelet = () => err('connect: connection refused')
    const { reachKubelet = refused } = deps
    this.#connects = new ConnectRequests({ store: this.#store, reachKubelet })
    this.#metrics = new MetricsRequests({ store: this.#store, clock, reachKubelet })
    this.#reviews = new ReviewRequests({
      authorizer: this.#authorizer,
      clock,
      tokens: this.#tokens,
    })
    const policy = enforcesRbac ? bootstrapPolicy() : []
    reconcilePolicy(writer, this.#store, policy)
    createFirstObjects(writer, this.#store, [...(deps.firstObjects ?? []), ...policy])
  }

  /** Sets who has which bearer token that this server did not issue. */
  useTokens(callerOfToken: (token: string) => Caller | undefined): void {
    this.#tokens.useTokens(callerOfToken)
  }

  /** The user of a bearer token; undefined: the token is refused. */
  callerOfToken(token: string): Caller | undefined {
    const found = this.#tokens.authenticate(token)
    return found.ok ? found.value.caller : undefined
  }

  /** Every stored object, and the newest resource version. */
  objects(): Pick<KeptObjects, 'objects' | 'resourceVersion'> {
    return { objects: this.#store.objects(), resourceVersion: this.#store.resourceVersion }
  }

  handle(request: KubeRequest, caller: Caller): Promise<KubeResponse> {
    try {
      const answer = Promise.resolve(this.#answer(request, caller))
      const { warnings } = caller
      return warnings === undefined ? answer : answer.then((one) => withWarnings(one, warnings))
    } catch (error) {
      this.#deps.log.error('the API server failed at a request', { path: request.path, error })
      return Promise.reject(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** The answer to a request that a kubelet answers; undefined for those that `handle` takes. */
  connect(request: KubeRequest, caller: Caller): Promise<ConnectResponse> | undefined {
    const target = connectTarget(request)
    if (target === undefined) return undefined
    const refusal = this.refusal(caller, attributesOf(request))
    return refusal === undefined
      ? this.#connects.handle(target, request)
      : Promise.resolve(statusResponse(refusal))
  }

  /** Whether the caller has a right on a node: what a kubelet asks with a SubjectAccessReview. */
  isAllowedOnNode(caller: Caller, { verb, node, subresource }: NodeAttributes): boolean {
    const place = { group: '', resource: 'nodes', namespace: '', name: node }
    return this.#authorizer.decide(caller, { kind: 'resource', verb, subresource, ...place })
      .allowed
  }

  /** Whether requests without credentials are answered: without RBAC they would have all rights. */
  get allowsAnonymous(): boolean {
    return this.#authorizer.rules !== undefined
  }

  /** The answer to what the caller may not do. */
  refusal(caller: Caller, attributes: Attributes): KubeStatus | undefined {
    return this.#authorizer.refusal(caller, attributes)
  }

  /** The URL of the streams that an upgrade asks for, or what is answered instead; undefined if it asks for none. */
  stream(
    request: Pick<KubeRequest, 'method' | 'path'>,
    parameters: URLSearchParams,
    caller: Caller,
  ): Promise<Result<string, KubeletText>> | undefined {
    const target = streamTarget(request.path)
    if (target === undefined) return undefined
    const refusal = this.refusal(caller, attributesOf(request))
    return refusal === undefined
      ? this.#connects.stream(target, parameters)
      : Promise.resolve(err(statusText(refusal)))
  }

  #answer(request: KubeRequest, caller: Caller): KubeResponse | Promise<KubeResponse> {
    const refusal = this.refusal(caller, attributesOf(request))
    // Without RBAC only nodes have limits, and those only on resources that are served.
    if (refusal !== undefined && this.#authorizer.rules !== undefined)
      return statusResponse(refusal)
    const surface =
      discoveryResponse(request, this.registry) ?? openApiResponse(request, this.registry)
    if (surface !== undefined) return surface
    if (connectTarget(request) !== undefined || streamTarget(request.path) !== undefined)
      return statusResponse(notImplemented('only the listener connects to nodes'))
    const info = requestInfo(request, this.registry)
    if (!info.ok) return info.error
    const exchanged = exchangedType(info.value.type, info.value.subresource)
    const representation = representationFor(exchanged, request, () => this.#deps.clock.now())
    if (!representation.ok) return statusResponse(representation.error)
    if (refusal !== undefined) return statusResponse(refusal)
    const { verb, type } = info.value
    if (isReview(type)) {
      const answer = this.#reviews.handle(info.value, request, caller)
      return answer.ok ? this.#answered(answer.value) : statusResponse(answer.error)
    }
    if (type.group === controlGroup)
      return controlResponse(this.#deps.control ?? {}, info.value, request, representation.value)
    if (type.group === metricsGroup)
      return this.#metrics.handle(info.value, request, representation.value)
    if (verb === 'get' || verb === 'list' || verb === 'watch') {
      const answer = this.#read(info.value, request, representation.value)
      return withDeprecation(type, answer.ok ? answer.value : statusResponse(answer.error))
    }
    const causes = this.#causesOf(request, info.value, caller)
    const answer = this.#writes.handle(info.value, request, { caller, causes })
    const response = answer.ok
      ? this.#written(answer.value, representation.value)
      : statusResponse(answer.error)
    return withDeprecation(type, response)
  }

  #labelSecret({ metadata }: KubeObject, labels: Readonly<Record<string, string>>): void {
    const { namespace = '', name, uid } = metadata
    const patch = {
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/secrets/${name}`,
      body: { metadata: { uid, labels } },
      headers: { 'content-type': 'application/merge-patch+json' },
    } as const
    void this.handle(patch, apiServerCaller)
  }

  #answered({ code, body, warnings = [] }: WriteAnswer): KubeResponse {
    const warning = warningHeader(warnings)
    const headers = warning === undefined ? {} : { headers: { warning } }
    return { kind: 'object', status: code, body, ...headers }
  }

  #written(
    { code, body, warnings = [] }: WriteAnswer,
    representation: Representation,
  ): KubeResponse {
    // A Status and the list of a deleted collection have no other representation.
    const isObject = 'uid' in body.metadata
    const warning = warningHeader(warnings)
    const headers = {
      ...(isObject ? {} : retryHeader(body as KubeStatus)),
      ...(warning === undefined ? {} : { warning }),
    }
    return {
      kind: 'object',
      status: code,
      body: isObject ? representation.object(body as KubeObject) : body,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    }
  }

  #read(
    info: RequestInfo,
    request: KubeRequest,
    representation: Representation,
  ): ApiResult<KubeResponse> {
    const { type, namespace, name, verb } = info
    if (verb === 'get') {
      const text = request.query?.['resourceVersion'] ?? ''
      const requested = parseResourceVersion(text)
      if (!requested.ok) return err(serverError(invalidVersionMessage(text, requested.error)))
      const current = this.#store.resourceVersion
      if (requested.value > current) return err(tooLargeResourceVersion(requested.value, current))
      const object = this.#store.of(type).get({ namespace, name })
      if (object === undefined) return err(notFound(type, name))
      const refusal = info.subresource === 'scale' ? unscalable(type, object) : undefined
      if (refusal !== undefined) return err(refusal)
      const shown = info.subresource === 'scale' ? scaleOf(type, object) : object
      return ok({ kind: 'object', status: 200, body: representation.object(shown) })
    }
    const isWatch = verb === 'watch'
    const options = listOptions(type, request.query ?? {}, { isWatch, name })
    if (!options.ok) return options
    if (isWatch) return ok(this.#reader.watch({ type, namespace }, options.value, representation))
    const list = this.#reader.list({ type, namespace }, options.value)
    if (!list.ok) return list
    const body = representation.list(list.value.objects, list.value.meta)
    return ok({ kind: 'object', status: 200, body })
  }

  /** The causes of a write: those that the client names, or a trace event for a request from outside the cluster. */
  #causesOf(request: KubeRequest, info: RequestInfo, caller: Caller): readonly number[] {
    if (request.causes !== undefined && request.causes.length > 0) return request.causes
    // The components of the cluster share the trace and name their causes.
    if (caller.user.startsWith('system:')) return []
    const { type, namespace, name } = info
    const object = name === '' ? undefined : this.#store.of(type).get({ namespace, name })
    const seq = this.#deps.trace.emit({
      kind: 'request.received',
      subject:
        object === undefined
          ? { kind: 'cluster' }
          : { kind: 'object', resource: type.plural, namespace, name, uid: object.metadata.uid },
      causes: [],
      data: {
        method: request.method,
        path: request.path,
        user: caller.user,
        client: caller.client,
      },
    })
    return [seq]
  }
}
