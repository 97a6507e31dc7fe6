import { schemaOfEntry } from '../../../src/shared/kubernetes/schema/api-schema.ts'
import type { ApiSchema, SchemaEntry } from '../../../src/shared/kubernetes/schema/api-schema.ts'
import { goType } from '../../../src/shared/kubernetes/schema/decode.ts'
import type { ServerUnderTest } from '../servers.ts'
import { emptyObject, requestsOf } from './kind-requests.ts'
import { placesIn, withValueAt, wrongValue } from './places.ts'

type Entries = Readonly<Record<string, SchemaEntry>>

/** OpenAPI has no names of Go types such as v1.RestartPolicy; a server names them when a value is of the wrong one. */
async function namesIn(
  server: ServerUnderTest,
  root: ApiSchema,
  schemaNamed: (name: string) => ApiSchema,
  seen: Set<string>,
): Promise<readonly (readonly [schema: string, field: string, name: string])[]> {
  if (root.kinds === 'every') return []
  const names: (readonly [string, string, string])[] = []
  for (const kind of root.kinds) {
    const ask = await requestsOf(server, kind)
    if (ask === undefined) continue
    for (const { steps, schema } of placesIn(root, schemaNamed, seen)) {
      for (const [field, one] of schema.fields) {
        const { kind: type } = one.type
        if (type !== 'string' && type !== 'list' && type !== 'map') continue
        const body = withValueAt(emptyObject(kind), [...steps, field], wrongValue(one))
        const name = / of type (\S+)$/.exec((await ask(body)).message)?.[1]
        if (name !== undefined && name !== goType(one.type)) names.push([schema.name, field, name])
      }
    }
  }
  return names
}

/** The entries with the Go types that do not follow from them. */
export async function withGoTypes(server: ServerUnderTest, entries: Entries): Promise<Entries> {
  const schemaNamed = (name: string): ApiSchema => schemaOfEntry(name, entries[name] ?? {})
  const named = new Map<string, Record<string, string>>()
  const seen = new Set<string>()
  for (const root of Object.keys(entries)) {
    for (const [schema, field, name] of await namesIn(
      server,
      schemaNamed(root),
      schemaNamed,
      seen,
    )) {
      const fields = named.get(schema) ?? { ...entries[schema]?.f }
      fields[field] = `${fields[field] ?? ''} t=${name}`
      named.set(schema, fields)
    }
  }
  const completed = Object.entries(entries).map(([name, entry]): [string, SchemaEntry] => {
    const f = named.get(name)
    return [name, f === undefined ? entry : { ...entry, f }]
  })
  return Object.fromEntries(completed)
}
