/** docs/kubelet/identity.md: what identifies pods, and how a manifest becomes a pod. */
import { describe, expect, it } from 'vitest'
import { nodeHash } from '../../../src/main/clock/node-hash.ts'
import { PodConfig } from '../../../src/main/kubelet/config/pod-config.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeApiClient } from '../../../src/main/kubelet/fake-api-client.ts'
import { FakeCluster } from '../../../src/main/kubelet/fake-cluster.ts'
import { canonicalJson } from '../../../src/main/kubelet/pod/canonical-json.ts'
import { FakeNodeLister, fakeNode } from '../../../src/main/kubelet/pod/fake-node-lister.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import {
  buildPodFullName,
  fullNameOf,
  isCriticalPod,
  isLocalAnnotation,
  isMirrorPod,
  isMirrorPodOf,
  isNodeCriticalPod,
  isPreemptable,
  isStaticPod,
  isTerminalPhase,
  parsePodFullName,
  podDescription,
  podSource,
  podSubject,
} from '../../../src/main/kubelet/pod/identity.ts'
import { BasicMirrorClient } from '../../../src/main/kubelet/pod/mirror-client.ts'
import { applyStaticDefaults } from '../../../src/main/kubelet/pod/static-pod.ts'
import type { StaticPodOrigin } from '../../../src/main/kubelet/pod/static-pod.ts'
import { readStaticPod } from '../../../src/main/sources/static-pod-manifest.ts'
import type { Pod, PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import type { PodSource } from '../../../src/shared/model/pod-source.ts'

const nodeCritical = 'system-node-critical'

const file: StaticPodOrigin = {
  source: 'file',
  nodeName: 'Node-A',
  location: '/etc/kubernetes/manifests/web.yaml',
  hash: nodeHash,
}

function manifest(spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', uid: '', labels: { app: 'web' }, ...metadata },
    spec: { containers: [{ name: 'c', image: 'busybox' }], restartPolicy: 'Always', ...spec },
  }
}

const written =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: i}]}'

function read(text: string): Pod {
  const reading = readStaticPod(text, { ...file, nodeName: 'node-a' })
  if (reading.kind !== 'pod') throw new Error(reading.problem.message)
  return reading.pod
}

function applied(pod: Pod, origin = file): Pod {
  const result = applyStaticDefaults(pod, origin)
  if (!result.ok) throw new Error(result.error.join())
  return result.value
}

describe('identity#full-names', () => {
  it('joins name and namespace with an underscore', () => {
    expect(buildPodFullName('bar', 'foo')).toBe('bar_foo')
    expect(fullNameOf(fakePod({ name: 'a', namespace: 'b' }))).toBe('a_b')
    expect(podDescription(fakePod({ name: 'a', namespace: 'b', uid: 'u' }))).toBe('a_b(u)')
  })

  it('splits into exactly two non-empty parts', () => {
    expect(parsePodFullName('bar_foo')).toEqual({
      ok: true,
      value: { name: 'bar', namespace: 'foo' },
    })
  })

  it.each(['barfoo', 'bar_foo_foo', '', 'bar_', '_foo', '_'])('refuses %j', (fullName) => {
    expect(parsePodFullName(fullName)).toEqual({
      ok: false,
      error: `failed to parse the pod full name "${fullName}"`,
    })
  })
})

/** A manifest, its mirror and an ordinary pod on their way through the kubelet, as each looks there. */
async function onTheirWay() {
  const clock = { now: () => Date.UTC(2026, 0, 1), after: () => () => undefined }
  const merged = new Map<string, Pod>()
  const config = new PodConfig({
    clock,
    trace: new FakeTrace(),
    recorder: { event: () => undefined },
    deliver: ({ pods }) => {
      for (const { pod } of pods) merged.set(pod.metadata.uid, pod)
    },
  })
  const take = (source: PodSource, pod: Pod): Pod => {
    config.set(source, [{ pod }], [])
    const taken = merged.get(pod.metadata.uid)
    if (taken === undefined) throw new Error('nothing was merged')
    return taken
  }
  const api = new FakeApiClient({ clock })
  const mirrorClient = new BasicMirrorClient({
    api,
    nodeName: 'node',
    nodeLister: new FakeNodeLister(fakeNode()),
    trace: new FakeTrace(),
    log: new FakeLog(),
  })
  const staticPod = take('file', applied(manifest()))
  await mirrorClient.createMirrorPod(staticPod, { why: 'missing', causes: [] })
  const [mirror] = api.pods()
  if (mirror === undefined) throw new Error('no mirror')
  const ordinary = { ...manifest(), metadata: { name: 'ordinary', namespace: 'default', uid: 'o' } }
  return {
    uid: staticPod.metadata.uid,
    pods: [staticPod, mirror, take('api', mirror), take('api', ordinary)],
  }
}

describe('identity#annotations', () => {
  const seen = '2026-01-01T00:00:00.000000000Z'

  // Of the static pod in the kubelet, its mirror in the API, the mirror in the kubelet, an ordinary pod in the kubelet.
  it.each([
    ['source', ['file', 'file', 'api', 'api']],
    ['seen', [seen, seen, seen, seen]],
    ['hash', ['<uid>', '<uid>', '<uid>', undefined]],
    ['mirror', [undefined, '<uid>', '<uid>', undefined]],
  ])('kubernetes.io/config.%s', async (key, expected) => {
    const { uid, pods } = await onTheirWay()
    const values = pods.map(({ metadata }) => metadata.annotations?.[`kubernetes.io/config.${key}`])
    expect(values).toEqual(expected.map((value) => value?.replace('<uid>', uid)))
  })

  it('knows local annotations: source, mirror and seen, but not the hash', () => {
    expect(
      ['source', 'seen', 'hash', 'mirror'].map((key) =>
        isLocalAnnotation(`kubernetes.io/config.${key}`),
      ),
    ).toEqual([true, true, false, true])
  })
})

describe('identity#kinds-of-pods', () => {
  it('is static when it has a source and that is not the API', () => {
    expect(isStaticPod(fakePod())).toBe(false)
    expect(isStaticPod(fakeStaticPod())).toBe(true)
    expect(isStaticPod(fakePod({ annotations: { 'kubernetes.io/config.source': 'http' } }))).toBe(
      true,
    )
    const bare = fakePod()
    expect(isStaticPod({ ...bare, metadata: { name: 'a', uid: 'u' } })).toBe(false)
  })

  it('names the source, api where there is none', () => {
    expect(podSource(fakeStaticPod())).toBe('file')
    expect(podSource(fakePod())).toBe('api')
    expect(podSource({ ...fakePod(), metadata: { name: 'a', uid: 'u' } })).toBe('api')
  })

  it('is a mirror with the annotation, even an empty one', () => {
    expect(isMirrorPod(fakePod())).toBe(false)
    expect(isMirrorPod(fakePod({ annotations: { 'kubernetes.io/config.mirror': '' } }))).toBe(true)
  })

  it('mirrors a static pod when namespace, name and hash agree', () => {
    const pod = fakeStaticPod({ uid: 'h1' })
    const mirror = fakeMirrorOf(pod)
    expect(isMirrorPodOf(mirror, pod)).toBe(true)
    expect(isMirrorPodOf(mirror, fakeStaticPod({ uid: 'h2' }))).toBe(false)
    expect(isMirrorPodOf(fakeMirrorOf(pod, { metadata: { name: 'x' } }), pod)).toBe(false)
    expect(isMirrorPodOf(fakeMirrorOf(pod, { metadata: { namespace: 'x' } }), pod)).toBe(false)
    expect(isMirrorPodOf(pod, pod)).toBe(false)
  })

  it.each([
    ['regular', fakePod(), false, false],
    ['static', fakeStaticPod(), true, false],
    [
      'static node critical',
      fakeStaticPod({ spec: { priorityClassName: nodeCritical } }),
      true,
      true,
    ],
    ['mirror', fakeMirrorOf(fakeStaticPod()), true, false],
    ['priority just below', fakePod({ spec: { priority: 1_999_999_999 } }), false, false],
    ['cluster critical', fakePod({ spec: { priority: 2_000_000_000 } }), true, false],
    [
      'node critical',
      fakePod({ spec: { priority: 2_000_001_000, priorityClassName: nodeCritical } }),
      true,
      true,
    ],
    [
      'the class name without the priority',
      fakePod({ spec: { priorityClassName: nodeCritical } }),
      false,
      false,
    ],
  ])('knows whether a %s pod is critical', (_, pod, critical, nodeCritical) => {
    expect([isCriticalPod(pod), isNodeCriticalPod(pod)]).toEqual([critical, nodeCritical])
  })

  it.each([
    ['critical by', fakeStaticPod(), fakePod({ spec: { priority: 5 } }), true],
    ['both critical without priorities', fakeStaticPod(), fakeStaticPod(), false],
    ['equal', fakePod({ spec: { priority: 5 } }), fakePod({ spec: { priority: 5 } }), false],
    ['higher', fakePod({ spec: { priority: 6 } }), fakePod({ spec: { priority: 5 } }), true],
    ['lower', fakePod({ spec: { priority: 4 } }), fakePod({ spec: { priority: 5 } }), false],
    ['victim without priority', fakePod({ spec: { priority: 4 } }), fakePod(), false],
  ])('decides preemption: %s', (_, by, victim, expected) => {
    expect(isPreemptable(by, victim)).toBe(expected)
  })

  it('knows terminal phases', () => {
    expect(
      (['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown', undefined] as const).map(
        isTerminalPhase,
      ),
    ).toEqual([false, false, true, true, false, false])
  })

  it('makes a trace subject', () => {
    expect(podSubject(fakePod({ name: 'a', namespace: 'b', uid: 'u' }))).toEqual({
      kind: 'pod',
      uid: 'u',
      namespace: 'b',
      name: 'a',
    })
  })
})

describe('identity#static-pods', () => {
  it('gives a file its uid, suffix, namespace, node, hash, toleration and phase', () => {
    const uid = nodeHash.md5Hex(
      canonicalJson(manifest()) + 'host:Node-Afile:/etc/kubernetes/manifests/web.yaml',
    )
    expect(applyStaticDefaults(manifest(), file)).toEqual({
      ok: true,
      value: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'web-node-a',
          namespace: 'default',
          uid,
          labels: { app: 'web' },
          annotations: { 'kubernetes.io/config.hash': uid },
        },
        spec: {
          containers: [{ name: 'c', image: 'busybox' }],
          restartPolicy: 'Always',
          nodeName: 'Node-A',
          tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        },
        status: { phase: 'Pending' },
      },
    })
    expect(uid).toMatch(/^[0-9a-f]{32}$/)
  })

  it('hashes the url without the node for http, and adds no toleration', () => {
    const origin = { ...file, source: 'http', location: 'http://x/pod' } as const
    const pod = applied(manifest(), origin)
    expect(pod.metadata.uid).toBe(nodeHash.md5Hex(canonicalJson(manifest()) + 'url:http://x/pod'))
    expect(pod.spec.tolerations).toBeUndefined()
    expect(applied(manifest(), { ...origin, nodeName: 'other' }).metadata.uid).toBe(
      pod.metadata.uid,
    )
  })

  it('changes the uid with content, path and node, and not with the order of keys', () => {
    const { uid } = applied(manifest()).metadata
    const image = manifest({ containers: [{ name: 'c', image: 'nginx' }] })
    expect(applied(image).metadata.uid).not.toBe(uid)
    expect(applied(manifest(), { ...file, location: '/x' }).metadata.uid).not.toBe(uid)
    expect(applied(manifest(), { ...file, nodeName: 'b' }).metadata.uid).not.toBe(uid)
    const reordered: Pod = {
      spec: { restartPolicy: 'Always', containers: [{ image: 'busybox', name: 'c' }] },
      metadata: { labels: { app: 'web' }, uid: '', name: 'web' },
      kind: 'Pod',
      apiVersion: 'v1',
    }
    expect(applied(reordered).metadata.uid).toBe(uid)
  })

  it('keeps a uid that the manifest sets, whatever else changes, and writes it as the hash', () => {
    const pod = applied(manifest({ hostNetwork: true }, { uid: 'fixed' }))
    expect(pod.metadata.uid).toBe('fixed')
    expect(pod.metadata.annotations).toEqual({ 'kubernetes.io/config.hash': 'fixed' })
  })

  it('keeps the namespace, the annotations and other tolerations', () => {
    const pod = applied(
      manifest(
        { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }] },
        { namespace: 'kube-system', annotations: { a: 'b' } },
      ),
    )
    expect(pod.metadata.namespace).toBe('kube-system')
    expect(pod.metadata.annotations?.['a']).toBe('b')
    expect(pod.spec.tolerations).toEqual([
      { key: 'a', operator: 'Exists', effect: 'NoSchedule' },
      { operator: 'Exists', effect: 'NoExecute' },
    ])
  })

  it('does not add the toleration twice, and takes the limit off one that has seconds', () => {
    const pod = applied(
      manifest({
        tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
      }),
    )
    expect(pod.spec.tolerations).toEqual([{ operator: 'Exists', effect: 'NoExecute' }])
  })

  it('refuses a manifest without a name, even one with generateName', () => {
    expect(applyStaticDefaults(manifest({}, { name: '', generateName: 'a-' }), file)).toEqual({
      ok: false,
      error: ['invalid pod: name is needed for the pod'],
    })
  })

  const container = (fields: object) => ({
    containers: [{ name: 'c', image: 'i', ...fields }],
  })
  const volume = (fields: object) => ({ volumes: [{ name: 'v', ...fields }] })

  it.each<readonly [string, Partial<PodSpec>]>([
    ['serviceaccounts', { serviceAccountName: 'default' }],
    ['secrets', { imagePullSecrets: [{ name: 's' }] }],
    [
      'secrets',
      container({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    ],
    ['secrets', container({ envFrom: [{ secretRef: { name: 's' } }] })],
    ['secrets', volume({ secret: { secretName: 's' } })],
    ['secrets (via secret volumes)', volume({ secret: {} })],
    ['secrets', volume({ cephfs: { monitors: [], secretRef: { name: 's' } } })],
    ['secrets', { initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 's' } }] }] }],
    [
      'configmaps',
      container({ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 's', key: 'k' } } }] }),
    ],
    ['configmaps', container({ envFrom: [{ configMapRef: { name: 's' } }] })],
    ['configmaps', volume({ configMap: { name: 'm' } })],
    ['configmaps', volume({ projected: { sources: [{ configMap: { name: 'm' } }] } })],
    ['resourceclaims', { resourceClaims: [{ name: 'r' }] }],
    ['persistentvolumeclaims', volume({ persistentVolumeClaim: { claimName: 'p' } })],
    ['persistentvolumeclaims (via ephemeral volumes)', volume({ ephemeral: {} })],
    ['csidrivers (via CSI volumes)', volume({ csi: { driver: 'd' } })],
    [
      'serviceaccounts (via projected volumes)',
      volume({
        projected: { sources: [{ downwardAPI: {} }, { serviceAccountToken: { path: 't' } }] },
      }),
    ],
    ['clustertrustbundles', volume({ projected: { sources: [{ clusterTrustBundle: {} }] } })],
  ])('refuses a reference to %s', (resource, spec) => {
    expect(applyStaticDefaults(manifest(spec), file)).toEqual({
      ok: false,
      error: [`static pods may not reference ${resource}`],
    })
  })

  it('refuses volumes of a type that it does not know', () => {
    expect(applyStaticDefaults(manifest(volume({ floppy: {} })), file)).toEqual({
      ok: false,
      error: ['unknown volume type for volume "v"'],
    })
    expect(
      applyStaticDefaults(manifest(volume({ projected: { sources: [{ moon: {} }] } })), file),
    ).toEqual({ ok: false, error: ['unknown source for projected volume "v"'] })
  })

  it('admits volumes and variables that need no API object', () => {
    const result = applyStaticDefaults(
      manifest({
        ...container({
          env: [
            { name: 'A', value: 'x' },
            { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          ],
        }),
        imagePullSecrets: [],
        volumes: [
          { name: 'a', hostPath: { path: '/tmp' } },
          { name: 'b', emptyDir: {} },
          { name: 'c', projected: { sources: [{ downwardAPI: {} }] } },
        ],
      }),
      file,
    )
    expect(result.ok).toBe(true)
  })

  it('takes its defaults from the API’s own: Always, 30 seconds, ClusterFirst', () => {
    expect(read(written).spec).toMatchObject({
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      containers: [{ terminationMessagePath: '/dev/termination-log', imagePullPolicy: 'Always' }],
    })
  })

  it('hashes before it names: neither suffix nor namespace default are in the uid', () => {
    const { uid } = applied(manifest()).metadata
    expect(applied(manifest({}, { name: 'web-node-a' })).metadata.uid).not.toBe(uid)
    expect(applied(manifest({}, { namespace: 'default' })).metadata.uid).not.toBe(uid)
  })

  it.each([
    ['a comment', `# a comment\n${written}`],
    ['blank lines', `${written}\n\n\n`],
    ['what defaulting would fill', written.replace('spec: {', 'spec: {restartPolicy: Always, ')],
  ])('has the same uid with %s', (_, text) => {
    expect(read(text).metadata.uid).toBe(read(written).metadata.uid)
  })

  it('drops an invalid pod, and gives the reason', () => {
    const text = written.replace(', image: i', '')
    expect(readStaticPod(text, { ...file, nodeName: 'node-a' })).toMatchObject({
      kind: 'rejected',
      problem: { message: 'The pod is invalid: spec.containers[0].image: Required value.' },
    })
  })

  it('with a uid of its own is the same pod after an edit, and its mirror counts as up to date', () => {
    const before = applied(manifest({}, { uid: 'fixed' }))
    const after = applied(manifest({ hostNetwork: true }, { uid: 'fixed' }))
    expect(after.metadata.uid).toBe(before.metadata.uid)
    expect(isMirrorPodOf(fakeMirrorOf(before), after)).toBe(true)
  })
})

describe('identity#uids-in-events', () => {
  it('are the static pod’s own, not its mirror’s', async () => {
    const cluster = new FakeCluster()
    cluster.manifests.set('web.yaml', manifest({}, { name: 'web' }))
    await cluster.start()
    const staticPod = cluster.kubelet.podManager.getPodByName('default', 'web-node')
    const mirror = cluster.api.pod('web-node')
    const involved = cluster.api.calls
      .filter(({ verb, resource }) => verb === 'create' && resource === 'events')
      // Every body of such a call is an event of the recorder.
      .map(({ body }) => (body as { involvedObject: { kind: string; uid: string } }).involvedObject)
      .filter(({ kind }) => kind === 'Pod')
      .map(({ uid }) => uid)
    expect(involved.length).toBeGreaterThan(0)
    expect(new Set(involved)).toEqual(new Set([staticPod?.metadata.uid]))
    expect(mirror?.metadata.uid).not.toBe(staticPod?.metadata.uid)
  })
})
