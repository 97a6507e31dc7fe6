import { containerSchemas } from './container-schemas.ts'
import { metaSchemas } from './meta-schemas.ts'
import { nodeSchemas } from './node-schemas.ts'
import {
  appsSchemas,
  coordinationSchemas,
  coreObjectSchemas,
  policySchemas,
} from './object-schemas.ts'
import { affinitySchemas, podSchemas } from './pod-schemas.ts'
import { parseSchema, type Schema, type SchemaTable } from './schema-notation.ts'
import { podStatusSchemas } from './status-schemas.ts'
import { volumeSchemas } from './volume-schemas.ts'

// As the real OpenAPI documents name them: kubectl finds merge keys and explanations through these.
const packages: readonly (readonly [name: string, tables: readonly SchemaTable[]])[] = [
  ['io.k8s.apimachinery.pkg.apis.meta.v1', [metaSchemas]],
  [
    'io.k8s.api.core.v1',
    [
      podSchemas,
      affinitySchemas,
      containerSchemas,
      volumeSchemas,
      podStatusSchemas,
      nodeSchemas,
      coreObjectSchemas,
    ],
  ],
  ['io.k8s.api.coordination.v1', [coordinationSchemas]],
  ['io.k8s.api.policy.v1', [policySchemas]],
  ['io.k8s.api.apps.v1', [appsSchemas]],
]

export interface NamedSchema extends Schema {
  /** `Pod`. */
  readonly name: string
  /** `io.k8s.api.core.v1.Pod`. */
  readonly fullName: string
}

function parseAll(): ReadonlyMap<string, NamedSchema> {
  const all = new Map<string, NamedSchema>()
  for (const [packageName, tables] of packages) {
    for (const [name, schema] of tables.flatMap((table) => Object.entries(table))) {
      if (all.has(name)) throw new Error(`two schemas are called ${name}`)
      all.set(name, { ...parseSchema(schema), name, fullName: `${packageName}.${name}` })
    }
  }
  return all
}

/** Every schema by its short name, which is the kind for whole objects. */
export const schemas: ReadonlyMap<string, NamedSchema> = parseAll()
