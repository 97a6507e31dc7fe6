import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { MemorySandbox } from '../../../../test/memory-sandbox/memory-sandbox.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { jsonPathValues } from '../../../shared/kubernetes/json-path.ts'

function stage(nodeNames: readonly string[] = ['n1', 'n2']) {
  const sandbox = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames,
    log: new FakeLog(),
  })
  sandbox.start()
  const send = async (
    method: 'GET' | 'PATCH' | 'PUT',
    path: string,
    body?: unknown,
    client = 'kubectl',
  ): Promise<{ readonly status: number; readonly body: JsonObject }> => {
    const caller = { user: 'admin', groups: ['system:masters'], client }
    const headers = {
      accept: 'application/json',
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    }
    const request = { method, path, headers, ...(body === undefined ? {} : { body }) }
    const answer = await sandbox.sandbox.external.handle(request, caller)
    if (answer.kind !== 'object' || !isJsonObject(answer.body)) throw new Error(answer.kind)
    return { status: answer.status, body: answer.body }
  }
  const patch = (kind: 'clocks' | 'faultplans', spec: unknown) =>
    send('PATCH', `/apis/nodescope.dev/v1alpha1/${kind}/sandbox`, { spec })
  const ready = async (name: string): Promise<string> => {
    const { body } = await send('GET', `/api/v1/nodes/${name}`, undefined, 'nodescope')
    const conditions = objectsAt(objectAt(body, 'status'), 'conditions')
    return textAt(conditions.find(({ type }) => type === 'Ready') ?? {}, 'status')
  }
  const createPod = () =>
    sandbox.createPod({
      metadata: { name: 'web', namespace: 'default', uid: '' },
      spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] },
    })
  return { sandbox, send, patch, ready, createPod }
}

describe('the clock of nodescope.dev', () => {
  it('runs for a time and stands at exactly that time', async () => {
    const { sandbox, patch } = stage()
    const { status, body } = await patch('clocks', { runFor: '1h30m' })
    expect(status).toBe(200)
    expect(body['status']).toMatchObject({
      now: '2026-01-01T01:30:00.000000Z',
      lastRun: { reached: true, elapsed: '1h30m0s' },
    })
    expect(body['spec']).toEqual({ paused: true, speed: 1 })
    sandbox.stop()
  })

  it('runs until a condition holds', async () => {
    const { sandbox, patch, send, createPod } = stage()
    await createPod()
    const runUntil = { resource: 'pod/web', for: 'jsonpath={.status.phase}=Running' }
    expect(await patch('clocks', { runUntil })).toMatchObject({ status: 200 })
    const { body } = await send('GET', '/api/v1/namespaces/default/pods/web')
    expect(textAt(objectAt(body, 'status'), 'phase')).toBe('Running')
    sandbox.stop()
  })

  it('says that the condition did not come, and stands', async () => {
    const { sandbox, patch } = stage()
    const runUntil = { resource: 'pods/none', for: 'create', timeout: '5s' }
    expect(await patch('clocks', { runUntil })).toMatchObject({
      status: 504,
      body: {
        reason: 'Timeout',
        message:
          'create of pods/none did not come within 5s; the clock is paused at 2026-01-01T00:00:05.000000Z.',
      },
    })
    sandbox.stop()
  })

  it('steps from event to event', async () => {
    const { sandbox, patch } = stage()
    const { body } = await patch('clocks', { step: 2 })
    expect(objectAt(objectAt(body, 'status'), 'lastRun')).toEqual({ events: expect.any(Number) })
    expect(sandbox.clock.isPaused).toBe(true)
    sandbox.stop()
  })

  const bad: readonly (readonly [unknown, string])[] = [
    [{ speed: 5000 }, 'spec.speed: needs a number from 0.1 to 1000, not 5000.'],
    [{ runFor: 'soon' }, 'spec.runFor: needs a duration such as 30s, 5m or 1h30m, not "soon".'],
    [{ fast: true }, 'spec.fast: is not known: spec has paused, speed, step, runFor, runUntil.'],
    [
      { step: 1, runFor: '1s' },
      'spec: has step and runFor: only one can be carried out at a time.',
    ],
    [{ runUntil: { resource: 'pod/a' } }, 'spec.runUntil.for is missing.'],
    [
      { runUntil: { resource: 'ship/a', for: 'create' } },
      'spec.runUntil.resource: needs a type that the sandbox has, not ship.',
    ],
    [
      { runUntil: { resource: 'pod/a', for: 'jsonpath={..x}' } },
      'spec.runUntil.for: has a JSONPath that is not understood: jsonpath={..x}.',
    ],
  ]
  it.each(bad)('refuses %j', async (spec, sentence) => {
    const { sandbox, patch } = stage(['n1'])
    const { status, body } = await patch('clocks', spec)
    sandbox.stop()
    expect(status).toBe(422)
    expect(textAt(body, 'message')).toContain(sentence)
    expect(sandbox.clock.speed).toBe(1)
  })

  it('is not for nodes', async () => {
    const { sandbox } = stage(['n1'])
    const caller = {
      user: 'system:node:n1',
      groups: ['system:nodes', 'system:authenticated'],
      client: 'kubelet',
    }
    const path = '/apis/nodescope.dev/v1alpha1/clocks/sandbox'
    const answer = await sandbox.sandbox.external.handle({ method: 'GET', path }, caller)
    sandbox.stop()
    expect(answer.status).toBe(403)
  })
})

describe('the faults of nodescope.dev', () => {
  it('cut one node off, and take it back', async () => {
    const { sandbox, patch, ready } = stage()
    await sandbox.clock.advance(20_000)
    await patch('faultplans', { faults: [{ type: 'CutOff', node: 'n2' }] })
    await sandbox.clock.advance(120_000)
    expect([await ready('n1'), await ready('n2')]).toEqual(['True', 'Unknown'])
    await patch('faultplans', { faults: [] })
    await sandbox.clock.advance(60_000)
    expect([await ready('n1'), await ready('n2')]).toEqual(['True', 'True'])
    sandbox.stop()
  })

  it('keep nodes, controllers and kubectl from the API server in an outage, and let them back', async () => {
    const { sandbox, patch, send, ready, createPod } = stage()
    await sandbox.clock.advance(20_000)
    const { body } = await patch('faultplans', { faults: [{ type: 'Outage' }] })
    expect(body['spec']).toEqual({ faults: [{ type: 'Outage' }] })
    const path = '/api/v1/namespaces/default/pods/web'
    await expect(send('GET', path)).rejects.toThrow('nothing listens there')
    await expect(send('GET', '/readyz')).rejects.toThrow('nothing listens there')
    // Without discovery kubectl could not take it back.
    expect(await send('GET', '/apis')).toMatchObject({ status: 200 })
    // The page's user still writes; the scheduler does not see it.
    await createPod()
    await sandbox.clock.advance(120_000)
    const pod = await send('GET', path, undefined, 'nodescope')
    expect(textAt(objectAt(pod.body, 'spec'), 'nodeName')).toBe('')
    // The controller that would mark the nodes cannot.
    expect([await ready('n1'), await ready('n2')]).toEqual(['True', 'True'])
    await patch('faultplans', { faults: [] })
    await sandbox.clock.advance(60_000)
    const { body: after } = await send('GET', path)
    expect(textAt(objectAt(after, 'spec'), 'nodeName')).toMatch(/^n[12]$/)
    expect([await ready('n1'), await ready('n2')]).toEqual(['True', 'True'])
    sandbox.stop()
  })

  it('leave an event in the trace at each change', async () => {
    const { sandbox, patch } = stage()
    const faults = [{ type: 'Error', code: 500, verbs: ['create', 'update'] }]
    const events: unknown[] = []
    sandbox.trace.listen(({ kind, data }) => {
      if (kind === 'cluster.faultsChanged') events.push(data)
    })
    for (const plan of [faults, faults, []]) await patch('faultplans', { faults: plan })
    expect(events).toEqual([{ faults: 'Error code=500 verbs=create,update' }, { faults: '' }])
    sandbox.stop()
  })

  it('refuse requests by verb, path and user', async () => {
    const { sandbox, patch, send } = stage()
    await sandbox.clock.advance(20_000)
    const error = {
      type: 'Error',
      code: 429,
      verbs: ['list'],
      path: '/api/v1/*pods',
      user: 'admin',
    }
    await patch('faultplans', { faults: [{ ...error, message: 'not now' }] })
    expect(await send('GET', '/api/v1/pods')).toMatchObject({
      status: 429,
      body: { reason: 'TooManyRequests', message: 'not now' },
    })
    expect((await send('GET', '/api/v1/nodes')).status).toBe(200)
    expect((await send('GET', '/api/v1/pods', undefined, 'nodescope')).status).toBe(200)
    sandbox.stop()
  })

  it('slow the requests of a node down on the clock of the cluster', async () => {
    const { sandbox, patch, ready } = stage()
    const user = 'system:node:n1'
    await patch('faultplans', { faults: [{ type: 'Latency', latency: '20s', user }] })
    await sandbox.clock.advance(15_000)
    expect([await ready('n1'), await ready('n2')]).toEqual(['', 'True'])
    sandbox.stop()
  })

  it('answer watches with 410, so that clients list again', async () => {
    const { sandbox, patch, send, createPod } = stage(['n1'])
    await sandbox.clock.advance(20_000)
    await patch('faultplans', { faults: [{ type: 'Gone', user: 'system:node:n1' }] })
    const body = { apiVersion: 'v1', kind: 'Pod' }
    await createPod()
    await sandbox.clock.advance(120_000)
    const { body: pod } = await send('GET', '/api/v1/namespaces/default/pods/web')
    // Without a watch the kubelet still gets its pods, by lists.
    expect({ ...body, phase: textAt(objectAt(pod, 'status'), 'phase') }).toEqual({
      ...body,
      phase: 'Running',
    })
    sandbox.stop()
  })

  it('set the clock of a machine wrong', async () => {
    const { sandbox, patch, send } = stage()
    await sandbox.clock.advance(20_000)
    await patch('faultplans', { faults: [{ type: 'ClockSkew', node: 'n2', skew: '-90s' }] })
    await sandbox.clock.advance(20_000)
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2'
    const { body } = await send('GET', path)
    const renewed = Date.parse(textAt(objectAt(body, 'spec'), 'renewTime'))
    expect(sandbox.clock.now() - renewed).toBeGreaterThanOrEqual(90_000)
    sandbox.stop()
  })

  it('drop watches again and again until they are taken back', async () => {
    const { sandbox, patch } = stage(['n1'])
    await sandbox.clock.advance(20_000)
    await patch('faultplans', { faults: [{ type: 'WatchDrops', every: '10s' }] })
    await sandbox.clock.advance(15_000)
    expect(sandbox.outage('n1').dropWatches()).toBeGreaterThanOrEqual(0)
    const { body } = await patch('faultplans', { faults: [] })
    expect(body['spec']).toEqual({ faults: [] })
    sandbox.stop()
  })

  it('drop the watches of users that a pattern fits, also kubectl’s', async () => {
    const { sandbox, patch } = stage(['n1'])
    await sandbox.clock.advance(20_000)
    const watch = async (user: string): Promise<() => boolean> => {
      const caller = { user, groups: ['system:masters'], client: 'kubectl' }
      const request = { method: 'GET', path: '/api/v1/pods', query: { watch: 'true' } } as const
      const answer = await sandbox.sandbox.external.handle(request, caller)
      if (answer.kind !== 'watch') throw new Error(answer.kind)
      let isOver = false
      answer.stream.onEnd?.(() => (isOver = true))
      return () => isOver
    }
    const [alice, bob] = [await watch('alice'), await watch('bob')]
    await patch('faultplans', { faults: [{ type: 'WatchDrops', every: '10s', user: 'al*' }] })
    await sandbox.clock.advance(9000)
    expect([alice(), bob()]).toEqual([false, false])
    await sandbox.clock.advance(2000)
    expect([alice(), bob()]).toEqual([true, false])
    await patch('faultplans', { faults: [{ type: 'WatchDrops', every: '10s' }] })
    await sandbox.clock.advance(11_000)
    expect(bob()).toBe(true)
    // The controllers list again and go on.
    await sandbox.clock.advance(60_000)
    const { faults } = sandbox.sandbox.faultControl
    expect(faults).toEqual([{ type: 'WatchDrops', every: '10s' }])
    sandbox.stop()
  })

  it('show what was switched elsewhere', async () => {
    const { sandbox, send } = stage()
    sandbox.node('n1').faults.setRuntime('hangs')
    const { body } = await send('GET', '/apis/nodescope.dev/v1alpha1/faultplans/sandbox')
    expect(body['spec']).toEqual({ faults: [{ type: 'Runtime', node: 'n1', state: 'hangs' }] })
    sandbox.stop()
  })

  const bad: readonly (readonly [unknown, string])[] = [
    [{ type: 'Flood' }, 'spec.faults[0].type: needs one of Latency, Error,'],
    [{ type: 'Latency' }, 'spec.faults[0].latency: is missing: Latency needs it.'],
    [
      { type: 'Outage', node: 'n1' },
      'spec.faults[0].node: has no effect: Outage has no other field.',
    ],
    [{ type: 'CutOff', node: 'n9' }, 'spec.faults[0].node: needs one of n1, n2, not n9.'],
    [{ type: 'WatchDrops', every: '1ms' }, 'spec.faults[0].every: needs at least 1s.'],
    [
      { type: 'RuntimeCall', node: 'n1', call: 'Foo', how: 'fails' },
      'spec.faults[0].call: needs one of StartContainer,',
    ],
  ]
  it.each(bad)('refuse %j and stay as they are', async (fault, sentence) => {
    const { sandbox, patch, send } = stage()
    await patch('faultplans', { faults: [{ type: 'FullDisk', node: 'n1' }] })
    const { status, body } = await patch('faultplans', { faults: [fault] })
    expect([status, textAt(body, 'message')]).toEqual([422, expect.stringContaining(sentence)])
    const { body: plan } = await send('GET', '/apis/nodescope.dev/v1alpha1/faultplans/sandbox')
    expect(plan['spec']).toEqual({ faults: [{ type: 'FullDisk', node: 'n1' }] })
    sandbox.stop()
  })
})

describe('jsonPathValues', () => {
  const object = {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ips: ['a', 'b'] },
  }
  it.each([
    ['{.status.phase}', ['Running']],
    ['{.status.ips[1]}', ['b']],
    ['{.status.ips[*]}', ['a', 'b']],
    ['{.status.conditions[?(@.type=="Ready")].status}', ['True']],
    ['{.status.none}', []],
    ['{..phase}', undefined],
  ])('%s', (path, values) => {
    expect(jsonPathValues(path, object)).toEqual(values)
  })
})

describe('nodescope.dev as the docs have it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/sandbox-state.md'), 'utf8')
  const part = page.slice(page.indexOf('## Time over the API'), page.indexOf('## Faults'))
  const examples = [...part.matchAll(/(?:-p|-d) '(\{[^']*\})'/g)].map(([, body = '']) => body)

  it('takes every body of the three examples', async () => {
    expect(examples).toHaveLength(4)
    const { sandbox, send } = stage(['n1'])
    await sandbox.createPod({
      metadata: { name: 'crash', namespace: 'default', uid: '' },
      spec: {
        containers: [
          { name: 'c', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 5; exit 1'] },
        ],
      },
    })
    const path = '/apis/nodescope.dev/v1alpha1/clocks/sandbox'
    const runs: unknown[] = []
    for (const example of examples) {
      const body: unknown = JSON.parse(example)
      const answer = await send('PATCH', path, body)
      expect([example, answer.status]).toEqual([example, 200])
      runs.push(objectAt(answer.body, 'status')['lastRun'])
    }
    // The crash loop is reached, the hour is over, and a step has an event.
    expect(runs).toMatchObject([
      { reached: true },
      { reached: true, elapsed: '1h0m0s' },
      { events: expect.any(Number) },
      {},
    ])
    expect((await send('GET', path)).body['spec']).toEqual({ paused: false, speed: 10 })
    await send('PATCH', path, { spec: { paused: true } })
    sandbox.stop()
  })

  it('watches: the object, its changes by the API and by the page, and nothing else', async () => {
    const { sandbox, patch } = stage(['n1'])
    const caller = { user: 'admin', groups: ['system:masters'], client: 'kubectl' }
    const watch = async (kind: string) => {
      const answer = await sandbox.sandbox.external.handle(
        {
          method: 'GET',
          path: `/apis/nodescope.dev/v1alpha1/${kind}`,
          query: { watch: 'true' },
          headers: { accept: 'application/json' },
        },
        caller,
      )
      if (answer.kind !== 'watch') throw new Error(answer.kind)
      const events = answer.stream.events[Symbol.asyncIterator]()
      return {
        stop: () => {
          answer.stream.stop()
        },
        next: async () => {
          const { value } = await events.next()
          const { type, object } = value as { readonly type: string; readonly object: JsonObject }
          return [type, object['spec']]
        },
      }
    }
    const [clocks, faults] = [await watch('clocks'), await watch('faultplans')]
    expect(await clocks.next()).toEqual(['ADDED', { paused: true, speed: 1 }])
    expect(await faults.next()).toEqual(['ADDED', { faults: [] }])
    await patch('clocks', { runFor: '1m' })
    expect(await clocks.next()).toEqual(['MODIFIED', { paused: true, speed: 1 }])
    await patch('clocks', { speed: 5 })
    expect(await clocks.next()).toEqual(['MODIFIED', { paused: true, speed: 5 }])
    sandbox.sandbox.outages.get('n1')?.cut()
    expect(await faults.next()).toEqual(['MODIFIED', { faults: [{ type: 'CutOff', node: 'n1' }] }])
    clocks.stop()
    faults.stop()
    sandbox.stop()
  })
})
