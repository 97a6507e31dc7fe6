import { describe, expect, it } from 'vitest'
import type { TraceInput } from '../../shared/model/trace-event.ts'
import { FakeLog } from './container/fake-log.ts'
import { FakeRuntimeService } from './container/fake-runtime-service.ts'
import { FakeTrace } from './container/fake-trace.ts'
import { FakeApiClient } from './fake-api-client.ts'
import { fakePod } from './pod/fake-pod.ts'
import { StopGate } from './stop-gate.ts'

const clock = { now: () => 0, after: () => () => undefined }

describe('StopGate', () => {
  it('hands every call on until it is stopped, then refuses all', async () => {
    const gate = new StopGate()
    const fake = new FakeApiClient({ clock })
    const api = gate.api(fake)
    const key = { resource: 'pods', namespace: 'default', name: 'web' } as const
    const calls = [
      () => api.create({ resource: 'pods', namespace: 'default' }, fakePod()),
      () => api.get(key),
      () => api.list({ resource: 'pods' }),
      () => api.update(key, fakePod()),
      () => api.patch(key, { type: 'strategic', body: {} }),
      () => api.evict({ namespace: 'default', name: 'web' }, {}),
      () => api.delete(key, { gracePeriodSeconds: 0 }),
    ]
    for (const call of calls) expect((await call()).ok).toBe(true)
    expect(fake.calls.map((call) => call.verb)).toEqual([
      'create',
      'get',
      'list',
      'update',
      'patch',
      'evict',
      'delete',
    ])
    gate.stop()
    for (const call of calls)
      expect(await call()).toEqual({
        ok: false,
        error: { kind: 'unavailable', message: 'the kubelet has stopped' },
      })
    expect(fake.calls).toHaveLength(calls.length)
  })

  it('does the same for the runtime and its images', async () => {
    const gate = new StopGate()
    const fake = new FakeRuntimeService({ clock })
    const runtime = gate.runtimeService(fake)
    const images = gate.imageService(fake)
    expect((await runtime.status()).ok).toBe(true)
    expect((await images.listImages()).ok).toBe(true)
    const filter = { podUid: 'u' }
    await Promise.all([runtime.listPodSandboxes(filter), runtime.listContainers(filter)])
    expect(fake.listings.map((listing) => listing.filter)).toEqual([filter, filter])
    gate.stop()
    fake.take()
    const refused = {
      ok: false,
      error: { kind: 'unavailable', message: 'the kubelet has stopped' },
    }
    const container = { name: 'c', attempt: 0, image: 'i', command: [], args: [], envs: [] }
    const labelled = { labels: {}, annotations: {} }
    const metadata = { name: 'p', uid: 'u', namespace: 'n', attempt: 0 }
    const sandbox = { metadata, hostNetwork: false, ...labelled }
    expect(
      await Promise.all([
        runtime.status(),
        runtime.runPodSandbox(sandbox),
        runtime.stopPodSandbox('s'),
        runtime.removePodSandbox('s'),
        runtime.listPodSandboxes(),
        runtime.createContainer('s', { ...container, ...labelled }, sandbox),
        runtime.startContainer('c'),
        runtime.stopContainer('c', 1),
        runtime.removeContainer('c'),
        runtime.listContainers(),
        runtime.containerStatus('c'),
        runtime.execSync('c', ['true'], 0),
        images.imageStatus('i'),
        images.pullImage('i'),
        images.listImages(),
        images.removeImage('i'),
      ]),
    ).toEqual(Array.from({ length: 16 }, () => refused))
    expect(fake.take()).toEqual([])
  })
  it('writes nothing more to trace and log, like a dead process', () => {
    const gate = new StopGate()
    const fakes = { trace: new FakeTrace(), log: new FakeLog() }
    const trace = gate.trace(fakes.trace)
    const log = gate.log(fakes.log)
    const event: TraceInput = {
      kind: 'loop.sync',
      subject: { kind: 'node' },
      causes: [],
      data: { pods: 1 },
    }
    const recorded = trace.emit(event)
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level, { a: 1 })
    gate.stop()
    expect(trace.emit(event)).toBe(recorded)
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('late')
    expect(fakes.trace.events).toHaveLength(1)
    expect(fakes.log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'debug debug',
      'info info',
      'warn warn',
      'error error',
    ])
  })
})
