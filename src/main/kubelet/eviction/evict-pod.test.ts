import { describe, expect, it } from 'vitest'
import type { PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { TraceInput } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../pod/fake-pod.ts'
import { PodEvictor } from './evict-pod.ts'
import type { KillPodRequest } from '../workers/kill-pod.ts'

function setUp(killed: Result<undefined, string> = ok(undefined)) {
  const kills: (KillPodRequest & { readonly uid: string })[] = []
  const traced: TraceInput[] = []
  const events: string[] = []
  const evictor = new PodEvictor({
    clock: { now: () => Date.parse('2026-01-01T00:00:07.9Z'), after: () => () => undefined },
    events: {
      event: (_subject, type, reason, message) => events.push(`${type} ${reason}: ${message}`),
    },
    trace: { emit: (event) => traced.push(event) },
    kill: (pod, request) => {
      kills.push({ ...request, uid: pod.metadata.uid })
      return Promise.resolve(killed)
    },
  })
  return { evictor, kills, traced, events }
}

describe('PodEvictor', () => {
  it('kills with one second of grace as evicted, with an event', async () => {
    const { evictor, kills, events, traced } = setUp()
    const pod = fakePod()
    expect(await evictor.evict(pod, 'The node was low on patience.', [5])).toEqual(ok(undefined))
    expect(kills).toEqual([
      {
        uid: 'web-uid',
        evict: true,
        gracePeriodSecondsOverride: 1,
        podStatusFunc: expect.any(Function),
        causes: [1],
      },
    ])
    expect(events).toEqual(['Warning Evicted: The node was low on patience.'])
    expect(traced.map((event) => [event.kind, event.causes])).toEqual([
      ['eviction.requested', [5]],
      ['eviction.completed', [1]],
    ])
  })

  it('writes Failed, Evicted and DisruptionTarget over the latest status', async () => {
    const { evictor, kills } = setUp()
    await evictor.evict(fakePod({ metadata: { generation: 2 } }), 'why', [])
    const status: PodStatus = {
      phase: 'Running',
      podIP: '10.0.0.1',
      conditions: [
        { type: 'DisruptionTarget', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    }
    expect(kills[0]?.podStatusFunc?.(status)).toEqual({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'why',
      podIP: '10.0.0.1',
      conditions: [
        { type: 'Ready', status: 'True' },
        {
          type: 'DisruptionTarget',
          status: 'True',
          observedGeneration: 2,
          lastTransitionTime: '2026-01-01T00:00:07Z',
          reason: 'TerminationByKubelet',
          message: 'why',
        },
      ],
    })
  })

  it('counts as evicted also when the kill timed out', async () => {
    const { evictor, traced } = setUp(err('timeout'))
    expect(await evictor.evict(fakePod(), 'why', [])).toEqual(ok(undefined))
    expect(traced[1]).toMatchObject({ kind: 'eviction.completed', data: { timedOut: true } })
  })

  it.each([
    [
      'static',
      fakeStaticPod(),
      'A static pod counts as critical, whatever its priority: the kubelet never evicts it.',
    ],
    [
      'mirror',
      fakeMirrorOf(fakeStaticPod()),
      'A mirror pod counts as critical: the kubelet never evicts it.',
    ],
    [
      'system priority',
      fakePod({ spec: { priority: 2_000_000_000 } }),
      'Its priority 2000000000 makes it critical (2000000000 and more): the kubelet never evicts it.',
    ],
  ])('refuses a pod that is critical because of: %s', async (_why, pod, sentence) => {
    const { evictor, kills, events, traced } = setUp()
    expect(await evictor.evict(pod, 'why', [])).toEqual(err(sentence))
    expect(kills).toEqual([])
    expect(events).toEqual([])
    expect(traced.map((event) => event.kind)).toEqual(['eviction.refused'])
  })

  it('evicts a pod just below the critical priority', async () => {
    const { evictor } = setUp()
    expect(await evictor.evict(fakePod({ spec: { priority: 1_999_999_999 } }), 'why', [])).toEqual(
      ok(undefined),
    )
  })
})
