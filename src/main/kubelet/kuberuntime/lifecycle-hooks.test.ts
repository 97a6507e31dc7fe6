import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { FakeLog } from '../container/fake-log.ts'
import { podOf } from '../container/fake-pods.ts'
import { FakeRuntimeService } from '../container/fake-runtime-service.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { FakePodNetwork } from '../probe/fake-pod-network.ts'
import { HandlerRunner } from './lifecycle-hooks.ts'

function setUp(ips: readonly string[] = ['10.0.0.1']) {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const network = new FakePodNetwork(clock)
  const recorder = new FakeEventRecorder()
  const trace = new FakeTrace()
  const log = new FakeLog()
  const runner = new HandlerRunner({
    clock,
    network,
    recorder,
    trace,
    log,
    runtimeService: new FakeRuntimeService({ clock }),
    podIPs: () => Promise.resolve(ok(ips)),
  })
  const run = async (postStart: object): Promise<string | undefined> => {
    const container = { name: 'c', image: 'i', lifecycle: { postStart } }
    const running = runner.run({
      pod: podOf({ containers: [container] }),
      container,
      containerId: 'c-0',
      name: 'postStart',
      maxMs: Number.POSITIVE_INFINITY,
      causes: [],
    })
    await clock.advance(10_000)
    return running
  }
  return { network, recorder, trace, log, run }
}

const get = { httpGet: { path: '/started?a=b', port: 8080, scheme: 'HTTPS' } }
const http = { httpGet: { ...get.httpGet, scheme: 'HTTP' } }

describe('an HTTP hook', () => {
  it('goes to the pod’s address as the kubelet’s request, and any status is a success', async () => {
    const { run, network } = setUp()
    network.http.set('10.0.0.1:8080', () => ok({ statusCode: 500 }))
    expect(await run(http)).toBeUndefined()
    expect(network.gets).toEqual([
      {
        scheme: 'http',
        host: '10.0.0.1',
        port: 8080,
        path: '/started?a=b',
        headers: [
          ['User-Agent', 'kube-lifecycle/1.34'],
          ['Accept', '*/*'],
        ],
        timeoutMs: Number.POSITIVE_INFINITY,
      },
    ])
  })

  it('fails when nothing answers, in the kubelet’s words, which stay out of trace and log', async () => {
    const { run, trace, log } = setUp()
    expect(await run(http)).toBe(
      'HTTP lifecycle hook (/started?a=b) for Container "c" in Pod "p_n(u)" failed - error: Get "http://10.0.0.1:8080/started?a=b": dial tcp 10.0.0.1:8080: connect: connection refused',
    )
    expect(trace.data('hook.started')).toEqual([
      { container: 'c', hook: 'postStart', handler: 'httpGet' },
    ])
    expect(trace.data('hook.ended')).toEqual([
      { container: 'c', hook: 'postStart', failed: true, durationMs: 0 },
    ])
    expect(log.lines).toMatchObject([
      { message: 'postStart hook failed', fields: { podUid: 'u', container: 'c' } },
    ])
  })

  it('without an address of the pod fails', async () => {
    expect(await setUp([]).run(http)).toMatch(/error: failed to find networking container$/)
  })

  it('over HTTPS that is answered in plain HTTP is repeated with HTTP, with an event', async () => {
    const { run, network, recorder } = setUp()
    network.http.set('10.0.0.1:8080', ({ scheme }) =>
      scheme === 'https' ? err('http: server gave HTTP response to HTTPS client') : ok({}),
    )
    expect(await run(get)).toBeUndefined()
    expect(recorder.lines).toEqual([
      'Warning LifecycleHTTPFallback request to HTTPS lifecycle hook 10.0.0.1:8080 got HTTP response, retry with HTTP succeeded',
    ])
  })
})

describe('a hook', () => {
  it.each([
    [
      { exec: { command: ['hook', '5', 'no "way"'] } },
      String.raw`Exec lifecycle hook ([hook 5 no "way"]) for Container "c" in Pod "p_n(u)" failed - error: command 'hook 5 no "way"' exited with 1: no "way", message: "no \"way\""`,
    ],
    [
      { tcpSocket: { port: 80, host: 'h' } },
      'Cannot run handler: invalid handler: &LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:&TCPSocketAction{Port:{0 80 },Host:h,},Sleep:nil,}',
    ],
    [
      { tcpSocket: { port: 'web' } },
      'Cannot run handler: invalid handler: &LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:&TCPSocketAction{Port:{1 0 web},Host:,},Sleep:nil,}',
    ],
    [
      {},
      'Cannot run handler: invalid handler: &LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:nil,Sleep:nil,}',
    ],
  ] as const)('%j fails as the kubelet says', async (handler, message) => {
    expect(await setUp().run(handler)).toBe(message)
  })
})
