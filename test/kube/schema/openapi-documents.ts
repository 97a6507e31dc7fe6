import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { ServerUnderTest } from '../servers.ts'

/** A document as JSON. Throws what the server said where it does not answer with one. */
export async function jsonOf(server: ServerUnderTest, path: string): Promise<JsonObject> {
  const { statusCode, body } = await server.send({
    method: 'GET',
    path,
    headers: { accept: 'application/json' },
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${text}`)
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error(`${path} was answered with no object`)
  return value
}

/** The OpenAPI v3 document of each group and version that a server serves, by its path: `apis/apps/v1`. */
export async function openApiDocuments(
  server: ServerUnderTest,
): Promise<ReadonlyMap<string, JsonObject>> {
  const index = objectAt(await jsonOf(server, '/openapi/v3'), 'paths')
  const paths = Object.keys(index).filter((path) => /^apis?\/.*v\d/.test(path))
  const documents = new Map<string, JsonObject>()
  for (const path of paths) {
    const url = textAt(objectAt(index, path), 'serverRelativeURL')
    documents.set(path, await jsonOf(server, url))
  }
  return documents
}
