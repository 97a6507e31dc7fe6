import { describe, expect, it } from 'vitest'
import type { KubeResponse, WatchEvent, WatchStream } from '../../../shared/kubernetes/request.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { FakeTransport, FakeWatch } from './fake-transport.ts'
import { OutageSwitch } from './outage-switch.ts'

const answer: KubeResponse = { kind: 'object', status: 200, body: {} }
const read = { method: 'GET', path: '/api/v1/pods' } as const

function streamOf(response: KubeResponse): WatchStream {
  if (response.kind !== 'watch') throw new Error('no watch')
  return response.stream
}

/** What a watch's reader is given, and how it ended. */
function reading(stream: WatchStream): {
  readonly events: WatchEvent[]
  readonly ended: Promise<unknown>
} {
  const events: WatchEvent[] = []
  const ended = (async () => {
    try {
      for await (const event of stream.events) events.push(event)
      return 'closed'
    } catch (error) {
      return error
    }
  })()
  return { events, ended }
}

describe('OutageSwitch', () => {
  it('passes requests and responses through without an outage', async () => {
    const transport = new FakeTransport().script(answer)
    const outage = new OutageSwitch({ transport })
    expect(await outage.send(read)).toBe(answer)
    expect(transport.requests).toEqual([read])
  })

  it('refuses requests during an outage, and passes them through after it', async () => {
    const transport = new FakeTransport().script(answer)
    const outage = new OutageSwitch({ transport })
    outage.cut()
    expect(outage.isCut).toBe(true)
    await expect(outage.send(read)).rejects.toThrow(
      new TransportError(
        'unavailable',
        'The API server refused the connection: nothing listens there.',
      ),
    )
    expect(transport.requests).toEqual([])
    outage.restore()
    expect(outage.isCut).toBe(false)
    expect(await outage.send(read)).toBe(answer)
  })

  it('drops the response of a request in flight at the start of an outage, even if it arrives after the end', async () => {
    let reply: (response: KubeResponse) => void = () => undefined
    const transport = new FakeTransport().script(() => new Promise((resolve) => (reply = resolve)))
    const outage = new OutageSwitch({ transport })
    const response = outage.send({ method: 'POST', path: '/api/v1/nodes' })
    outage.cut()
    outage.restore()
    reply(answer)
    await expect(response).rejects.toThrow('closed the connection')
    expect(transport.requests).toHaveLength(1)
  })

  it('stops a watch whose response was dropped', async () => {
    const watch = new FakeWatch()
    let reply: (response: KubeResponse) => void = () => undefined
    const transport = new FakeTransport().script(() => new Promise((resolve) => (reply = resolve)))
    const outage = new OutageSwitch({ transport })
    const response = outage.send(read)
    outage.cut()
    reply(watch.response)
    await expect(response).rejects.toThrow('closed the connection')
    expect(watch.isStopped).toBe(true)
  })

  it('ends open watches with an error at the start of an outage', async () => {
    const watch = new FakeWatch()
    const outage = new OutageSwitch({
      transport: new FakeTransport().script(watch.response),
    })
    const { events, ended } = reading(streamOf(await outage.send(read)))
    const event: WatchEvent = { type: 'ADDED', object: {} }
    watch.push(event)
    await new Promise(setImmediate)
    outage.cut()
    watch.push({ type: 'DELETED', object: {} })
    expect(await ended).toEqual(
      new TransportError('unavailable', 'The API server closed the connection.'),
    )
    expect(events).toEqual([event])
    expect(watch.isStopped).toBe(true)
  })

  it('drops open watches without affecting requests', async () => {
    const [one, other] = [new FakeWatch(), new FakeWatch()]
    const transport = new FakeTransport().script(one.response, other.response, answer)
    const outage = new OutageSwitch({ transport })
    const readers = [
      reading(streamOf(await outage.send(read))),
      reading(streamOf(await outage.send(read))),
    ]
    expect(outage.dropWatches()).toBe(2)
    for (const { ended } of readers) expect(await ended).toBeInstanceOf(TransportError)
    expect(await outage.send(read)).toBe(answer)
    expect(outage.dropWatches()).toBe(0)
  })

  it('forgets a watch that its reader or the server has closed', async () => {
    const [stopped, closed] = [new FakeWatch(), new FakeWatch()]
    const transport = new FakeTransport().script(stopped.response, closed.response)
    const outage = new OutageSwitch({ transport })
    streamOf(await outage.send(read)).stop()
    expect(stopped.isStopped).toBe(true)
    const reader = reading(streamOf(await outage.send(read)))
    closed.close()
    expect(await reader.ended).toBe('closed')
    expect(outage.dropWatches()).toBe(0)
  })

  it('passes errors of the transport through', async () => {
    const failure = new TransportError('timeout', 'did not respond in time')
    const outage = new OutageSwitch({ transport: new FakeTransport().script(failure) })
    await expect(outage.send(read)).rejects.toBe(failure)
  })
})
