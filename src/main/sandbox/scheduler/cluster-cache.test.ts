import { describe, expect, it } from 'vitest'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { ClusterCache } from './cluster-cache.ts'

function nodeIn(name: string, zone: string, images: readonly unknown[] = []): Node {
  const labels = { 'topology.kubernetes.io/zone': zone }
  return { metadata: { name, uid: name, labels }, status: { allocatable: { cpu: '4' }, images } }
}

function podAsking(uid: string, cpu: string, affinity?: object): Pod {
  const containers = [{ name: 'c', resources: { requests: { cpu } } }]
  return {
    metadata: { name: uid, uid, namespace: 'default' },
    spec: { containers, ...(affinity === undefined ? {} : { affinity }) },
  }
}

function cpuOn(cache: ClusterCache, name: string): bigint | undefined {
  return cache.get(name)?.requested.get('cpu')
}

describe('the cache of the scheduler', () => {
  it('goes through the zones in turn', () => {
    const cache = new ClusterCache()
    for (const [name, zone] of [
      ['a', 'z1'],
      ['b', 'z1'],
      ['c', 'z2'],
      ['d', 'z1'],
    ] as const)
      cache.putNode(nodeIn(name, zone))
    expect(cache.nodes.map(({ name }) => name)).toEqual(['a', 'c', 'b', 'd'])
    cache.putNode(nodeIn('b', 'z2'))
    expect(cache.nodes.map(({ name }) => name)).toEqual(['a', 'c', 'd', 'b'])
    cache.deleteNode('c')
    expect(cache.nodes.map(({ name }) => name)).toEqual(['a', 'b', 'd'])
  })

  it('counts what the pods of a node request, also of those that came before the node', () => {
    const cache = new ClusterCache()
    cache.putPod(podAsking('early', '1'), 'a')
    cache.putNode(nodeIn('a', 'z1'))
    cache.putNode(nodeIn('b', 'z1'))
    cache.putPod(podAsking('web', '500m'), 'a')
    expect(cpuOn(cache, 'a')).toBe(1500n)
    cache.putPod(podAsking('web', '2'), 'a')
    expect(cpuOn(cache, 'a')).toBe(3000n)
    cache.putPod(podAsking('web', '2'), 'b')
    expect([cpuOn(cache, 'a'), cpuOn(cache, 'b')]).toEqual([1000n, 2000n])
    cache.deletePod('web')
    cache.deletePod('early')
    expect([cpuOn(cache, 'a'), cpuOn(cache, 'b')]).toEqual([0n, 0n])
    expect(cache.get('a')?.pods).toEqual([])
  })

  it('keeps the pods of a node that changes, or goes and comes back', () => {
    const cache = new ClusterCache()
    cache.putNode(nodeIn('a', 'z1'))
    cache.putPod(podAsking('web', '1'), 'a')
    cache.putNode({ ...nodeIn('a', 'z1'), spec: { unschedulable: true } })
    expect(cpuOn(cache, 'a')).toBe(1000n)
    cache.deleteNode('a')
    cache.putNode(nodeIn('a', 'z1'))
    expect(cpuOn(cache, 'a')).toBe(1000n)
  })

  it('knows the nodes with pods that have affinity', () => {
    const cache = new ClusterCache()
    for (const name of ['a', 'b']) cache.putNode(nodeIn(name, 'z1'))
    const required = [{ topologyKey: 'x', labelSelector: {} }]
    const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } }
    cache.putPod(podAsking('plain', '1'), 'a')
    cache.putPod(podAsking('apart', '1', apart), 'b')
    expect(cache.withAffinity.map(({ name }) => name)).toEqual(['b'])
    expect(cache.withRequiredAntiAffinity.map(({ name }) => name)).toEqual(['b'])
    cache.deletePod('apart')
    expect([...cache.withAffinity, ...cache.withRequiredAntiAffinity]).toEqual([])
  })

  it('counts the nodes that have an image', () => {
    const cache = new ClusterCache()
    const image = { names: ['app:1', 'app@sha256:1'], sizeBytes: 5 }
    for (const name of ['a', 'b']) cache.putNode(nodeIn(name, 'z1', [image]))
    expect(cache.imageState('app:1')).toEqual({ size: 5, nodes: 2 })
    cache.putNode(nodeIn('a', 'z1'))
    cache.deleteNode('b')
    expect(cache.imageState('app:1')).toEqual({ size: 0, nodes: 0 })
  })
})
