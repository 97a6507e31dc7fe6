import { describe, expect, it } from 'vitest'
import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import { configMaps, metadataOf, namespaces, pod, pods, serverUnderTest } from '../fake-client.ts'

function withLabels(name: string, labels: Record<string, string>) {
  return pod(name, {}, { labels })
}

async function threePods(options: Parameters<typeof serverUnderTest>[0] = {}) {
  const test = serverUnderTest(options)
  for (const name of ['a', 'b', 'c']) await test.client.post(pods, withLabels(name, { n: name }))
  return test
}

async function versionOf(client: Awaited<ReturnType<typeof threePods>>['client']) {
  return textAt(metadataOf(await client.get(pods)), 'resourceVersion')
}

describe('a list', () => {
  it('has the objects without kind and version, and the server’s resource version', async () => {
    const { client } = await threePods()
    const { code, body } = await client.get(pods)
    expect([code, body['kind'], body['apiVersion']]).toEqual([200, 'PodList', 'v1'])
    expect(objectsAt(body, 'items').map((item) => Object.keys(item))).toEqual([
      ['metadata', 'spec', 'status'],
      ['metadata', 'spec', 'status'],
      ['metadata', 'spec', 'status'],
    ])
    const last = objectsAt(body, 'items').at(-1) ?? {}
    expect(objectAt(body, 'metadata')['resourceVersion']).toBe(
      objectAt(last, 'metadata')['resourceVersion'],
    )
  })

  it('of all namespaces has the objects of each', async () => {
    const { client } = await threePods()
    await client.post('/api/v1/namespaces/kube-system/pods', pod('z'))
    expect(await client.names('/api/v1/pods')).toEqual(['a', 'b', 'c', 'z'])
    expect(await client.names(pods)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    [{ labelSelector: 'n in (a,b)' }, ['a', 'b']],
    [{ fieldSelector: 'metadata.name=c' }, ['c']],
    [{ labelSelector: 'n', fieldSelector: 'spec.nodeName=n2' }, []],
  ])('with %j has the selected objects', async (query, expected) => {
    const { client } = await threePods()
    expect(await client.names(pods, query)).toEqual(expected)
  })

  it('comes in pages that add up to the whole list', async () => {
    const { client } = await threePods()
    const first = await client.get(pods, { limit: '2' })
    const meta = metadataOf(first)
    expect(objectsAt(first.body, 'items')).toHaveLength(2)
    expect(numberAt(meta, 'remainingItemCount')).toBe(1)
    const second = await client.get(pods, { limit: '2', continue: textAt(meta, 'continue') })
    expect(
      objectsAt(second.body, 'items').map((item) => objectAt(item, 'metadata')['name']),
    ).toEqual(['c'])
    expect(metadataOf(second)).toEqual({ resourceVersion: meta['resourceVersion'] })
  })

  it('has no remaining count with a selector, and no token if all objects fit', async () => {
    const { client } = await threePods()
    const page = metadataOf(await client.get(pods, { limit: '1', labelSelector: 'n' }))
    expect(Object.keys(page)).toEqual(['resourceVersion', 'continue'])
    const whole = metadataOf(await client.get(pods, { limit: '3' }))
    expect(Object.keys(whole)).toEqual(['resourceVersion'])
  })

  it('keeps the version of its first page, so that a watch shows the changes in between', async () => {
    const { client } = await threePods()
    const first = metadataOf(await client.get(pods, { limit: '1' }))
    await client.delete(`${pods}/b`, undefined, { gracePeriodSeconds: '0' })
    await client.post(pods, pod('aa'))
    const rest = await client.get(pods, { continue: textAt(first, 'continue') })
    const version = textAt(metadataOf(rest), 'resourceVersion')
    expect(version).toBe(first['resourceVersion'])
    const log = await client.watch(pods, { resourceVersion: version })
    expect(await log.seen()).toEqual(['MODIFIED b', 'DELETED b', 'ADDED aa'])
  })

  it('has to start again when the version of its first page is too old, and offers a token to continue', async () => {
    const { client } = await threePods({ limits: { eventsPerResource: 2 } })
    const first = metadataOf(await client.get(pods, { limit: '1' }))
    for (let round = 0; round < 3; round++) {
      await client.patch(`${pods}/c`, { metadata: { labels: { round: String(round) } } })
    }
    const refused = await client.get(pods, { continue: textAt(first, 'continue') })
    expect([refused.code, refused.body['reason']]).toEqual([410, 'Expired'])
    const rest = await client.names(pods, { continue: textAt(metadataOf(refused), 'continue') })
    expect(rest).toEqual(['b', 'c'])
  })

  it.each<[Record<string, string>, number, string]>([
    [{ labelSelector: '=' }, 400, "found '=', expected: !, identifier, or 'end of string'"],
    [{ fieldSelector: 'foo=bar' }, 400, 'field label not supported: foo'],
    [{ limit: 'abc' }, 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    [{ continue: 'zzz' }, 400, 'invalid continue token: continue key is not valid'],
    [
      { resourceVersion: 'abc' },
      400,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [{ resourceVersion: '9999' }, 504, 'Timeout: Too large resource version: 9999, current: 14'],
    [
      { resourceVersion: '1', resourceVersionMatch: 'Exact' },
      410,
      'The resourceVersion for the provided list is too old.',
    ],
    [
      { resourceVersionMatch: 'Exact' },
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      { resourceVersionMatch: 'X', resourceVersion: '1' },
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "X": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      { sendInitialEvents: 'true' },
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ])('with %j is refused with %i', async (query, code, message) => {
    const { client } = await threePods()
    const answer = await client.get(pods, query)
    expect([answer.code, answer.message]).toEqual([code, message])
  })

  it('at version 0 is the current list, without paging', async () => {
    const { client } = await threePods()
    expect(await client.names(pods, { resourceVersion: '0', limit: '1' })).toEqual(['a', 'b', 'c'])
  })
})

describe('a watch', () => {
  it('starts after the given version', async () => {
    const { client } = await threePods()
    const version = await versionOf(client)
    const log = await client.watch(pods, { resourceVersion: version })
    expect(await log.seen()).toEqual([])
    await client.patch(`${pods}/a`, { metadata: { labels: { x: 'y' } } })
    expect(await log.seen()).toEqual(['MODIFIED a'])
    const older = await client.watch(pods, { resourceVersion: String(Number(version) - 1) })
    expect(await older.seen()).toEqual(['ADDED c', 'MODIFIED a'])
  })

  it.each([{}, { resourceVersion: '0' }, { resourceVersion: '' }])(
    'with %j starts with everything there is',
    async (query) => {
      const { client } = await threePods()
      const log = await client.watch(pods, query)
      await client.post(pods, pod('d'))
      expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d'])
    },
  )

  it('shows a write between its start and its first read once', async () => {
    const { client } = await threePods()
    const started = client.watch(pods)
    void client.post(pods, pod('d'))
    const log = await started
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d'])
  })

  it('shows frozen objects with their kind, and the write that caused each event', async () => {
    const { client, traced } = await threePods()
    const log = await client.watch(pods, { resourceVersion: await versionOf(client) })
    await client.post(pods, pod('d'))
    await log.seen()
    const [event] = log.events
    const object = event?.object
    if (!isJsonObject(object)) throw new Error('no object')
    expect([object['kind'], object['apiVersion']]).toEqual(['Pod', 'v1'])
    expect([
      Object.isFrozen(event),
      Object.isFrozen(object),
      Object.isFrozen(object['spec']),
    ]).toEqual([true, true, true])
    expect(event?.causes).toEqual([traced.length])
    expect(traced.at(-1)?.kind).toBe('object.written')
  })

  it('shows an object that ceases to match as deleted, in its old state, with the new version', async () => {
    const { client } = await threePods()
    const log = await client.watch(pods, { labelSelector: 'n=a' })
    const left = await client.patch(`${pods}/a`, { metadata: { labels: { n: 'x' } } })
    await client.patch(`${pods}/a`, { metadata: { labels: { other: '1' } } })
    await client.patch(`${pods}/a`, { metadata: { labels: { n: 'a' } } })
    await client.patch(`${pods}/b`, { metadata: { labels: { n: 'a' } } })
    expect(await log.seen()).toEqual(['ADDED a', 'DELETED a', 'ADDED a', 'ADDED b'])
    const gone = log.events[1]?.object
    if (!isJsonObject(gone)) throw new Error('no object')
    const meta = objectAt(gone, 'metadata')
    expect([objectAt(meta, 'labels'), meta['resourceVersion']]).toEqual([
      { n: 'a' },
      metadataOf(left)['resourceVersion'],
    ])
  })

  it('with a field selector shows objects begin and cease to match', async () => {
    const { client } = await threePods()
    await client.post(pods, pod('free', { nodeName: '' }))
    const log = await client.watch(pods, {
      fieldSelector: 'spec.nodeName=',
      resourceVersion: await versionOf(client),
    })
    await client.post(`${pods}/free/binding`, {
      metadata: { name: 'free' },
      target: { name: 'n1' },
    })
    expect(await log.seen()).toEqual(['DELETED free'])
  })

  it('shows only its namespace', async () => {
    const { client } = await threePods()
    const log = await client.watch(pods, { resourceVersion: await versionOf(client) })
    await client.post('/api/v1/namespaces/kube-system/pods', pod('z'))
    await client.post(configMaps, { metadata: { name: 'x' } })
    expect(await log.seen()).toEqual([])
  })

  it('from a version that is too old ends with an ERROR event with 410', async () => {
    const { client } = await threePods({ limits: { eventsPerResource: 2 } })
    const log = await client.watch(pods, { resourceVersion: '11' })
    expect(await log.seen()).toEqual(['ERROR Expired'])
    expect(log.isEnded).toBe(true)
    expect(log.events[0]?.object).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'too old resource version: 11 (12)',
      reason: 'Expired',
      code: 410,
    })
    const fine = await client.watch(pods, { resourceVersion: '12' })
    expect(await fine.seen()).toEqual(['ADDED b', 'ADDED c'])
  })

  it('from a future version has no events until then', async () => {
    const { client } = await threePods()
    const next = Number(await versionOf(client)) + 1
    const log = await client.watch(pods, { resourceVersion: String(next) })
    await client.post(pods, pod('d'))
    await client.post(pods, pod('e'))
    expect(await log.seen()).toEqual(['ADDED e'])
  })

  it('is closed with 410 if its client does not read', async () => {
    const test = serverUnderTest({ limits: { eventsPerWatch: 3 } })
    const response = await test.server.handle(
      { method: 'GET', path: configMaps, query: { watch: '1' } },
      { user: 'a', groups: [], client: 'slow' },
    )
    if (response.kind !== 'watch') throw new Error('no watch')
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await test.client.post(configMaps, { metadata: { name } })
    }
    const types: string[] = []
    for await (const event of response.stream.events) types.push(event.type)
    expect(types).toEqual(['ERROR'])
  })

  it.each<[Record<string, string>, number, string]>([
    [
      { resourceVersion: 'abc' },
      500,
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      { sendInitialEvents: 'true' },
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      { sendInitialEvents: 'true', resourceVersionMatch: 'Exact' },
      422,
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [
      { resourceVersionMatch: 'NotOlderThan', resourceVersion: '1' },
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [{ timeoutSeconds: 'x' }, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ])('with %j is refused with %i', async (query, code, message) => {
    const { client } = await threePods()
    const answer = await client.get(pods, { watch: '1', ...query })
    expect([answer.code, answer.message]).toEqual([code, message])
  })
})

describe('a watch on the clock', () => {
  it('ends at its timeout, with a bookmark two seconds before', async () => {
    const { client, clock } = await threePods()
    const version = await versionOf(client)
    const log = await client.watch(pods, {
      resourceVersion: version,
      timeoutSeconds: '10',
      allowWatchBookmarks: 'true',
    })
    await clock.advance(7999)
    expect(await log.seen()).toEqual([])
    await clock.advance(1)
    expect(await log.seen()).toEqual(['BOOKMARK'])
    expect(log.events[0]?.object).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { resourceVersion: version },
      spec: { containers: null },
      status: {},
    })
    await clock.advance(1999)
    await log.seen()
    expect(log.isEnded).toBe(false)
    await clock.advance(1)
    await log.seen()
    expect(log.isEnded).toBe(true)
  })

  it('sends a bookmark every minute with the version of the whole server', async () => {
    const { client, clock } = await threePods()
    const log = await client.watch(pods, {
      resourceVersion: await versionOf(client),
      allowWatchBookmarks: '1',
    })
    await clock.advance(60_000)
    const written = await client.post(configMaps, { metadata: { name: 'x' } })
    await clock.advance(60_000)
    expect(await log.seen()).toEqual(['BOOKMARK', 'BOOKMARK'])
    const last = log.events[1]?.object
    if (!isJsonObject(last)) throw new Error('no object')
    expect(objectAt(last, 'metadata')['resourceVersion']).toBe(
      metadataOf(written)['resourceVersion'],
    )
  })

  it('sends no bookmarks without a request for them', async () => {
    const { client, clock } = await threePods()
    const log = await client.watch(pods, { resourceVersion: await versionOf(client) })
    await clock.advance(600_000)
    expect(await log.seen()).toEqual([])
  })

  it('without a timeout ends after 30 to 60 minutes', async () => {
    const { client, clock } = await threePods()
    const log = await client.watch(pods, { resourceVersion: await versionOf(client) })
    await clock.advance(1_800_000)
    await log.seen()
    expect(log.isEnded).toBe(false)
    await clock.advance(1_800_000)
    await log.seen()
    expect(log.isEnded).toBe(true)
  })

  it('leaves no timer when its client stops it', async () => {
    const { client, clock } = await threePods()
    const log = await client.watch(pods, { allowWatchBookmarks: '1' })
    expect(clock.pendingTimers).toBeGreaterThan(0)
    log.stop()
    expect(clock.pendingTimers).toBe(0)
  })

  it('with initial events marks their end with a bookmark', async () => {
    const { client } = await threePods()
    const log = await client.watch(pods, {
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    })
    await client.post(pods, pod('d'))
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK', 'ADDED d'])
    const bookmark = log.events[3]?.object
    if (!isJsonObject(bookmark)) throw new Error('no object')
    expect(objectAt(bookmark, 'metadata')).toEqual({
      resourceVersion: '14',
      annotations: { 'k8s.io/initial-events-end': 'true' },
    })
  })

  it('without initial events starts with the next write', async () => {
    const { client } = await threePods()
    const log = await client.watch(pods, {
      sendInitialEvents: 'false',
      resourceVersionMatch: 'NotOlderThan',
    })
    await client.post(pods, pod('d'))
    expect(await log.seen()).toEqual(['ADDED d'])
  })

  it('shows namespaces too', async () => {
    const { client } = serverUnderTest()
    const log = await client.watch(namespaces)
    expect(await log.seen()).toEqual([
      'ADDED default',
      'ADDED kube-node-lease',
      'ADDED kube-public',
      'ADDED kube-system',
    ])
  })
})
