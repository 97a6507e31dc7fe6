import { describe, expect, it } from 'vitest'
import type { KubeEvent } from '../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { seededRandom } from '../clock/seeded-random.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeLog } from './container/fake-log.ts'
import { FakeTrace } from './container/fake-trace.ts'
import { ApiEventRecorder } from './event-recorder.ts'
import { defaultKubeletSettings } from './kubelet-settings.ts'
import type { KubeletSettings } from './kubelet-settings.ts'
import { FakeApiClient } from './fake-api-client.ts'
import type { ApiError } from './ports.ts'
import { fakePod, fakeStaticPod } from './pod/fake-pod.ts'

function setUp(settings: Partial<KubeletSettings> = {}) {
  const clock = new VirtualClock(nodeClockHost, { startAt: Date.parse('2026-01-01T00:00:00Z') })
  const api = new FakeApiClient({ clock })
  const trace = new FakeTrace()
  const recorder = new ApiEventRecorder({
    api,
    nodeName: 'n',
    clock,
    random: seededRandom(1),
    trace,
    log: new FakeLog(),
    settings: { ...defaultKubeletSettings, ...settings },
  })
  const events = async (): Promise<readonly KubeEvent[]> => {
    const list = await api.list({ resource: 'events' })
    return list.ok ? list.value : []
  }
  const pod = fakeStaticPod()
  const say = (message: string, reason = 'Killing'): void => {
    recorder.event(
      { kind: 'pod', pod, fieldPath: 'spec.containers{c}' },
      'Normal',
      reason,
      message,
      [3],
    )
  }
  return { clock, api, trace, recorder, events, pod, say }
}

describe('ApiEventRecorder', () => {
  it('writes the event of a static pod about its own uid, as the kubelet', async () => {
    const { clock, events, say, trace } = setUp()
    say('Stopping container c')
    await clock.advance(1)
    expect(await events()).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: expect.objectContaining({
          name: expect.stringMatching(/^web-node\.[0-9a-f]{16}$/),
          namespace: 'default',
        }),
        involvedObject: {
          kind: 'Pod',
          namespace: 'default',
          name: 'web-node',
          uid: 'static-1',
          apiVersion: 'v1',
          fieldPath: 'spec.containers{c}',
        },
        reason: 'Killing',
        message: 'Stopping container c',
        source: { component: 'kubelet', host: 'n' },
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
        type: 'Normal',
        eventTime: null,
        reportingComponent: 'kubelet',
        reportingInstance: 'n',
      },
    ])
    expect(trace.events).toMatchObject([
      { kind: 'event.recorded', causes: [3], subject: { uid: 'static-1' } },
    ])
  })

  it('writes about the node under its name, in default', async () => {
    const { clock, recorder, events } = setUp()
    recorder.event({ kind: 'node' }, 'Normal', 'Starting', 'Starting kubelet.')
    await clock.advance(1)
    const [event] = await events()
    expect(event?.metadata.namespace).toBe('default')
    expect(event?.involvedObject).toEqual({ kind: 'Node', name: 'n', uid: 'n' })
  })

  it('names the version of an API pod that the event is about', async () => {
    const { clock, recorder, events } = setUp()
    const pod = fakePod({ metadata: { resourceVersion: '7' } })
    recorder.event({ kind: 'pod', pod }, 'Warning', 'FailedSync', 'why')
    await clock.advance(1)
    expect((await events())[0]?.involvedObject).toEqual({
      kind: 'Pod',
      namespace: 'default',
      name: 'web',
      uid: 'web-uid',
      apiVersion: 'v1',
      resourceVersion: '7',
    })
  })

  it('gives events of one millisecond different names', async () => {
    const { clock, events, say } = setUp()
    for (const message of ['a', 'b', 'c']) say(message)
    await clock.advance(1)
    expect(new Set((await events()).map(({ metadata }) => metadata.name)).size).toBe(3)
  })

  it('counts equal events up in one object', async () => {
    const { clock, api, events, say } = setUp()
    say('again')
    await clock.advance(5000)
    say('again')
    await clock.advance(5000)
    say('again')
    await clock.advance(1)
    expect(await events()).toMatchObject([
      { count: 3, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:10Z' },
    ])
    expect(api.calls.at(-2)?.body).toEqual({
      count: 3,
      lastTimestamp: '2026-01-01T00:00:10Z',
      message: 'again',
    })
  })

  it('creates the counted one again, with its count, after it was deleted', async () => {
    const { clock, api, say } = setUp()
    say('again')
    await clock.advance(1)
    api.refuse = ({ verb }) =>
      verb === 'patch' ? { kind: 'not-found', message: 'gone' } : undefined
    await clock.advance(5000)
    say('again')
    await clock.advance(1)
    const [first, , second] = api.calls
    expect(api.calls.map(({ verb }) => verb)).toEqual(['create', 'patch', 'create'])
    expect(second?.name).toBe(first?.name)
    expect(second?.body).toMatchObject({ count: 2, firstTimestamp: '2026-01-01T00:00:00Z' })
  })

  it('combines a flood of similar events', async () => {
    const { clock, events, say } = setUp()
    for (let index = 0; index < 14; index++) say(`message ${index}`)
    await clock.advance(1)
    const written = await events()
    expect(written).toHaveLength(10)
    expect(written.at(-1)).toMatchObject({
      message: '(combined from similar events): message 13',
      count: 5,
    })
  })

  it.each([
    [{ eventBurst: 2, eventRecordQPS: 1 }, [2, 3, 4]],
    // client-go's own rate.
    [{ eventBurst: 2, eventRecordQPS: 0 }, [2, 7, 9]],
  ])(
    'writes no more than the burst at once with %j, and the rest at the rate',
    async (limits, counts) => {
      const { clock, events, say } = setUp(limits)
      for (let index = 0; index < 9; index++) say(`message ${index}`, `Reason${index}`)
      const written: number[] = []
      for (let second = 0; second < 3; second++) {
        await clock.advance(second === 0 ? 10 : 1000)
        written.push((await events()).length)
      }
      expect(written).toEqual(counts)
    },
  )

  it('drops events of one subject beyond its rate limit, and accepts them again later', async () => {
    const { clock, recorder, api, say } = setUp()
    for (let index = 0; index < 40; index++) say('the same')
    await clock.advance(1)
    expect(api.calls).toHaveLength(25)
    expect(recorder.dropped).toBe(15)
    await clock.advance(300_000)
    say('the same')
    await clock.advance(1)
    expect(api.calls).toHaveLength(26)
    // What was dropped was counted.
    expect(api.calls.at(-1)?.body).toMatchObject({ count: 41 })
  })

  it('keeps warnings of a subject whose normal events are over the limit', async () => {
    const { clock, recorder, events, pod, say } = setUp()
    for (let index = 0; index < 40; index++) say('the same')
    recorder.event({ kind: 'pod', pod }, 'Warning', 'Failed', 'Error: boom')
    await clock.advance(1)
    expect((await events()).map(({ type }) => type)).toEqual(['Normal', 'Warning'])
  })

  it('writes a hundred at once, then fifty a second', async () => {
    const { clock, api, recorder } = setUp()
    for (let index = 0; index < 300; index++) {
      recorder.event({ kind: 'pod', pod: fakePod({ uid: `u${index}` }) }, 'Normal', 'Pulled', 'x')
    }
    await clock.advance(0)
    expect(api.calls).toHaveLength(100)
    await clock.advance(2000)
    expect(api.calls).toHaveLength(200)
    await clock.advance(2000)
    expect(api.calls).toHaveLength(300)
  })

  it('drops new events while a thousand wait', async () => {
    const { clock, api, recorder } = setUp()
    api.refuse = () => ({ kind: 'unavailable', message: 'connection refused' })
    for (let index = 0; index < 1100; index++) {
      recorder.event({ kind: 'pod', pod: fakePod({ uid: `u${index}` }) }, 'Normal', 'Pulled', 'x')
    }
    await clock.advance(1)
    // One of them is being written.
    expect(recorder.dropped).toBe(99)
  })

  it('waits for a server that is away, and keeps the order', async () => {
    const { clock, api, recorder, events, say } = setUp()
    api.refuse = () => ({ kind: 'unavailable', message: 'connection refused' })
    say('first')
    say('second')
    await clock.advance(15_000)
    expect(await events()).toEqual([])
    expect(recorder.held).toBe(2)
    api.refuse = () => undefined
    await clock.advance(10_000)
    expect(recorder.held).toBe(0)
    expect((await events()).map((event) => event.message)).toEqual(['first', 'second'])
  })

  it('drops an event that the server refuses, and continues', async () => {
    const { clock, api, recorder, events, say } = setUp()
    api.refuse = ({ verb }) =>
      verb === 'create' ? { kind: 'forbidden', message: 'no', code: 403 } : undefined
    say('refused')
    await clock.advance(1)
    api.refuse = () => undefined
    say('next')
    await clock.advance(1)
    expect(recorder.dropped).toBe(1)
    expect((await events()).map((event) => event.message)).toEqual(['next'])
  })

  it('does not repeat what a server in trouble has answered, as client-go does not', async () => {
    const { clock, api, recorder, say } = setUp()
    api.refuse = () => ({ kind: 'unavailable', message: 'etcd is gone', code: 503 })
    say('refused')
    await clock.advance(60_000)
    expect([api.calls.length, recorder.dropped, recorder.held]).toEqual([1, 1, 0])
  })

  it('takes an event as written that is there already: an answer was lost', async () => {
    const { clock, api, recorder, say } = setUp()
    let answers: readonly ApiError[] = [
      { kind: 'timeout', message: 'no answer' },
      { kind: 'already-exists', message: 'exists', code: 409 },
    ]
    api.refuse = () => {
      const [first, ...rest] = answers
      answers = rest
      return first
    }
    say('once')
    await clock.advance(60_000)
    expect([api.calls.length, recorder.dropped, recorder.held]).toEqual([2, 0, 0])
  })

  it('writes nothing after stop', async () => {
    const { clock, recorder, api, say } = setUp()
    recorder.stop()
    say('late')
    await clock.advance(1000)
    expect(api.calls).toEqual([])
  })
})
