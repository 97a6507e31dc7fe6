import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Events } from '../../../shared/ipc/contract.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeHubCluster, fakeHub, hubChannel } from '../../session/fake-hub-cluster.ts'
import { PageConnection } from './page-connection.ts'
import { findStaticFiles } from './static-files.ts'
import { WebServer } from './web-server.ts'

const hourMs = 3_600_000
const mebibyte = 1024 * 1024

/** The server's end of a WebSocket. It buffers messages while the page does not read. */
class FakeSocket extends EventEmitter {
  readonly #texts: string[] = []
  isRead = true
  bufferedAmount = 0
  isTerminated = false

  readonly send = (text: string): void => {
    this.#texts.push(text)
    if (!this.isRead) this.bufferedAmount += text.length
  }

  get sent(): number {
    return this.#texts.length
  }

  get frames(): readonly unknown[] {
    return this.#texts.map((text): unknown => JSON.parse(text))
  }

  readonly terminate = (): void => {
    this.isTerminated = true
    this.bufferedAmount = 0
    this.emit('close')
  }

  ask(name: string, args: unknown): void {
    this.emit('message', Buffer.from(JSON.stringify({ id: 1, name, args })), false)
  }
}

function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const cluster = new FakeHubCluster()
  const channel = hubChannel(fakeHub(clock, cluster))
  const log = new FakeLog()
  return { clock, cluster, channel, log }
}

async function connect(world: ReturnType<typeof setUp>): Promise<FakeSocket> {
  const socket = new FakeSocket()
  // Only these parts of a WebSocket are used.
  new PageConnection({ ...world, socket: socket as unknown as WebSocket }).start()
  socket.ask('view.open', {})
  await world.clock.advance(0)
  return socket
}

async function change({ clock, cluster }: ReturnType<typeof setUp>): Promise<void> {
  for (let index = 0; index < 20_000; index++) {
    cluster.put(`p${index % 200}`, `state ${index}`)
    if (index % 100 === 0) await clock.advance(50)
  }
  await clock.advance(hourMs)
}

/** The statuses of a patch, oldest first. */
function statesIn(frame: unknown): readonly string[] {
  // A frame without a patch fails the test.
  const { payload } = frame as { readonly payload: Events['view.patched'] }
  const numbers = payload.upserts.map(({ status }) => Number(status.split(' ')[1]))
  return numbers.toSorted((a, b) => a - b).map((number) => `state ${number}`)
}

const presentStates = Array.from({ length: 200 }, (_, row) => `state ${19_800 + row}`)

describe('a page on a WebSocket', () => {
  it('gets one patch until it acknowledges, and then one more', async () => {
    const world = setUp()
    const socket = await connect(world)
    await change(world)
    expect(socket.frames).toMatchObject([
      { accepted: true },
      { id: 1, reply: { epoch: 'e', number: 0 } },
      { event: 'view.patched', payload: { number: 1 } },
    ])
    socket.ask('view.acknowledge', { epoch: 'e', number: 1 })
    await world.clock.advance(hourMs)
    expect(socket.frames.slice(3)).toMatchObject([
      { id: 1, reply: null },
      { event: 'view.patched', payload: { number: 2 } },
    ])
    expect(statesIn(socket.frames[4])).toEqual(presentStates)
  })

  it('keeps its connection and one patch in the buffer when it stops reading', async () => {
    const world = setUp()
    const socket = await connect(world)
    socket.isRead = false
    await change(world)
    expect(socket.frames).toHaveLength(3)
    expect(socket.bufferedAmount).toBeLessThan(100_000)
    expect(socket.isTerminated).toBe(false)
  })

  it('is disconnected if it sends requests and never reads', async () => {
    const world = setUp()
    for (let row = 0; row < 1000; row++) world.cluster.put(`p${row}`, 'x'.repeat(2000))
    const socket = await connect(world)
    socket.isRead = false
    let most = 0
    for (let asked = 0; asked < 100; asked++) {
      socket.ask('view.open', {})
      await world.clock.advance(0)
      most = Math.max(most, socket.bufferedAmount)
    }
    expect(socket.isTerminated).toBe(true)
    expect(most).toBeLessThanOrEqual(64 * mebibyte)
    expect(world.log.problems).toEqual(['page does not keep up'])
    const { sent } = socket
    await change(world)
    expect(socket.sent).toBe(sent)
    expect(world.clock.pendingTimers).toBe(0)
  })

  it('gets one patch when it reads again over TCP, then the current state', async () => {
    const { clock, cluster, channel, log } = setUp()
    const folder = mkdtempSync(join(tmpdir(), 'nodescope-page-connection-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html>')
    const files = await findStaticFiles(folder)
    const token = 'AbCdEfGhIjKlMnOpQrStUvWxYz012-_9'
    const server = new WebServer({ port: null, token, files, clock, log })
    try {
      const address = await server.start()
      if (!address.ok) throw new Error(address.error)
      server.serve(channel)
      const { host, origin } = new URL(address.value)
      const protocols = ['nodescope.v1', `nodescope.token.${token}`]
      const page = new WebSocket(`ws://${host}/ws`, protocols, { origin })
      const frames: unknown[] = []
      let onFrame = (): void => undefined
      page.on('message', (data: Buffer) => {
        frames.push(JSON.parse(data.toString()))
        onFrame()
      })
      const received = async (count: number): Promise<void> => {
        while (frames.length < count)
          await new Promise<void>((resolve) => {
            onFrame = resolve
          })
      }
      await received(1)
      page.send(JSON.stringify({ id: 1, name: 'view.open', args: {} }))
      await received(2)
      page.pause()
      await change({ clock, cluster, channel, log })
      expect(frames).toHaveLength(2)
      page.resume()
      await received(3)
      page.send(
        JSON.stringify({ id: 2, name: 'view.acknowledge', args: { epoch: 'e', number: 1 } }),
      )
      await received(4)
      await clock.advance(hourMs)
      await received(5)
      expect(frames.slice(2)).toMatchObject([
        { event: 'view.patched', payload: { number: 1 } },
        { id: 2, reply: null },
        { event: 'view.patched', payload: { number: 2 } },
      ])
      expect(statesIn(frames[4])).toEqual(presentStates)
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  })
})
