import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { HttpMethod, KubeRequest, Transport } from '../../../shared/kubernetes/request.ts'
import {
  defined,
  isJsonObject,
  numberAt,
  objectAt,
  textAt,
  withFields,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type {
  ApiClient,
  ApiError,
  DeleteOptions,
  Patch,
  TokenClient,
  TokenRequest,
  TokenRequestSpec,
} from '../../kubelet/ports.ts'
import { callApi, unexpectedAnswer } from './api-call.ts'
import { isApiObject, listPages } from './list-pages.ts'
import { resourcePath, resourceType } from './resource-paths.ts'
import type { AnyResource, AnyResources, ResourceAddress } from './resource-paths.ts'
import { selfReview } from './self-review.ts'

const patchContentTypes: Readonly<Record<Patch['type'], string>> = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
}

function deleteOptionsBody(options: DeleteOptions): Record<string, unknown> {
  return defined({ kind: 'DeleteOptions', apiVersion: 'v1', ...options })
}

function typed(resource: AnyResource, object: object): object {
  return withFields(resourceType(resource), object)
}

/** One object. */
interface ObjectAddress<R extends AnyResource = AnyResource> extends ResourceAddress<R> {
  readonly name: string
}

interface Write {
  readonly body: unknown
  readonly contentType?: string
  readonly query?: Readonly<Record<string, string>>
}

/** `ApiClient` over any transport, for any resource. Objects stay raw JSON. It retries nothing: the caller decides. */
export class TransportApiClient implements ApiClient, TokenClient {
  readonly #transport: Transport

  constructor(deps: { readonly transport: Transport }) {
    this.#transport = deps.transport
  }

  async get<R extends AnyResource>(
    key: ObjectAddress<R>,
    causes?: TraceCauses,
  ): Promise<Result<AnyResources[R], ApiError>> {
    return await this.#object('GET', key, undefined, causes)
  }

  async list<R extends AnyResource>(
    scope: {
      readonly resource: R
      readonly namespace?: string
      readonly fieldSelector?: string
      readonly labelSelector?: string
    },
    causes?: TraceCauses,
  ): Promise<Result<readonly AnyResources[R][], ApiError>> {
    const { resource, namespace, ...selectors } = scope
    const path = resourcePath({ resource, namespace })
    const list = await listPages(this.#transport, { path, ...selectors, causes })
    // The path named the resource, so the server's objects are of its type; only their shape was checked.
    return list.ok ? ok(list.value.items as unknown as readonly AnyResources[R][]) : list
  }

  async create<R extends AnyResource>(
    scope: { readonly resource: R; readonly namespace?: string },
    object: object,
    causes?: TraceCauses,
  ): Promise<Result<AnyResources[R], ApiError>> {
    return await this.#object('POST', scope, { body: typed(scope.resource, object) }, causes)
  }

  async update<R extends AnyResource>(
    key: ObjectAddress<R>,
    object: object,
    causes?: TraceCauses,
  ): Promise<Result<AnyResources[R], ApiError>> {
    return await this.#object('PUT', key, { body: typed(key.resource, object) }, causes)
  }

  async patch<R extends AnyResource>(
    key: ObjectAddress<R>,
    patch: Patch,
    causes?: TraceCauses,
  ): Promise<Result<AnyResources[R], ApiError>> {
    return await this.#object(
      'PATCH',
      withFields(key, { subresource: patch.subresource }),
      { body: patch.body, contentType: patchContentTypes[patch.type] },
      causes,
    )
  }

  async delete(
    key: ObjectAddress,
    options: DeleteOptions,
    causes?: TraceCauses,
  ): Promise<Result<undefined, ApiError>> {
    return await this.#send('DELETE', key, { body: deleteOptionsBody(options) }, causes)
  }

  async evict(
    key: { readonly namespace: string; readonly name: string },
    options: DeleteOptions & { readonly dryRun?: boolean },
    causes?: TraceCauses,
  ): Promise<Result<undefined, ApiError>> {
    const { dryRun = false, ...rest } = options
    const body = {
      kind: 'Eviction',
      apiVersion: 'policy/v1',
      metadata: { name: key.name, namespace: key.namespace },
      // The server refuses an eviction whose query and options disagree about the dry run.
      deleteOptions: { ...deleteOptionsBody(rest), ...(dryRun ? { dryRun: ['All'] } : {}) },
    }
    const write = { body, ...(dryRun ? { query: { dryRun: 'All' } } : {}) }
    const address: ResourceAddress = { resource: 'pods', ...key, subresource: 'eviction' }
    return await this.#send('POST', address, write, causes)
  }

  async createToken(
    account: { readonly namespace: string; readonly name: string },
    spec: TokenRequestSpec,
    causes?: TraceCauses,
  ): Promise<Result<TokenRequest, ApiError>> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
    const address = { resource: 'serviceaccounts', ...account, subresource: 'token' } as const
    const sent = request('POST', address, { body }, causes)
    const answer = await callApi(this.#transport, sent)
    if (!answer.ok) return answer
    const given = isJsonObject(answer.value) ? answer.value : {}
    const expirationSeconds = numberAt(objectAt(given, 'spec'), 'expirationSeconds')
    const token = textAt(objectAt(given, 'status'), 'token')
    const expirationTimestamp = textAt(objectAt(given, 'status'), 'expirationTimestamp')
    if (expirationSeconds === undefined || Number.isNaN(Date.parse(expirationTimestamp)))
      return err(unexpectedAnswer(sent, 'something else'))
    return ok({ spec: { expirationSeconds }, status: { token, expirationTimestamp } })
  }

  /** What the server says about the rights of a user: the status of a SubjectAccessReview. */
  reviewAccess(spec: JsonObject): Promise<Result<JsonObject, ApiError>> {
    return selfReview(this.#transport, { kind: 'SubjectAccessReview', spec })
  }

  /** POST pods/binding, as a scheduler. */
  async bind(
    { metadata: { namespace, name, uid } }: { readonly metadata: ObjectMeta },
    nodeName: string,
    causes?: TraceCauses,
  ): Promise<Result<undefined, ApiError>> {
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { kind: 'Node', name: nodeName },
    }
    const address: ResourceAddress = { resource: 'pods', namespace, name, subresource: 'binding' }
    return await this.#send('POST', address, { body }, causes)
  }

  /** For a write whose answer does not matter. */
  async #send(
    method: HttpMethod,
    address: ResourceAddress,
    write: Write,
    causes: TraceCauses | undefined,
  ): Promise<Result<undefined, ApiError>> {
    const answer = await callApi(this.#transport, request(method, address, write, causes))
    return answer.ok ? ok(undefined) : answer
  }

  async #object<R extends AnyResource>(
    method: HttpMethod,
    address: ResourceAddress & { readonly resource: R },
    write: Write | undefined,
    causes: TraceCauses | undefined,
  ): Promise<Result<AnyResources[R], ApiError>> {
    const sent = request(method, address, write, causes)
    const answer = await callApi(this.#transport, sent)
    if (!answer.ok) return answer
    if (!isApiObject(answer.value)) return err(unexpectedAnswer(sent, 'something else'))
    // As in list: the path named the resource.
    return ok(answer.value as unknown as AnyResources[R])
  }
}

function request(
  method: HttpMethod,
  address: ResourceAddress,
  write: Write | undefined,
  causes: TraceCauses | undefined,
): KubeRequest {
  const { body, query, contentType = 'application/json' } = write ?? {}
  const headers = write && { 'content-type': contentType }
  return defined({ method, path: resourcePath(address), body, headers, query, causes })
}
