import { isJsonObject, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type {
  HttpMethod,
  KubeResponse,
  Transport,
  WatchStream,
} from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

type Causes = readonly number[]

/** A refusal: the HTTP status code and the server's sentence. */
export interface ControlError {
  readonly code: number
  readonly message: string
}

/** Where an object is: the path of its collection, and its name. */
export interface ObjectPlace {
  readonly collection: string
  readonly name: string
}

/** The path of a collection in a namespace; the resource may carry its group: `coordination.k8s.io/v1/leases`. */
export function collectionPath(resource: string, namespace: string | undefined): string {
  const parts = resource.split('/')
  const plural = parts.at(-1) ?? ''
  const root = parts.length === 1 ? '/api/v1' : `/apis/${parts.slice(0, -1).join('/')}`
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`
}

/** Where an object of a resource is. */
export function placeOf(resource: string, object: KubeObject): ObjectPlace {
  const { name, namespace } = object.metadata
  return { collection: collectionPath(resource, namespace), name }
}

function isObject(value: unknown): value is KubeObject {
  return isJsonObject(value) && isJsonObject(value['metadata'])
}

/** What controllers ask of the API server. Never throws for an answer. */
export class ControlClient {
  readonly #transport: Transport

  constructor(deps: { readonly transport: Transport }) {
    this.#transport = deps.transport
  }

  async get(place: ObjectPlace): Promise<Result<KubeObject, ControlError>> {
    return await this.#object('GET', `${place.collection}/${place.name}`, {})
  }

  async list(collection: string): Promise<readonly KubeObject[]> {
    const body = await this.#send('GET', collection, {})
    return body.ok ? objectsAt(body.value, 'items').filter(isObject) : []
  }

  async create(
    path: string,
    body: unknown,
    causes: Causes,
  ): Promise<Result<JsonObject, ControlError>> {
    return await this.#send('POST', path, { body, causes })
  }

  async update(
    path: string,
    body: unknown,
    causes: Causes,
  ): Promise<Result<JsonObject, ControlError>> {
    return await this.#send('PUT', path, { body, causes })
  }

  /** `subresource`: `/status`, or empty. */
  async patch(
    place: ObjectPlace,
    body: unknown,
    options: { readonly causes: Causes; readonly subresource?: '/status' },
  ): Promise<Result<KubeObject, ControlError>> {
    const path = `${place.collection}/${place.name}${options.subresource ?? ''}`
    return await this.#object('PATCH', path, {
      body,
      causes: options.causes,
      contentType: 'application/strategic-merge-patch+json',
    })
  }

  /** Deletes only what has this uid. */
  async delete(
    place: ObjectPlace,
    options: {
      readonly uid: string
      readonly gracePeriodSeconds?: number
      readonly causes: Causes
    },
  ): Promise<Result<JsonObject, ControlError>> {
    const { uid, gracePeriodSeconds, causes } = options
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid },
      propagationPolicy: 'Background',
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    }
    return await this.#send('DELETE', `${place.collection}/${place.name}`, { body, causes })
  }

  /** A watch that starts with everything there is, then a bookmark that says so. */
  async watchAll(collection: string): Promise<WatchStream | undefined> {
    const query = {
      watch: '1',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    }
    const response = await this.#transport.send({ method: 'GET', path: collection, query })
    return response.kind === 'watch' ? response.stream : undefined
  }

  async #object(
    method: HttpMethod,
    path: string,
    options: { readonly body?: unknown; readonly causes?: Causes; readonly contentType?: string },
  ): Promise<Result<KubeObject, ControlError>> {
    const body = await this.#send(method, path, options)
    if (!body.ok) return body
    return isObject(body.value) ? ok(body.value) : err({ code: 0, message: 'not an object' })
  }

  async #send(
    method: HttpMethod,
    path: string,
    options: { readonly body?: unknown; readonly causes?: Causes; readonly contentType?: string },
  ): Promise<Result<JsonObject, ControlError>> {
    const response = await this.#transport.send({
      method,
      path,
      headers: { 'content-type': options.contentType ?? 'application/json' },
      ...(options.body === undefined ? {} : { body: options.body }),
      ...(options.causes === undefined ? {} : { causes: options.causes }),
    })
    return answerOf(response)
  }
}

function answerOf(response: KubeResponse): Result<JsonObject, ControlError> {
  const body = response.kind === 'object' && isJsonObject(response.body) ? response.body : {}
  if (response.status < 300) return ok(body)
  return err({ code: response.status, message: textAt(body, 'message') })
}
