import { expect, it } from 'vitest'
import { objectsAt, objectAt } from '../../../../shared/json.ts'
import { nodes, pods } from '../../fake-client.ts'
import { clusterUnderTest, eventsAbout, readyNode } from '../fake-cluster.ts'
import { livePods, nameOf, runPods, workloadNamed, writePhase } from '../fake-pods.ts'
import type { ClusterUnderTest } from '../fake-cluster.ts'
import { targetNode } from './daemon-pods.ts'
import { asPod } from '../../registry/pod/pod-strategy.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'

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

/** Binds every new pod to its node and runs it: a bound pod stays for its grace period when it is deleted. */
async function bindAndRun(test: ClusterUnderTest): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await test.settle()
    for (const pod of await livePods(test)) {
      if ('nodeName' in objectAt(pod, 'spec')) continue
      const name = targetNode(asPod(pod as KubeObject))
      await test.client.post(`${pods}/${nameOf(pod)}/binding`, {
        metadata: { name: nameOf(pod) },
        target: { kind: 'Node', name },
      })
      await writePhase(test, pod, 'Running')
    }
  }
}

it('a DaemonSet that surges deletes each old pod once', async () => {
  const test = await clusterUnderTest()
  for (const name of ['n1', 'n2']) await test.client.post(nodes, readyNode(name))
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 }
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate }
  await test.client.post(daemonSets, workloadNamed('agent', { updateStrategy }))
  await bindAndRun(test)
  const image = { spec: { template: { spec: { containers: [{ name: 'c', image: 'x:2' }] } } } }
  await test.client.patch(`${daemonSets}/agent`, image)
  await bindAndRun(test)
  const deletions = (await eventsAbout(test.client, 'agent')).filter((event) =>
    event.includes('SuccessfulDelete'),
  )
  expect(deletions).toHaveLength(2)
  expect(new Set(deletions).size).toBe(2)
  const { body } = await test.client.get('/api/v1/events', {
    fieldSelector: 'involvedObject.name=agent,reason=SuccessfulDelete',
  })
  expect(objectsAt(body, 'items').map((event) => event['count'])).toEqual([1, 1])
})

// As upstream, it replaces pods at once that a node rejects (podsShouldBeOnNode, kubernetes/kubernetes#124388).
it('a DaemonSet that surges onto a node that rejects its pods creates no more than its client may send', async () => {
  const test = await clusterUnderTest()
  await test.client.post(nodes, readyNode('n1'))
  const updateStrategy = {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
  }
  await test.client.post(daemonSets, workloadNamed('agent', { updateStrategy }))
  for (let passedMs = 0; passedMs < 3000; passedMs += 10) {
    await test.clock.advance(10)
    for (const pod of await livePods(test)) {
      if (objectAt(pod, 'status')['phase'] !== 'Failed') await writePhase(test, pod, 'Failed')
    }
  }
  const { length } = await livePods(test)
  expect(length).toBeGreaterThan(30)
  expect(length).toBeLessThanOrEqual(30 + 3 * 20)
})
