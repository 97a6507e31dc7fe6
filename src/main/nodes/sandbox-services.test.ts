import { describe, expect, it } from 'vitest'
import type { Pod, Service } from '../../shared/kubernetes/objects.ts'
import { SandboxServices } from './sandbox-services.ts'

function service(name: string, spec: object, namespace = 'shop'): Service {
  return { metadata: { name, namespace, uid: name }, spec: { selector: { app: name }, ...spec } }
}

function pod(app: string, podIP: string, spec: object = {}, isReady = true): Pod {
  return {
    metadata: { name: podIP, namespace: 'shop', uid: podIP, labels: { app } },
    spec: { containers: [], ...spec },
    status: { podIP, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }
}

const services = new SandboxServices({
  services: {
    list: () => [
      service('web', { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'] }),
      service('db', { clusterIP: 'None', clusterIPs: ['None'] }),
      service('early', { clusterIP: 'None', clusterIPs: ['None'], publishNotReadyAddresses: true }),
      service('shop', { clusterIP: '10.96.0.8', clusterIPs: ['10.96.0.8'] }, 'db'),
    ],
  },
  pods: {
    list: () => [
      pod('db', '10.1.0.1', { hostname: 'db-0', subdomain: 'db' }),
      pod('db', '10.1.0.2', { hostname: 'db-1', subdomain: 'db' }, false),
      pod('db', '10.1.0.3', { hostname: 'db-2', subdomain: 'other' }),
      pod('web', '10.1.0.4', { hostname: 'web-0', subdomain: 'web' }),
      pod('early', '10.1.0.5', { hostname: 'early-0', subdomain: 'early' }, false),
    ],
  },
} as unknown as ConstructorParameters<typeof SandboxServices>[0])

describe('the names of services', () => {
  it.each([
    ['web', ['10.96.0.7']],
    ['web.shop', ['10.96.0.7']],
    ['web.shop.svc', ['10.96.0.7']],
    ['web.shop.svc.cluster.local.', ['10.96.0.7']],
    ['db', ['10.1.0.1', '10.1.0.3']],
    ['db-0.db', ['10.1.0.1']],
    ['db-0.db.shop', ['10.1.0.1']],
    ['db-0.db.shop.svc.cluster.local', ['10.1.0.1']],
    ['web-0.web', ['10.1.0.4']],
    ['10-1-0-3.db', ['10.1.0.3']],
    ['early-0.early', ['10.1.0.5']],
    ['early', ['10.1.0.5']],
    ['10-9-9-9.any.pod.cluster.local', ['10.9.9.9']],
    ['shop.db', ['10.96.0.8']],
  ])('%s is %j', (name, addresses) => {
    expect(services.lookUp(name, 'shop')).toEqual(addresses)
  })

  it.each([
    'db-1.db',
    'db-2.db',
    'db-0.web',
    'web.other',
    'a.db-0.db.shop',
    'db-0.db.svc',
    'x-y.any.pod',
  ])('%s does not exist', (name) => {
    expect(services.lookUp(name, 'shop')).toEqual([])
  })
})
