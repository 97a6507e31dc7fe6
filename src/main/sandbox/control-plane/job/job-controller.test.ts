import { describe, expect, it } from 'vitest'
import { objectAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { clusterUnderTest, conditionOf } from '../fake-cluster.ts'
import type { ClusterUnderTest } from '../fake-cluster.ts'
import { livePods, writePhase } from '../fake-pods.ts'

const jobs = '/apis/batch/v1/namespaces/default/jobs'
const work = `${jobs}/work`

async function started(spec: JsonObject): Promise<ClusterUnderTest> {
  const test = await clusterUnderTest()
  const containers = [{ name: 'c', image: 'x:1' }]
  const template = { spec: { schedulerName: 'none', restartPolicy: 'Never', containers } }
  await test.client.post(jobs, { metadata: { name: 'work' }, spec: { template, ...spec } })
  await test.clock.advance(2000)
  return test
}

async function end(test: ClusterUnderTest, phase: 'Succeeded' | 'Failed'): Promise<void> {
  for (const pod of await livePods(test)) {
    if (objectAt(pod, 'status')['phase'] === 'Pending') await writePhase(test, pod, phase)
  }
  await test.clock.advance(3000)
}

describe('a Job', () => {
  it('creates a pod for each completion, at most as many at once as it may', async () => {
    const test = await started({ completions: 3, parallelism: 2 })
    expect(await livePods(test)).toHaveLength(2)
    await end(test, 'Succeeded')
    await end(test, 'Succeeded')
    const { body } = await test.client.get(work)
    expect(objectAt(body, 'status')).toMatchObject({ succeeded: 3, uncountedTerminatedPods: {} })
    expect(await conditionOf(test.client, work, 'Complete')).toMatchObject({ status: 'True' })
  })

  it('replaces a failed pod after 10 s, and fails beyond its limit', async () => {
    const test = await started({ backoffLimit: 1 })
    await end(test, 'Failed')
    await test.clock.advance(5000)
    expect(await livePods(test)).toHaveLength(1)
    await test.clock.advance(5000)
    expect(await livePods(test)).toHaveLength(2)
    await end(test, 'Failed')
    expect(await conditionOf(test.client, work, 'Failed')).toMatchObject({
      reason: 'BackoffLimitExceeded',
    })
  })

  it('starts again when it is resumed', async () => {
    const test = await started({})
    const startTime = async (): Promise<unknown> =>
      objectAt((await test.client.get(work)).body, 'status')['startTime']
    const first = await startTime()
    await test.client.patch(work, { spec: { suspend: true } })
    await test.clock.advance(60_000)
    await test.client.patch(work, { spec: { suspend: false } })
    await test.clock.advance(3000)
    expect(await startTime()).not.toBe(first)
    expect(objectAt((await test.client.get(work)).body, 'status')).toMatchObject({ active: 1 })
    expect(await conditionOf(test.client, work, 'Suspended')).toMatchObject({ status: 'False' })
  })

  it('is deleted with its pods when its time to live is over', async () => {
    const test = await started({ ttlSecondsAfterFinished: 60 })
    await end(test, 'Succeeded')
    await test.clock.advance(50_000)
    expect((await test.client.get(work)).code).toBe(200)
    await test.clock.advance(20_000)
    expect((await test.client.get(work)).code).toBe(404)
    expect(await livePods(test)).toEqual([])
  })
})
