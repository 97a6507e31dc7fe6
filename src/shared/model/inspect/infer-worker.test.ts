import { describe, expect, it } from 'vitest'
import type { PodEvidence } from './evidence.ts'
import { ended, fakeEvidence, fakeEvidenceOfApi, fakePodOf, readAt, runs } from './fake-evidence.ts'
import { inferWorker } from './infer-worker.ts'
import type { InferredWorker } from './infer-worker.ts'
import type { MirrorPair, PairState } from './mirror-pairs.ts'

const sightings = fakeEvidence().sightings
const gone = (ago: number): Partial<PodEvidence> => ({
  sightings: { ...sightings, goneFromApiAt: readAt - ago, goneFromPodsAt: readAt - ago },
})
const preStop = { containers: [{ name: 'c', lifecycle: { preStop: {} } }] }
const volumes = { volumes: [{ name: 'data' }] }

function pairOf(state: PairState): MirrorPair {
  return {
    fullName: 'web_shop',
    state,
    staticUid: 'uid-1',
    mirrorUid: 'm',
    staticPod: null,
    mirror: null,
  }
}

function inferred(evidence: PodEvidence, pair: MirrorPair | null = null): InferredWorker {
  return inferWorker(evidence, pair, readAt)
}

const stages: readonly (readonly [string, PodEvidence, string])[] = [
  [
    'the kubelet has not been told',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -29 }), told: fakePodOf() }),
    'told null 0',
  ],
  [
    'the kubelet has not been told for 10 s',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20 }), told: fakePodOf() }),
    'told kubelet away 8000',
  ],
  [
    'a preStop hook may run',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20, spec: preStop }) }),
    'preStop null 0',
  ],
  [
    'it is within its grace period',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20 }) }),
    'grace null 0',
  ],
  [
    'it is 17 s past its grace period',
    fakeEvidence({ api: fakePodOf({ deletedAgo: 17 }) }),
    'grace container 17000',
  ],
  [
    'its container has just ended',
    fakeEvidence({ api: fakePodOf({ deletedAgo: -20, state: ended(1) }), running: null }),
    'unmount null 0',
  ],
  [
    'its container ended 6 minutes ago, and it has volumes',
    fakeEvidence({
      api: fakePodOf({ deletedAgo: 360, state: ended(360), spec: volumes }),
      running: null,
    }),
    'unmount volume 355000',
  ],
  [
    'only a finalizer holds it',
    fakeEvidence({
      api: fakePodOf({
        phase: 'Failed',
        deletedAgo: 20,
        grace: 0,
        state: ended(20),
        finalizers: ['job-tracking'],
      }),
      running: null,
    }),
    'finalStatus finalizer 15000',
  ],
  [
    'the API server is away, and the final status cannot be written',
    fakeEvidence(
      { api: fakePodOf({ phase: 'Failed', deletedAgo: 20, state: ended(10) }), running: null },
      { apiAwaySince: readAt - 5000 },
    ),
    'finalStatus API server away 5000',
  ],
  [
    'the kubelet does not answer',
    fakeEvidence({ api: fakePodOf({ deletedAgo: 17 }) }, { kubelet: 'away' }),
    'null kubelet away 45000',
  ],
]

describe('the stage of a stop', () => {
  it.each(stages)('when %s', (_case, evidence, expected) => {
    const { stop } = inferred(evidence)
    expect(`${stop?.step ?? null} ${stop?.blocker ?? null} ${stop?.overMs ?? null}`).toBe(expected)
  })

  it('is not told without the kubelet', () => {
    expect(inferred(fakeEvidenceOfApi(fakePodOf({ deletedAgo: 17 }))).stop).toBeNull()
  })

  it('is none for a pod that runs', () => {
    expect(inferred(fakeEvidence()).stop).toBeNull()
  })
})

const disagreements: readonly (readonly [string, PodEvidence, PairState | null, string | null])[] =
  [
    ['nothing', fakeEvidence(), null, null],
    [
      'a pod that only runs',
      fakeEvidence({ api: null, told: null }, gone(134_000)),
      null,
      'not in the API, runs, 2m14s',
    ],
    [
      'a static pod that runs without a manifest',
      fakeEvidence({ api: null, told: null }, { isStatic: true, ...gone(4000) }),
      null,
      'no manifest, runs, 4s',
    ],
    [
      'an old version that still runs',
      fakeEvidence(
        { api: null, told: null },
        { isStatic: true, sameName: [{ uid: 'uid-2', isTold: true }], ...gone(3000) },
      ),
      null,
      'runs under another UID than the kubelet has now, 3s',
    ],
    [
      'a pod that the kubelet has not received for 3 s',
      fakeEvidence(
        { api: fakePodOf({ isWritten: false }), told: null, running: null },
        { sightings: { ...sightings, firstInApiAt: readAt - 3000 } },
      ),
      null,
      'not yet seen by the kubelet, 3s',
    ],
    [
      'nothing of a pod that was created a second ago',
      fakeEvidence(
        { api: fakePodOf({ isWritten: false }), told: null, running: null },
        { sightings: { ...sightings, firstInApiAt: readAt - 1000 } },
      ),
      null,
      null,
    ],
    [
      'a stop past its grace period',
      fakeEvidence({ api: fakePodOf({ deletedAgo: 17 }) }),
      null,
      'stuck 17s past grace',
    ],
    [
      'a stop that does not unmount',
      fakeEvidence({
        api: fakePodOf({ deletedAgo: 360, state: ended(360), spec: volumes }),
        running: null,
      }),
      null,
      'stuck unmounting, 6m',
    ],
    [
      'a finalizer',
      fakeEvidence({
        api: fakePodOf({
          phase: 'Failed',
          deletedAgo: 20,
          grace: 0,
          state: ended(20),
          finalizers: ['job-tracking'],
        }),
        running: null,
      }),
      null,
      'finalizer job-tracking, 20s',
    ],
    [
      'a status that says running for long after the runtime has nothing',
      fakeEvidence(
        { running: null },
        { sightings: { ...sightings, goneFromRunningAt: readAt - 9000 } },
      ),
      null,
      'status stale: says running, the runtime has none',
    ],
    [
      'a stale mirror',
      fakeEvidence({}, { isStatic: true }),
      'stale',
      'mirror stale: config.hash differs',
    ],
    [
      'a missing mirror',
      fakeEvidence(
        { api: null, told: fakePodOf() },
        { isStatic: true, sightings: { ...sightings, goneFromApiAt: readAt - 34_000 } },
      ),
      'missing',
      'mirror missing, 34s',
    ],
    [
      'an orphaned mirror',
      fakeEvidence({ told: null, running: null }, { isStatic: true }),
      'orphan',
      'mirror orphaned: no static pod',
    ],
    [
      'a mirror with another phase than its static pod',
      fakeEvidence({ api: fakePodOf({ phase: 'Pending' }), told: fakePodOf() }, { isStatic: true }),
      'matched',
      'status stale: the kubelet says Running',
    ],
    [
      'a kubelet that has not received a newer status',
      fakeEvidence(
        {
          api: fakePodOf({ resourceVersion: '812' }),
          told: fakePodOf({ resourceVersion: '790', phase: 'Pending', state: { waiting: {} } }),
        },
        { sightings: { ...sightings, differsSince: readAt - 12_000 } },
      ),
      null,
      'the kubelet’s copy is older: the kubelet has Pending 0/1, 12s',
    ],
    [
      'a status of the API that the kubelet has newer',
      fakeEvidence(
        {
          api: fakePodOf({ resourceVersion: '99' }),
          told: fakePodOf({ resourceVersion: '100', phase: 'Succeeded', state: ended(9) }),
        },
        { sightings: { ...sightings, differsSince: readAt - 8000 } },
      ),
      null,
      'status stale here: the kubelet has ExitCode:0 0/1, 8s',
    ],
    [
      'two versions whose order is not known',
      fakeEvidence(
        {
          api: fakePodOf({ resourceVersion: 'a' }),
          told: fakePodOf({ resourceVersion: 'b', phase: 'Pending', state: { waiting: {} } }),
        },
        { sightings: { ...sightings, differsSince: readAt - 8000 } },
      ),
      null,
      'copies differ, which is older is not known: the kubelet has Pending 0/1, 8s',
    ],
    [
      'nothing of a version that the kubelet may receive yet',
      fakeEvidence(
        {
          api: fakePodOf({ resourceVersion: '812' }),
          told: fakePodOf({ resourceVersion: '790', phase: 'Pending', state: { waiting: {} } }),
        },
        { sightings: { ...sightings, differsSince: readAt - 4000 } },
      ),
      null,
      null,
    ],
    [
      'a container that runs, and of which the status does not say so',
      fakeEvidence(
        { api: fakePodOf({ state: ended(30, 1) }) },
        { sightings: { ...sightings, unreportedSince: readAt - 8000 } },
      ),
      null,
      'status likely stale: the runtime runs c, 8s',
    ],
    [
      'nothing of a container that may have ended since /runningpods was cached',
      fakeEvidence(
        { api: fakePodOf({ state: ended(5, 1) }) },
        { sightings: { ...sightings, unreportedSince: readAt - 5000 } },
      ),
      null,
      null,
    ],
    [
      'a stop behind a kubelet that does not answer',
      fakeEvidence({ api: fakePodOf({ deletedAgo: 1 }) }, { kubelet: 'refused' }),
      null,
      'Terminating, and the kubelet does not answer',
    ],
  ]

describe('the disagreement', () => {
  it.each(disagreements)('names %s', (_case, evidence, pair, expected) => {
    const { disagreement } = inferred(evidence, pair === null ? null : pairOf(pair))
    expect(disagreement?.text ?? null).toBe(expected)
  })
})

describe('why it is still here', () => {
  const lines = (evidence: PodEvidence): readonly string[] =>
    inferred(evidence).why?.lines.map(({ progress, text }) => `${progress}: ${text}`) ?? []

  it('waits for a container that does not stop', () => {
    expect(lines(fakeEvidence({ api: fakePodOf({ deletedAgo: 17 }) }))).toEqual([
      'done: Termination was requested at 14:01:44: deletionTimestamp.',
      'now: Container c still runs; its grace period ended at 14:02:14.',
      'next: Then SyncTerminatedPod waits until its volumes are unmounted, and removes its cgroup.',
      'next: Then the final status is written.',
      'next: Then the kubelet deletes the object with grace period 0 and its UID as precondition.',
    ])
  })

  it('waits for a finalizer', () => {
    const api = fakePodOf({
      phase: 'Failed',
      deletedAgo: 20,
      grace: 0,
      state: ended(20),
      finalizers: ['a'],
    })
    expect(lines(fakeEvidence({ api, running: null })).slice(-2)).toEqual([
      'done: The final status is written: Failed.',
      'now: The kubelet has sent DELETE with grace period 0; the object stays until its finalizers are removed: a.',
    ])
  })

  it('does not know how far the kubelet is when it does not answer', () => {
    const [first] = lines(fakeEvidence({ api: fakePodOf({ deletedAgo: 17 }) }, { kubelet: 'away' }))
    expect(first).toBe('now: The kubelet does not answer, so it is not known whether it knows.')
  })

  it('waits for the runtime where the API has nothing', () => {
    expect(lines(fakeEvidence({ api: null, told: null }, gone(4000)))).toEqual([
      'done: Termination was requested at 14:02:27: the kubelet no longer has it.',
      'now: Container c still runs.',
      'next: Then SyncTerminatedPod waits until its volumes are unmounted, and removes its cgroup.',
      'next: Then housekeeping, every 2 s, removes the worker. The API has no object.',
    ])
  })
})

describe('why a static pod without a manifest is still here', () => {
  it('ends with the housekeeping that deletes its mirror', () => {
    const evidence = fakeEvidence({ told: null }, { isStatic: true })
    expect(inferred(evidence).why?.lines.at(-1)).toMatchObject({
      text: 'Then housekeeping removes the worker and deletes the mirror: its manifest is gone.',
      source: '/pods',
    })
  })
})

describe('what a conclusion rests on', () => {
  it('names each fact with its origin', () => {
    const events = [
      { reason: 'FailedKillPod', message: 'error killing pod', at: readAt - 1000 },
      { reason: 'Pulled', message: '', at: readAt - 2000 },
    ]
    const { evidence, notKnown } = inferred(
      fakeEvidence({ api: fakePodOf({ deletedAgo: 17 }) }, { events }),
    )
    expect(evidence.map(({ fact, value, origin }) => `${origin} ${fact} ${value}`)).toEqual([
      'API deletionTimestamp 14:02:14',
      'API grace 30 s',
      'API phase Running',
      'API containers c running',
      '/pods deletionTimestamp 14:02:14',
      '/pods grace 30 s',
      '/pods phase Running',
      '/pods containers c running',
      '/runningpods running c',
      'events FailedKillPod error killing pod',
    ])
    expect(notKnown).toBe('Not known: whether SIGKILL was sent. Only the kubelet’s log has that.')
  })

  it('names a sandbox without containers, and a pod that is nowhere', () => {
    const values = (evidence: PodEvidence): readonly string[] =>
      inferred(evidence).evidence.map(({ origin, value }) => `${origin} ${value}`)
    expect(values(fakeEvidence({ running: { ...runs, containers: [] } }))).toContain(
      '/runningpods sandbox only',
    )
    expect(values(fakeEvidence({ api: null, told: null, running: null }))).toEqual([
      'API not there',
      '/pods not there',
      '/runningpods not there',
    ])
  })
})
