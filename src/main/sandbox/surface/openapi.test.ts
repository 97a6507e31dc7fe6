import { describe, expect, it } from 'vitest'
import type { KubeResponse } from '../../../shared/kubernetes/request.ts'
import { schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { openApiResponse } from './openapi.ts'
import { ResourceRegistry } from '../registry/resource-registry.ts'

const registry = new ResourceRegistry()

function get(path: string): KubeResponse {
  const response = openApiResponse({ method: 'GET', path }, registry)
  if (response === undefined) throw new Error(`nothing at ${path}`)
  return response
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> }
}

function document(path: string): Document {
  const response = get(`/openapi/v3/${path}`)
  if (response.kind !== 'text') throw new Error(`a ${response.kind} and no text`)
  expect([response.status, response.contentType]).toEqual([200, 'application/json'])
  return JSON.parse(String(response.body)) as Document
}

describe('the index', () => {
  it('names a document for every group and version, with a stable hash', () => {
    const index = get('/openapi/v3')
    const url = (path: string): object => ({
      serverRelativeURL: expect.stringMatching(`^/openapi/v3/${path}\\?hash=[0-9A-F]{32}$`),
    })
    expect(index).toEqual({
      kind: 'object',
      status: 200,
      body: {
        paths: {
          'api/v1': url('api/v1'),
          'apis/coordination.k8s.io/v1': url('apis/coordination.k8s.io/v1'),
          'apis/apiextensions.k8s.io/v1': url('apis/apiextensions.k8s.io/v1'),
          'apis/apps/v1': url('apis/apps/v1'),
          'apis/batch/v1': url('apis/batch/v1'),
          'apis/certificates.k8s.io/v1': url('apis/certificates.k8s.io/v1'),
          'apis/discovery.k8s.io/v1': url('apis/discovery.k8s.io/v1'),
          'apis/events.k8s.io/v1': url('apis/events.k8s.io/v1'),
          'apis/policy/v1': url('apis/policy/v1'),
          'apis/scheduling.k8s.io/v1': url('apis/scheduling.k8s.io/v1'),
          'apis/node.k8s.io/v1': url('apis/node.k8s.io/v1'),
          'apis/rbac.authorization.k8s.io/v1': url('apis/rbac.authorization.k8s.io/v1'),
          'apis/storage.k8s.io/v1': url('apis/storage.k8s.io/v1'),
          'apis/authentication.k8s.io/v1': url('apis/authentication.k8s.io/v1'),
          'apis/authorization.k8s.io/v1': url('apis/authorization.k8s.io/v1'),
        },
      },
    })
    expect(get('/openapi/v3')).toEqual(index)
  })
})

describe('the document of v1', () => {
  const { paths, components } = document('api/v1')
  const pod = 'io.k8s.api.core.v1.Pod'

  it('has what kubectl needs to apply each kind that can be patched', () => {
    expect(paths['/api/v1/namespaces/{namespace}/pods/{name}']?.['patch']).toMatchObject({
      'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Pod' },
      parameters: expect.arrayContaining([
        { name: 'fieldValidation', in: 'query', schema: { type: 'string', uniqueItems: true } },
      ]),
      requestBody: { content: { 'application/strategic-merge-patch+json': {} } },
    })
    const patched = Object.values(paths)
      .map((item) => item['patch']?.['x-kubernetes-group-version-kind'])
      .filter((kind) => kind !== undefined)
    for (const { kind, group, version } of resourceTypes.filter(
      (type) => type.group === '' && type.verbs.includes('patch'),
    )) {
      expect(patched).toContainEqual({ group, version, kind })
    }
  })

  it('has only the methods that are served', () => {
    expect(Object.keys(paths['/api/v1/namespaces/{namespace}/limitranges'] ?? {})).toEqual([
      'get',
      'post',
    ])
    expect(Object.keys(paths['/api/v1/namespaces/{namespace}/pods/{name}/eviction'] ?? {})).toEqual(
      ['post'],
    )
    expect(Object.keys(paths['/api/v1/nodes/{name}'] ?? {})).toEqual([
      'get',
      'put',
      'patch',
      'delete',
    ])
  })

  it('marks the schemas of kinds, but not those of parts', () => {
    expect(components.schemas[pod]).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' } },
    })
    const spec = components.schemas['io.k8s.api.core.v1.PodSpec']
    expect(spec).not.toHaveProperty('x-kubernetes-group-version-kind')
    expect(spec).toMatchObject({ type: 'object', required: ['containers'] })
  })

  it('has the merge keys that kubectl computes patches with', () => {
    expect(components.schemas['io.k8s.api.core.v1.PodSpec']).toHaveProperty(
      'properties.containers',
      {
        type: 'array',
        items: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }],
          default: {},
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
      },
    )
    expect(components.schemas['io.k8s.api.core.v1.PodSpec']).toHaveProperty(
      'properties.volumes.x-kubernetes-patch-strategy',
      'merge,retainKeys',
    )
  })

  it('contains every schema that it refers to', () => {
    const text = JSON.stringify({ paths, components })
    const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    )
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter((name) => components.schemas[name ?? ''] === undefined)).toEqual([])
  })
})

it('the document of another group has that group in its paths', () => {
  const { paths, components } = document('apis/coordination.k8s.io/v1')
  expect(Object.keys(paths)).toEqual([
    '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases',
    '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}',
    '/apis/coordination.k8s.io/v1/leases',
  ])
  expect(components.schemas['io.k8s.api.coordination.v1.Lease']).toHaveProperty(
    'x-kubernetes-group-version-kind',
    [{ group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }],
  )
})

it.each([
  ['GET', '/openapi/v2/x'],
  ['GET', '/openapi/v3/apis/example.com/v1'],
  ['GET', '/openapi/v3x'],
  ['POST', '/openapi/v3'],
] as const)('%s %s is left to others', (method, path) => {
  expect(openApiResponse({ method, path }, registry)).toBeUndefined()
})

it('the table has a schema for every served kind and its subresources', () => {
  const kinds = resourceTypes.flatMap((type) => [type, ...type.subresources])
  const missing = kinds.filter((kind) => schemaOfKind(kind) === undefined)
  // What connections take is in their query.
  expect(missing.filter(({ kind }) => !kind.endsWith('Options'))).toEqual([])
})
