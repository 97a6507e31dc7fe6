import { describe, expect, it } from 'vitest'
import type { Pod, PodSpec } from '../../../shared/kubernetes/objects.ts'
import { nodeHash } from '../../clock/node-hash.ts'
import { canonicalJson } from './canonical-json.ts'
import { applyStaticDefaults } from './static-pod.ts'
import type { StaticPodOrigin } from './static-pod.ts'

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

function applied(pod: Pod, origin = file): Pod {
  const result = applyStaticDefaults(pod, origin)
  if (!result.ok) throw new Error(result.error.join())
  return result.value
}

describe('applyStaticDefaults', () => {
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
})

describe('canonicalJson', () => {
  it('sorts keys at every depth, keeps arrays, drops what is undefined', () => {
    expect(canonicalJson({ b: [2, { d: 1, c: null }], a: undefined, A: 'x"' })).toBe(
      '{"A":"x\\"","b":[2,{"c":null,"d":1}]}',
    )
  })
})
