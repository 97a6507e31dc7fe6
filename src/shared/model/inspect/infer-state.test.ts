import { describe, expect, it } from 'vitest'
import type { PodEvidence } from './evidence.ts'
import { ended, fakeEvidence, fakeEvidenceOfApi, fakePodOf, readAt, runs } from './fake-evidence.ts'
import { inferState } from './infer-state.ts'

const isStatic = { isStatic: true } as const
const file = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': 'uid-1' }
const mirror = { ...file, 'kubernetes.io/config.mirror': 'uid-1' }
const byKubelet = [
  {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'TerminationByKubelet',
    lastTransitionTime: '2026-11-24T14:02:30Z',
  },
] as const
const unwritten = fakePodOf({ phase: 'Pending', isWritten: false })
const rejected = fakePodOf({ phase: 'Failed', reason: 'OutOfcpu', isWritten: false })
const never = { spec: { restartPolicy: 'Never' } } as const
const sightings = fakeEvidence().sightings

type Row = readonly [string, PodEvidence, string]

const withKubelet: readonly Row[] = [
  ['runs, and both sides say so', fakeEvidence(), 'SyncPod certain'],
  ['has no status yet', fakeEvidence({ api: unwritten, running: null }), 'SyncPod likely'],
  [
    'runs by its status, and the runtime has it no more',
    fakeEvidence({ running: null }, { running: { value: null, at: readAt - 1 } }),
    'SyncPod likely',
  ],
  [
    'runs while the API server is away',
    fakeEvidence({}, { apiAwaySince: readAt - 9000 }),
    'SyncPod likely',
  ],
  [
    'was last read 7 s ago',
    fakeEvidence({}, { told: { value: fakePodOf(), at: readAt - 7000 } }),
    'SyncPod likely',
  ],
  [
    'is deleted, the kubelet knows, and its container runs',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20 }) }),
    'TerminatingPod certain',
  ],
  [
    'is deleted, and the kubelet does not know it yet',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20 }), told: fakePodOf() }),
    'SyncPod likely',
  ],
  [
    'is deleted, and its container has ended',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20, state: ended(1) }), running: null }),
    'TerminatedPod likely',
  ],
  [
    'is deleted before a container was made',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20, isWritten: false }), running: null }),
    'TerminatedPod likely',
  ],
  [
    'is evicted by the kubelet',
    fakeEvidence({ api: fakePodOf({ conditions: byKubelet }) }),
    'TerminatingPod certain',
  ],
  [
    'is gone from the API, still runs',
    fakeEvidence({ api: null, told: null }),
    'TerminatingPod likely',
  ],
  [
    'is gone from the API, and the kubelet has it',
    fakeEvidence({ api: null, told: fakePodOf() }),
    'TerminatingPod likely',
  ],
  [
    'has been written as ended, a second after its end',
    fakeEvidence({
      api: fakePodOf({ phase: 'Succeeded', state: ended(1), ...never }),
      running: null,
    }),
    'TerminatedPod likely',
  ],
  [
    'has a finalizer, and its DELETE with grace 0 was sent',
    fakeEvidence({
      api: fakePodOf({
        phase: 'Failed',
        state: ended(20),
        deletedAgo: 20,
        grace: 0,
        finalizers: ['a'],
      }),
      running: null,
    }),
    'finished certain',
  ],
  [
    'ends by itself, and no final phase is written',
    fakeEvidence({ api: fakePodOf({ state: ended(0), ...never }) }),
    'TerminatingPod likely',
  ],
  [
    'ends and starts again',
    fakeEvidence({ api: fakePodOf({ state: ended(0) }) }),
    'SyncPod certain',
  ],
  ['was rejected', fakeEvidence({ api: rejected, running: null }), 'none likely'],
  [
    'is not in /pods yet',
    fakeEvidence({ told: null, running: null, api: unwritten }),
    'none certain',
  ],
  [
    'is not in a /pods that is older than its object',
    fakeEvidence(
      { told: null, running: null, api: unwritten },
      { sightings: { ...sightings, firstInApiAt: readAt } },
    ),
    'none likely',
  ],
  [
    'is no longer in /pods',
    fakeEvidence(
      { told: null, running: null },
      { sightings: { ...sightings, goneFromPodsAt: readAt - 100 } },
    ),
    'none likely',
  ],
  [
    'was written as ended before it was deleted, and is still in the cache of the runtime',
    fakeEvidence(
      { api: null, told: null },
      { sightings: { ...sightings, goneFromPodsAt: readAt - 500, hadFinalPhase: true } },
    ),
    'finished likely',
  ],
  [
    'was rejected before its kubelet could write a final phase',
    fakeEvidence(
      { api: fakePodOf({ phase: 'Pending', isWritten: false }), running: null },
      { events: [{ reason: 'OutOfcpu', message: '', at: readAt }] },
    ),
    'none likely',
  ],
  [
    'is deleted, says running, and has been out of the runtime for 9 s',
    fakeEvidence(
      { api: fakePodOf({ deletedAgo: -20 }), running: null },
      { sightings: { ...sightings, goneFromRunningAt: readAt - 9000 } },
    ),
    'TerminatedPod likely',
  ],
  [
    'is past its deadline by a second',
    fakeEvidence({ api: fakePodOf({ spec: { activeDeadlineSeconds: 59 } }) }),
    'TerminatingPod likely',
  ],
  [
    'is past its deadline by 10 s',
    fakeEvidence({ api: fakePodOf({ spec: { activeDeadlineSeconds: 50 } }) }),
    'TerminatingPod certain',
  ],
  [
    'has a deadline to come',
    fakeEvidence({ api: fakePodOf({ spec: { activeDeadlineSeconds: 61 } }) }),
    'SyncPod certain',
  ],
  [
    'runs, and a kubelet that has just started has not read it',
    fakeEvidence({ told: null }),
    'none likely',
  ],
  ['nothing listens on the port', fakeEvidence({}, { kubelet: 'refused' }), 'none likely'],
]

const statics: readonly Row[] = [
  [
    'is static and runs',
    fakeEvidence({ told: fakePodOf({ annotations: file }) }, isStatic),
    'SyncPod certain',
  ],
  [
    'is static, runs, and its mirror is missing',
    fakeEvidence({ api: null, told: fakePodOf({ annotations: file }) }, isStatic),
    'SyncPod certain',
  ],
  [
    'is static and runs while the API server is away',
    fakeEvidence(
      { told: fakePodOf({ annotations: file }) },
      { ...isStatic, apiAwaySince: readAt - 9000 },
    ),
    'SyncPod certain',
  ],
  [
    'is static, and waits for the pod that had its name',
    fakeEvidence(
      { told: fakePodOf({ annotations: file, phase: 'Pending', isWritten: false }), running: null },
      { ...isStatic, sameName: [{ uid: 'uid-0', isTold: false }] },
    ),
    'waiting certain',
  ],
  [
    'is static, and has no status yet',
    fakeEvidence(
      { told: fakePodOf({ annotations: file, phase: 'Pending', isWritten: false }), running: null },
      isStatic,
    ),
    'waiting likely',
  ],
  [
    'is static and has completed',
    fakeEvidence(
      {
        told: fakePodOf({ annotations: file, phase: 'Succeeded', state: ended(60), ...never }),
        running: null,
      },
      isStatic,
    ),
    'finished likely',
  ],
  [
    'is a mirror whose static pod runs and is not in /pods',
    fakeEvidence({ api: fakePodOf({ annotations: mirror }), told: null }, isStatic),
    'TerminatingPod likely',
  ],
  [
    'is an orphaned mirror',
    fakeEvidence({ api: fakePodOf({ annotations: mirror }), told: null, running: null }, isStatic),
    'none certain',
  ],
]

const withoutKubelet: readonly Row[] = [
  ['runs', fakeEvidenceOfApi(fakePodOf()), 'SyncPod possible'],
  ['has no status yet', fakeEvidenceOfApi(unwritten), 'null null'],
  [
    'is deleted and runs',
    fakeEvidenceOfApi(fakePodOf({ deletedAgo: 17 })),
    'TerminatingPod possible',
  ],
  [
    'is deleted and has ended',
    fakeEvidenceOfApi(fakePodOf({ deletedAgo: 17, state: ended(5) })),
    'TerminatedPod possible',
  ],
  [
    'is deleted, never reported',
    fakeEvidenceOfApi(fakePodOf({ deletedAgo: 17, isWritten: false })),
    'null null',
  ],
  [
    'has ended by itself, and no final phase is written',
    fakeEvidenceOfApi(fakePodOf({ state: ended(0), ...never })),
    'TerminatingPod possible',
  ],
  [
    'is evicted',
    fakeEvidenceOfApi(fakePodOf({ conditions: byKubelet })),
    'TerminatingPod possible',
  ],
  [
    'has completed',
    fakeEvidenceOfApi(fakePodOf({ phase: 'Succeeded', state: ended(60) })),
    'finished likely',
  ],
  ['was rejected', fakeEvidenceOfApi(rejected), 'none likely'],
  [
    'runs on a node without a current lease',
    fakeEvidenceOfApi(fakePodOf(), { lease: { value: readAt - 47_000, at: readAt } }),
    'null null',
  ],
  ['is gone', fakeEvidenceOfApi(null), 'null null'],
  [
    'runs, and its kubelet gives no answer in time',
    fakeEvidence({}, { kubelet: 'away' }),
    'SyncPod possible',
  ],
]

describe.each([
  ['a kubelet that answers', withKubelet],
  ['a static pod', statics],
  ['a kubelet that was not asked', withoutKubelet],
])('the worker of a pod, with %s', (_title, rows) => {
  it.each(rows)('that %s', (_case, evidence, expected) => {
    const { worker, certainty, because } = inferState(evidence, readAt)
    expect(`${worker} ${certainty}`).toBe(expected)
    expect(because).toMatch(/^[A-Z].*\.$/)
  })
})

describe('certainty', () => {
  it('is never more than possible from the API alone, unless the pod has ended', () => {
    for (const [, evidence] of withoutKubelet.filter(
      ([, { api }]) => api.value?.status?.phase === 'Running',
    ))
      expect(inferState(evidence, readAt).certainty).toBeOneOf(['possible', null])
  })

  it('needs the runtime for a stop: /runningpods of a running container', () => {
    const evidence = fakeEvidence({
      api: fakePodOf({ deletedAgo: -20 }),
      running: { ...runs, containers: [] },
    })
    expect(inferState(evidence, readAt)).toMatchObject({
      worker: 'TerminatingPod',
      certainty: 'likely',
    })
  })
})
