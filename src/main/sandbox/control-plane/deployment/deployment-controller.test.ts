import { describe, expect, it } from 'vitest'
import { objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { clusterUnderTest, conditionOf, eventsAbout } from '../fake-cluster.ts'
import type { ClusterUnderTest } from '../fake-cluster.ts'
import { livePods, runPods, workloadNamed, writePhase } from '../fake-pods.ts'

const deployments = '/apis/apps/v1/namespaces/default/deployments'
const sets = '/apis/apps/v1/namespaces/default/replicasets'
const web = `${deployments}/web`

async function deployed(spec: JsonObject = {}): Promise<ClusterUnderTest> {
  const test = await clusterUnderTest()
  await test.client.post(deployments, workloadNamed('web', { replicas: 3, ...spec }))
  await runPods(test)
  return test
}

function imageOf(image: string): JsonObject {
  return { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } }
}

async function sizes({ client }: ClusterUnderTest): Promise<readonly unknown[]> {
  const { body } = await client.get(sets)
  return objectsAt(body, 'items').map((set) => objectAt(set, 'spec')['replicas'])
}

describe('a Deployment', () => {
  it('rolls a new template out, keeps the old ReplicaSet, and returns to it', async () => {
    const test = await deployed()
    await test.client.patch(web, imageOf('x:2'))
    await runPods(test)
    expect((await sizes(test)).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 3])
    await test.client.patch(web, imageOf('x:1'))
    await runPods(test)
    const { body } = await test.client.get(web)
    expect(objectAt(objectAt(body, 'metadata'), 'annotations')).toEqual({
      'deployment.kubernetes.io/revision': '3',
    })
    expect((await test.client.names(sets)).length).toBe(2)
  })

  it('never has more pods than maxSurge allows nor fewer than maxUnavailable', async () => {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 }
    const test = await deployed({ strategy: { type: 'RollingUpdate', rollingUpdate } })
    await test.client.patch(web, imageOf('x:2'))
    for (let step = 0; step < 6; step++) {
      await test.settle()
      const live = await livePods(test)
      expect(live.length).toBeLessThanOrEqual(4)
      const running = live.filter((pod) => objectAt(pod, 'status')['phase'] === 'Running')
      expect(running.length).toBeGreaterThanOrEqual(3)
      const [pending] = live.filter((pod) => objectAt(pod, 'status')['phase'] === 'Pending')
      if (pending !== undefined) await writePhase(test, pending, 'Running')
    }
    expect((await sizes(test)).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 3])
  })

  it('that recreates creates new pods only when the old ones are gone', async () => {
    const test = await deployed({ strategy: { type: 'Recreate' } })
    await test.client.patch(web, imageOf('x:2'))
    await test.settle()
    const events = await eventsAbout(test.client, 'web')
    expect(events.map((event) => event.replaceAll(/web-\w+/g, 'SET'))).toEqual([
      'Normal ScalingReplicaSet: Scaled up replica set SET from 0 to 3',
      'Normal ScalingReplicaSet: Scaled down replica set SET from 3 to 0',
      'Normal ScalingReplicaSet: Scaled up replica set SET from 0 to 3',
    ])
  })

  it('without progress says so after its deadline', async () => {
    const test = await clusterUnderTest()
    const spec = { replicas: 1, progressDeadlineSeconds: 30 }
    await test.client.post(deployments, workloadNamed('web', spec))
    await test.clock.advance(29_000)
    expect(await conditionOf(test.client, web, 'Progressing')).toMatchObject({ status: 'True' })
    await test.clock.advance(5000)
    expect(await conditionOf(test.client, web, 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    })
  })

  it('that is paused creates nothing for a new template', async () => {
    const test = await deployed({ paused: false })
    await test.client.patch(web, { spec: { paused: true } })
    await test.client.patch(web, imageOf('x:2'))
    await runPods(test)
    expect(await sizes(test)).toEqual([3])
  })
})
