import { describe, expect, it } from 'vitest'
import type { HttpMethod, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { discoveryResponse } from './discovery.ts'
import { ResourceRegistry } from '../registry/resource-registry.ts'

const registry = new ResourceRegistry()

function ask(path: string, accept = 'application/json', method: HttpMethod = 'GET'): KubeResponse {
  const headers = { accept, host: '127.0.0.1:6443' }
  const response = discoveryResponse({ method, path, headers }, registry)
  if (response === undefined) throw new Error(`${path} is not a discovery request`)
  return response
}

function bodyOf(response: KubeResponse): unknown {
  if (response.kind !== 'object') throw new Error(`a ${response.kind} and no object`)
  return response.body
}

// As kubectl 1.30 and later sends it, then as kubectl up to 1.29 does.
const newAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'
const oldAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'

describe('plain discovery', () => {
  it('names the versions of the core group', () => {
    expect(bodyOf(ask('/api'))).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    })
  })

  it('lists the other groups, and each of them separately', () => {
    const version = (group: string): object => ({ groupVersion: `${group}/v1`, version: 'v1' })
    const group = (name: string): object => ({
      name,
      versions: [version(name)],
      preferredVersion: version(name),
    })
    expect(bodyOf(ask('/apis'))).toEqual({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: expect.arrayContaining([
        group('coordination.k8s.io'),
        group('apps'),
        group('policy'),
        group('batch'),
      ]),
    })
    expect(bodyOf(ask('/apis/apps'))).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      ...group('apps'),
    })
  })

  it('lists resources with their subresources; pods/eviction names policy/v1, which kubectl drain looks for', () => {
    const list = bodyOf(ask('/api/v1'))
    expect(list).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'v1' })
    expect(list).toHaveProperty(
      'resources',
      expect.arrayContaining([
        {
          name: 'pods',
          singularName: 'pod',
          namespaced: true,
          kind: 'Pod',
          verbs: [
            'create',
            'delete',
            'deletecollection',
            'get',
            'list',
            'patch',
            'update',
            'watch',
          ],
          shortNames: ['po'],
          categories: ['all'],
        },
        {
          name: 'pods/eviction',
          singularName: '',
          namespaced: true,
          group: 'policy',
          version: 'v1',
          kind: 'Eviction',
          verbs: ['create'],
        },
        {
          name: 'nodes/status',
          singularName: '',
          namespaced: false,
          kind: 'Node',
          verbs: ['get', 'patch', 'update'],
        },
      ]),
    )
    expect(bodyOf(ask('/apis/coordination.k8s.io/v1'))).toMatchObject({
      groupVersion: 'coordination.k8s.io/v1',
      resources: [{ name: 'leases', kind: 'Lease', namespaced: true }],
    })
  })
})

describe('kinds that the sandbox does not have', () => {
  it('are listed without verbs and categories, so that kubectl asks the server and lists none of them', () => {
    expect(bodyOf(ask('/apis/networking.k8s.io/v1'))).toHaveProperty(
      'resources',
      expect.arrayContaining([
        {
          name: 'ingresses',
          singularName: 'ingress',
          namespaced: true,
          kind: 'Ingress',
          verbs: [],
          shortNames: ['ing'],
        },
      ]),
    )
  })
})

describe('aggregated discovery', () => {
  it.each([
    ['v2', newAccept],
    ['v2beta1', oldAccept],
  ])('has the format %s on request', (version, accept) => {
    const response = ask('/apis', accept)
    expect(response).toMatchObject({
      status: 200,
      contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    })
    expect(bodyOf(response)).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${version}`,
      items: expect.arrayContaining([
        expect.objectContaining({
          metadata: { name: 'coordination.k8s.io' },
          versions: [expect.objectContaining({ version: 'v1', freshness: 'Current' })],
        }),
        expect.objectContaining({ metadata: { name: 'apps' } }),
        expect.objectContaining({ metadata: { name: 'policy' } }),
      ]),
    })
  })

  it('has all properties of a resource', () => {
    expect(bodyOf(ask('/api', newAccept))).toHaveProperty('items[0].metadata', {})
    expect(bodyOf(ask('/api', newAccept))).toHaveProperty('items[0].versions[0].resources[0]', {
      resource: 'pods',
      responseKind: { group: '', version: 'v1', kind: 'Pod' },
      scope: 'Namespaced',
      singularResource: 'pod',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['po'],
      categories: ['all'],
      subresources: [
        {
          subresource: 'attach',
          responseKind: { group: '', version: 'v1', kind: 'PodAttachOptions' },
          verbs: ['create', 'get'],
        },
        {
          subresource: 'binding',
          responseKind: { group: '', version: 'v1', kind: 'Binding' },
          verbs: ['create'],
        },
        {
          subresource: 'ephemeralcontainers',
          responseKind: { group: '', version: 'v1', kind: 'Pod' },
          verbs: ['get', 'patch', 'update'],
        },
        {
          subresource: 'eviction',
          responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
          verbs: ['create'],
        },
        {
          subresource: 'exec',
          responseKind: { group: '', version: 'v1', kind: 'PodExecOptions' },
          verbs: ['create', 'get'],
        },
        {
          subresource: 'log',
          responseKind: { group: '', version: 'v1', kind: 'Pod' },
          verbs: ['get'],
        },
        {
          subresource: 'portforward',
          responseKind: { group: '', version: 'v1', kind: 'PodPortForwardOptions' },
          verbs: ['create', 'get'],
        },
        {
          subresource: 'resize',
          responseKind: { group: '', version: 'v1', kind: 'Pod' },
          verbs: ['get', 'patch', 'update'],
        },
        {
          subresource: 'status',
          responseKind: { group: '', version: 'v1', kind: 'Pod' },
          verbs: ['get', 'patch', 'update'],
        },
      ],
    })
  })
})

describe('version and health', () => {
  it('is 1.34 with a suffix that marks it as not the real one', () => {
    expect(bodyOf(ask('/version'))).toMatchObject({
      major: '1',
      minor: '34',
      gitVersion: 'v1.34.0+nodescope',
    })
  })

  it.each([
    '/healthz',
    '/livez',
    '/readyz',
    '/readyz/ping',
    '/livez/poststarthook/bootstrap-controller',
  ])('%s is ok', (path) => {
    expect(ask(path)).toMatchObject({
      kind: 'text',
      status: 200,
      body: 'ok',
      contentType: 'text/plain; charset=utf-8',
    })
  })

  it('has no check that only a real server has', () => {
    for (const path of ['/readyz/etcd', '/readyz/poststarthook'])
      expect(discoveryResponse({ method: 'GET', path }, registry)).toBeUndefined()
  })
})

it.each([
  ['GET', '/api/v1/pods'],
  ['GET', '/api/v2'],
  ['GET', '/api/v1/'.repeat(2)],
  ['GET', '/apis/gizmos'],
  ['GET', '/apis/apps/v2'],
  ['GET', '/apis/apps/v1/daemonsets'],
  ['GET', '/version/x'],
  ['GET', '/'],
  ['POST', '/api/v1'],
] as const)('%s %s is left to others', (method, path) => {
  expect(discoveryResponse({ method, path }, registry)).toBeUndefined()
})
