import fc from 'fast-check'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeNodeLister } from '../../../src/main/kubelet/pod/fake-node-lister.ts'
import type { PodFullName } from '../../../src/main/kubelet/pod/identity.ts'
import { BasicMirrorClient } from '../../../src/main/kubelet/pod/mirror-client.ts'
import type { ApiClient, ApiErrorKind } from '../../../src/main/kubelet/ports.ts'
import type { Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok, type Result } from '../../../src/shared/result.ts'

/** One call of the mirror client, and the responses to it. */
export interface MirrorCall {
  readonly ask: 'createMirrorPod' | 'deleteMirrorPod'
  readonly hasClient: boolean
  readonly node: Node | null
  readonly outcome: 'ok' | ApiErrorKind
  readonly pod: Pod
  readonly fullName: string
  readonly uid: string | null
}

export function mirrorCalls(pods: fc.Arbitrary<Pod>): fc.Arbitrary<MirrorCall> {
  const node = fc.constantFrom<Node | null>(
    null,
    { metadata: { name: 'node', uid: '' } },
    { metadata: { name: 'node', uid: 'node-uid' } },
  )
  return fc.record({
    ask: fc.constantFrom('createMirrorPod', 'deleteMirrorPod'),
    hasClient: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    node,
    outcome: fc.constantFrom(
      'ok',
      'not-found',
      'conflict',
      'already-exists',
      'forbidden',
      'unknown',
    ),
    pod: fc.tuple(pods, fc.boolean()).map(([pod, hasOwner]) => (hasOwner ? withOwner(pod) : pod)),
    fullName: fc.constantFrom('a_default', 'b_kube-system', 'a', '', '_default', 'a_', 'a_b_c'),
    uid: fc.constantFrom(null, '', 'u1'),
  })
}

function withOwner(pod: Pod): Pod {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'other', uid: 'other' }
  return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } }
}

/** An API client with configured responses to writes, which records the calls. */
function recordingClient(outcome: MirrorCall['outcome'], calls: unknown[]): ApiClient {
  const answer = <T>(value: T): Result<T, { kind: ApiErrorKind; message: string }> =>
    outcome === 'ok' ? ok(value) : err({ kind: outcome, message: outcome })
  const unasked = (): never => {
    throw new Error('an unexpected call')
  }
  return {
    get: unasked,
    list: unasked,
    update: unasked,
    patch: unasked,
    evict: unasked,
    create: ({ resource, namespace }, object) => {
      calls.push({ verb: 'create', resource, namespace, object: asGoWrites(object) })
      return Promise.resolve(answer(object))
    },
    delete: ({ resource, namespace, name }, options) => {
      calls.push({ verb: 'delete', resource, namespace, name, options })
      return Promise.resolve(answer(undefined))
    },
  } satisfies ApiClient
}

/** What Go's encoder adds to every pod: structures that are never left out. */
function asGoWrites(object: unknown): unknown {
  const pod = object as Pod
  return {
    ...pod,
    spec: {
      ...pod.spec,
      containers: pod.spec.containers.map((one) => ({ resources: {}, ...one })),
      ...(pod.spec.ephemeralContainers === undefined
        ? {}
        : {
            ephemeralContainers: pod.spec.ephemeralContainers.map((one) => ({
              resources: {},
              ...one,
            })),
          }),
    },
    status: pod.status ?? {},
  }
}

/** The calls and results of Nodescope's mirror client. */
export async function mirrorAnswer(call: MirrorCall): Promise<unknown> {
  const calls: unknown[] = []
  const client = new BasicMirrorClient({
    api: call.hasClient ? recordingClient(call.outcome, calls) : undefined,
    nodeName: 'node',
    nodeLister: new FakeNodeLister(call.node ?? undefined),
    trace: new FakeTrace(),
    log: new FakeLog(),
  })
  if (call.ask === 'createMirrorPod') {
    const created = await client.createMirrorPod(call.pod, { why: 'missing', causes: [] })
    return { failed: !created.ok, deleted: false, calls }
  }
  // Any text, also invalid full names.
  const deleted = await client.deleteMirrorPod(call.fullName as PodFullName, {
    ...(call.uid === null ? {} : { uid: call.uid }),
    why: 'stale',
    causes: [],
  })
  return { failed: !deleted.ok, deleted: deleted.ok && deleted.value, calls }
}
