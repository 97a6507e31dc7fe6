import { describe, expect, it } from 'vitest'
import { isJsonObject, objectAt, objectsAt } from '../../../shared/json.ts'
import { pod, pods, serverUnderTest } from '../fake-client.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const kubectl = `${table},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`

async function withPod() {
  const test = serverUnderTest()
  await test.client.post(pods, pod('web', {}, { labels: { a: 'b' } }))
  return test
}

describe('an answer', () => {
  it.each([
    ['', 'Pod'],
    ['*/*', 'Pod'],
    ['application/json', 'Pod'],
    ['application/vnd.kubernetes.protobuf,application/json', 'Pod'],
    [kubectl, 'Table'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'Pod'],
    ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'PartialObjectMetadata'],
  ])('to Accept %j is a %s', async (accept, kind) => {
    const { client } = await withPod()
    const { body } = await client.send('GET', `${pods}/web`, { headers: { accept } })
    expect(body['kind']).toBe(kind)
  })

  it.each(['text/plain', 'application/vnd.kubernetes.protobuf'])(
    'to Accept %s is 406',
    async (accept) => {
      const { client } = await withPod()
      const answer = await client.send('GET', `${pods}/web`, { headers: { accept } })
      expect([answer.code, answer.body['reason']]).toEqual([406, 'NotAcceptable'])
    },
  )
})

describe('a table', () => {
  it('of a list has a row for each object and the metadata of the list', async () => {
    const { client } = await withPod()
    await client.post(pods, pod('web2'))
    const query = { limit: '1' }
    const { body } = await client.send('GET', pods, { query, headers: { accept: kubectl } })
    expect([body['kind'], objectAt(body, 'metadata')['remainingItemCount']]).toEqual(['Table', 1])
    const [row, ...others] = objectsAt(body, 'rows')
    expect([row?.['cells'], others]).toEqual([
      ['web', '0/1', 'Pending', '0', '0s', '<none>', 'n1', '<none>', '<none>'],
      [],
    ])
    expect(objectAt(row ?? {}, 'object')['kind']).toBe('PartialObjectMetadata')
  })

  it.each([
    ['None', null],
    ['Metadata', 'PartialObjectMetadata'],
    ['Object', 'Pod'],
  ])('includes %s of each object', async (includeObject, kind) => {
    const { client } = await withPod()
    const query = { includeObject }
    const { body } = await client.send('GET', pods, { query, headers: { accept: table } })
    const included = objectsAt(body, 'rows')[0]?.['object']
    expect(isJsonObject(included) ? included['kind'] : included).toBe(kind)
  })

  it('cannot include anything else', async () => {
    const { client } = await withPod()
    const query = { includeObject: 'Foo' }
    const answer = await client.send('GET', pods, { query, headers: { accept: table } })
    expect([answer.code, answer.message]).toEqual([
      400,
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty",
    ])
  })

  it('of one row is the object of each watch event, and an empty one that of a bookmark', async () => {
    const { client, clock } = await withPod()
    const log = await client.watch(pods, { allowWatchBookmarks: '1' }, { accept: kubectl })
    await clock.advance(60_000)
    await log.seen()
    const shown = log.events.map(({ type, object }) =>
      isJsonObject(object)
        ? [
            type,
            object['kind'],
            objectsAt(object, 'rows').length,
            objectAt(object, 'metadata')['resourceVersion'],
          ]
        : [],
    )
    expect(shown).toEqual([
      ['ADDED', 'Table', 1, '12'],
      ['BOOKMARK', 'Table', 0, '12'],
    ])
  })

  it('is not the form of an error', async () => {
    const { client } = await withPod()
    const answer = await client.send('GET', `${pods}/zz`, { headers: { accept: table } })
    expect([answer.code, answer.body['kind']]).toEqual([404, 'Status'])
  })
})

describe('metadata alone', () => {
  it('is the form of lists and watches on request', async () => {
    const { client } = await withPod()
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
    const { body } = await client.send('GET', pods, { headers: { accept } })
    expect([body['kind'], objectsAt(body, 'items').map((item) => Object.keys(item))]).toEqual([
      'PartialObjectMetadataList',
      [['kind', 'apiVersion', 'metadata']],
    ])
    const log = await client.watch(
      pods,
      {},
      { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    )
    await log.seen()
    const [event] = log.events
    expect(isJsonObject(event?.object) ? Object.keys(event.object) : []).toEqual([
      'kind',
      'apiVersion',
      'metadata',
    ])
  })
})
