import { describe, expect, it } from 'vitest'
import type { KubeRequest, KubeResponse, WatchEvent } from '../../shared/kubernetes/request.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { admin, configMaps, pod, pods, serverUnderTest, startAt, WatchLog } from './fake-client.ts'
import { inProcessTransport } from './in-process-transport.ts'

function transportUnderTest(seed = 1) {
  const test = serverUnderTest({ limits: { eventsPerWatch: 5 } })
  const transport = inProcessTransport({
    server: test.server,
    clock: test.clock,
    random: seededRandom(seed),
    caller: admin,
  })
  return { ...test, transport }
}

function arrivals() {
  const seen: string[] = []
  const note = (name: string, sent: Promise<unknown>): void => {
    void sent.then(() => seen.push(name))
  }
  return { seen, note }
}

describe('a request in process', () => {
  it('takes virtual time, and does not arrive while the clock stands', async () => {
    const { transport, clock } = transportUnderTest()
    let answer: KubeResponse | undefined
    void transport.send({ method: 'GET', path: pods }).then((response) => (answer = response))
    await clock.advance(0.5)
    expect(answer).toBeUndefined()
    await clock.advance(4)
    expect(answer?.status).toBe(200)
  })

  it('is handled as a request of its caller, with its causes', async () => {
    const { transport, clock, traced } = transportUnderTest()
    const start = traced.length
    const request: KubeRequest = { method: 'POST', path: pods, body: pod('web'), causes: [3] }
    void transport.send(request)
    await clock.advance(4)
    expect(traced.slice(start).map(({ causes }) => causes)).toEqual([[3]])
    expect(traced.at(-1)?.data).toMatchObject({ user: 'admin' })
  })

  it('can overtake another, in the same way for the same seed', async () => {
    const order = async (seed: number): Promise<readonly string[]> => {
      const { transport, clock } = transportUnderTest(seed)
      const { seen, note } = arrivals()
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
        note(name, transport.send({ method: 'GET', path: `${pods}/${name}` }))
      }
      await clock.advance(10)
      return seen
    }
    const first = await order(3)
    expect(await order(3)).toEqual(first)
    expect(first.toSorted()).not.toEqual(first)
    expect(await order(4)).not.toEqual(first)
  })
})

describe('a watch in process', () => {
  async function watched(seed = 1) {
    const test = transportUnderTest(seed)
    const sent = test.transport.send({ method: 'GET', path: configMaps, query: { watch: '1' } })
    await test.clock.advance(5)
    const response = await sent
    if (response.kind !== 'watch') throw new Error('no watch')
    const arrivedAt: number[] = []
    const recorded = {
      stop: response.stream.stop,
      events: (async function* (): AsyncGenerator<WatchEvent> {
        for await (const event of response.stream.events) {
          arrivedAt.push(test.clock.now() - startAt)
          yield event
        }
      })(),
    }
    return { ...test, arrivedAt, log: new WatchLog(recorded) }
  }

  it('delivers events late but in order', async () => {
    const { client, clock, log, arrivedAt } = await watched()
    const names = Array.from({ length: 30 }, (_, index) => `c-${10 + index}`)
    for (const name of names) {
      await client.post(configMaps, { metadata: { name } })
      await clock.advance(0.1)
    }
    await clock.advance(5)
    expect(await log.seen()).toEqual(names.map((name) => `ADDED ${name}`))
    expect(arrivedAt.toSorted((a, b) => a - b)).toEqual(arrivedAt)
    expect(new Set(arrivedAt).size).toBeGreaterThan(5)
  })

  it('delivers the event of a write before its answer', async () => {
    const { transport, clock, log } = await watched()
    const seenAtAnswer: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const body = { metadata: { name } }
      void transport.send({ method: 'POST', path: configMaps, body }).then(() => {
        seenAtAnswer.push(log.events.length)
      })
      await clock.advance(5)
    }
    expect(seenAtAnswer).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('delivers no event early', async () => {
    const { client, clock, log } = await watched()
    await client.post(configMaps, { metadata: { name: 'x' } })
    await clock.advance(0.2)
    expect(await log.seen()).toEqual([])
    await clock.advance(2)
    expect(await log.seen()).toEqual(['ADDED x'])
  })

  it('ends when its client stops it, on both sides', async () => {
    const { client, clock, log } = await watched()
    await client.post(configMaps, { metadata: { name: 'x' } })
    log.stop()
    await clock.advance(5)
    expect(await log.seen()).toEqual([])
    expect(log.isEnded).toBe(true)
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends when the server ends it, after the last event', async () => {
    const { transport, client, clock } = transportUnderTest()
    const sent = transport.send({
      method: 'GET',
      path: configMaps,
      query: { watch: '1', timeoutSeconds: '10' },
    })
    await clock.advance(5)
    const response = await sent
    if (response.kind !== 'watch') throw new Error('no watch')
    const log = new WatchLog(response.stream)
    await log.seen()
    await clock.advance(9990)
    await client.post(configMaps, { metadata: { name: 'x' } })
    await clock.advance(20)
    expect(await log.seen()).toEqual(['ADDED x'])
    expect(log.isEnded).toBe(true)
  })

  it('keeps the causes of each event', async () => {
    const { client, clock, log } = await watched()
    await client.send('POST', configMaps, { body: { metadata: { name: 'x' } }, causes: [7] })
    await clock.advance(5)
    await log.seen()
    expect(log.events.map(({ causes }) => causes?.length)).toEqual([1])
  })
})
