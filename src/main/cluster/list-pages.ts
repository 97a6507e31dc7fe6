import { isJsonObject, objectAt, textAt } from '../../shared/json.ts'
import type { ObjectMeta } from '../../shared/kubernetes/objects.ts'
import type { KubeRequest, Transport } from '../../shared/kubernetes/request.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ApiError } from '../kubelet/ports.ts'
import { callApi, unexpectedAnswer } from './api-call.ts'

/** What every object in a list and in a watch has. */
export interface WatchableObject {
  readonly metadata: ObjectMeta
}

export interface ListScope {
  readonly path: string
  readonly fieldSelector?: string | undefined
  readonly labelSelector?: string | undefined
  readonly causes?: readonly number[] | undefined
}

export interface ObjectList<T> {
  readonly items: readonly T[]
  /** Where a watch goes on. */
  readonly resourceVersion: string
}

interface Page {
  readonly items: readonly WatchableObject[]
  readonly resourceVersion: string
  readonly next: string
}

// A list of 10,000 pods in one piece is 75 MB of JSON, and several times that while it is parsed.
const pageSize = 500

/** The query that both lists and watches of a scope carry. */
export function selectorQuery(scope: ListScope): Record<string, string> {
  return {
    ...(scope.fieldSelector === undefined ? {} : { fieldSelector: scope.fieldSelector }),
    ...(scope.labelSelector === undefined ? {} : { labelSelector: scope.labelSelector }),
  }
}

/** True for what has `metadata` with a name: all that is asked of an object at this edge. */
export function isApiObject(value: unknown): value is WatchableObject {
  return isJsonObject(value) && textAt(objectAt(value, 'metadata'), 'name') !== ''
}

function readPage(body: unknown): Page | undefined {
  if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return undefined
  // Go writes an empty list as null where the slice was never made.
  const items = body['items'] ?? []
  if (!Array.isArray(items) || !items.every(isApiObject)) return undefined
  return {
    items,
    resourceVersion: textAt(body['metadata'], 'resourceVersion'),
    next: textAt(body['metadata'], 'continue'),
  }
}

/**
 * A whole list, page after page. When a page's token has expired (410) it starts again, then without
 * pages, as client-go's pager does, so that it ends. `keep` is applied to each page as it comes.
 */
export async function listPages<T extends WatchableObject>(
  transport: Transport,
  scope: ListScope,
  options: {
    readonly keep: (object: WatchableObject) => T
    readonly isStopped?: () => boolean
  },
): Promise<Result<ObjectList<T>, ApiError>> {
  const paged = await followPages(transport, scope, { ...options, limit: pageSize })
  const hasExpired = !paged.ok && paged.error.kind === 'gone'
  if (!hasExpired || options.isStopped?.() === true) return paged
  return await followPages(transport, scope, { ...options, limit: 0 })
}

async function followPages<T extends WatchableObject>(
  transport: Transport,
  scope: ListScope,
  options: {
    readonly keep: (object: WatchableObject) => T
    readonly isStopped?: () => boolean
    readonly limit: number
  },
): Promise<Result<ObjectList<T>, ApiError>> {
  const items: T[] = []
  let next = ''
  for (;;) {
    const request: KubeRequest = {
      method: 'GET',
      path: scope.path,
      query: {
        ...selectorQuery(scope),
        ...(options.limit > 0 ? { limit: String(options.limit) } : {}),
        ...(next === '' ? {} : { continue: next }),
      },
      ...(scope.causes === undefined ? {} : { causes: scope.causes }),
    }
    const answer = await callApi(transport, request)
    if (!answer.ok) return answer
    const page = readPage(answer.value)
    if (page === undefined) return err(unexpectedAnswer(request, 'something that is no list'))
    for (const item of page.items) items.push(options.keep(item))
    next = page.next
    if (next === '' || options.isStopped?.() === true) {
      return ok({ items, resourceVersion: page.resourceVersion })
    }
  }
}
