import { expect, it } from 'vitest'
import { objectAt } from '../../../shared/json.ts'
import { configMaps, namespaces } from '../fake-client.ts'
import { clusterUnderTest } from './fake-cluster.ts'

const path = (namespace: string): string =>
  `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`

it('keeps the CA’s ConfigMap in every namespace', async () => {
  const { client, settle } = await clusterUnderTest()
  const published = (await client.get(path('default'))).body
  expect(objectAt(published, 'data')).toEqual({
    'ca.crt': expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
  })
  await client.post(namespaces, { metadata: { name: 'new' } })
  await settle()
  expect(objectAt((await client.get(path('new'))).body, 'data')).toEqual(
    objectAt(published, 'data'),
  )
  await client.delete(path('new'))
  await settle()
  expect((await client.get(path('new'))).code).toBe(200)
  await client.put(path('default'), { metadata: { name: 'kube-root-ca.crt' }, data: { a: 'b' } })
  await settle()
  const restored = (await client.get(path('default'))).body
  expect(objectAt(restored, 'data')).toEqual(objectAt(published, 'data'))
  expect(objectAt(objectAt(restored, 'metadata'), 'annotations')).toEqual(
    objectAt(objectAt(published, 'metadata'), 'annotations'),
  )
})

it('does not publish it in a namespace that is being deleted', async () => {
  const { client, settle } = await clusterUnderTest()
  await client.post(namespaces, { metadata: { name: 'new' } })
  await settle()
  await client.delete(`${namespaces}/new`)
  await settle()
  await settle()
  expect((await client.get(`${namespaces}/new`)).code).toBe(404)
  expect((await client.get(configMaps)).code).toBe(200)
})
