import { describe, expect, it } from 'vitest'
import { isJsonObject, textAt } from '../../../shared/json.ts'
import type { HttpMethod } from '../../../shared/kubernetes/request.ts'
import { requestInfo } from './request-info.ts'
import { ResourceRegistry } from '../registry/resource-registry.ts'

const registry = new ResourceRegistry()

function read(method: HttpMethod, path: string, query: Record<string, string> = {}): unknown {
  const info = requestInfo({ method, path, query }, registry)
  if (info.ok) {
    const { type, verb, namespace, name, subresource } = info.value
    return [verb, type.plural, namespace, name, subresource]
  }
  const { error } = info
  if (error.kind === 'watch') throw new Error('a watch')
  const message = isJsonObject(error.body) ? textAt(error.body, 'message') : error.body
  return [error.status, message]
}

function notThere(kind: string): string {
  return `the Nodescope sandbox does not have kind ${kind} yet`
}

const missing = 'the server could not find the requested resource'
const forbiddenMethod = 'the server does not allow this method on the requested resource'

describe('a request', () => {
  it.each<[HttpMethod, string, Record<string, string>, readonly string[]]>([
    ['GET', '/api/v1/pods', {}, ['list', 'pods', '', '', '']],
    ['GET', '/api/v1/namespaces/default/pods', {}, ['list', 'pods', 'default', '', '']],
    [
      'GET',
      '/api/v1/namespaces/default/pods',
      { watch: 'true' },
      ['watch', 'pods', 'default', '', ''],
    ],
    [
      'GET',
      '/api/v1/namespaces/default/pods',
      { watch: '1' },
      ['watch', 'pods', 'default', '', ''],
    ],
    [
      'GET',
      '/api/v1/namespaces/default/pods',
      { watch: 'false' },
      ['list', 'pods', 'default', '', ''],
    ],
    ['GET', '/api/v1/namespaces/default/pods', { watch: '0' }, ['list', 'pods', 'default', '', '']],
    ['POST', '/api/v1/namespaces/default/pods', {}, ['create', 'pods', 'default', '', '']],
    [
      'DELETE',
      '/api/v1/namespaces/default/pods',
      {},
      ['deletecollection', 'pods', 'default', '', ''],
    ],
    ['GET', '/api/v1/namespaces/default/pods/web', {}, ['get', 'pods', 'default', 'web', '']],
    [
      'GET',
      '/api/v1/namespaces/default/pods/web',
      { watch: '1' },
      ['get', 'pods', 'default', 'web', ''],
    ],
    ['PUT', '/api/v1/namespaces/default/pods/web', {}, ['update', 'pods', 'default', 'web', '']],
    ['PATCH', '/api/v1/namespaces/default/pods/web', {}, ['patch', 'pods', 'default', 'web', '']],
    ['DELETE', '/api/v1/namespaces/default/pods/web', {}, ['delete', 'pods', 'default', 'web', '']],
    [
      'PATCH',
      '/api/v1/namespaces/default/pods/web/status',
      {},
      ['patch', 'pods', 'default', 'web', 'status'],
    ],
    [
      'POST',
      '/api/v1/namespaces/default/pods/web/eviction',
      {},
      ['create', 'pods', 'default', 'web', 'eviction'],
    ],
    [
      'POST',
      '/api/v1/namespaces/default/pods/web/binding',
      {},
      ['create', 'pods', 'default', 'web', 'binding'],
    ],
    ['GET', '/api/v1/namespaces', {}, ['list', 'namespaces', '', '', '']],
    ['GET', '/api/v1/namespaces/default', {}, ['get', 'namespaces', '', 'default', '']],
    [
      'PATCH',
      '/api/v1/namespaces/default/status',
      {},
      ['patch', 'namespaces', '', 'default', 'status'],
    ],
    [
      'PUT',
      '/api/v1/namespaces/default/finalize',
      {},
      ['update', 'namespaces', '', 'default', 'finalize'],
    ],
    ['GET', '/api/v1/nodes/n1', {}, ['get', 'nodes', '', 'n1', '']],
    ['GET', '/api/v1/nodes/a%2Fb', {}, ['get', 'nodes', '', 'a/b', '']],
    ['POST', '/api/v1/nodes', {}, ['create', 'nodes', '', '', '']],
    [
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1',
      {},
      ['update', 'leases', 'kube-node-lease', 'n1', ''],
    ],
    ['GET', '/apis/apps/v1/daemonsets', {}, ['list', 'daemonsets', '', '', '']],
    [
      'PUT',
      '/apis/apps/v1/namespaces/default/deployments/web/scale',
      {},
      ['update', 'deployments', 'default', 'web', 'scale'],
    ],
    ['GET', '/api/v1/namespaces/default/services/', {}, ['list', 'services', 'default', '', '']],
  ])('%s %s %j is parsed', (method, path, query, expected) => {
    expect(read(method, path, query)).toEqual(expected)
  })

  it.each<[HttpMethod, string, number, string]>([
    ['GET', '/api/v1/foos', 404, missing],
    ['GET', '/api/v1/namespaces/default/foos', 404, missing],
    ['GET', '/api/v1/namespaces/default/nodes', 404, missing],
    ['GET', '/api/v1/pods/web', 404, missing],
    ['GET', '/api/v1/namespaces/default/pods/web/foo', 404, missing],
    ['GET', '/api/v1/namespaces/default/pods/web/status/more', 404, missing],
    ['GET', '/apis/foo/v1/foos', 404, '404 page not found\n'],
    ['GET', '/apis/apps/v2/daemonsets', 404, '404 page not found\n'],
    ['GET', '/', 404, '404 page not found\n'],
    ['GET', '/api/v1/%', 404, '404 page not found\n'],
    ['POST', '/api/v1/pods', 405, forbiddenMethod],
    ['DELETE', '/api/v1/pods', 405, forbiddenMethod],
    ['DELETE', '/api/v1/namespaces', 405, forbiddenMethod],
    ['PUT', '/api/v1/namespaces/default/pods', 405, forbiddenMethod],
    ['POST', '/api/v1/namespaces/default/pods/web', 405, forbiddenMethod],
    ['GET', '/api/v1/namespaces/default/pods/web/eviction', 405, forbiddenMethod],
    ['PATCH', '/api/v1/namespaces/default/podtemplates/a', 405, notThere('PodTemplate')],
    ['POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', 405, notThere('Ingress')],
    ['GET', '/apis/networking.k8s.io/v1/ingresses', 405, notThere('Ingress')],
    [
      'GET',
      '/apis/networking.k8s.io/v1/namespaces/default/ingresses/web',
      404,
      `ingresses.networking.k8s.io "web" not found: ${notThere('Ingress')}`,
    ],
    [
      'DELETE',
      '/apis/networking.k8s.io/v1/ingressclasses/a',
      404,
      `ingressclasses.networking.k8s.io "a" not found: ${notThere('IngressClass')}`,
    ],
    [
      'POST',
      '/api/v1/namespaces/default/pods/web/proxy',
      501,
      'the sandbox does not proxy to pods',
    ],
  ])('%s %s is answered with %i: %s', (method, path, code, message) => {
    expect(read(method, path)).toEqual([code, message])
  })

  it('for an autoscaler is refused with a warning, too: kubectl prints its own error', () => {
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
    const info = requestInfo({ method: 'POST', path }, registry)
    expect(info).toMatchObject({
      ok: false,
      error: {
        status: 405,
        headers: { warning: `299 - "${notThere('HorizontalPodAutoscaler')}"` },
      },
    })
  })
})
