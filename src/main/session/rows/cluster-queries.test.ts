import { describe, expect, it } from 'vitest'
import type { KubeEvent, Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { TraceEvent, TraceInput } from '../../../shared/model/trace-event.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../kubelet/pod/fake-pod.ts'
import { podSubject } from '../../kubelet/pod/identity.ts'
import type { ApiClient, ApiErrorKind } from '../../kubelet/ports.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import { ClusterQueries } from './cluster-queries.ts'
import { noneKept, notListed, podEvents, recordedEvents } from './pod-events.ts'
import { podObjects } from './pod-objects.ts'
import type { PodKnowledge } from './pod-knowledge.ts'
import { idleWorker } from './fake-worker-view.ts'

const pod = fakeStaticPod()
const mirror = fakeMirrorOf(pod, { uid: 'm1' })

function knowledge(shape: Partial<PodKnowledge>): PodKnowledge {
  return {
    cluster: 'sandbox',
    node: 'n',
    pod,
    mirror,
    localStatus: { phase: 'Running' },
    worker: idleWorker,
    grace: undefined,
    runningContainers: 0,
    api: undefined,
    noKubelet: '',
    isListed: true,
    mirrorFailure: undefined,
    isServerAway: false,
    notSimulated: [],
    ...shape,
  }
}

describe('ClusterQueries', () => {
  const subject = podSubject(pod)

  /** A click, its effects, and then so many other events that those are the newest ones. */
  function setUp(known = knowledge({})) {
    const trace = new ClusterTrace({
      cluster: 'sandbox',
      clock: { now: () => 0, after: () => () => undefined },
      onError: (error) => {
        throw error
      },
    })
    const emit = (input: TraceInput): number => trace.emit('n', input)
    const click = emit({
      kind: 'command.received',
      subject,
      causes: [],
      data: { act: 'kill', gracePeriodSeconds: null },
    })
    const started = emit({
      kind: 'worker.started',
      subject,
      causes: [click],
      data: { sinceSeenMs: 0 },
    })
    for (let index = 0; index < 9000; index++)
      emit({ kind: 'loop.sync', subject: { kind: 'node' }, causes: [], data: { pods: 0 } })
    const late = emit({
      kind: 'worker.started',
      subject,
      causes: [started],
      data: { sinceSeenMs: 0 },
    })
    const queriesWith = (
      api: Partial<Pick<ApiClient, 'list' | 'get'>>,
      watched?: Pod,
    ): ClusterQueries =>
      new ClusterQueries({
        nodes: new Map([['n', { sources: { apiPod: () => watched } }]]),
        session: {
          knowledge: (key) => (key === 'known' ? known : undefined),
          tracedSubjects: () => [{ node: 'n', subject }],
          actTarget: () => undefined,
        },
        trace,
        facts: { sandbox: true },
        api: {
          list: () => Promise.resolve(ok([])),
          get: () => Promise.resolve(err({ kind: 'not-found', message: 'no' })),
          ...api,
        },
      })
    const queries = queriesWith({
      list: () => Promise.resolve(err({ kind: 'forbidden', message: 'no' })),
    })
    return { trace, queriesWith, queries, click, started, late }
  }

  it('finds causes and effects that only the history of a single pod still has', () => {
    const { queries, click, started, late } = setUp()
    for (const seq of [click, started, late])
      expect(queries.related(seq)).toMatchObject({
        seq,
        events: [{ seq: click }, { seq: started }, { seq: late }],
        isCut: false,
      })
    expect(queries.related(99_999)).toBeNull()
  })

  it('shows the kubelet’s own events if the API server has none, and says so', async () => {
    const { trace, queriesWith } = setUp()
    const queries = queriesWith({ list: () => Promise.resolve(ok([])) })
    expect(await queries.events('known')).toEqual({ events: [], note: '' })
    trace.emit('n', {
      kind: 'event.recorded',
      subject,
      causes: [],
      data: { type: 'Normal', reason: 'Pulled', message: 'm', fieldPath: '' },
    })
    expect(await queries.events('known')).toMatchObject({
      events: [{ reason: 'Pulled' }],
      note: noneKept,
    })
  })

  it('reads the API object of an ordinary pod if the session does not have it', async () => {
    const { queriesWith } = setUp(knowledge({ pod: fakePod(), mirror: undefined }))
    const asked = async (answer: Awaited<ReturnType<ApiClient['get']>>) => {
      const read = queriesWith({ get: (() => Promise.resolve(answer)) as ApiClient['get'] })
      const { api, apiNote } = (await read.objects('known')) ?? {}
      return [api, apiNote]
    }
    const stored = fakePod({ metadata: { labels: { a: 'b' } } })
    expect(await asked(ok(stored))).toMatchObject([{ metadata: { labels: { a: 'b' } } }, ''])
    expect(await asked(ok(fakePod({ uid: 'another' })))).toEqual([null, ''])
    expect(await asked(err({ kind: 'not-found', message: 'no' }))).toEqual([null, ''])
    expect(await asked(err({ kind: 'unavailable', message: 'away' }))).toEqual([
      null,
      'The API object cannot be read: away',
    ])
  })

  it('does not request an object that the kubelet’s watch has received', async () => {
    const stored = fakePod({ metadata: { labels: { a: 'b' } } })
    const asked = async (watched: Pod, isServerAway: boolean) => {
      const known = knowledge({ pod: fakePod(), mirror: undefined, isServerAway })
      let gets = 0
      const get = (() => {
        gets++
        return Promise.resolve(err({ kind: 'unavailable', message: 'away' }))
      }) as ApiClient['get']
      const objects = await setUp(known).queriesWith({ get }, watched).objects('known')
      return [gets, objects?.api]
    }
    expect(await asked(stored, false)).toMatchObject([0, { metadata: { labels: { a: 'b' } } }])
    expect(await asked(stored, true)).toEqual([1, null])
    expect(await asked(fakePod({ uid: 'another' }), false)).toEqual([1, null])
  })

  it('returns null for an unknown pod', async () => {
    const { queries } = setUp()
    expect(await queries.objects('gone')).toBeNull()
    expect(await queries.events('gone')).toBeNull()
    expect(await queries.objects('known')).toMatchObject({ status: { phase: 'Running' } })
    expect((await queries.events('known'))?.note).toMatch(/^The credentials of this node/)
  })
})

/** For podObjects: no API object was read. */
const none = { object: null, note: '' }

describe('podObjects', () => {
  it('returns deeply frozen copies without managed fields, with their type', () => {
    const managed = { ...mirror.metadata, managedFields: [{ manager: 'kubelet' }] }
    const objects = podObjects(knowledge({ mirror: { ...mirror, metadata: managed } }), none)
    expect(objects).toEqual({
      pod: { apiVersion: 'v1', kind: 'Pod', ...pod },
      mirror: { apiVersion: 'v1', kind: 'Pod', ...mirror },
      api: null,
      apiNote: '',
      status: { phase: 'Running' },
    })
    expect(Object.keys(objects.pod ?? {}).slice(0, 3)).toEqual(['apiVersion', 'kind', 'metadata'])
    for (const part of [objects.pod, objects.mirror, objects.status])
      expect(Object.isFrozen(part)).toBe(true)
    expect(objects.pod).toHaveProperty('metadata.annotations')
    for (const value of Object.values(objects.pod ?? {}))
      if (typeof value === 'object') expect(Object.isFrozen(value)).toBe(true)
    expect(Object.isFrozen(pod.metadata)).toBe(false)
  })

  it('returns only the API object of a pod that no kubelet has', () => {
    const known = knowledge({ pod: fakePod(), mirror: undefined, noKubelet: 'It waits.' })
    expect(podObjects(known, { object: fakePod(), note: '' })).toMatchObject({
      pod: null,
      api: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
    })
  })

  it('returns an orphaned mirror as the mirror, without a pod', () => {
    expect(
      podObjects(knowledge({ pod: mirror, mirror: undefined, worker: undefined }), none),
    ).toMatchObject({ pod: null, mirror: { metadata: { uid: 'm1' } }, status: null })
    expect(
      podObjects(knowledge({ pod: fakePod(), mirror: undefined, localStatus: undefined }), none),
    ).toMatchObject({ mirror: null, status: null })
  })
})

function kubeEvent(uid: string, over: Partial<KubeEvent> = {}): KubeEvent {
  return {
    metadata: { name: 'e', uid: 'e' },
    involvedObject: { kind: 'Pod', name: 'web-node', uid, fieldPath: 'spec.containers{c}' },
    reason: 'Started',
    message: 'Started container c',
    type: 'Normal',
    source: { component: 'kubelet' },
    firstTimestamp: '1970-01-01T00:00:01Z',
    lastTimestamp: '1970-01-01T00:00:02Z',
    count: 2,
    ...over,
  }
}

describe('podEvents', () => {
  it('merges the events of both UIDs, newest first, without those of earlier pods', () => {
    const scheduled: Partial<KubeEvent> = {
      reason: 'Scheduled',
      message: '',
      source: {},
      reportingComponent: 'default-scheduler',
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: '1970-01-01T00:00:09.000000Z',
      involvedObject: { kind: 'Pod', uid: 'm1' },
    }
    const { count: _none, ...once } = kubeEvent('m1', scheduled)
    const list = podEvents([kubeEvent('static-1'), once, kubeEvent('static-0')], {
      pod: 'static-1',
      mirror: 'm1',
    })
    expect(list).toEqual({
      note: '',
      events: [
        {
          type: 'Normal',
          reason: 'Scheduled',
          message: '',
          under: 'mirror',
          source: 'default-scheduler',
          count: 1,
          firstAt: 9000,
          lastAt: 9000,
          fieldPath: '',
        },
        {
          type: 'Normal',
          reason: 'Started',
          message: 'Started container c',
          under: 'pod',
          source: 'kubelet',
          count: 2,
          firstAt: 1000,
          lastAt: 2000,
          fieldPath: 'spec.containers{c}',
        },
      ],
    })
  })

  it('returns no mirror events if there is no mirror', () => {
    const { uid: _none, ...nameless } = kubeEvent('x').involvedObject
    const list = podEvents([kubeEvent('x', { involvedObject: nameless })], {
      pod: 'static-1',
      mirror: undefined,
    })
    expect(list.events).toEqual([])
  })
})

describe('recordedEvents', () => {
  const recorded = (seq: number, message: string): TraceEvent => ({
    kind: 'event.recorded',
    subject: podSubject(pod),
    causes: [],
    data: { type: 'Warning', reason: 'BackOff', message, fieldPath: '' },
    seq,
    at: seq * 1000,
    cluster: 'sandbox',
    node: 'n',
  })

  it('counts equal events, newest first', () => {
    const list = recordedEvents([recorded(3, 'a'), recorded(2, 'b'), recorded(1, 'a')], noneKept)
    expect(list.note).toBe(
      'The API server has no events of this pod. The events that this kubelet recorded since it started are shown instead.',
    )
    expect(list.events).toMatchObject([
      { message: 'a', count: 2, firstAt: 1000, lastAt: 3000, under: 'pod', source: 'kubelet' },
      { message: 'b', count: 1, firstAt: 2000, lastAt: 2000 },
    ])
  })

  it.each<readonly [ApiErrorKind, string]>([
    ['forbidden', 'The credentials of this node cannot list events.'],
    ['unavailable', 'The API server does not respond: gone.'],
    ['unknown', 'The API server did not list the events: gone.'],
  ])('says why it is not the whole list: %s', (kind, text) => {
    expect(notListed({ kind, message: 'gone.' })).toBe(
      `${text} The events that this kubelet recorded since it started are shown instead.`,
    )
  })
})
