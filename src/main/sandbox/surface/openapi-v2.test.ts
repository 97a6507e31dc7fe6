import { expect, it } from 'vitest'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeResponse } from '../../../shared/kubernetes/request.ts'
import { openApiResponse } from './openapi.ts'
import { openApiV2Bytes } from './openapi-v2-protobuf.ts'
import { ResourceRegistry } from '../registry/resource-registry.ts'

const registry = new ResourceRegistry()

const path = '/openapi/v2'

function ask(accept?: string): KubeResponse {
  const headers = accept === undefined ? {} : { headers: { accept } }
  const response = openApiResponse({ method: 'GET', path, ...headers }, registry)
  if (response === undefined) throw new Error('no answer')
  return response
}

function document(): JsonObject {
  const response = ask()
  if (response.kind !== 'object' || !isJsonObject(response.body)) throw new Error(response.kind)
  return response.body
}

function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isJsonObject(value)) return []
  const own = textAt(value, '$ref')
  return [...(own === '' ? [] : [own]), ...Object.values(value).flatMap(referencesIn)]
}

it('has the kinds of all groups, with what kubectl needs of each', () => {
  const { definitions, paths, swagger } = document()
  expect(swagger).toBe('2.0')
  const schemas = isJsonObject(definitions) ? definitions : {}
  expect(schemas['io.k8s.api.core.v1.Pod']).toMatchObject({
    type: 'object',
    properties: { spec: { $ref: '#/definitions/io.k8s.api.core.v1.PodSpec' } },
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
  })
  expect(objectAt(schemas, 'io.k8s.api.core.v1.PodSpec')).toMatchObject({
    properties: {
      containers: {
        items: { $ref: '#/definitions/io.k8s.api.core.v1.Container' },
        'x-kubernetes-patch-merge-key': 'name',
      },
    },
  })
  const item = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}'
  expect(objectAt(isJsonObject(paths) ? paths : {}, item)['patch']).toMatchObject({
    consumes: expect.arrayContaining(['application/strategic-merge-patch+json']),
    parameters: expect.arrayContaining([
      { name: 'fieldValidation', in: 'query', type: 'string', uniqueItems: true },
    ]),
    'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
  })
  const names = new Set(Object.keys(schemas).map((name) => `#/definitions/${name}`))
  const missing = [...referencesIn(schemas), ...referencesIn(paths)].filter(
    (one) => !names.has(one),
  )
  expect(missing).toEqual([])
})

it('is the same in protobuf for kubectl', () => {
  // As kubectl sends it, with the @ that it cannot read in an answer.
  const response = ask('application/com.github.proto-openapi.spec.v2@v1.0+protobuf')
  if (response.kind !== 'text') throw new Error(response.kind)
  expect(response.contentType).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
  const bytes = Buffer.from(response.body)
  for (const text of ['io.k8s.api.core.v1.PodSpec', '/apis/apps/v1/deployments', 'fieldValidation'])
    expect(bytes.includes(text)).toBe(true)
})

it('writes the fields of gnostic', () => {
  const bytes = openApiV2Bytes({
    swagger: '2.0',
    info: { title: 't', version: 'v' },
    paths: {},
    definitions: { A: { type: 'object', required: ['b'], properties: { b: { $ref: '#/B' } } } },
  })
  const property = '\n\x01b\x12\x05\n\x03#/B'
  const properties = `\xca\x01\x0c\n\x0a${property}`
  const schema = `\x9a\x01\x01b\xb2\x01\x08\n\x06object${properties}`
  const definition = `\n\x01A\x12${String.fromCharCode(schema.length)}${schema}`
  const definitions = `\n${String.fromCharCode(definition.length)}${definition}`
  const info = '\n\x01t\x12\x01v'
  const expected = `\n\x032.0\x12\x06${info}\x42\x00\x4a${String.fromCharCode(definitions.length)}${definitions}`
  expect(Buffer.from(bytes).toString('latin1')).toBe(expected)
})

it('answers no other requests', () => {
  expect(openApiResponse({ method: 'POST', path }, registry)).toBeUndefined()
})
