import { expect, it } from 'vitest'
import { objectsAt, objectAt } from '../../../../shared/json.ts'
import { nodes, pods } from '../../fake-client.ts'
import { clusterUnderTest, readyNode } from '../fake-cluster.ts'
import { livePods, runPods, workloadNamed } from '../fake-pods.ts'

const daemonSets = '/apis/apps/v1/namespaces/default/daemonsets'
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions'

it('a DaemonSet has a pod for each node that takes it, also for a new one, and replaces them one by one', async () => {
  const test = await clusterUnderTest()
  const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' }
  await test.client.post(nodes, readyNode('n1'))
  await test.client.post(nodes, readyNode('gpu', { taints: [taint] }))
  await test.client.post(daemonSets, workloadNamed('agent', {}))
  await runPods(test)
  expect(await livePods(test)).toHaveLength(1)
  await test.client.post(nodes, readyNode('n2'))
  await runPods(test)
  expect(await livePods(test)).toHaveLength(2)
  const image = { spec: { template: { spec: { containers: [{ name: 'c', image: 'x:2' }] } } } }
  await test.client.patch(`${daemonSets}/agent`, image)
  await runPods(test)
  const { body } = await test.client.get(pods)
  const images = objectsAt(body, 'items').map(
    (pod) => objectsAt(objectAt(pod, 'spec'), 'containers')[0]?.['image'],
  )
  expect(images).toEqual(['x:2', 'x:2'])
  expect(await test.client.names(revisions)).toHaveLength(2)
})
