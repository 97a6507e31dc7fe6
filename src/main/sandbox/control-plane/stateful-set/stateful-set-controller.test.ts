import { expect, it } from 'vitest'
import { objectAt } from '../../../../shared/json.ts'
import { clusterUnderTest } from '../fake-cluster.ts'
import { livePods, nameOf, runPods, workloadNamed } from '../fake-pods.ts'

const statefulSets = '/apis/apps/v1/namespaces/default/statefulsets'
const claims = '/api/v1/namespaces/default/persistentvolumeclaims'

it('pods of a StatefulSet start one after the other, with their claims, and go in reverse order', async () => {
  const test = await clusterUnderTest()
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  const spec = { replicas: 3, serviceName: 'db', volumeClaimTemplates: [claim] }
  await test.client.post(statefulSets, workloadNamed('db', spec))
  await test.settle()
  expect((await livePods(test)).map(nameOf)).toEqual(['db-0'])
  await runPods(test)
  expect((await livePods(test)).map(nameOf)).toEqual(['db-0', 'db-1', 'db-2'])
  expect(await test.client.names(claims)).toEqual(['data-db-0', 'data-db-1', 'data-db-2'])
  await test.client.patch(`${statefulSets}/db`, { spec: { replicas: 1 } })
  await test.settle()
  expect((await livePods(test)).map(nameOf)).toEqual(['db-0'])
  expect(await test.client.names(claims)).toHaveLength(3)
})

it('a StatefulSet counts its pods in its status although it cannot create one', async () => {
  const test = await clusterUnderTest()
  await test.client.post(statefulSets, workloadNamed('db', { replicas: 1, serviceName: 'db' }))
  await test.settle()
  await runPods(test)
  const statusOf = async (): Promise<unknown> => {
    const { body } = await test.client.get(`${statefulSets}/db`)
    return objectAt(body, 'status')
  }
  expect(await statusOf()).toMatchObject({ replicas: 1, readyReplicas: 1 })
  // It no longer belongs to the set, but has the name.
  const pod = '/api/v1/namespaces/default/pods/db-0'
  await test.client.patch(pod, { metadata: { labels: { app: 'other' } } })
  await test.settle()
  expect(await statusOf()).toMatchObject({ replicas: 0 })
  expect(await statusOf()).not.toHaveProperty('readyReplicas')
})
