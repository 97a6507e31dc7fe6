import { describe, expect, it } from 'vitest'
import type { EventName, Events } from '../../shared/ipc/contract.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeHubCluster, fakeHub } from './fake-hub-cluster.ts'

const hourMs = 3_600_000

function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const cluster = new FakeHubCluster()
  const hub = fakeHub(clock, cluster)
  const connect = () => {
    const sent: { readonly name: EventName; readonly payload: unknown }[] = []
    const connection = hub.connect((name, payload) => sent.push({ name, payload }))
    const patches = () =>
      sent
        .filter(({ name }) => name === 'view.patched')
        // The name determines the type of the payload.
        .map(({ payload }) => payload as Events['view.patched'])
    const acknowledge = () => {
      connection.acknowledge('e', patches().at(-1)?.number ?? 0)
    }
    return { connection, sent, patches, acknowledge }
  }
  return { clock, cluster, connect }
}

/** Changes each of `rows` rows many times, with a little time between. */
async function change(
  { clock, cluster }: ReturnType<typeof setUp>,
  changes: number,
  rows: number,
): Promise<void> {
  for (let index = 0; index < changes; index++) {
    cluster.put(`p${index % rows}`, `state ${index}`)
    cluster.touchView()
    if (index % 100 === 0) await clock.advance(50)
  }
  await clock.advance(hourMs)
}

describe('a page that does not acknowledge', () => {
  it('gets one patch however much changes, and after the acknowledgement one with the present state', async () => {
    const world = setUp()
    const page = world.connect()
    page.connection.open()
    await change(world, 30_000, 200)
    expect(page.sent).toHaveLength(1)
    page.acknowledge()
    await world.clock.advance(hourMs)
    expect(page.sent).toHaveLength(2)
    const last = page.patches().at(-1)
    expect(last?.upserts.map(({ uid, status }) => `${uid} ${status}`).toSorted(inOrder)).toEqual(
      Array.from({ length: 200 }, (_, row) => `p${row} state ${29_800 + row}`).toSorted(inOrder),
    )
    expect(last?.clusters).toHaveLength(1)
    page.acknowledge()
    await world.clock.advance(hourMs)
    expect(page.sent).toHaveLength(2)
  })

  it('builds rows only when it sends a patch', async () => {
    const world = setUp()
    const page = world.connect()
    page.connection.open()
    world.cluster.put('p0', 'first')
    await world.clock.advance(100)
    world.cluster.reads = 0
    await change(world, 30_000, 200)
    expect(world.cluster.reads).toBe(0)
    page.acknowledge()
    await world.clock.advance(100)
    expect(world.cluster.reads).toBe(200)
  })

  it('drops the keys of pods that came and went meanwhile, and removes the rows that the page has', async () => {
    const world = setUp()
    const { clock, cluster } = world
    for (const uid of ['stays', 'goes']) cluster.put(uid, 'Running')
    const page = world.connect()
    page.connection.open()
    cluster.put('comes', 'Pending')
    await clock.advance(100)
    cluster.remove('goes')
    cluster.remove('comes')
    for (let index = 0; index < 50_000; index++) {
      cluster.put(`job-${index}`, 'Running')
      cluster.remove(`job-${index}`)
      if (index % 1000 === 0) await clock.advance(50)
    }
    cluster.put('new', 'Running')
    page.acknowledge()
    await clock.advance(hourMs)
    expect(page.sent).toHaveLength(2)
    const last = page.patches().at(-1)
    expect(last?.upserts.map(({ uid }) => uid)).toEqual(['new'])
    expect(last?.removed).toEqual(
      expect.arrayContaining([FakeHubCluster.keyOf('goes'), FakeHubCluster.keyOf('comes')]),
    )
    expect(last?.removed.length).toBeLessThan(2500)
    // Read a few times each at most, however often keys were dropped.
    expect(cluster.reads).toBeLessThan(250_000)
  })

  it('gets one detail and one flow of what it watches, in the present state, when it is back', async () => {
    const world = setUp()
    const { clock, cluster } = world
    cluster.put('p0', 'Pending')
    const page = world.connect()
    page.connection.open()
    page.connection.watch(FakeHubCluster.keyOf('p0'))
    page.connection.watchFlow({ cluster: 'sandbox', node: 'n' })
    const churn = async (status: string): Promise<void> => {
      for (let index = 0; index < 20_000; index++) {
        cluster.put('p0', `${status} ${index}`)
        cluster.move()
        if (index % 100 === 0) await clock.advance(50)
      }
      await clock.advance(hourMs)
    }
    await churn('before')
    const names = page.sent.map(({ name }) => name)
    expect(names).toEqual(['view.patched', 'pod.detailed', 'flow.changed'])
    page.acknowledge()
    await clock.advance(hourMs)
    expect(page.sent.slice(3)).toMatchObject([
      { name: 'view.patched', payload: { upserts: [{ status: 'before 19999' }] } },
      { name: 'pod.detailed', payload: { row: { status: 'before 19999' } } },
      { name: 'flow.changed' },
    ])
  })

  it('does not delay another page', async () => {
    const world = setUp()
    const silent = world.connect()
    const lively = world.connect()
    silent.connection.open()
    lively.connection.open()
    for (let index = 0; index < 100; index++) {
      world.cluster.put('p0', `state ${index}`)
      await world.clock.advance(50)
      lively.acknowledge()
    }
    expect(silent.patches()).toHaveLength(1)
    expect(lively.patches()).toHaveLength(100)
    expect(lively.patches().at(-1)?.upserts).toMatchObject([{ status: 'state 99' }])
  })

  it('leaves no subscription behind when it closes', async () => {
    const world = setUp()
    const page = world.connect()
    page.connection.open()
    world.cluster.put('p0', 'Running')
    await world.clock.advance(100)
    page.connection.close()
    await change(world, 1000, 10)
    page.acknowledge()
    await world.clock.advance(hourMs)
    expect(page.sent).toHaveLength(1)
    expect(world.clock.pendingTimers).toBe(0)
  })
})

const inOrder = (one: string, other: string): number => (one < other ? -1 : 1)
