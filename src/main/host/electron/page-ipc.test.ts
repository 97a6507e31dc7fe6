import { describe, expect, it } from 'vitest'
import type { IpcMain, WebContents } from 'electron'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeSessionChannel } from '../fake-session-channel.ts'
import { PageIpc } from './page-ipc.ts'

const pageUrl = 'file:///app/index.html'

interface Event {
  readonly sender: { readonly id: number }
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

const ownEvent: Event = { sender: { id: 7 }, senderFrame: { url: pageUrl, parent: null } }
const foreignEvent: Event = {
  sender: { id: 7 },
  senderFrame: { url: 'https://evil.example/', parent: null },
}

function start() {
  const listeners = new Map<string, (event: Event, ...args: unknown[]) => unknown>()
  const keep = (name: string, listener: (event: Event, ...args: unknown[]) => unknown): void => {
    listeners.set(name, listener)
  }
  const sent: unknown[] = []
  let isDestroyed = false
  const channel = new FakeSessionChannel()
  const log = new FakeLog()
  const ipc = new PageIpc({
    // Events with only the used fields.
    ipcMain: { on: keep, handle: keep } as unknown as Pick<IpcMain, 'on' | 'handle'>,
    contents: {
      id: 7,
      send: (...words: unknown[]) => {
        sent.push(words)
      },
      isDestroyed: () => isDestroyed,
    } as Pick<WebContents, 'id' | 'send' | 'isDestroyed'>,
    pageUrl,
    channel,
    log,
  })
  ipc.start()
  return {
    ipc,
    channel,
    log,
    sent,
    destroy: () => {
      isDestroyed = true
    },
    connect: (event: Event) => listeners.get('nodescope:connect')?.(event),
    request: (event: Event, ...args: unknown[]) =>
      listeners.get('nodescope:request')?.(event, ...args),
  }
}

const patch = { epoch: 'e', number: 1, now: {}, upserts: [], removed: [], clusters: [], closed: [] }

describe('PageIpc', () => {
  it('passes requests to the session and events to the page', async () => {
    const page = start()
    page.channel.answer = () => Promise.resolve({ uid: 'u' })
    page.connect(ownEvent)
    expect(await page.request(ownEvent, 'pod.describe', { key: 'a' })).toEqual({
      ok: true,
      value: { uid: 'u' },
    })
    page.channel.connections[0]?.send('view.patched', patch)
    expect(page.sent).toEqual([['nodescope:event', 'view.patched', patch]])
    expect(page.channel.connections[0]?.requests).toEqual([
      { name: 'pod.describe', args: { key: 'a' } },
    ])
  })

  it('opens a new connection when the page is reloaded', async () => {
    const page = start()
    page.connect(ownEvent)
    page.connect(ownEvent)
    await page.request(ownEvent, 'view.open', {})
    expect(
      page.channel.connections.map(({ isClosed, requests }) => [isClosed, requests.length]),
    ).toEqual([
      [true, 0],
      [false, 1],
    ])
  })

  it('refuses and logs messages of other frames', async () => {
    const page = start()
    page.connect(foreignEvent)
    expect(page.channel.connections).toEqual([])
    page.connect(ownEvent)
    expect(await page.request(foreignEvent, 'view.open', {})).toEqual({
      ok: false,
      error: 'Only the dashboard may send requests here.',
    })
    expect(page.channel.connections[0]?.requests).toEqual([])
    expect(page.log.lines).toEqual([
      { level: 'warn', message: 'message refused', fields: { url: 'https://evil.example/' } },
      { level: 'warn', message: 'message refused', fields: { url: 'https://evil.example/' } },
    ])
  })

  it('checks every request', async () => {
    const page = start()
    page.connect(ownEvent)
    expect(await page.request(ownEvent, 'pod.describe', { key: 1 })).toEqual({
      ok: false,
      error: 'The request pod.describe is malformed: key must be a string.',
    })
    expect(await page.request(ownEvent)).toEqual({ ok: false, error: 'A request needs a name.' })
    expect(page.channel.connections[0]?.requests).toEqual([])
  })

  it('refuses requests of a page that has not connected or is closed', async () => {
    const page = start()
    const refusal = { ok: false, error: 'The page has not connected.' }
    expect(await page.request(ownEvent, 'view.open', {})).toEqual(refusal)
    page.connect(ownEvent)
    page.ipc.disconnect()
    expect(await page.request(ownEvent, 'view.open', {})).toEqual(refusal)
    expect(page.channel.connections[0]?.isClosed).toBe(true)
  })

  it('sends nothing to a closed window', () => {
    const page = start()
    page.connect(ownEvent)
    page.destroy()
    page.channel.connections[0]?.send('view.patched', patch)
    expect(page.sent).toEqual([])
  })
})
