import { httpError, textAnswer } from './kubelet-request.ts'
import type { KubeletRequest, KubeletText } from './kubelet-request.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Result } from '../../../shared/result.ts'

/** Who asks. */
export interface KubeletUser {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid?: string
  readonly extra?: JsonObject
}

/** A right on the node: what authorizes a request (pkg/kubelet/server/auth.go). `verb` is empty for methods that the API does not have. */
export interface NodeAttributes {
  readonly verb: string
  readonly node: string
  readonly subresource: string
}

/** Who a client is and what it may do. An error means that the question could not be answered. */
export interface RequestAuth {
  /** Undefined: no credential, or one that is not accepted. */
  readonly authenticate: () => Promise<KubeletUser | undefined>
  readonly authorize: (
    user: KubeletUser,
    attributes: NodeAttributes,
  ) => Promise<Result<boolean, string>>
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** The first that fits; the right `proxy` suffices as well. */
const fine: readonly (readonly [string, string])[] = [
  ['/pods', 'pods'],
  ['/healthz', 'healthz'],
  ['/configz', 'configz'],
  ['/runningpods', 'pods'],
]

/** These need a right of their own. */
const own: readonly (readonly [string, string])[] = [
  ['/stats', 'stats'],
  ['/metrics', 'metrics'],
  ['/logs', 'log'],
  ['/checkpoint', 'checkpoint'],
]

function subresourcesOf(path: string): readonly string[] {
  const isBelow = ([root]: readonly [string, string]): boolean =>
    path === root || path.startsWith(`${root}/`)
  const separate = own.find(isBelow)
  if (separate !== undefined) return [separate[1]]
  const named = fine.find(isBelow)
  return named === undefined ? ['proxy'] : [named[1], 'proxy']
}

/** What is answered instead, if the request is not let through (InstallAuthFilter). */
export async function refusalOf(
  { method, path }: Pick<KubeletRequest, 'method' | 'path'>,
  node: string,
  auth: RequestAuth,
): Promise<KubeletText | undefined> {
  const user = await auth.authenticate()
  if (user === undefined) return textAnswer(401, 'Unauthorized')
  const verb = Object.hasOwn(verbs, method) ? (verbs[method] ?? '') : ''
  const subresources = subresourcesOf(path)
  for (const subresource of subresources) {
    const allowed = await auth.authorize(user, { verb, node, subresource })
    if (!allowed.ok)
      return textAnswer(
        500,
        `Authorization error (user=${user.name}, verb=${verb}, resource=nodes, subresource=${subresource})`,
      )
    if (allowed.value) return undefined
  }
  const listed = subresources.join(' ')
  return textAnswer(
    403,
    `Forbidden (user=${user.name}, verb=${verb}, resource=nodes, subresource(s)=[${listed}])\n`,
  )
}

/** The answer to an unknown path. */
export const pageNotFound = httpError(404, '404 page not found')
