import { describe, expect, it } from 'vitest'
import type { IpcMain, WebContents } from 'electron'
import type { Events } from '../../../shared/ipc/contract.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeHubCluster, fakeHub, hubChannel } from '../../session/fake-hub-cluster.ts'
import { PageIpc } from './page-ipc.ts'

const hourMs = 3_600_000
const pageUrl = 'file:///app/index.html'

type Listener = (event: unknown, ...args: readonly unknown[]) => unknown

/** A window that does not read its messages. */
function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const cluster = new FakeHubCluster()
  const listeners = new Map<string, Listener>()
  const keep = (name: string, listener: Listener): void => {
    listeners.set(name, listener)
  }
  const sent: (readonly [channel: string, name: string, payload: Events['view.patched']])[] = []
  const ipc = new PageIpc({
    // Events with only the used fields.
    ipcMain: { on: keep, handle: keep } as unknown as Pick<IpcMain, 'on' | 'handle'>,
    contents: {
      id: 7,
      send: (channel: string, name: string, payload: Events['view.patched']) => {
        sent.push([channel, name, payload])
      },
      isDestroyed: () => false,
    } as Pick<WebContents, 'id' | 'send' | 'isDestroyed'>,
    pageUrl,
    channel: hubChannel(fakeHub(clock, cluster)),
    log: new FakeLog(),
  })
  ipc.start()
  const event = { sender: { id: 7 }, senderFrame: { url: pageUrl, parent: null } }
  const ask = async (name: string, args: unknown): Promise<void> => {
    await listeners.get('nodescope:request')?.(event, name, args)
  }
  return { clock, cluster, sent, ask, connect: () => listeners.get('nodescope:connect')?.(event) }
}

async function change({ clock, cluster }: ReturnType<typeof setUp>): Promise<void> {
  for (let index = 0; index < 20_000; index++) {
    cluster.put(`p${index % 200}`, `state ${index}`)
    if (index % 100 === 0) await clock.advance(50)
  }
  await clock.advance(hourMs)
}

describe('a window that does not acknowledge patches', () => {
  it('gets one patch during 20,000 changes, and one with the current state after its acknowledgement', async () => {
    const page = setUp()
    page.connect()
    await page.ask('view.open', {})
    await change(page)
    expect(page.sent.map(([, name, { number }]) => `${name} ${number}`)).toEqual(['view.patched 1'])
    await page.ask('view.acknowledge', { epoch: 'e', number: 1 })
    await page.clock.advance(hourMs)
    expect(page.sent.map(([, name, { number }]) => `${name} ${number}`)).toEqual([
      'view.patched 1',
      'view.patched 2',
    ])
    const statuses = new Set(page.sent[1]?.[2].upserts.map(({ status }) => status))
    expect(statuses).toEqual(
      new Set(Array.from({ length: 200 }, (_, row) => `state ${19_800 + row}`)),
    )
  })

  it('leaves no subscription behind when it is reloaded', async () => {
    const page = setUp()
    page.connect()
    await page.ask('view.open', {})
    await change(page)
    page.connect()
    await page.ask('view.open', {})
    page.cluster.put('p0', 'after')
    await page.clock.advance(hourMs)
    expect(page.sent).toHaveLength(2)
    expect(page.sent[1]?.[2]).toMatchObject({ number: 1, upserts: [{ status: 'after' }] })
    expect(page.clock.pendingTimers).toBe(0)
  })
})
