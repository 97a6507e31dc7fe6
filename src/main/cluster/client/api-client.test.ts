import { describe, expect, it } from 'vitest'
import type { Lease, Pod } from '../../../shared/kubernetes/objects.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { TransportApiClient } from './api-client.ts'
import { FakeTransport, answer, list, refusal } from '../transport/fake-transport.ts'
import type { ScriptedAnswer } from '../transport/fake-transport.ts'

const web: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '5' },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
}
const podKey = { resource: 'pods', namespace: 'default', name: 'web' } as const

function scripted(...answers: readonly ScriptedAnswer[]): {
  readonly api: TransportApiClient
  readonly transport: FakeTransport
} {
  const transport = new FakeTransport().script(...answers)
  return { api: new TransportApiClient({ transport }), transport }
}

describe('TransportApiClient', () => {
  it('gets an object unchanged, and sends the causes', async () => {
    const raw = { ...web, somethingNew: { kept: true } }
    const { api, transport } = scripted(answer(200, raw))
    expect(await api.get(podKey, [3, 4])).toEqual({ ok: true, value: raw })
    expect(transport.requests).toEqual([
      {
        method: 'GET',
        path: '/api/v1/namespaces/default/pods/web',
        headers: { accept: 'application/json' },
        causes: [3, 4],
      },
    ])
  })

  it.each([
    [{ resource: 'nodes', name: 'n1' }, '/api/v1/nodes/n1'],
    [{ resource: 'namespaces', name: 'a' }, '/api/v1/namespaces/a'],
    [
      { resource: 'leases', namespace: 'kube-node-lease', name: 'n1' },
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1',
    ],
    [{ resource: 'events', namespace: 'a', name: 'e' }, '/api/v1/namespaces/a/events/e'],
    [
      { resource: 'daemonsets', namespace: 'kube-system', name: 'proxy' },
      '/apis/apps/v1/namespaces/kube-system/daemonsets/proxy',
    ],
    [
      { resource: 'pods', namespace: 'default', name: '../secrets/x' },
      '/api/v1/namespaces/default/pods/..%2Fsecrets%2Fx',
    ],
  ] as const)('knows where %o is', async (key, path) => {
    const { api, transport } = scripted(answer(200, web))
    await api.get(key)
    expect(transport.requests[0]?.path).toBe(path)
  })

  it('lists page by page', async () => {
    const pods = ['a', 'b', 'c'].map((name) => ({ ...web, metadata: { ...web.metadata, name } }))
    const { api, transport } = scripted(
      list(pods.slice(0, 2), '10', 'token'),
      list(pods.slice(2), '10'),
    )
    const found = await api.list({
      resource: 'pods',
      fieldSelector: 'spec.nodeName=n1',
      labelSelector: 'app=web',
    })
    expect(found).toEqual({ ok: true, value: pods })
    const selectors = { fieldSelector: 'spec.nodeName=n1', labelSelector: 'app=web', limit: '500' }
    expect(transport.requests.map(({ path, query }) => ({ path, query }))).toEqual([
      { path: '/api/v1/pods', query: selectors },
      { path: '/api/v1/pods', query: { ...selectors, continue: 'token' } },
    ])
  })

  it('lists again without pages after an expired continue token', async () => {
    const { api, transport } = scripted(
      list([web], '10', 'token'),
      refusal(410, 'Expired', 'The provided continue parameter is too old'),
      list([web], '12'),
    )
    expect(await api.list({ resource: 'pods', namespace: 'default' })).toEqual({
      ok: true,
      value: [web],
    })
    expect(transport.requests.map(({ query }) => query)).toEqual([
      { limit: '500' },
      { limit: '500', continue: 'token' },
      {},
    ])
  })

  it('treats a list without items as empty', async () => {
    const { api } = scripted(answer(200, { metadata: { resourceVersion: '1' }, items: null }))
    expect(await api.list({ resource: 'leases' })).toEqual({ ok: true, value: [] })
  })

  it('creates with POST on the collection', async () => {
    const lease: Lease = { metadata: { name: 'n1', namespace: 'kube-node-lease', uid: '' } }
    const { api, transport } = scripted(answer(201, lease))
    await api.create({ resource: 'leases', namespace: 'kube-node-lease' }, lease, [9])
    expect(transport.requests).toEqual([
      {
        method: 'POST',
        path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease },
        causes: [9],
      },
    ])
  })

  it('updates with PUT', async () => {
    const { api, transport } = scripted(answer(200, web))
    expect(await api.update(podKey, web)).toEqual({ ok: true, value: web })
    expect(transport.requests[0]).toMatchObject({
      method: 'PUT',
      path: '/api/v1/namespaces/default/pods/web',
      body: web,
    })
  })

  it.each([
    ['strategic', 'application/strategic-merge-patch+json'],
    ['merge', 'application/merge-patch+json'],
    ['json', 'application/json-patch+json'],
  ] as const)('sends a %s patch as %s', async (type, contentType) => {
    const { api, transport } = scripted(answer(200, web))
    await api.patch(podKey, { type, body: { x: 1 }, subresource: 'status' })
    expect(transport.requests[0]).toEqual({
      method: 'PATCH',
      path: '/api/v1/namespaces/default/pods/web/status',
      headers: { accept: 'application/json', 'content-type': contentType },
      body: { x: 1 },
    })
  })

  it('deletes with its options in the body, and ignores the body of the response', async () => {
    const { api, transport } = scripted(answer(200, { kind: 'Status', status: 'Success' }))
    const options = { gracePeriodSeconds: 0, preconditions: { uid: 'u1' } }
    expect(await api.delete(podKey, options)).toEqual({ ok: true, value: undefined })
    expect(transport.requests[0]).toMatchObject({
      method: 'DELETE',
      path: '/api/v1/namespaces/default/pods/web',
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...options },
    })
  })

  it('evicts through the subresource', async () => {
    const { api, transport } = scripted(answer(201, {}), answer(201, {}))
    const key = { namespace: 'default', name: 'web' }
    await api.evict(key, { gracePeriodSeconds: 5, dryRun: true })
    expect(await api.evict(key, {})).toEqual({ ok: true, value: undefined })
    const eviction = { kind: 'Eviction', apiVersion: 'policy/v1', metadata: key }
    const deleteOptions = { kind: 'DeleteOptions', apiVersion: 'v1' }
    expect(transport.requests.map(({ path, query, body }) => ({ path, query, body }))).toEqual([
      {
        path: '/api/v1/namespaces/default/pods/web/eviction',
        query: { dryRun: 'All' },
        body: {
          ...eviction,
          deleteOptions: { ...deleteOptions, gracePeriodSeconds: 5, dryRun: ['All'] },
        },
      },
      {
        path: '/api/v1/namespaces/default/pods/web/eviction',
        query: undefined,
        body: { ...eviction, deleteOptions },
      },
    ])
  })

  it('returns refusals and missing responses as errors', async () => {
    const { api } = scripted(
      refusal(404, 'NotFound', 'pods "web" not found'),
      new TransportError('unavailable', 'nothing listens there'),
    )
    expect(await api.get(podKey)).toEqual({
      ok: false,
      error: {
        kind: 'not-found',
        code: 404,
        reason: 'NotFound',
        message: 'pods "web" not found',
      },
    })
    expect(await api.delete(podKey, {})).toEqual({
      ok: false,
      error: { kind: 'unavailable', message: 'nothing listens there' },
    })
  })

  it('refuses a login page or an incomplete object as a response', async () => {
    const { api } = scripted(
      { kind: 'text', status: 200, body: '<html>', contentType: 'text/html' },
      answer(200, { kind: 'Pod' }),
      answer(200, { metadata: {}, items: [{ spec: {} }] }),
    )
    expect(await api.get(podKey)).toMatchObject({
      error: {
        kind: 'unknown',
        message:
          'GET /api/v1/namespaces/default/pods/web returned text/html instead of a Kubernetes object',
      },
    })
    expect(await api.get(podKey)).toMatchObject({ error: { kind: 'unknown' } })
    expect(await api.list({ resource: 'pods' })).toMatchObject({ error: { kind: 'unknown' } })
  })

  it('rethrows errors of other kinds', async () => {
    const { api } = scripted(new TypeError('bug'))
    await expect(api.get(podKey)).rejects.toThrow('bug')
  })
})
