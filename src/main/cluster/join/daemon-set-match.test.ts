import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, Taint } from '../../../shared/kubernetes/objects.ts'
import { nodeShouldRunDaemonPod } from './daemon-set-match.ts'

const agent: Taint = { key: 'nodescope.dev/agent', value: 'true', effect: 'NoSchedule' }
const node = {
  name: 'n1',
  labels: { 'kubernetes.io/os': 'linux', zone: 'a', size: '12' },
  taints: [agent],
}

const everywhere = [{ operator: 'Exists' }]

function daemonSet(spec: JsonObject): KubeObject {
  return {
    metadata: { name: 'd', namespace: 'kube-system', uid: 'u' },
    spec: { template: { spec: { tolerations: everywhere, ...spec } } },
  }
}

function required(...nodeSelectorTerms: readonly JsonObject[]): JsonObject {
  return {
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  }
}

function expression(key: string, operator: string, ...values: readonly string[]): JsonObject {
  return { matchExpressions: [{ key, operator, values }] }
}

describe('nodeShouldRunDaemonPod', () => {
  it.each([
    ['no toleration', [], false],
    ['Exists without a key', everywhere, true],
    ['Exists without a key for NoSchedule', [{ operator: 'Exists', effect: 'NoSchedule' }], true],
    ['Exists without a key for NoExecute', [{ operator: 'Exists', effect: 'NoExecute' }], false],
    ['its key', [{ key: agent.key, operator: 'Exists' }], true],
    ['another key', [{ key: 'other', operator: 'Exists' }], false],
    ['its key and value', [{ key: agent.key, value: 'true' }], true],
    [
      'its key, Equal and another value',
      [{ key: agent.key, operator: 'Equal', value: 'x' }],
      false,
    ],
    // Validation refuses it; where it is met all the same, the values are compared, as the scheduler does.
    ['Equal without a key and its value', [{ operator: 'Equal', value: 'true' }], true],
    ['Equal without a key and another value', [{ operator: 'Equal', value: 'x' }], false],
    ['an unknown operator', [{ key: agent.key, operator: 'Like' }], false],
  ])('against our taint: %s', (_what, tolerations, lands) => {
    expect(nodeShouldRunDaemonPod(daemonSet({ tolerations }), node)).toBe(lands)
  })

  it('counts the tolerations of all daemon pods, and ignores PreferNoSchedule taints', () => {
    const taints: Taint[] = [
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      { key: 'soft', effect: 'PreferNoSchedule' },
    ]
    const plain = daemonSet({ tolerations: [] })
    expect(nodeShouldRunDaemonPod(plain, { ...node, taints })).toBe(true)
    const network: Taint = { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' }
    expect(nodeShouldRunDaemonPod(plain, { ...node, taints: [network] })).toBe(false)
    const onHost = daemonSet({ tolerations: [], hostNetwork: true })
    expect(nodeShouldRunDaemonPod(onHost, { ...node, taints: [network] })).toBe(true)
  })

  it.each([
    [{}, true],
    [{ nodeSelector: { 'kubernetes.io/os': 'linux' } }, true],
    [{ nodeSelector: { 'kubernetes.io/os': 'windows' } }, false],
    [{ nodeSelector: { 'kubernetes.io/os': 'linux', gpu: 'yes' } }, false],
    [{ nodeName: 'n1' }, true],
    [{ nodeName: 'n2' }, false],
  ])('by selector and name: %o', (spec, lands) => {
    expect(nodeShouldRunDaemonPod(daemonSet(spec), node)).toBe(lands)
  })

  it.each([
    [[expression('zone', 'In', 'a', 'b')], true],
    [[expression('zone', 'In', 'b')], false],
    [[expression('gpu', 'In', 'a')], false],
    [[expression('zone', 'NotIn', 'a')], false],
    [[expression('gpu', 'NotIn', 'a')], true],
    [[expression('zone', 'Exists')], true],
    [[expression('gpu', 'Exists')], false],
    [[expression('gpu', 'DoesNotExist')], true],
    [[expression('zone', 'DoesNotExist')], false],
    [[expression('size', 'Gt', '11')], true],
    [[expression('size', 'Gt', '12')], false],
    [[expression('size', 'Lt', '13')], true],
    [[expression('zone', 'Lt', '13')], false],
    [[expression('zone', 'Resembles', 'a')], false],
    [[expression('zone', 'In', 'b'), expression('zone', 'In', 'a')], true],
    [[{}], false],
    [[], false],
    [[{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }], true],
    [[{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] }], false],
    [[{ matchFields: [{ key: 'metadata.uid', operator: 'Exists' }] }], false],
    [
      [
        {
          matchExpressions: [
            { key: 'zone', operator: 'Exists' },
            { key: 'gpu', operator: 'Exists' },
          ],
        },
      ],
      false,
    ],
  ])('by required affinity: %o', (terms, lands) => {
    expect(nodeShouldRunDaemonPod(daemonSet(required(...terms)), node)).toBe(lands)
  })

  it('accepts a daemon set without a template on a node without taints', () => {
    const bare = { metadata: { name: 'd', uid: 'u' } }
    expect(nodeShouldRunDaemonPod(bare, node)).toBe(false)
    expect(nodeShouldRunDaemonPod(bare, { ...node, taints: [] })).toBe(true)
  })
})
