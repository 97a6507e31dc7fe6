import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../shared/json.ts'
import { freezeJson } from '../../../shared/json.ts'
import { ok } from '../../../shared/result.ts'
import { schemaNamed } from '../../../shared/kubernetes/schema/api-schema.ts'
import { strategicMerge } from './strategic-merge.ts'

function merge(original: JsonObject, patch: JsonObject, kind = 'core.v1.Pod'): unknown {
  // Frozen: a merge that changed its arguments would throw.
  const result = strategicMerge(freezeJson(original), freezeJson(patch), schemaNamed(kind))
  return result.ok ? result.value : { error: result.error }
}

function containers(...list: readonly unknown[]): JsonObject {
  return { spec: { containers: list } }
}

// Expected values are those of apimachinery v0.34.4 StrategicMergeMapPatch.
describe('a strategic merge', () => {
  it.each<[string, JsonObject, JsonObject, unknown]>([
    [
      'merges maps and replaces scalars',
      { a: { b: 1, c: 2 }, d: 'x' },
      { a: { c: 3 }, d: 'y' },
      { a: { b: 1, c: 3 }, d: 'y' },
    ],
    [
      'deletes by null',
      { metadata: { labels: { a: '1', b: '2' } } },
      { metadata: { labels: { a: null } } },
      { metadata: { labels: { b: '2' } } },
    ],
    [
      'deletes a whole map by null',
      { metadata: { labels: { a: '1' } } },
      { metadata: { labels: null } },
      { metadata: {} },
    ],
    [
      'forgets the null of what is not there',
      {},
      { spec: { nodeName: null, a: { b: null, c: 1 } } },
      { spec: { a: { c: 1 } } },
    ],
    ['replaces a value of another type', { a: { b: 1 } }, { a: [1] }, { a: [1] }],
    [
      'matches containers by name',
      containers({ name: 'a', image: '1' }, { name: 'b', image: '2' }),
      containers({ name: 'b', image: '3' }),
      containers({ name: 'a', image: '1' }, { name: 'b', image: '3' }),
    ],
    [
      'puts new elements before those that the patch does not name',
      containers({ name: 'a' }),
      containers({ name: 'b' }),
      containers({ name: 'b' }, { name: 'a' }),
    ],
    [
      'matches the environment by name inside a container',
      containers({
        name: 'a',
        env: [
          { name: 'X', value: '1' },
          { name: 'Y', value: '2' },
        ],
      }),
      containers({ name: 'a', env: [{ name: 'Y', value: '3' }] }),
      containers({
        name: 'a',
        env: [
          { name: 'X', value: '1' },
          { name: 'Y', value: '3' },
        ],
      }),
    ],
    [
      'matches ports by number',
      containers({ name: 'a', ports: [{ containerPort: 80, name: 'x' }] }),
      containers({
        name: 'a',
        ports: [{ containerPort: 80, protocol: 'TCP' }, { containerPort: 81 }],
      }),
      containers({
        name: 'a',
        ports: [{ containerPort: 80, name: 'x', protocol: 'TCP' }, { containerPort: 81 }],
      }),
    ],
    [
      'matches mounts by path',
      containers({ name: 'a', volumeMounts: [{ mountPath: '/a', name: 'v' }] }),
      containers({ name: 'a', volumeMounts: [{ mountPath: '/a', name: 'w' }] }),
      containers({ name: 'a', volumeMounts: [{ mountPath: '/a', name: 'w' }] }),
    ],
    [
      'matches init containers and volumes by name',
      {
        spec: {
          initContainers: [{ name: 'i', image: '1' }],
          volumes: [{ name: 'v', emptyDir: {} }],
        },
      },
      {
        spec: {
          initContainers: [{ name: 'i', image: '2' }],
          volumes: [{ name: 'w', emptyDir: {} }],
        },
      },
      {
        spec: {
          initContainers: [{ name: 'i', image: '2' }],
          volumes: [
            { name: 'w', emptyDir: {} },
            { name: 'v', emptyDir: {} },
          ],
        },
      },
    ],
    [
      'matches conditions by type',
      {
        status: {
          conditions: [
            { type: 'Ready', status: 'False', reason: 'x' },
            { type: 'S', status: 'True' },
          ],
        },
      },
      { status: { conditions: [{ type: 'Ready', status: 'True', reason: null }] } },
      {
        status: {
          conditions: [
            { type: 'Ready', status: 'True' },
            { type: 'S', status: 'True' },
          ],
        },
      },
    ],
    [
      'matches addresses of the pod by ip',
      { status: { podIPs: [{ ip: '1' }] } },
      { status: { podIPs: [{ ip: '2' }] } },
      { status: { podIPs: [{ ip: '2' }, { ip: '1' }] } },
    ],
    [
      'matches owners by uid',
      { metadata: { ownerReferences: [{ uid: 'a', name: 'x' }] } },
      { metadata: { ownerReferences: [{ uid: 'b', name: 'y' }] } },
      {
        metadata: {
          ownerReferences: [
            { uid: 'b', name: 'y' },
            { uid: 'a', name: 'x' },
          ],
        },
      },
    ],
    [
      'replaces tolerations as a whole',
      { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } },
      { spec: { tolerations: [{ key: 'c', value: null }] } },
      { spec: { tolerations: [{ key: 'c' }] } },
    ],
    [
      'replaces container statuses as a whole',
      { status: { containerStatuses: [{ name: 'a' }, { name: 'b' }] } },
      { status: { containerStatuses: [{ name: 'a', ready: true }] } },
      { status: { containerStatuses: [{ name: 'a', ready: true }] } },
    ],
    [
      'replaces the arguments of a container as a whole',
      containers({ name: 'a', args: ['1', '2'] }),
      containers({ name: 'a', args: ['3'] }),
      containers({ name: 'a', args: ['3'] }),
    ],
    [
      'joins finalizers as a set',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['b', 'c'] } },
      { metadata: { finalizers: ['a', 'b', 'c'] } },
    ],
    [
      'takes an empty list as nothing to merge',
      { metadata: { finalizers: ['a'] } },
      { metadata: { finalizers: [] } },
      { metadata: { finalizers: ['a'] } },
    ],
  ])('%s', (_, original, patch, expected) => {
    expect(merge(original, patch)).toEqual(expected)
  })

  it('replaces the selector of a budget', () => {
    const original = { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }
    const patch = { spec: { selector: { matchLabels: { c: 'd' } } } }
    expect(strategicMerge(original, patch, schemaNamed('policy.v1.PodDisruptionBudget'))).toEqual(
      ok({ spec: { minAvailable: 1, selector: { matchLabels: { c: 'd' } } } }),
    )
  })

  it('replaces taints, and merges addresses and conditions of a node by type', () => {
    const original = {
      spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      status: {
        addresses: [{ type: 'Hostname', address: 'n' }],
        conditions: [{ type: 'Ready', status: 'True' }],
        images: [{ names: ['a'] }],
      },
    }
    const patch = {
      spec: { taints: [{ key: 'b', effect: 'NoExecute' }] },
      status: {
        addresses: [{ type: 'InternalIP', address: '1' }],
        conditions: [{ type: 'Ready', status: 'False' }],
        images: [{ names: ['b'] }],
      },
    }
    expect(merge(original, patch, 'core.v1.Node')).toEqual({
      spec: { taints: [{ key: 'b', effect: 'NoExecute' }] },
      status: {
        addresses: [
          { type: 'InternalIP', address: '1' },
          { type: 'Hostname', address: 'n' },
        ],
        conditions: [{ type: 'Ready', status: 'False' }],
        images: [{ names: ['b'] }],
      },
    })
  })
})

describe('a directive', () => {
  it.each<[string, JsonObject, JsonObject, unknown]>([
    [
      '$patch: replace of a map',
      { spec: { a: 1, b: 2 } },
      { spec: { $patch: 'replace', c: 3 } },
      { spec: { c: 3 } },
    ],
    [
      '$patch: delete of a map',
      { spec: { a: 1 }, status: {} },
      { spec: { $patch: 'delete' } },
      { spec: {}, status: {} },
    ],
    ['$patch: delete of what is not there', { a: 1 }, { spec: { $patch: 'delete' } }, { a: 1 }],
    [
      '$patch: delete of an element',
      containers({ name: 'a' }, { name: 'b' }),
      containers({ name: 'a', $patch: 'delete' }),
      containers({ name: 'b' }),
    ],
    [
      '$patch: replace of a list',
      containers({ name: 'a' }, { name: 'b' }),
      containers({ name: 'c' }, { $patch: 'replace' }),
      containers({ name: 'c' }),
    ],
    [
      '$patch: delete in a list that is not there',
      {},
      containers({ name: 'a', $patch: 'delete' }, { name: 'b' }),
      containers({ name: 'b' }),
    ],
    [
      '$deleteFromPrimitiveList',
      { metadata: { finalizers: ['a', 'b', 'c'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'c', 'x'] } },
      { metadata: { finalizers: ['b'] } },
    ],
    [
      '$deleteFromPrimitiveList with additions',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] } },
      { metadata: { finalizers: ['c', 'b'] } },
    ],
    [
      '$deleteFromPrimitiveList of what is not there',
      { metadata: {} },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      { metadata: {} },
    ],
    [
      '$retainKeys',
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
      {
        spec: {
          volumes: [{ name: 'v', hostPath: { path: '/' }, $retainKeys: ['name', 'hostPath'] }],
        },
      },
      { spec: { volumes: [{ name: 'v', hostPath: { path: '/' } }] } },
    ],
    [
      '$retainKeys of a new element',
      {},
      { spec: { volumes: [{ name: 'v', emptyDir: {}, $retainKeys: ['name', 'emptyDir'] }] } },
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
    ],
    [
      '$setElementOrder alone',
      containers({ name: 'a' }, { name: 'b' }, { name: 'c' }),
      { spec: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }] } },
      containers({ name: 'b' }, { name: 'c' }, { name: 'a' }),
    ],
    [
      '$setElementOrder with changes',
      containers({ name: 'a' }, { name: 'b' }),
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'b' }, { name: 'n' }, { name: 'a' }],
          containers: [{ name: 'n', image: '1' }],
        },
      },
      containers({ name: 'b' }, { name: 'n', image: '1' }, { name: 'a' }),
    ],
    [
      '$setElementOrder of scalars',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { '$setElementOrder/finalizers': ['c', 'b', 'a'], finalizers: ['c'] } },
      { metadata: { finalizers: ['c', 'b', 'a'] } },
    ],
    [
      '$setElementOrder for a list that is not there',
      {},
      { metadata: { '$setElementOrder/finalizers': ['a'] } },
      { metadata: {} },
    ],
    // The status patches of a kubelet.
    [
      '$setElementOrder of conditions',
      {
        status: {
          conditions: [
            { type: 'A', status: 'True' },
            { type: 'B', status: 'True' },
          ],
        },
      },
      {
        status: {
          '$setElementOrder/conditions': [{ type: 'N' }, { type: 'A' }, { type: 'B' }],
          conditions: [
            { type: 'N', status: 'True' },
            { type: 'B', status: 'False' },
          ],
        },
      },
      {
        status: {
          conditions: [
            { type: 'N', status: 'True' },
            { type: 'A', status: 'True' },
            { type: 'B', status: 'False' },
          ],
        },
      },
    ],
  ])('%s', (_, original, patch, expected) => {
    expect(merge(original, patch)).toEqual(expected)
  })
})

describe('a patch that cannot be merged', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'without a merge key',
      containers({ name: 'a' }),
      containers({ image: 'q' }),
      'map: map[image:q] does not contain declared merge key: name',
    ],
    [
      'with an unknown directive',
      containers({ name: 'c' }),
      containers({ name: 'c', $patch: 'foo' }),
      'unknown patch type: foo in map: map[$patch:foo name:c]',
    ],
    [
      'with an unknown directive of a map',
      { spec: {} },
      { spec: { $patch: 'foo' } },
      'unknown patch type: foo in map: map[$patch:foo]',
    ],
    [
      'with fields that $retainKeys does not name',
      { spec: { volumes: [{ name: 'v' }] } },
      { spec: { volumes: [{ name: 'v', emptyDir: {}, $retainKeys: ['name'] }] } },
      'invalid patch format of retainKeys',
    ],
    [
      'in another order than it says',
      containers({ name: 'a' }),
      { spec: { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a' }] } },
      "The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
    ],
    [
      'with an order that is not a list',
      containers({ name: 'a' }),
      { spec: { '$setElementOrder/containers': 1 } },
      'invalid patch format of setElementOrder list',
    ],
    [
      'with deletions that are no list',
      { metadata: {} },
      { metadata: { '$deleteFromPrimitiveList/finalizers': 1 } },
      'invalid patch format of delete primitive list',
    ],
    [
      'with scalars among objects',
      containers({ name: 'a' }),
      containers('b'),
      'list element types are not identical: [[map[name:a]] [b]]',
    ],
  ])('%s is refused with the server’s message', (_, original, patch, error) => {
    expect(merge(original, patch)).toEqual({ error })
  })
})
