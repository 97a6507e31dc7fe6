import { describe, expect, it } from 'vitest'
import type { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeApiClient } from '../../../src/main/kubelet/fake-api-client.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { fakeMirrorOf, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { FakeNodeLister, fakeNode } from '../../../src/main/kubelet/pod/fake-node-lister.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { fullNameOf } from '../../../src/main/kubelet/pod/identity.ts'
import type { PodFullName } from '../../../src/main/kubelet/pod/identity.ts'
import { BasicMirrorClient } from '../../../src/main/kubelet/pod/mirror-client.ts'

const clock: Pick<VirtualClock, 'now' | 'after'> = { now: () => 0, after: () => () => undefined }

function setUp(options: { readonly withoutApi?: boolean } = {}) {
  const api = new FakeApiClient({ clock })
  const trace = new FakeTrace()
  const log = new FakeLog()
  const nodeLister = new FakeNodeLister(fakeNode())
  const client = new BasicMirrorClient({
    api: options.withoutApi === true ? undefined : api,
    nodeName: 'node',
    nodeLister,
    trace,
    log,
  })
  return { api, trace, log, nodeLister, client }
}

const pod = fakeStaticPod({
  uid: 'h1',
  annotations: { 'kubernetes.io/config.seen': 's', a: 'b' },
})
const fullName = fullNameOf(pod)

describe('mirror-pods#creation', () => {
  it('posts the static pod with the mirror annotation and the node as its owner', async () => {
    const { api, client, trace } = setUp()
    const result = await client.createMirrorPod(pod, { why: 'missing', causes: [4] })
    expect(result).toEqual({ ok: true, value: undefined })
    expect(api.calls).toEqual([
      {
        at: 0,
        verb: 'create',
        resource: 'pods',
        name: 'web-node',
        outcome: 'ok',
        body: {
          ...pod,
          metadata: {
            ...pod.metadata,
            annotations: { ...pod.metadata.annotations, 'kubernetes.io/config.mirror': 'h1' },
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Node', name: 'node', uid: 'node-uid', controller: true },
            ],
          },
        },
      },
    ])
    expect(trace.events).toEqual([
      {
        kind: 'mirror.created',
        subject: { kind: 'pod', uid: 'h1', namespace: 'default', name: 'web-node' },
        causes: [4],
        data: { mirrorUid: 'api-1', why: 'missing' },
      },
    ])
  })

  it.each([
    ['the node is not known', undefined],
    ['the node has no uid', fakeNode({ metadata: { name: 'node', uid: '' } })],
  ])('creates nothing while %s', async (_, node) => {
    const { api, client, nodeLister, trace } = setUp()
    nodeLister.node = node
    const result = await client.createMirrorPod(pod, { why: 'missing', causes: [] })
    expect(result).toEqual({
      ok: false,
      error: 'failed to get the uid of node "node" for the mirror\'s owner reference',
    })
    expect(api.calls).toEqual([])
    expect(trace.kinds).toEqual(['mirror.failed'])
  })

  it('hands on the refusal when a pod of that name exists, whatever its hash', async () => {
    const { client, trace } = setUp()
    await client.createMirrorPod(pod, { why: 'missing', causes: [] })
    const again = await client.createMirrorPod(pod, { why: 'missing', causes: [] })
    expect(again).toEqual({ ok: false, error: 'web-node already exists' })
    expect(trace.data('mirror.failed')).toEqual([
      { act: 'create', message: 'web-node already exists' },
    ])
  })

  it('does nothing, successfully, without an API server', async () => {
    const { client, trace } = setUp({ withoutApi: true })
    expect(await client.createMirrorPod(pod, { why: 'missing', causes: [] })).toEqual({
      ok: true,
      value: undefined,
    })
    expect(trace.events).toEqual([])
  })
})

describe('mirror-pods#deletion', () => {
  async function withMirror() {
    const set = setUp()
    await set.api.create({ resource: 'pods', namespace: 'default' }, fakeMirrorOf(pod, { uid: '' }))
    set.api.calls.length = 0
    return set
  }

  it('deletes at once, with the uid as precondition when it is known', async () => {
    const { api, client, trace } = await withMirror()
    const result = await client.deleteMirrorPod(fullName, {
      uid: 'api-1',
      why: 'stale',
      pod,
      causes: [2],
    })
    expect(result).toEqual({ ok: true, value: true })
    expect(api.calls[0]?.body).toEqual({
      gracePeriodSeconds: 0,
      preconditions: { uid: 'api-1' },
    })
    expect(trace.events).toEqual([
      {
        kind: 'mirror.deleted',
        subject: { kind: 'pod', uid: 'h1', namespace: 'default', name: 'web-node' },
        causes: [2],
        data: { mirrorUid: 'api-1', why: 'stale' },
      },
    ])
  })

  it('deletes an orphan by its name alone', async () => {
    const { api, client } = await withMirror()
    const result = await client.deleteMirrorPod(fullName, { why: 'orphan', causes: [] })
    expect(result).toEqual({ ok: true, value: true })
    // Go's *Preconditions is there, with no uid in it.
    expect(api.calls[0]?.body).toEqual({ gracePeriodSeconds: 0, preconditions: {} })
    expect(api.pods()).toEqual([])
  })

  it.each([
    ['another pod has the name now', 'web-node_default', 'conflict'],
    ['there is none', 'other_default', 'not-found'],
  ])('says no when %s', async (_, name, outcome) => {
    const { api, client, trace, log } = await withMirror()
    const result = await client.deleteMirrorPod(name as PodFullName, {
      uid: 'old',
      why: 'stale',
      causes: [],
    })
    expect(result).toEqual({ ok: true, value: false })
    expect(api.calls[0]?.outcome).toBe(outcome)
    expect(trace.kinds).toEqual(['mirror.skipped'])
    expect(log.lines).toEqual([])
  })

  it('says no, and logs it, when the server fails otherwise', async () => {
    const { api, client, trace, log } = await withMirror()
    api.refuse = () => ({ kind: 'unavailable', message: 'no answer' })
    const result = await client.deleteMirrorPod(fullName, { why: 'orphan', causes: [] })
    expect(result).toEqual({ ok: true, value: false })
    expect(trace.data('mirror.failed')).toEqual([{ act: 'delete', message: 'no answer' }])
    expect(log.problems).toEqual(['mirror pod call failed'])
  })

  it('refuses an invalid full name', async () => {
    const { api, client } = await withMirror()
    const result = await client.deleteMirrorPod('broken' as PodFullName, {
      why: 'orphan',
      causes: [],
    })
    expect(result).toEqual({
      ok: false,
      error: 'failed to parse the pod full name "broken"',
    })
    expect(api.calls).toEqual([])
  })

  it('does nothing without an API server', async () => {
    const { client } = setUp({ withoutApi: true })
    expect(await client.deleteMirrorPod(fullName, { why: 'orphan', causes: [] })).toEqual({
      ok: true,
      value: false,
    })
  })
})
