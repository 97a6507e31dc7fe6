import { describe, expect, it } from 'vitest'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeApiClient } from '../../../src/main/kubelet/fake-api-client.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { FakeNodeLister, fakeNode } from '../../../src/main/kubelet/pod/fake-node-lister.ts'
import { BasicMirrorClient } from '../../../src/main/kubelet/pod/mirror-client.ts'
import { MirrorReconciler } from '../../../src/main/kubelet/pod/mirror-reconciler.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'

const pod = fakeStaticPod({ uid: 'h1' })

function setUp() {
  const api = new FakeApiClient({ clock: { now: () => 0, after: () => () => undefined } })
  const trace = new FakeTrace()
  const log = new FakeLog()
  const nodeLister = new FakeNodeLister(fakeNode())
  const mirrorClient = new BasicMirrorClient({ api, nodeName: 'node', nodeLister, trace, log })
  const reconciler = new MirrorReconciler({ mirrorClient, nodeLister, trace, log })
  return { api, trace, log, nodeLister, reconciler }
}

/** With a mirror in the API, as the pod manager would have it. */
async function withMirror(of: Pod = pod) {
  const set = setUp()
  await set.reconciler.tryReconcileMirrorPods(of, undefined, [])
  const mirror = set.api.pod('web-node')
  if (mirror === undefined) throw new Error('no mirror')
  return { ...set, mirror, since: set.api.calls.length }
}

describe('mirror-pods#reconciliation: in a sync', () => {
  it('does nothing for a regular pod', async () => {
    const { api, reconciler } = setUp()
    await reconciler.tryReconcileMirrorPods(fakePod(), undefined, [])
    expect(api.calls).toEqual([])
  })

  it('creates a mirror that is missing', async () => {
    const { api, trace } = await withMirror()
    expect(api.writes()).toEqual(['create pods/web-node ok'])
    expect(trace.data('mirror.created')).toEqual([{ mirrorUid: 'api-1', why: 'missing' }])
  })

  it('leaves a mirror of this version alone', async () => {
    const { api, reconciler, mirror } = await withMirror()
    await reconciler.tryReconcileMirrorPods(pod, mirror, [])
    expect(api.writes()).toEqual(['create pods/web-node ok'])
  })

  it('replaces a mirror of another version, by its uid', async () => {
    const { api, trace, reconciler, mirror } = await withMirror()
    const edited = fakeStaticPod({ uid: 'h2' })
    await reconciler.tryReconcileMirrorPods(edited, mirror, [9])
    expect(api.writes().slice(1)).toEqual(['delete pods/web-node ok', 'create pods/web-node ok'])
    expect(api.calls[1]?.body).toEqual({
      gracePeriodSeconds: 0,
      preconditions: { uid: 'api-1' },
    })
    expect(trace.data('mirror.deleted')).toEqual([{ mirrorUid: 'api-1', why: 'stale' }])
    expect(trace.data('mirror.created').at(-1)).toEqual({ mirrorUid: 'api-2', why: 'replaced' })
    expect(trace.events.slice(-2).map((event) => event.causes)).toEqual([[9], [9]])
    expect(api.pod('web-node')?.metadata.annotations?.['kubernetes.io/config.mirror']).toBe('h2')
  })

  it('replaces a mirror that is being deleted', async () => {
    const { api, trace, reconciler, mirror } = await withMirror()
    api.deletePod('web-node')
    const deleting = api.pod('web-node')
    expect(deleting?.metadata.deletionTimestamp).toBeDefined()
    await reconciler.tryReconcileMirrorPods(pod, deleting, [])
    expect(api.pod('web-node')?.metadata.uid).toBe('api-2')
    expect(trace.data('mirror.deleted')).toEqual([
      { mirrorUid: mirror.metadata.uid, why: 'deleting' },
    ])
  })

  it('creates nothing in this pass when the deletion was refused', async () => {
    const { api, reconciler } = await withMirror()
    const gone = fakeMirrorOf(pod, {
      uid: 'api-1',
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
    })
    api.deletePod('web-node', 0)
    await reconciler.tryReconcileMirrorPods(pod, gone, [])
    expect(api.writes().slice(1)).toEqual(['delete pods/web-node not-found'])
    expect(api.pod('web-node')).toBeUndefined()
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    expect(api.pod('web-node')?.metadata.uid).toBe('api-2')
  })

  it.each([
    ['the node is not in the API', undefined],
    [
      'the node is being deleted',
      fakeNode({ metadata: { name: 'node', uid: 'n', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ],
  ])('creates nothing while %s', async (why, node) => {
    const { api, trace, reconciler, nodeLister } = setUp()
    nodeLister.node = node
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    expect(api.calls).toEqual([])
    expect(trace.data('mirror.skipped')).toEqual([{ message: `not created: ${why}` }])
  })

  it('remembers why there is no mirror until there is one, or the pod has ended', async () => {
    const { api, reconciler, nodeLister } = setUp()
    nodeLister.node = undefined
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    expect(reconciler.failure('h1')).toBe('the node is not in the API')
    nodeLister.node = fakeNode()
    api.refuse = () => ({ kind: 'not-found', message: 'namespaces "x" not found' })
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    expect(reconciler.failure('h1')).toBe('namespaces "x" not found')
    api.refuse = () => undefined
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    expect(reconciler.failure('h1')).toBeUndefined()
    api.refuse = () => ({ kind: 'already-exists', message: 'it exists' })
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    expect(reconciler.failure('h1')).toBe('it exists')
    // The watch had not brought it yet.
    await reconciler.tryReconcileMirrorPods(pod, api.pod('web-node'), [])
    expect(reconciler.failure('h1')).toBeUndefined()
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    reconciler.forget('h1')
    expect(reconciler.failure('h1')).toBeUndefined()
  })

  it('only logs when the server refuses the mirror', async () => {
    const { api, log, reconciler } = setUp()
    api.refuse = () => ({ kind: 'forbidden', message: 'no such namespace' })
    await reconciler.tryReconcileMirrorPods(pod, undefined, [])
    expect(log.problems).toEqual(['mirror pod call failed', 'failed creating a mirror pod'])
  })
})
