import { objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { GroupVersionKind } from '../../../src/shared/kubernetes/schema/api-schema.ts'
import type { ServerUnderTest } from '../servers.ts'
import { jsonOf } from './openapi-documents.ts'

/** How a server answered to an object. */
export interface KindAnswer {
  readonly status: number
  /** Of a Status; empty for an object. */
  readonly message: string
  /** The unknown and duplicate fields that it warned of. */
  readonly warnings: readonly string[]
  readonly body: JsonObject
}

/** Sends an object of a kind as a dry run. */
export type AskKind = (
  body: unknown,
  validation?: 'Strict' | 'Warn' | 'Ignore',
) => Promise<KindAnswer>

const namespace = 'namespaces/default'

/** Subresources whose body is a kind. */
const subresources: Readonly<Record<string, string>> = {
  Eviction: `/api/v1/${namespace}/pods/x/eviction`,
  TokenRequest: `/api/v1/${namespace}/serviceaccounts/x/token`,
}

function versionOf({ group, version }: GroupVersionKind): string {
  return group === '' ? version : `${group}/${version}`
}

async function pathOf(
  server: ServerUnderTest,
  kind: GroupVersionKind,
): Promise<string | undefined> {
  const own = subresources[kind.kind]
  if (own !== undefined) return own
  const base = kind.group === '' ? `/api/${kind.version}` : `/apis/${versionOf(kind)}`
  const resource = objectsAt(await jsonOf(server, base), 'resources').find(
    (one) =>
      textAt(one, 'kind') === kind.kind &&
      !textAt(one, 'name').includes('/') &&
      String(one['verbs']).includes('create'),
  )
  if (resource === undefined) return undefined
  const scope = resource['namespaced'] === true ? `${base}/${namespace}` : base
  return `${scope}/${textAt(resource, 'name')}`
}

/** The texts of warning headers. */
export function warningsIn(header: string | string[] | undefined): readonly string[] {
  const texts = [header ?? []].flat().join(', ')
  return [...texts.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll('\\"', '"'),
  )
}

/** How one asks a server about objects of a kind; `undefined`: it has no request that takes one. */
export async function requestsOf(
  server: ServerUnderTest,
  kind: GroupVersionKind,
): Promise<AskKind | undefined> {
  const path = await pathOf(server, kind)
  if (path === undefined) return undefined
  return async (object, validation = 'Strict') => {
    const { statusCode, headers, body } = await server.send({
      method: 'POST',
      path: `${path}?dryRun=All&fieldValidation=${validation}`,
      headers: { 'content-type': 'application/json' },
      body: typeof object === 'string' ? object : JSON.stringify(object),
    })
    const answer = (await body.json()) as JsonObject
    const message = statusCode < 400 ? '' : textAt(answer, 'message')
    return { status: statusCode, message, warnings: warningsIn(headers['warning']), body: answer }
  }
}

/** The prefix of a decoder's message in an API server's response. */
export function cannotBeHandled({ kind, version }: GroupVersionKind): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}: `
}

/** The least of an object of a kind. */
export function emptyObject(kind: GroupVersionKind): JsonObject {
  return { apiVersion: versionOf(kind), kind: kind.kind, metadata: { name: 'x' } }
}
