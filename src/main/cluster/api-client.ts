import type { ObjectMeta } from '../../shared/kubernetes/objects.ts'
import type { HttpMethod, KubeRequest, Transport } from '../../shared/kubernetes/request.ts'
import { assertNever } from '../../shared/assert-never.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { ApiClient, ApiError, DeleteOptions, Patch } from '../kubelet/ports.ts'
import { callApi, unexpectedAnswer } from './api-call.ts'
import { isApiObject, listPages } from './list-pages.ts'
import { resourcePath, resourceType } from './resource-paths.ts'
import type { AnyResource, AnyResources, ResourceAddress } from './resource-paths.ts'

function patchContentType(type: Patch['type']): string {
  switch (type) {
    case 'strategic':
      return 'application/strategic-merge-patch+json'
    case 'merge':
      return 'application/merge-patch+json'
    case 'json':
      return 'application/json-patch+json'
    default:
      return assertNever(type, 'patch type')
  }
}

function deleteOptionsBody(options: DeleteOptions): Record<string, unknown> {
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(options.gracePeriodSeconds === undefined
      ? {}
      : { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options.preconditions === undefined ? {} : { preconditions: options.preconditions }),
  }
}

function typed(resource: AnyResource, object: object): object {
  return { ...resourceType(resource), ...object }
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

/**
 * `ApiClient` over any transport, for any resource: the sandbox's in-process one and a real server's. Objects stay raw
 * JSON. It retries nothing: what to do about an error is the caller's decision.
 */
export class TransportApiClient implements ApiClient {
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
    const list = await listPages(
      this.#transport,
      {
        path: resourcePath({ resource: scope.resource, namespace: scope.namespace }),
        fieldSelector: scope.fieldSelector,
        labelSelector: scope.labelSelector,
        causes,
      },
      { keep: (object) => object },
    )
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
      { ...key, subresource: patch.subresource },
      { body: patch.body, contentType: patchContentType(patch.type) },
      causes,
    )
  }

  async delete(
    key: ObjectAddress,
    options: DeleteOptions,
    causes?: TraceCauses,
  ): Promise<Result<undefined, ApiError>> {
    const write = { body: deleteOptionsBody(options) }
    const answer = await callApi(this.#transport, request('DELETE', key, write, causes))
    return answer.ok ? ok(undefined) : answer
  }

  async evict(
    key: { readonly namespace: string; readonly name: string },
    options: DeleteOptions & { readonly dryRun?: boolean },
    causes?: TraceCauses,
  ): Promise<Result<undefined, ApiError>> {
    const dryRun = options.dryRun === true
    const body = {
      kind: 'Eviction',
      apiVersion: 'policy/v1',
      metadata: { name: key.name, namespace: key.namespace },
      // The server refuses an eviction whose query and options disagree about the dry run.
      deleteOptions: { ...deleteOptionsBody(options), ...(dryRun ? { dryRun: ['All'] } : {}) },
    }
    const write = { body, ...(dryRun ? { query: { dryRun: 'All' } } : {}) }
    const address: ResourceAddress = { resource: 'pods', ...key, subresource: 'eviction' }
    const answer = await callApi(this.#transport, request('POST', address, write, causes))
    return answer.ok ? ok(undefined) : answer
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
    const answer = await callApi(this.#transport, request('POST', address, { body }, causes))
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
  return {
    method,
    path: resourcePath(address),
    ...(write === undefined
      ? {}
      : {
          body: write.body,
          headers: { 'content-type': write.contentType ?? 'application/json' },
        }),
    ...(write?.query === undefined ? {} : { query: write.query }),
    ...(causes === undefined ? {} : { causes }),
  }
}
