/** sources#operations to sources#sources-ready. Random snapshots stand in pod-config.property.test.ts and test/kube/oracle. */
import { describe, expect, it } from 'vitest'
import { PodConfig } from '../../../src/main/kubelet/config/pod-config.ts'
import type { PodUpdate } from '../../../src/main/kubelet/config/pod-config.ts'
import { ExpectedSources } from '../../../src/main/kubelet/config/sources-ready.ts'
import { FakeCluster } from '../../../src/main/kubelet/fake-cluster.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import type { Pod, PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import type { ConfigOp, TraceInput } from '../../../src/shared/model/trace-event.ts'

function setUp() {
  const updates: PodUpdate[] = []
  const traced: TraceInput[] = []
  const events: string[] = []
  let now = Date.parse('2026-01-01T00:00:00.125Z')
  const config = new PodConfig({
    clock: { now: () => now, after: () => () => undefined },
    trace: { emit: (event) => traced.push(event) },
    recorder: {
      event: (_subject, type, reason, message) => events.push(`${type} ${reason} ${message}`),
    },
    deliver: (update) => updates.push(update),
  })
  return {
    config,
    updates,
    traced,
    events,
    tick: () => {
      now += 1000
    },
    ops: () =>
      updates
        .splice(0)
        .map(
          (update) => `${update.op} ${update.pods.map((one) => one.pod.metadata.uid).join(',')}`,
        ),
    set: (...pods: Pod[]) => {
      config.set(
        'api',
        pods.map((pod) => ({ pod })),
        [7],
      )
    },
  }
}

function manifest(spec: Partial<PodSpec> = {}, name = 'web'): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '', labels: { app: name } },
    spec: {
      containers: [{ name: 'c', image: 'busybox', imagePullPolicy: 'IfNotPresent' }],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      ...spec,
    },
  }
}

describe('sources#operations', () => {
  const named = (name: string) => ({ name, uid: name })

  it.each<readonly [ConfigOp, Pod | undefined, Pod | undefined]>([
    ['ADD', undefined, fakePod()],
    ['UPDATE', fakePod(), fakePod({ metadata: { labels: { a: 'b' } } })],
    ['REMOVE', fakePod(), undefined],
    ['RECONCILE', fakePod(), fakePod({ status: { phase: 'Running' } })],
    ['DELETE', fakePod(), fakePod({ metadata: { deletionTimestamp: 't' } })],
  ])('%s comes of a complete list that is set', (op, before, after) => {
    const { set, ops } = setUp()
    set(fakePod(named('other')), ...(before === undefined ? [] : [before]))
    ops()
    set(fakePod(named('other')), ...(after === undefined ? [] : [after]))
    expect(ops()).toEqual([`${op} web-uid`])
  })
})

describe('sources#merge', () => {
  it('drops the later of two pods with one full name, with an event', () => {
    const { set, ops, events } = setUp()
    set(fakePod({ uid: 'first' }), fakePod({ uid: 'second' }))
    expect(ops()).toEqual(['ADD first'])
    expect(events).toEqual([
      'Warning FailedValidation Error validating pod web_default(second) from api due to duplicate pod name "web", ignoring',
    ])
    // At every snapshot, as filterInvalidPods does; in the API server they become one event that counts.
    set(fakePod({ uid: 'first' }), fakePod({ uid: 'second' }))
    expect(events).toHaveLength(2)
    expect(ops()).toEqual([])
    set(fakePod({ uid: 'second' }))
    expect(ops()).toEqual(['REMOVE first', 'ADD second'])
  })

  it('drops the later of two in one snapshot, also when that is the one it had', () => {
    const { set, ops } = setUp()
    const [had, came] = [fakePod({ uid: 'had' }), fakePod({ uid: 'came' })]
    set(had)
    ops()
    set(had, came)
    expect(ops()).toEqual([])
    set(came, had)
    expect(ops()).toEqual(['REMOVE had', 'ADD came'])
    set(came, had)
    expect(ops()).toEqual([])
    set(had)
    expect(ops()).toEqual(['REMOVE came', 'ADD had'])
  })

  it('drops a pod each time that it comes with another of its name', () => {
    const { set, ops, events } = setUp()
    const known = fakePod({ uid: 'known' })
    set(known)
    ops()
    const first = fakePod({ uid: 'first' })
    set(first, known, first)
    expect(ops()).toEqual(['REMOVE known', 'ADD first'])
    expect(events.map((event) => /\((\w+)\)/.exec(event)?.[1])).toEqual(['known', 'first'])
  })

  it('accepts a name that another pod left, and a known uid under a new name', () => {
    const { set, ops } = setUp()
    const other = fakePod({ uid: 'other', name: 'other' })
    set(fakePod({ uid: 'old' }), other)
    ops()
    set(fakePod({ uid: 'new' }), other)
    expect(ops()).toEqual(['REMOVE old', 'ADD new'])
    set(fakePod({ uid: 'new', name: 'moved' }), fakePod({ uid: 'third' }), other)
    expect(ops()).toEqual(['ADD third'])
    set(other)
    expect(ops()).toEqual(['REMOVE new,third'])
  })

  it('adds a new pod with its source and the time it was first seen', () => {
    const { config, updates } = setUp()
    const pod = fakePod({ annotations: { 'kubernetes.io/config.source': 'file' } })
    config.set('api', [{ pod }], [])
    expect(updates).toEqual([
      {
        op: 'ADD',
        source: 'api',
        pods: [
          {
            causes: [1],
            pod: {
              ...pod,
              metadata: {
                ...pod.metadata,
                annotations: {
                  'kubernetes.io/config.source': 'api',
                  'kubernetes.io/config.seen': '2026-01-01T00:00:00.125000000Z',
                },
              },
            },
          },
        ],
      },
    ])
  })

  it('delivers nothing for an unchanged pod, and keeps the time it was first seen', () => {
    const { set, ops, updates, tick } = setUp()
    set(fakePod())
    ops()
    tick()
    set(fakePod())
    expect(ops()).toEqual([])
    set(fakePod({ metadata: { labels: { a: 'b' } } }))
    expect(updates[0]?.pods[0]?.pod.metadata.annotations?.['kubernetes.io/config.seen']).toBe(
      '2026-01-01T00:00:00.125000000Z',
    )
  })

  it('does not compare an object that it was given before', () => {
    const { set, ops } = setUp()
    const read: PropertyKey[] = []
    const pod = fakePod()
    set(pod)
    ops()
    const watched = new Proxy(pod, {
      get: (target, key: keyof Pod) => {
        read.push(key)
        return target[key]
      },
    })
    set(watched)
    expect(read).toContain('spec')
    read.length = 0
    set(watched)
    expect(read).not.toContain('spec')
    expect(ops()).toEqual([])
  })

  it.each([
    ['spec', fakePod({ spec: { terminationGracePeriodSeconds: 5 } })],
    ['labels', fakePod({ metadata: { labels: { app: 'web' } } })],
    ['annotations', fakePod({ annotations: { note: 'x' } })],
    [
      'the hash, which is not a local annotation',
      fakePod({ annotations: { 'kubernetes.io/config.hash': 'x' } }),
    ],
  ])('updates on a change of %s', (_what, changed) => {
    const { set, ops } = setUp()
    set(fakePod())
    ops()
    set(changed)
    expect(ops()).toEqual(['UPDATE web-uid'])
  })

  it.each([
    ['the seen annotation', fakePod({ annotations: { 'kubernetes.io/config.seen': 'later' } })],
    ['owners', fakePod({ metadata: { ownerReferences: [] } })],
    ['finalizers', fakePod({ metadata: { finalizers: ['a/b'] } })],
    ['the resource version', fakePod({ metadata: { resourceVersion: '9' } })],
  ])('does not update on a change of %s', (_what, changed) => {
    const { set, ops } = setUp()
    set(fakePod())
    ops()
    set(changed)
    expect(ops()).toEqual([])
  })

  it('reconciles when only the status differs, and carries the new one', () => {
    const { set, updates, ops } = setUp()
    set(fakePod({ status: { phase: 'Pending' } }))
    ops()
    set(fakePod({ status: { phase: 'Running' } }))
    expect(updates[0]?.pods[0]?.pod.status).toEqual({ phase: 'Running' })
    expect(ops()).toEqual(['RECONCILE web-uid'])
  })

  it('reports that a status is gone', () => {
    const { set, updates } = setUp()
    set(fakePod({ status: { phase: 'Running' } }))
    set(fakePod())
    expect(updates.map(({ op, pods }) => [op, pods[0]?.pod.status])).toEqual([
      ['ADD', { phase: 'Running' }],
      ['RECONCILE', {}],
    ])
  })

  it('keeps finalizers and owners as first seen, also through an update (checkAndUpdatePod)', () => {
    const { set, updates } = setUp()
    set(fakePod({ metadata: { finalizers: ['a/b'] } }))
    updates.length = 0
    set(fakePod({ metadata: { labels: { v: '2' }, ownerReferences: [] } }))
    expect(updates[0]?.pods[0]?.pod.metadata).toMatchObject({
      labels: { v: '2' },
      finalizers: ['a/b'],
    })
    expect(updates[0]?.pods[0]?.pod.metadata.ownerReferences).toBeUndefined()
  })

  it('deletes when the pod gets a deletionTimestamp, and again on each later change', () => {
    const { set, ops } = setUp()
    set(fakePod())
    ops()
    const deleting = { deletionTimestamp: 't', deletionGracePeriodSeconds: 30 }
    set(fakePod({ metadata: deleting }))
    expect(ops()).toEqual(['DELETE web-uid'])
    set(fakePod({ metadata: { ...deleting, deletionGracePeriodSeconds: 5 } }))
    expect(ops()).toEqual(['DELETE web-uid'])
  })

  it('adds a pod that is deleting already when it is first seen', () => {
    const { set, ops } = setUp()
    set(fakePod({ metadata: { deletionTimestamp: 't' } }))
    expect(ops()).toEqual(['ADD web-uid'])
  })

  it('removes with the last known copy what a snapshot leaves out', () => {
    const { set, updates, ops } = setUp()
    set(fakePod({ metadata: { labels: { v: '1' } } }))
    set(fakePod({ metadata: { labels: { v: '2' } } }))
    ops()
    set()
    expect(updates[0]?.pods[0]?.pod.metadata.labels).toEqual({ v: '2' })
    expect(ops()).toEqual(['REMOVE web-uid'])
  })

  it('adds each of two new pods with one uid, as manifests that name it can give them', () => {
    const { set, ops } = setUp()
    const twins = [fakePod({ uid: 'u', name: 'a' }), fakePod({ uid: 'u', name: 'b' })]
    set(...twins)
    expect(ops()).toEqual(['ADD u,u'])
    set(...twins)
    expect(ops()).toEqual([])
  })

  it('merges pods with one uid one after the other, and each update shows the last', () => {
    const { set, updates, ops } = setUp()
    const changed = (name: string, app: string): Pod =>
      fakePod({ uid: 'u', name, metadata: { labels: { app } } })
    const known = changed('a', '1')
    set(known)
    ops()
    set(changed('b', '2'), known)
    expect(
      updates.map(({ op, pods }) => [op, pods.map(({ pod }) => pod.metadata.labels?.['app'])]),
    ).toEqual([['UPDATE', ['1', '1']]])
  })
})

describe('sources#delivery', () => {
  it('delivers REMOVE, ADD, UPDATE, DELETE, then RECONCILE', () => {
    const { set, ops } = setUp()
    const named = (name: string) => ({ name, uid: name })
    set(fakePod(named('gone')), fakePod(named('up')), fakePod(named('del')), fakePod(named('rec')))
    ops()
    set(
      fakePod({ ...named('rec'), status: { phase: 'Running' } }),
      fakePod({ ...named('del'), metadata: { deletionTimestamp: 't' } }),
      fakePod({ ...named('up'), metadata: { labels: { a: 'b' } } }),
      fakePod(named('new')),
    )
    expect(ops()).toEqual(['REMOVE gone', 'ADD new', 'UPDATE up', 'DELETE del', 'RECONCILE rec'])
  })

  it('marks a source as seen by an empty ADD, once', () => {
    const { config, set, ops } = setUp()
    expect(config.hasSeen(['api'])).toBe(false)
    set()
    expect(ops()).toEqual(['ADD '])
    set()
    expect(ops()).toEqual([])
    expect(config.hasSeen(['api'])).toBe(true)
    expect(config.hasSeen(['api', 'file'])).toBe(false)
  })

  it('keeps sources apart, so that a static pod and its mirror share a name', () => {
    const { config, updates } = setUp()
    const pod = fakeStaticPod()
    config.set('file', [{ pod }], [])
    config.set('api', [{ pod: fakeMirrorOf(pod) }], [])
    expect(updates.map((update) => [update.source, update.op, update.pods.length])).toEqual([
      ['file', 'ADD', 1],
      ['api', 'ADD', 1],
    ])
  })

  it('hands on what caused each change', () => {
    const { config, traced } = setUp()
    config.set('api', [{ pod: fakePod(), causes: [41] }, { pod: fakePod({ name: 'b' }) }], [40])
    expect(traced.map((event) => event.causes)).toEqual([[41], [40]])
  })
})

describe('sources#sources-ready', () => {
  it('is ready when every source was seen by the merge and noted by the loop', () => {
    const seen = new Set<string>()
    const ready = new ExpectedSources({
      expected: ['file', 'api'],
      hasSeen: (sources) => sources.every((source) => seen.has(source)),
    })
    expect(ready.allReady()).toBe(false)
    ready.addSource('file')
    ready.addSource('api')
    expect(ready.allReady()).toBe(false)
    seen.add('file').add('api')
    expect(ready.allReady()).toBe(true)
    expect(ready.isReady('http')).toBe(false)
  })

  it('is ready at once when there is no source', () => {
    expect(new ExpectedSources({ expected: [], hasSeen: () => true }).allReady()).toBe(true)
  })

  it('runs static pods without an API server, and deletes nothing until that was seen', async () => {
    const cluster = new FakeCluster()
    cluster.isWatching = false
    cluster.api.refuse = () => ({ kind: 'unavailable', message: 'no answer' })
    cluster.manifests.set('web.yaml', manifest())
    await cluster.start()
    expect(cluster.container('c').state).toBe('running')
    cluster.remove('web.yaml')
    await cluster.clock.advance(30_000)
    expect(cluster.container('c').state).toBe('running')
    // Not tried again either: it is housekeeping that finds the orphan below.
    const skipped = cluster.log.lines.filter(({ message }) => message.startsWith('skipping delete'))
    expect(skipped).toHaveLength(1)
    cluster.isWatching = true
    cluster.api.refuse = () => undefined
    await cluster.create(manifest({}, 'other'))
    await cluster.clock.advance(10_000)
    expect(cluster.stops()).toEqual(['stopContainer c 30'])
    expect(cluster.runtime.of('c').map((one) => one.state)).toEqual(['running'])
    expect(cluster.trace.data('worker.transitioned')).toContainEqual({
      to: 'terminating',
      why: 'orphan: no longer in any source',
    })
  })
})
