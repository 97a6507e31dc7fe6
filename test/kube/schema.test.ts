import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, objectAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import { schemaNamed, schemaNames } from '../../src/shared/kubernetes/schema/api-schema.ts'
import type { ApiSchema, GroupVersionKind } from '../../src/shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../src/shared/kubernetes/schema/decode.ts'
import { strategicMerge } from '../../src/main/sandbox/patch/strategic-merge.ts'
import { ResourceRegistry } from '../../src/main/sandbox/registry/resource-registry.ts'
import { openApiResponse } from '../../src/main/sandbox/surface/openapi.ts'
import { openApiSchema } from '../../src/main/sandbox/surface/openapi-schemas.ts'
import { runGo } from './build.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { bootstrapTable, bootstrapTableFile, bootstrapTableText } from './schema/bootstrap-table.ts'
import {
  cannotBeHandled,
  emptyObject,
  requestsOf,
  warningsIn,
  type AskKind,
} from './schema/kind-requests.ts'
import { strangeBodies, strangePatches, subresourceBodies } from './schema/strange-bodies.ts'
import { merges, mergedDeployment } from './schema/merges.ts'
import { openApiDocuments } from './schema/openapi-documents.ts'
import { placesIn, withValueAt, wrongValue } from './schema/places.ts'
import { protobufTable, protobufTableFile, protobufTableText } from './schema/protobuf-table.ts'
import { schemasIn, tableText } from './schema/schema-table.ts'
import { tableFile, tableFrom } from './schema/server-table.ts'
import { startRealServer, startSandboxServer, type ServerUnderTest } from './servers.ts'

// The table of the API's kinds, compared with the server that it was generated from.

const real = await startRealServer(process.env)
const counts = { unknownFields: 0, wrongTypes: 0, texts: 0, merges: 0 }

afterAll(async () => {
  if ('missing' in real) {
    reportMissing('schema', real.missing)
    return
  }
  await real.stop()
  reportComparison(
    'schema',
    `${schemaNames.length} schemas; unknown fields at ${counts.unknownFields} places, values of the wrong type at ${counts.wrongTypes}, ${counts.texts} strange bodies and ${counts.merges} merges as kube-apiserver`,
  )
})

function running(): ServerUnderTest {
  if ('missing' in real) throw new Error('skipped without it')
  return real
}

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(
    ([name, field]) => !(name === 'description' && typeof field === 'string'),
  )
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutDescriptions(field)]))
}

/** The order of required fields and of enums says nothing. */
function withSortedLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedLists).toSorted(byText)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withSortedLists(field)]),
  )
}

function byText(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : 1
}

/** Kinds that a request takes, with their schema and how one asks. */
async function askedKinds(): Promise<
  readonly { readonly kind: GroupVersionKind; readonly schema: ApiSchema; readonly ask: AskKind }[]
> {
  const kinds = schemaNames.map(schemaNamed).flatMap((schema) => {
    return schema.kinds === 'every' ? [] : schema.kinds.map((kind) => ({ kind, schema }))
  })
  const asked = kinds.map(async (one) => {
    const ask = await requestsOf(running(), one.kind)
    return ask === undefined ? [] : [{ ...one, ask }]
  })
  return (await Promise.all(asked)).flat()
}

describe.skipIf('missing' in real)('the table of kinds', { timeout: 120_000 }, () => {
  it('is what npm run kube:schema generates from this server', async () => {
    expect(tableText(await tableFrom(running()))).toBe(await readFile(tableFile, 'utf8'))
  })

  it('of roles and bindings is what npm run kube:schema generates from this server', async () => {
    const text = bootstrapTableText(await bootstrapTable(running()))
    expect(text).toBe(await readFile(bootstrapTableFile, 'utf8'))
    const sandbox = await startSandboxServer({}, true)
    expect(bootstrapTableText(await bootstrapTable(sandbox))).toBe(text)
    await sandbox.stop()
  })

  it('of protobuf messages is what npm run kube:schema generates from the Go types', async ({
    skip,
  }) => {
    const { code } = await runGo(['version'], {
      cwd: import.meta.dirname,
      environment: process.env,
    })
    skip(code !== 0, 'there is no Go')
    const text = protobufTableText(await protobufTable())
    expect(text).toBe(await readFile(protobufTableFile, 'utf8'))
  })

  it('has the same schemas as the server’s OpenAPI documents, except for descriptions', async () => {
    const schemas = schemasIn([...(await openApiDocuments(running())).values()])
    for (const name of schemaNames) {
      const schema = schemaNamed(name)
      const { 'x-kubernetes-group-version-kind': kinds, ...rest } = schemas.get(name) ?? {}
      const theirs = schema.kinds === 'every' || kinds === undefined ? rest : schemas.get(name)
      expect.soft(openApiSchema(schema), name).toEqual(withoutDescriptions(theirs))
    }
  })

  it('has the same definitions in its OpenAPI document of version 2, and no path of its own', async () => {
    const request = { method: 'GET', path: '/openapi/v2', headers: {} } as const
    const answer = openApiResponse(request, new ResourceRegistry())
    const ours = answer?.kind === 'object' && isJsonObject(answer.body) ? answer.body : {}
    const body: unknown = await (await running().send(request)).body.json()
    const theirs = isJsonObject(body) ? body : {}
    const definitions = objectAt(theirs, 'definitions')
    for (const [name, own] of Object.entries(objectAt(ours, 'definitions'))) {
      const { 'x-kubernetes-group-version-kind': kinds, ...rest } = objectAt(definitions, name)
      // Of every group: those of the server are more.
      const isEvery = isJsonObject(own) && !('x-kubernetes-group-version-kind' in own)
      const other = isEvery || kinds === undefined ? rest : objectAt(definitions, name)
      expect.soft(withSortedLists(own), name).toEqual(withSortedLists(withoutDescriptions(other)))
    }
    const known = new Set(Object.keys(objectAt(theirs, 'paths')))
    const own = Object.keys(objectAt(ours, 'paths')).filter((path) => !known.has(path))
    expect(own).toEqual([])
  })

  it('finds unknown fields at every level', async () => {
    for (const { kind, schema, ask } of await askedKinds()) {
      for (const { steps } of placesIn(schema, schemaNamed)) {
        const body = withValueAt(emptyObject(kind), steps, { zzUnknown: 1 })
        const { unknownFields, error } = decodeAs(schema, body)
        expect(error).toBeUndefined()
        const { warnings } = await ask(body, 'Warn')
        const own = unknownFields.map((field) => `unknown field "${field}"`)
        expect
          .soft(own, JSON.stringify(body))
          .toEqual(warnings.filter((text) => text.startsWith('unknown')))
        counts.unknownFields++
      }
    }
  })

  it('reports values of the wrong type with the server’s messages', async () => {
    const seen = new Set<string>()
    for (const { kind, schema, ask } of await askedKinds()) {
      for (const { steps, schema: at } of placesIn(schema, schemaNamed, seen)) {
        for (const [name, field] of at.fields) {
          const value = wrongValue(field)
          const isType = steps.length === 0 && (name === 'kind' || name === 'apiVersion')
          if (value === undefined || isType || at.fields.size === 0) continue
          const body = withValueAt(emptyObject(kind), [...steps, name], value)
          const { error } = decodeAs(schema, body)
          // A struct without fields takes everything.
          if (error === undefined) continue
          const { status, message } = await ask(body)
          expect.soft([status, message]).toEqual([400, cannotBeHandled(kind) + error])
          counts.wrongTypes++
        }
      }
    }
  })
})

describe('bodies as texts', { timeout: 60_000 }, () => {
  let sandbox: ServerUnderTest
  beforeAll(async () => {
    sandbox = await startSandboxServer()
  })
  afterAll(async () => {
    await sandbox.stop()
  })

  async function answer(
    server: ServerUnderTest,
    request: { readonly path: string; readonly body: string; readonly type?: string },
    validation: string,
  ): Promise<unknown> {
    const { statusCode, headers, body } = await server.send({
      method: request.type === undefined ? 'POST' : 'PATCH',
      path: `${request.path}?dryRun=All&fieldValidation=${validation}`,
      headers: { 'content-type': request.type ?? 'application/json' },
      body: request.body,
    })
    const value: unknown = await body.json()
    const message = isJsonObject(value) && statusCode >= 400 ? textAt(value, 'message') : ''
    // The error of a patch contains the patched object.
    const sentence = message.replace(/^.*(: strict decoding error: )/s, '$1')
    return { status: statusCode, warnings: warningsIn(headers['warning']), message: sentence }
  }

  function servers(): readonly ServerUnderTest[] {
    return 'missing' in real ? [sandbox] : [sandbox, real]
  }

  async function create(server: ServerUnderTest, path: string, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const created = await server.send({ method: 'POST', path, headers, body })
    await created.body.dump()
  }

  it.each(strangeBodies)('%s', async (_, body) => {
    for (const validation of ['Strict', 'Warn', 'Ignore']) {
      const request = { path: '/api/v1/namespaces/default/pods', body }
      const ours = await answer(sandbox, request, validation)
      expect(ours).toMatchObject({ status: expect.any(Number) })
      if ('missing' in real) continue
      expect.soft(ours, validation).toEqual(await answer(real, request, validation))
      counts.texts++
    }
  })

  it.each(subresourceBodies)('the subresource %s: %s', async (subresource, body) => {
    const pods = '/api/v1/namespaces/default/pods'
    const pod =
      '{"metadata":{"name":"sub"},"spec":{"automountServiceAccountToken":false,"containers":[{"name":"c","image":"i"}]}}'
    for (const server of servers()) await create(server, pods, pod)
    for (const validation of ['Strict', 'Warn', 'Ignore']) {
      const request = { path: `${pods}/sub/${subresource}`, body }
      const ours = await answer(sandbox, request, validation)
      if ('missing' in real) continue
      expect.soft(ours, validation).toEqual(await answer(real, request, validation))
      counts.texts++
    }
  })

  it.each(strangePatches)('a %s patch: %s', async (kind, body) => {
    const path = '/api/v1/namespaces/default/configmaps/patched'
    const type = `application/${kind}-patch+json`
    const map = '{"metadata":{"name":"patched","labels":{"a":"b"}},"data":{"a":"b"}}'
    for (const server of servers()) await create(server, path.replace(/\/patched$/, ''), map)
    for (const validation of ['Strict', 'Warn', 'Ignore']) {
      const ours = await answer(sandbox, { path, body, type }, validation)
      if ('missing' in real) continue
      expect.soft(ours, validation).toEqual(await answer(real, { path, body, type }, validation))
      counts.texts++
    }
  })
})

describe.skipIf('missing' in real)('a strategic merge', { timeout: 60_000 }, () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  const path = `${deployments}/merged`
  let original: JsonObject

  async function send(method: 'POST' | 'PUT' | 'PATCH', to: string, body: unknown) {
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json'
    const answer = await running().send({
      method,
      path: to,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    })
    const value: unknown = await answer.body.json()
    if (!isJsonObject(value)) throw new Error(`${method} ${to} was answered with no object`)
    return value
  }

  function comparable(object: JsonObject): unknown {
    const {
      managedFields: _,
      generation: __,
      resourceVersion: ___,
      ...metadata
    } = objectAt(object, 'metadata')
    return { ...object, metadata, status: undefined }
  }

  beforeAll(async () => {
    original = await send('POST', deployments, mergedDeployment)
  })

  it.each(merges.map((patch) => [JSON.stringify(patch), patch] as const))(
    '%s',
    async (_, patch) => {
      const merged = strategicMerge(original, patch, schemaNamed('apps.v1.Deployment'))
      if (!merged.ok) throw new Error(merged.error)
      // The server completes new elements with defaults: ours gets them by an update that is a dry run, too.
      const ours = await send('PUT', `${path}?dryRun=All`, merged.value)
      const theirs = await send('PATCH', `${path}?dryRun=All`, patch)
      expect(textAt(theirs, 'kind')).toBe('Deployment')
      expect(comparable(ours)).toEqual(comparable(theirs))
      counts.merges++
    },
  )
})
