import { describe, expect, it } from 'vitest'
import { objectAt } from '../../shared/json.ts'
import {
  admin,
  configMaps,
  metadataOf,
  namespaces,
  nodeCaller,
  pod,
  pods,
  serverUnderTest,
} from './fake-client.ts'
import type { ServerUnderTest } from './fake-client.ts'

describe('a new server', () => {
  it('has the system namespaces, each with its service account', async () => {
    const { client } = serverUnderTest()
    const names = ['default', 'kube-node-lease', 'kube-public', 'kube-system']
    expect(await client.names(namespaces)).toEqual(names)
    expect(await client.names('/api/v1/serviceaccounts')).toEqual(names.map(() => 'default'))
  })

  it('answers requests for discovery, version and health', async () => {
    const { client } = serverUnderTest()
    expect((await client.get('/version')).body['major']).toBe('1')
    expect((await client.get('/api/v1')).body['kind']).toBe('APIResourceList')
    expect((await client.get('/openapi/v3')).code).toBe(200)
    expect((await client.get('/readyz')).body['text']).toBe('ok')
  })

  it('returns empty lists for kinds without objects', async () => {
    const { client } = serverUnderTest()
    for (const path of [
      '/apis/apps/v1/daemonsets',
      '/api/v1/resourcequotas',
      '/api/v1/replicationcontrollers',
    ]) {
      expect(await client.names(path)).toEqual([])
    }
  })
})

/** Some of everything: creates, generated names, patches, conflicts, deletions. */
async function aDay({ client, clock }: ServerUnderTest): Promise<readonly string[]> {
  const answers: string[] = []
  const note = async (answer: ReturnType<typeof client.get>): Promise<void> => {
    answers.push(JSON.stringify((await answer).body))
  }
  for (let index = 0; index < 5; index++) {
    await note(client.post(pods, pod(`web-${index}`)))
    await note(client.post(configMaps, { metadata: { generateName: 'c-' } }))
    await clock.advance(700)
    await note(client.patch(`${pods}/web-${index}/status`, { status: { phase: 'Running' } }))
    await note(client.delete(`${pods}/web-${index}`, { gracePeriodSeconds: index % 2 }))
  }
  await note(client.get(pods))
  await note(client.get(configMaps))
  return answers
}

describe('the same seed', () => {
  it('gives the same UIDs, names, versions and times', async () => {
    const first = await aDay(serverUnderTest({ seed: 7 }))
    expect(await aDay(serverUnderTest({ seed: 7 }))).toEqual(first)
    expect(await aDay(serverUnderTest({ seed: 8 }))).not.toEqual(first)
  })

  it('gives the same UIDs regardless of other random draws', async () => {
    const [one, other] = [serverUnderTest(), serverUnderTest()]
    await other.client.watch(pods)
    const uids = []
    for (const { client } of [one, other])
      uids.push(metadataOf(await client.post(pods, pod('web')))['uid'])
    expect(uids[0]).toBe(uids[1])
  })
})

describe('the trace', () => {
  it('starts with an external request, which is the cause of each of its writes', async () => {
    const { client, traced } = serverUnderTest()
    const start = traced.length
    const created = await client.post(pods, pod('web'))
    await client.delete(`${pods}/web`, { gracePeriodSeconds: 0 })
    const { uid } = metadataOf(created)
    const web = { kind: 'object', resource: 'pods', namespace: 'default', name: 'web', uid }
    const request = { user: 'admin', client: 'kubectl' }
    const write = { user: 'admin', subresource: '' }
    expect(traced.slice(start)).toEqual([
      {
        kind: 'request.received',
        subject: { kind: 'cluster' },
        causes: [],
        data: { method: 'POST', path: pods, ...request },
      },
      {
        kind: 'object.written',
        subject: web,
        causes: [start + 1],
        data: { change: 'ADDED', resourceVersion: '12', ...write },
      },
      {
        kind: 'request.received',
        subject: web,
        causes: [],
        data: { method: 'DELETE', path: `${pods}/web`, ...request },
      },
      {
        kind: 'object.written',
        subject: web,
        causes: [start + 3],
        data: { change: 'MODIFIED', resourceVersion: '13', ...write },
      },
      {
        kind: 'object.written',
        subject: web,
        causes: [start + 3],
        data: { change: 'DELETED', resourceVersion: '14', ...write },
      },
    ])
  })

  it('uses the causes that the cluster’s components name, and none without them', async () => {
    const { client, as, traced } = serverUnderTest()
    await client.post(pods, pod('web'))
    const start = traced.length
    const node = as(nodeCaller('n1'))
    const patch = (phase: string, causes?: readonly number[]) =>
      node.send('PATCH', `${pods}/web/status`, {
        body: { status: { phase } },
        headers: { 'content-type': 'application/merge-patch+json' },
        ...(causes === undefined ? {} : { causes }),
      })
    await patch('Running', [3, 4])
    await patch('Failed')
    expect(traced.slice(start).map(({ kind, causes }) => [kind, causes])).toEqual([
      ['object.written', [3, 4]],
      ['object.written', []],
    ])
    expect(traced.at(-1)?.data).toMatchObject({ subresource: 'status', user: 'system:node:n1' })
  })

  it('uses the causes of an external request instead of a new one', async () => {
    const { client, traced } = serverUnderTest()
    const start = traced.length
    await client.send('POST', pods, { body: pod('web'), causes: [2] })
    expect(traced.slice(start).map(({ kind, causes }) => [kind, causes])).toEqual([
      ['object.written', [2]],
    ])
  })

  it('has no events for reads, refusals, dry runs and updates without a change', async () => {
    const { client, traced } = serverUnderTest()
    const { body } = await client.post(pods, pod('web'))
    const start = traced.length
    await client.get(pods)
    await client.post(pods, pod('web'))
    await client.post(pods, pod('dry'), { dryRun: 'All' })
    await client.put(`${pods}/web`, body)
    expect(traced.slice(start).map(({ kind }) => kind)).toEqual([
      'request.received',
      'request.received',
      'request.received',
    ])
  })
})

describe('a failure of the server itself', () => {
  it('rejects and is logged, and leaves no partial write', async () => {
    const { server, client } = serverUnderTest()
    const poisoned = {
      method: 'POST',
      path: pods,
      get body(): unknown {
        throw new Error('boom')
      },
    } as const
    await expect(server.handle(poisoned, admin)).rejects.toThrow('boom')
    expect(await client.names(pods)).toEqual([])
  })
})

describe('a thousand pods', () => {
  it('are created, patched, listed and watched without a list for each write', async () => {
    const { client } = serverUnderTest()
    const count = 1000
    const log = await client.watch(pods)
    // Time of this process alone, whatever else the machine does.
    const spentMs = (): number => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
    const startedAt = spentMs()
    for (let index = 0; index < count; index++) await client.post(pods, pod(`web-${index}`))
    const createdAt = spentMs()
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < count; index++) {
        await client.patch(`${pods}/web-${index}/status`, {
          status: { phase: 'Running', message: `${round}` },
        })
      }
    }
    const patchedAt = spentMs()
    expect(await client.names(pods)).toHaveLength(count)
    const listedMs = spentMs() - patchedAt
    expect((await log.seen()).length).toBe(4 * count)
    // Generous: a write that walked all pods would take far longer.
    expect((createdAt - startedAt) / count).toBeLessThan(5)
    expect((patchedAt - createdAt) / (3 * count)).toBeLessThan(5)
    expect(listedMs).toBeLessThan(500)
  })

  it('are found by name as fast as a single one', async () => {
    const { client } = serverUnderTest()
    for (let index = 0; index < 100; index++)
      await client.post(configMaps, { metadata: { name: `c-${index}` } })
    expect(objectAt((await client.get(`${configMaps}/c-57`)).body, 'metadata')['name']).toBe('c-57')
  })
})
