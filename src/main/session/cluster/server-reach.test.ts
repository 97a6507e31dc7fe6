import { describe, expect, it } from 'vitest'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import { answer, FakeTransport } from '../../cluster/transport/fake-transport.ts'
import { ServerReach } from './server-reach.ts'

const get = { method: 'GET', path: '/api/v1/nodes/n' } as const
const refused = new TransportError('unavailable', 'nothing listens there.')

function setUp() {
  const heard: ConnectionView[] = []
  const time = { now: 0 }
  const answeredAt: number[] = []
  const server = new FakeTransport()
  const reach = new ServerReach({
    clock: { now: () => time.now },
    onChange: (connection) => heard.push(connection),
    onAnswered: () => answeredAt.push(time.now),
  })
  const transport = reach.over(server)
  const call = async (at: number, given: Error | 'answers'): Promise<void> => {
    time.now = at
    server.script(given === 'answers' ? answer(404, {}) : given)
    await transport.send(get).catch((error: unknown) => {
      expect(error).toBe(given)
    })
  }
  return { heard, reach, call, answeredAt }
}

describe('ServerReach', () => {
  it('says what the watch says while the calls are answered', async () => {
    const { heard, reach, call } = setUp()
    await call(0, 'answers')
    expect(heard).toEqual([])
    reach.heardWatch({ kind: 'connected' })
    const away = { kind: 'away', since: 5, retryAt: 9, message: 'gone' } as const
    reach.heardWatch(away)
    expect(heard).toEqual([{ kind: 'connected' }, away])
  })

  it('calls a server away that keeps the watch and answers no call, since the first of them', async () => {
    const { heard, reach, call } = setUp()
    reach.heardWatch({ kind: 'connected' })
    await call(1000, refused)
    await call(1999, refused)
    expect(heard).toEqual([{ kind: 'connected' }])
    await call(2000, refused)
    await call(3000, refused)
    expect(reach.isUnanswered).toBe(true)
    const away = { kind: 'away', since: 1000, retryAt: null, message: refused.message }
    expect(heard.slice(1)).toEqual([away])
    reach.heardWatch({ kind: 'away', since: 60_000, retryAt: 61_000, message: 'ended' })
    const both = { kind: 'away', since: 1000, retryAt: 61_000, message: 'ended' }
    expect(heard.at(-1)).toEqual(both)
    await call(61_000, 'answers')
    expect(heard.at(-1)).toEqual(both)
    expect(reach.isUnanswered).toBe(false)
    reach.heardWatch({ kind: 'connected' })
    reach.heardWatch({ kind: 'away', since: 70_000, retryAt: 71_000, message: 'again' })
    expect(heard.at(-1)).toMatchObject({ since: 70_000 })
  })

  it('is connected again when both are', async () => {
    const { heard, reach, call } = setUp()
    await call(0, refused)
    await call(1000, refused)
    expect(heard).toEqual([{ kind: 'away', since: 0, retryAt: null, message: refused.message }])
    await call(2000, 'answers')
    expect(heard.at(-1)).toEqual({ kind: 'connecting' })
    reach.heardWatch({ kind: 'connected' })
    expect(heard.at(-1)).toEqual({ kind: 'connected' })
  })

  it('tells once of the first answer after a time without, so that what waits can try', async () => {
    const { call, answeredAt } = setUp()
    await call(0, 'answers')
    await call(1000, refused)
    await call(1500, 'answers')
    expect(answeredAt).toEqual([])
    await call(2000, refused)
    await call(9000, refused)
    await call(9500, 'answers')
    await call(9600, 'answers')
    expect(answeredAt).toEqual([9500])
  })

  it('takes an answer in between, or nonsense for one, as an answer', async () => {
    const { heard, call } = setUp()
    await call(0, refused)
    await call(500, 'answers')
    await call(1200, refused)
    await call(2000, 'answers')
    await call(3000, new TransportError('invalid', 'broken JSON'))
    await call(9000, new TransportError('invalid', 'broken JSON'))
    expect(heard).toEqual([])
  })
})
