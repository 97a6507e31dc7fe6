import { describe, expect, it } from 'vitest'
import { sizeOf, sizeRefusal } from './object-size.ts'
import { pod, pods, serverUnderTest } from '../fake-client.ts'

function withEnv(length: number): unknown {
  const container = { name: 'c', image: 'i', env: [{ name: 'A', value: 'x'.repeat(length) }] }
  return { ...(pod('large') as object), spec: { containers: [container] } }
}

it('is exact for a written object, whose version has another length than the one before', async () => {
  const { client, server } = serverUnderTest()
  for (const name of ['a', 'b', 'c']) await client.post(pods, pod(name))
  for (let index = 0; index < 100; index++)
    await client.patch(`${pods}/b/status`, { status: { message: `m${index}` } })
  await client.delete(`${pods}/c`)
  const { objects, resourceVersion } = server.objects()
  expect(resourceVersion).toBeGreaterThan(99)
  for (const { object } of objects) expect(sizeOf(object)).toBe(JSON.stringify(object).length)
})

describe('an object that is too large for etcd', () => {
  it('is refused with the errors of etcd and gRPC, also as an update', async () => {
    const { client } = serverUnderTest()
    const refused = await client.post(pods, withEnv(1_600_000))
    expect(refused).toMatchObject({
      code: 500,
      body: { message: 'etcdserver: request is too large' },
    })
    expect(await client.post(pods, withEnv(2_200_000))).toMatchObject({
      code: 500,
      body: {
        message: expect.stringMatching(
          /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(22\d+ vs. 2097152\)$/,
        ),
      },
    })
    expect((await client.post(pods, withEnv(1_500_000))).code).toBe(201)
    const status = { status: { message: 'm'.repeat(200_000) } }
    expect((await client.patch(`${pods}/large/status`, status)).code).toBe(500)
    expect((await client.get(`${pods}/large`)).body['status']).not.toHaveProperty('message')
  })

  it('does not stay in memory in each of its versions', async () => {
    const { client } = serverUnderTest({ limits: { eventSizePerResource: 5_000_000 } })
    await client.post(pods, withEnv(1_000_000))
    const first = (await client.get(`${pods}/large`)).body
    for (let index = 0; index < 10; index++)
      await client.patch(`${pods}/large/status`, { status: { message: `m${index}` } })
    const { resourceVersion } = first['metadata'] as { resourceVersion: string }
    const watch = await client.watch(pods, { resourceVersion })
    expect(await watch.seen()).toEqual(['ERROR Expired'])
  })

  it('is refused, like every other, once all objects together are too large', () => {
    const small = { metadata: { name: 'a', uid: 'u' } }
    expect(sizeRefusal(small, 36, 1_000_000)).toBeUndefined()
    expect(sizeRefusal(small, 36, 600 * 1024 * 1024)).toMatchObject({
      code: 500,
      message: 'etcdserver: mvcc: database space exceeded',
    })
  })
})
