import { isJsonObject, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { GroupVersionKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { callApi } from '../../cluster/client/api-call.ts'
import { refusedWords } from '../cluster/refused-words.ts'

/** Where the objects of a kind are. */
export interface MappedResource {
  /** `apps/v1/deployments`. */
  readonly resource: `${string}/${string}`
  readonly isNamespaced: boolean
}

/** Why there is none, in one sentence: the server does not have the kind, or cannot be asked. */
export interface UnmappedKind {
  readonly isUnknown: boolean
  readonly message: string
}

/** Finds the resources of kinds by the server's discovery, each version once while it has the kinds. */
export class ResourceMapper {
  readonly #transport: Transport
  readonly #lists = new Map<string, Promise<Result<readonly JsonObject[], string>>>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async find({
    group,
    version,
    kind,
  }: GroupVersionKind): Promise<Result<MappedResource, UnmappedKind>> {
    const groupVersion = group === '' ? version : `${group}/${version}`
    const known = this.#lists.get(groupVersion)
    const list = known ?? this.#ask(groupVersion)
    this.#lists.set(groupVersion, list)
    const resources = await list
    if (!resources.ok) return err({ isUnknown: false, message: resources.error })
    const found = resources.value.find(
      (one) => textAt(one, 'kind') === kind && !textAt(one, 'name').includes('/'),
    )
    if (found === undefined) {
      // A definition that was applied meanwhile may have added it.
      this.#lists.delete(groupVersion)
      if (known !== undefined) return await this.find({ group, version, kind })
      return err({
        isUnknown: true,
        message: `no matches for kind "${kind}" in version "${groupVersion}": the server does not have it.`,
      })
    }
    const resource = `${groupVersion}/${textAt(found, 'name')}` as const
    return ok({ resource, isNamespaced: found['namespaced'] === true })
  }

  /** No resources where the server does not have the version. */
  async #ask(groupVersion: string): Promise<Result<readonly JsonObject[], string>> {
    const root = groupVersion.includes('/') ? 'apis' : 'api'
    const segments = groupVersion.split('/').map(encodeURIComponent)
    const path = ['', root, ...segments].join('/')
    const answer = await callApi(this.#transport, { method: 'GET', path })
    if (answer.ok) return ok(isJsonObject(answer.value) ? objectsAt(answer.value, 'resources') : [])
    return answer.error.code === 404 ? ok([]) : err(refusedWords('Discovery', answer.error))
  }
}
