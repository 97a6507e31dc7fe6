import { describe, expect, it } from 'vitest'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import { answer, FakeTransport } from '../../cluster/transport/fake-transport.ts'
import { ServerReachability } from './server-reachability.ts'

const get = { method: 'GET', path: '/api/v1/nodes/n' } as const
const refused = new TransportError('unavailable', 'nothing listens there.')

function setUp() {
  const views: ConnectionView[] = []
  const time = { now: 0 }
  const reachableAt: number[] = []
  const server = new FakeTransport()
  const reachability = new ServerReachability({
    clock: { now: () => time.now },
    onChange: (connection) => views.push(connection),
    onReachable: () => reachableAt.push(time.now),
  })
  const transport = reachability.observe(server)
  const ask = async (path: string, at: number, given: Error | 'answers'): Promise<void> => {
    time.now = at
    server.script(given === 'answers' ? answer(404, {}) : given)
    await transport.send({ method: 'GET', path }).catch((error: unknown) => {
      expect(error).toBe(given)
    })
  }
  const call = async (at: number, given: Error | 'answers') => ask(get.path, at, given)
  /** A call that is sent now and fails when the function is called. */
  const late = (): ((at: number) => Promise<void>) => {
    let fail: (error: Error) => void = () => undefined
    const failing = new Promise<never>((_, reject) => {
      fail = reject
    })
    const held = reachability.observe({ send: () => failing }).send(get)
    return async (at) => {
      time.now = at
      fail(refused)
      await expect(held).rejects.toBe(refused)
    }
  }
  return { views, reachability, ask, call, late, reachableAt }
}

describe('ServerReachability', () => {
  it('follows the watch while calls are answered', async () => {
    const { views, reachability, call } = setUp()
    await call(0, 'answers')
    expect(views).toEqual([])
    reachability.onWatchStatus({ kind: 'connected' })
    const away = { kind: 'away', since: 5, retryAt: 9, message: 'gone' } as const
    reachability.onWatchStatus(away)
    expect(views).toEqual([{ kind: 'connected' }, away])
  })

  it('does not take a kubelet that is silent for a silent API server', async () => {
    const { views, ask } = setUp()
    const late = new TransportError('timeout', 'did not respond')
    for (const path of ['/api/v1/nodes/n/proxy/pods', '/api/v1/namespaces/a/pods/b/log'])
      for (const at of [1000, 40_000, 80_000]) await ask(path, at, late)
    expect(views).toEqual([])
    await ask('/api/v1/nodes/n', 90_000, late)
    await ask('/api/v1/nodes/n', 92_000, late)
    expect(views).toMatchObject([{ kind: 'away', since: 90_000 }])
  })

  it('reports a server as away if it answers no call, even if its watch stays open, since the first failed call', async () => {
    const { views, reachability, call } = setUp()
    reachability.onWatchStatus({ kind: 'connected' })
    await call(1000, refused)
    await call(1999, refused)
    expect(views).toEqual([{ kind: 'connected' }])
    await call(2000, refused)
    await call(3000, refused)
    expect(reachability.isUnanswered).toBe(true)
    const away = { kind: 'away', since: 1000, retryAt: null, message: refused.message }
    expect(views.slice(1)).toEqual([away])
    reachability.onWatchStatus({ kind: 'away', since: 60_000, retryAt: 61_000, message: 'ended' })
    const both = { kind: 'away', since: 1000, retryAt: 61_000, message: 'ended' }
    expect(views.at(-1)).toEqual(both)
    await call(61_000, 'answers')
    expect(views.at(-1)).toEqual(both)
    expect(reachability.isUnanswered).toBe(false)
    reachability.onWatchStatus({ kind: 'connected' })
    reachability.onWatchStatus({ kind: 'away', since: 70_000, retryAt: 71_000, message: 'again' })
    expect(views.at(-1)).toMatchObject({ since: 70_000 })
  })

  it('reports connected when both watch and calls work again', async () => {
    const { views, reachability, call } = setUp()
    await call(0, refused)
    await call(1000, refused)
    expect(views).toEqual([{ kind: 'away', since: 0, retryAt: null, message: refused.message }])
    await call(2000, 'answers')
    expect(views.at(-1)).toEqual({ kind: 'connecting' })
    reachability.onWatchStatus({ kind: 'connected' })
    expect(views.at(-1)).toEqual({ kind: 'connected' })
  })

  it('ignores calls that fail late, after others were answered', async () => {
    const { views, reachability, late, call } = setUp()
    reachability.onWatchStatus({ kind: 'connected' })
    const [first, second] = [late(), late()]
    await call(30_000, 'answers')
    await first(31_000)
    await second(40_000)
    expect(reachability.isUnanswered).toBe(false)
    expect(views).toEqual([{ kind: 'connected' }])
  })

  it('counts calls that fail late if the last answer came just after they were sent', async () => {
    const { views, late, call } = setUp()
    const [first, second] = [late(), late()]
    await call(10, 'answers')
    await first(30_000)
    await second(40_000)
    expect(views).toMatchObject([{ kind: 'away', since: 30_000 }])
  })

  it('dates calls that fail by their time limit from the last answer', async () => {
    const { views, ask } = setUp()
    const path = '/api/v1/nodes/n'
    await ask(path, 5000, 'answers')
    await ask(path, 40_000, new TransportError('timeout', 'did not respond'))
    await ask(path, 42_000, new TransportError('timeout', 'did not respond'))
    expect(views).toMatchObject([{ kind: 'away', since: 5000 }])
  })

  it('reports the first answer after an outage once, so that waiting calls can retry', async () => {
    const { call, reachableAt } = setUp()
    await call(0, 'answers')
    await call(1000, refused)
    await call(1500, 'answers')
    expect(reachableAt).toEqual([])
    await call(2000, refused)
    await call(9000, refused)
    await call(9500, 'answers')
    await call(9600, 'answers')
    expect(reachableAt).toEqual([9500])
  })

  it('counts an invalid answer as an answer', async () => {
    const { views, call } = setUp()
    await call(0, refused)
    await call(500, 'answers')
    await call(1200, refused)
    await call(2000, 'answers')
    await call(3000, new TransportError('invalid', 'broken JSON'))
    await call(9000, new TransportError('invalid', 'broken JSON'))
    expect(views).toEqual([])
  })
})
