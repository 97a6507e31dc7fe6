import { describe, expect, it } from 'vitest'
import { objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { startAt } from '../../fake-client.ts'
import { clusterUnderTest, eventsAbout } from '../fake-cluster.ts'
import type { ClusterUnderTest } from '../fake-cluster.ts'
import { livePods, writePhase } from '../fake-pods.ts'

const batch = '/apis/batch/v1/namespaces/default'
const tick = `${batch}/cronjobs/tick`
const minuteMs = 60_000

async function started(spec: JsonObject): Promise<ClusterUnderTest> {
  const test = await clusterUnderTest()
  const containers = [{ name: 'c', image: 'x:1' }]
  const template = { spec: { schedulerName: 'none', restartPolicy: 'Never', containers } }
  const body = {
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { backoffLimit: 0, template } }, ...spec },
  }
  const { code, message } = await test.client.post(`${batch}/cronjobs`, body)
  expect([code, message]).toEqual([201, ''])
  return test
}

/** When the Jobs were due, in minutes after the start of the clock. */
async function jobsOf({ client }: ClusterUnderTest): Promise<readonly number[]> {
  const { body } = await client.get(`${batch}/jobs`)
  return objectsAt(body, 'items')
    .map((job) => textAt(objectAt(job, 'metadata'), 'name').replace('tick-', ''))
    .map((minute) => Number(minute) - startAt / minuteMs)
    .toSorted((a, b) => a - b)
}

async function statusOf({ client }: ClusterUnderTest): Promise<JsonObject> {
  return objectAt((await client.get(tick)).body, 'status')
}

async function end(test: ClusterUnderTest, phase: 'Succeeded' | 'Failed'): Promise<void> {
  for (const pod of await livePods(test)) {
    if (objectAt(pod, 'status')['phase'] === 'Pending') await writePhase(test, pod, phase)
  }
  await test.clock.advance(3000)
}

describe('a CronJob', () => {
  it('creates a Job each time that it is due, with its template', async () => {
    const test = await started({})
    await test.clock.advance(2 * minuteMs)
    expect(await jobsOf(test)).toEqual([1, 2])
    const { body } = await test.client.get(`${batch}/jobs/tick-${startAt / minuteMs + 1}`)
    expect(body).toMatchObject({
      metadata: {
        annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:01:00Z' },
        ownerReferences: [{ kind: 'CronJob', name: 'tick', controller: true }],
      },
      spec: { completions: 1, backoffLimit: 0 },
    })
    const { active, ...times } = await statusOf(test)
    expect(times).toEqual({ lastScheduleTime: '2026-01-01T00:02:00Z' })
    expect(active).toHaveLength(2)
    expect(await livePods(test)).toHaveLength(2)
  })

  it('keeps as many Jobs that have ended as its limits say', async () => {
    const test = await started({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 })
    await test.clock.advance(3000)
    for (const phase of ['Succeeded', 'Failed', 'Succeeded', 'Failed'] as const) {
      await test.clock.advance(minuteMs - 3000)
      await end(test, phase)
    }
    expect(await jobsOf(test)).toEqual([3, 4])
    expect(await statusOf(test)).toMatchObject({
      lastScheduleTime: '2026-01-01T00:04:00Z',
      lastSuccessfulTime: expect.stringMatching(/^2026-01-01T00:03:0/),
    })
  })

  it('starts no Job while another one runs if that is forbidden', async () => {
    const test = await started({ concurrencyPolicy: 'Forbid' })
    await test.clock.advance(3 * minuteMs)
    expect(await jobsOf(test)).toEqual([1])
    await end(test, 'Succeeded')
    expect(await jobsOf(test)).toEqual([1, 3])
    expect(await eventsAbout(test.client, 'tick')).toContain(
      'Normal JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
    )
  })

  it('deletes the Job that still runs if it is to be replaced', async () => {
    const test = await started({ concurrencyPolicy: 'Replace' })
    await test.clock.advance(3 * minuteMs)
    expect(await jobsOf(test)).toEqual([3])
    expect((await statusOf(test))['active']).toHaveLength(1)
  })

  it('starts nothing while it is suspended, and only the last missed Job when it is resumed', async () => {
    const test = await started({ suspend: true })
    await test.clock.advance(10.5 * minuteMs)
    expect(await jobsOf(test)).toEqual([])
    await test.client.patch(tick, { spec: { suspend: false } })
    await test.clock.advance(1000)
    expect(await jobsOf(test)).toEqual([10])
    await test.clock.advance(minuteMs)
    expect(await jobsOf(test)).toEqual([10, 11])
  })

  it('starts no Job after its deadline', async () => {
    const test = await started({ suspend: true, startingDeadlineSeconds: 10 })
    await test.clock.advance(2.5 * minuteMs)
    await test.client.patch(tick, { spec: { suspend: false } })
    await test.clock.advance(1000)
    expect(await jobsOf(test)).toEqual([])
    await test.clock.advance(minuteMs)
    expect(await jobsOf(test)).toEqual([3])
  })

  it('follows the clocks of its time zone', async () => {
    const test = await started({ schedule: '5 3 * * *', timeZone: 'Europe/Berlin' })
    await test.clock.advance(3 * 60 * minuteMs)
    expect(await jobsOf(test)).toEqual([125])
    const { body } = await test.client.get(`${batch}/jobs`)
    expect(objectsAt(body, 'items')[0]).toMatchObject({
      metadata: {
        annotations: {
          'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T03:05:00+01:00',
        },
      },
    })
  })

  it('says that no day fits its schedule', async () => {
    const test = await started({ schedule: '59 23 31 2 *' })
    await test.clock.advance(1000)
    expect(await eventsAbout(test.client, 'tick')).toEqual([
      'Warning InvalidSchedule: invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second',
    ])
  })

  it('takes its Jobs and their pods with it', async () => {
    const test = await started({})
    await test.clock.advance(minuteMs)
    await test.client.delete(tick)
    await test.clock.advance(5000)
    expect(await jobsOf(test)).toEqual([])
    expect(await livePods(test)).toEqual([])
  })
})
