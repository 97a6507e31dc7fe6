import { resolve } from 'node:path'
import type { SchemaEntry } from '../../../src/shared/kubernetes/schema/api-schema.ts'
import type { ServerUnderTest } from '../servers.ts'
import { withGoTypes } from './go-types.ts'
import { openApiDocuments } from './openapi-documents.ts'
import { tableOf } from './schema-table.ts'

/** The table, as it is committed. */
export const tableFile = resolve(
  import.meta.dirname,
  '../../../src/shared/kubernetes/schema/api-schemas.json',
)

/** The table of a server, from its OpenAPI documents and its answers to values of the wrong type. */
export async function tableFrom(
  server: ServerUnderTest,
): Promise<Readonly<Record<string, SchemaEntry>>> {
  return withGoTypes(server, tableOf([...(await openApiDocuments(server)).values()]))
}
