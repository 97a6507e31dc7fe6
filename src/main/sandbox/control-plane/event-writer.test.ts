import { expect, it } from 'vitest'
import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import { admin, serverUnderTest, silentLog } from '../fake-client.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { EventWriter } from './event-writer.ts'

const events = '/api/v1/namespaces/default/events'
const about = { metadata: { name: 'web', namespace: 'default', uid: 'of-web' } }
const said = (reason: string, type: 'Normal' | 'Warning' = 'Normal') => ({
  type,
  reason,
  message: `${reason} happened`,
})

function writerUnderTest() {
  const test = serverUnderTest()
  const transport = inProcessTransport({ ...test, random: seededRandom(1), caller: admin })
  const writer = new EventWriter({
    client: new TransportApiClient({ transport }),
    clock: test.clock,
    log: silentLog,
    component: 'deployment-controller',
  })
  const write = async (event: ReturnType<typeof said>): Promise<void> => {
    const written = writer.write('apps/v1/deployments', about, event, [])
    await test.clock.advance(100)
    await written
  }
  /** Reason, count and kind of the object of each event. */
  const counts = async (): Promise<readonly string[]> =>
    objectsAt((await test.client.get(events)).body, 'items')
      .map((event) =>
        [
          textAt(event, 'reason'),
          String(event['count']),
          textAt(objectAt(event, 'involvedObject'), 'kind'),
        ].join(' '),
      )
      .toSorted()
  return { ...test, write, counts }
}

it('raises the count of an equal event, and creates one that is gone again', async () => {
  const { client, write, counts } = writerUnderTest()
  await write(said('Scaled'))
  await write(said('Scaled'))
  await write(said('Failed', 'Warning'))
  expect(await counts()).toEqual(['Failed 1 Deployment', 'Scaled 2 Deployment'])
  for (const name of await client.names(events)) await client.delete(`${events}/${name}`)
  await write(said('Scaled'))
  expect(await counts()).toEqual(['Scaled 3 Deployment'])
})

it('warns of an object whose other events are too many: each type has a limit of its own', async () => {
  const { clock, write, counts } = writerUnderTest()
  for (let index = 0; index < 30; index++) await write(said('Scaled'))
  expect(await counts()).toEqual(['Scaled 25 Deployment'])
  await write(said('Failed', 'Warning'))
  expect(await counts()).toEqual(['Failed 1 Deployment', 'Scaled 25 Deployment'])
  // Dropped events count too, which the next one shows.
  await clock.advance(300_000)
  await write(said('Scaled'))
  expect(await counts()).toEqual(['Failed 1 Deployment', 'Scaled 31 Deployment'])
})
