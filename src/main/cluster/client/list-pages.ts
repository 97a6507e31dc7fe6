import { defined, isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest, Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import { callApi, unexpectedAnswer } from './api-call.ts'

/** An object in a list or a watch. */
export interface WatchableObject {
  readonly metadata: ObjectMeta
}

export interface ListScope {
  readonly path: string
  readonly fieldSelector?: string | undefined
  readonly labelSelector?: string | undefined
  readonly causes?: readonly number[] | undefined
}

export interface ObjectList {
  readonly items: readonly WatchableObject[]
  /** A watch continues from here. */
  readonly resourceVersion: string
}

interface Page extends ObjectList {
  /** The continue token; empty on the last page. */
  readonly next: string
}

// An unpaged list of 10,000 pods is 75 MB of JSON, and takes several times that while it is parsed.
const pageSize = 500

/** The selectors, for lists and watches. */
export function selectorQuery({
  fieldSelector,
  labelSelector,
}: Omit<ListScope, 'path'>): Record<string, string> {
  return { ...defined({ fieldSelector, labelSelector }) }
}

/** Whether a value from a server has `metadata` with a name; nothing else is checked here. */
export function isApiObject(value: unknown): value is WatchableObject {
  return isJsonObject(value) && textAt(objectAt(value, 'metadata'), 'name') !== ''
}

function readPage(body: unknown): Page | undefined {
  if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return undefined
  // Go writes a nil slice as null.
  const items = body['items'] ?? []
  if (!Array.isArray(items) || !items.every(isApiObject)) return undefined
  return {
    items,
    resourceVersion: textAt(body['metadata'], 'resourceVersion'),
    next: textAt(body['metadata'], 'continue'),
  }
}

interface ListOptions {
  /** Applied to the objects of each page as it arrives. Default: unchanged. */
  readonly keep?: (object: WatchableObject) => WatchableObject
  readonly isStopped?: () => boolean
  /** Called with the objects of each page but the last, while the server makes the next one. */
  readonly onPage?: (items: readonly WatchableObject[]) => void
}

/** Resolves when promises have led a request to its connection: the work on a page would hold it up. */
function sent(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}

/** A whole list, page by page. After an expired continue token (410) it lists again without pages, like client-go's pager. */
export async function listPages(
  transport: Transport,
  scope: ListScope,
  options: ListOptions = {},
): Promise<Result<ObjectList, ApiError>> {
  const paged = await followPages(transport, scope, { ...options, limit: pageSize })
  const hasExpired = !paged.ok && paged.error.kind === 'gone'
  if (!hasExpired || options.isStopped?.() === true) return paged
  return await followPages(transport, scope, { ...options, limit: 0 })
}

async function followPages(
  transport: Transport,
  scope: ListScope,
  { limit, keep = (object) => object, isStopped, onPage }: ListOptions & { readonly limit: number },
): Promise<Result<ObjectList, ApiError>> {
  const items: WatchableObject[] = []
  const requestOf = (next: string): KubeRequest =>
    defined({
      method: 'GET' as const,
      path: scope.path,
      query: {
        ...selectorQuery(scope),
        ...(limit > 0 ? { limit: String(limit) } : {}),
        ...(next === '' ? {} : { continue: next }),
      },
      causes: scope.causes,
    })
  let request = requestOf('')
  let asked = callApi(transport, request)
  for (;;) {
    const answer = await asked
    if (!answer.ok) return answer
    const page = readPage(answer.value)
    if (page === undefined) return err(unexpectedAnswer(request, 'something that is no list'))
    const isLast = page.next === '' || isStopped?.() === true
    if (!isLast) {
      request = requestOf(page.next)
      asked = callApi(transport, request)
      if (onPage !== undefined) await sent()
    }
    const kept = page.items.map(keep)
    for (const item of kept) items.push(item)
    if (isLast) return ok({ items, resourceVersion: page.resourceVersion })
    if (isStopped?.() !== true) onPage?.(kept)
  }
}
