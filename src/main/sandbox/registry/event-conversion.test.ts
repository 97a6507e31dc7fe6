import { expect, it } from 'vitest'
import { serverUnderTest } from '../fake-client.ts'

const old = '/api/v1/namespaces/default/events'
const fresh = '/apis/events.k8s.io/v1/namespaces/default/events'

const event = {
  metadata: { name: 'e' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'example.com/test',
  reportingInstance: 'one',
  action: 'Testing',
  reason: 'Tested',
  note: 'a note',
  type: 'Normal',
  regarding: { kind: 'Pod', namespace: 'default', name: 'web' },
}

it('is one object in both groups, also for watches and selectors', async () => {
  const { client } = serverUnderTest()
  const logs = [await client.watch(old), await client.watch(fresh)]
  expect((await client.post(fresh, event)).code).toBe(201)
  expect((await client.get(`${old}/e`)).body).toMatchObject({
    apiVersion: 'v1',
    message: 'a note',
    reportingComponent: 'example.com/test',
    involvedObject: { name: 'web' },
    source: {},
  })
  const series = { count: 2, lastObservedTime: '2026-01-01T00:00:09.000000Z' }
  expect((await client.patch(`${fresh}/e`, { series })).body).toMatchObject({ note: 'a note' })
  const found = await client.get(fresh, { fieldSelector: 'regarding.name=web' })
  expect(found.body).toMatchObject({ kind: 'EventList', items: [{ series, note: 'a note' }] })
  await client.delete(`${old}/e`)
  for (const log of logs) expect(await log.seen()).toEqual(['ADDED e', 'MODIFIED e', 'DELETED e'])
  expect((await client.get(`${fresh}/e`)).code).toBe(404)
})

it('says what is wrong as of an event of v1, and leaves out what is empty', async () => {
  const { client } = serverUnderTest()
  const { code, message } = await client.post(fresh, { metadata: { name: 'empty' } })
  expect([code, message]).toEqual([
    422,
    'Event "empty" is invalid: [eventTime: Required value, type: Invalid value: "": has invalid value: ]',
  ])
  await client.post(old, { metadata: { name: 'old' }, message: 'text' })
  const { body } = await client.get(`${fresh}/old`)
  expect(body).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'text', eventTime: null })
  expect(body).not.toHaveProperty('reportingController')
})
