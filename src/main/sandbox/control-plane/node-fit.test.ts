import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../shared/json.ts'
import type { Node, Pod, Taint, Toleration } from '../../../shared/kubernetes/objects.ts'
import { podRequests } from '../../../shared/kubernetes/pod-requests.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'
import { findNodesThatFitPod, nodeMisfit } from './node-fit.ts'
import { nodeLoad } from './node-load.ts'

function pod(spec: JsonObject = {}): Pod {
  const all = { containers: [{ name: 'c' }], ...spec }
  return { metadata: { name: 'p', uid: 'u' }, spec: all } as unknown as Pod
}

function node(spec: JsonObject = {}, labels: Record<string, string> = {}, name = 'n1'): Node {
  const status = { allocatable: { cpu: '2', memory: '4Gi', pods: '3', 'a.b/c': '1' } }
  return { metadata: { name, uid: 'u', labels }, spec, status } as unknown as Node
}

function asking(requests: Record<string, string>): Pod {
  return pod({ containers: [{ name: 'c', resources: { requests } }] })
}

describe('a toleration', () => {
  const taint: Taint = { key: 'k', value: 'v', effect: 'NoSchedule' }

  // k8s.io/api core/v1 toleration_test.go.
  it.each<[Toleration, boolean]>([
    [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, true],
    [{ key: 'k', value: 'v' }, true],
    [{ key: 'k', operator: 'Exists' }, true],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Exists', effect: 'NoSchedule' }, true],
    [{ key: 'k', operator: 'Equal', value: 'w' }, false],
    [{ key: 'k' }, false],
    [{ key: 'x', operator: 'Exists' }, false],
    [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ operator: 'Exists', effect: 'NoExecute' }, false],
  ])('%j', (toleration, expected) => {
    expect(toleratesTaint(toleration, taint)).toBe(expected)
  })
})

describe('a pod fits a node', () => {
  const taints = [{ key: 'k', effect: 'NoSchedule' }]
  const affinity = (...terms: readonly JsonObject[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
      },
    },
  })
  const untolerated = { reasons: ['node(s) had untolerated taint(s)'], isFinal: true }
  const unmatched = {
    reasons: ["node(s) didn't match Pod's node affinity/selector"],
    isFinal: true,
  }

  it.each<[string, Pod, Node, unknown]>([
    ['that asks for nothing', pod(), node(), undefined],
    [
      'not if the node is cordoned',
      pod(),
      node({ unschedulable: true }),
      { reasons: ['node(s) were unschedulable'], isFinal: true },
    ],
    [
      'if it tolerates the cordon',
      pod({ tolerations: [{ operator: 'Exists' }] }),
      node({ unschedulable: true }),
      undefined,
    ],
    ['unless it has a taint', pod(), node({ taints }), untolerated],
    [
      'despite a PreferNoSchedule taint',
      pod(),
      node({ taints: [{ key: 'k', effect: 'PreferNoSchedule' }] }),
      undefined,
    ],
    [
      'not with a NoExecute taint',
      pod(),
      node({ taints: [{ key: 'k', effect: 'NoExecute' }] }),
      untolerated,
    ],
    [
      'if it tolerates the taint',
      pod({ tolerations: [{ key: 'k', operator: 'Exists' }] }),
      node({ taints }),
      undefined,
    ],
    ['that selects it', pod({ nodeSelector: { a: 'b' } }), node({}, { a: 'b' }), undefined],
    [
      'not if its node selector does not match',
      pod({ nodeSelector: { a: 'b' } }),
      node({}, { a: 'c' }),
      unmatched,
    ],
    [
      'if one affinity term matches',
      pod(
        affinity(
          { matchExpressions: [{ key: 'z', operator: 'Exists' }] },
          { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
        ),
      ),
      node({}, { a: 'b' }),
      undefined,
    ],
    [
      'not if no affinity term matches completely',
      pod(
        affinity({
          matchExpressions: [
            { key: 'a', operator: 'In', values: ['b'] },
            { key: 'a', operator: 'NotIn', values: ['b'] },
          ],
        }),
      ),
      node({}, { a: 'b' }),
      unmatched,
    ],
    [
      'if its affinity compares numbers',
      pod(
        affinity({
          matchExpressions: [
            { key: 'n', operator: 'Gt', values: ['4'] },
            { key: 'n', operator: 'Lt', values: ['6'] },
          ],
        }),
      ),
      node({}, { n: '5' }),
      undefined,
    ],
    [
      'if its affinity names the node',
      pod(affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] })),
      node(),
      undefined,
    ],
    ['unless its term is empty', pod(affinity({})), node(), unmatched],
    [
      'not if the node has a label it excludes',
      pod(affinity({ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] })),
      node({}, { a: 'b' }),
      unmatched,
    ],
    ['that just fits', asking({ cpu: '2', memory: '4Gi' }), node(), undefined],
    [
      'not if it requests too much',
      asking({ cpu: '2001m', memory: '5Gi' }),
      node(),
      { reasons: ['Insufficient cpu', 'Insufficient memory'], isFinal: true },
    ],
    [
      'not if it requests a resource that the node lacks',
      asking({ 'x.y/z': '1' }),
      node(),
      { reasons: ['Insufficient x.y/z'], isFinal: true },
    ],
  ])('%s', (_, given, on, expected) => {
    expect(nodeMisfit(given, on, nodeLoad([]))).toEqual(expected)
  })

  it('considers the pods that are on the node', () => {
    const there = [asking({ cpu: '1500m' }), pod()]
    expect(nodeMisfit(asking({ cpu: '500m' }), node(), nodeLoad(there))).toBeUndefined()
    expect(nodeMisfit(asking({ cpu: '501m' }), node(), nodeLoad(there))?.reasons).toEqual([
      'Insufficient cpu',
    ])
    expect(nodeMisfit(pod(), node(), nodeLoad([...there, pod()]))?.reasons).toEqual([
      'Too many pods',
    ])
  })

  it('not if a host port is in use', () => {
    const port = (hostPort: number, protocol = 'TCP') =>
      pod({ containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, protocol }] }] })
    const reasons = ["node(s) didn't have free ports for the requested pod ports"]
    expect(nodeMisfit(port(80), node(), nodeLoad([port(80)]))).toEqual({ reasons, isFinal: false })
    expect(nodeMisfit(port(80), node(), nodeLoad([port(81), port(80, 'UDP')]))).toBeUndefined()
  })
})

describe('the requests of a pod', () => {
  const cpu = (name: string, millis: number, more: JsonObject = {}) => ({
    name,
    resources: { requests: { cpu: `${millis}m` } },
    ...more,
  })
  const sidecar = { restartPolicy: 'Always' }

  it.each<[string, JsonObject, bigint]>([
    ['its containers together', { containers: [cpu('a', 100), cpu('b', 200)] }, 300n],
    [
      'its largest init container',
      { containers: [cpu('a', 100)], initContainers: [cpu('i', 500), cpu('j', 300)] },
      500n,
    ],
    [
      'not its init containers together',
      { containers: [cpu('a', 100)], initContainers: [cpu('i', 80), cpu('j', 90)] },
      100n,
    ],
    [
      'its sidecars with its containers',
      { containers: [cpu('a', 100)], initContainers: [cpu('s', 50, sidecar)] },
      150n,
    ],
    [
      'an init container with the sidecars before it',
      { containers: [cpu('a', 100)], initContainers: [cpu('s', 50, sidecar), cpu('i', 300)] },
      350n,
    ],
    [
      'an init container without the sidecars after it',
      { containers: [cpu('a', 100)], initContainers: [cpu('i', 300), cpu('s', 50, sidecar)] },
      300n,
    ],
  ])('is %s', (_, spec, millis) => {
    expect(podRequests(pod(spec)).get('cpu')).toBe(millis)
  })
})

describe('the message about a pod that fits no node', () => {
  const full = (name: string, priority = 0) => ({
    node: node({}, {}, name),
    load: nodeLoad([withPriority(asking({ cpu: '2' }), priority)]),
  })
  const tainted = (name: string) => ({
    node: node({ taints: [{ key: 'k', effect: 'NoSchedule' }] }, {}, name),
    load: nodeLoad([]),
  })
  const critical = 2_000_000_000
  const withPriority = (given: Pod, priority: number): Pod => ({
    ...given,
    spec: { ...given.spec, priority },
  })
  const named = (...values: readonly (readonly string[])[]) =>
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchFields: values.map((names) => ({
                  key: 'metadata.name',
                  operator: 'In',
                  values: names,
                })),
              },
            ],
          },
        },
      },
    })
  const post = 'no new claims to deallocate, preemption:'

  it.each<[string, Pod, Parameters<typeof findNodesThatFitPod>[1], string]>([
    ['says that there is no node', pod(), [], 'no nodes available to schedule pods'],
    [
      'counts the nodes of each reason, sorted as text',
      asking({ cpu: '1', memory: '5Gi' }),
      [tainted('a'), full('b'), tainted('c')],
      `0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 2 node(s) had untolerated taint(s). ${post} 0/3 nodes are available: 3 Preemption is not helpful for scheduling.`,
    ],
    [
      'finds no victims among pods with the same priority',
      asking({ cpu: '1' }),
      [full('a'), tainted('b')],
      `0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). ${post} 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.`,
    ],
    [
      'does not claim that there are no victims if a real scheduler would preempt',
      withPriority(asking({ cpu: '1' }), critical),
      [full('a'), full('b', critical)],
      `0/2 nodes are available: 2 Insufficient cpu. ${post} 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 The sandbox's scheduler does not preempt.`,
    ],
    [
      'names the nodes that an affinity to names excludes',
      named(['b']),
      [tainted('a'), tainted('b')],
      `0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity], 1 node(s) had untolerated taint(s). ${post} 0/2 nodes are available: 2 Preemption is not helpful for scheduling.`,
    ],
    [
      'says that an affinity contradicts itself',
      named(['a'], ['b']),
      [tainted('a')],
      '0/1 nodes are available: pod affinity terms conflict. not found',
    ],
  ])('%s', (_, given, nodes, message) => {
    expect(findNodesThatFitPod(given, nodes)).toEqual({ ok: false, error: message })
  })

  it('is absent if one node fits', () => {
    const free = { node: node({}, {}, 'c'), load: nodeLoad([]) }
    const fitting = findNodesThatFitPod(asking({ cpu: '1' }), [full('a'), free, tainted('b')])
    expect(fitting).toEqual({ ok: true, value: [free] })
  })
})
