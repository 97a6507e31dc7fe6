import { expect, it } from 'vitest'
import { objectAt, objectsAt } from '../../../../shared/json.ts'
import { nodes, pod, pods } from '../../fake-client.ts'
import { clusterUnderTest, readyNode } from '../fake-cluster.ts'
import { livePods, writePhase } from '../fake-pods.ts'

const services = '/api/v1/namespaces/default/services'
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
const endpoints = '/api/v1/namespaces/default/endpoints/web'

it('a Service with a selector has the addresses of its ready pods', async () => {
  const test = await clusterUnderTest()
  const { client } = test
  await client.post(nodes, readyNode('n1'))
  const ports = [{ port: 80, targetPort: 8080 }]
  const spec = { selector: { app: 'web' }, ports }
  await client.post(services, { metadata: { name: 'web' }, spec })
  await client.post(pods, pod('web', {}, { labels: { app: 'web' } }))
  await test.settle()
  expect((await client.get(endpoints)).body['subsets']).toBeUndefined()
  for (const one of await livePods(test)) await writePhase(test, one, 'Running')
  await test.settle()
  const { body } = await client.get(slices, { labelSelector: 'kubernetes.io/service-name=web' })
  expect(objectsAt(body, 'items')).toMatchObject([
    {
      endpoints: [{ addresses: ['10.1.0.3'], conditions: { ready: true } }],
      ports: [{ port: 8080 }],
    },
  ])
  const subsets = objectsAt((await client.get(endpoints)).body, 'subsets')
  expect(
    subsets.map((one) => objectAt(objectsAt(one, 'addresses')[0] ?? {}, 'targetRef')['name']),
  ).toEqual(['web'])
  await client.delete(`${pods}/web`)
  await test.settle()
  expect((await client.get(endpoints)).body['subsets']).toBeUndefined()
})
