import { describe, expect, it } from 'vitest'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { fakePod } from '../../src/main/kubelet/pod/fake-pod.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import { checkNode } from './state-checks.ts'

async function nodeAtWork(): Promise<SimulatedNode> {
  const cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
  })
  cluster.start()
  const manifest = (name: string): Pod => ({
    metadata: { name, uid: `uid-${name}` },
    spec: { containers: [{ name: 'c', image: 'busybox:1', command: ['sleep', '100000'] }] },
  })
  cluster.putManifests([manifest('a'), manifest('b')])
  await cluster.clock.advance(10_000)
  return cluster.node()
}

function found(node: SimulatedNode): readonly string[] {
  const violations: string[] = []
  checkNode(node, (invariant, what) => violations.push(`${invariant} ${what}`))
  return violations
}

describe('checkNode', () => {
  it('finds no violation on a node with static pods and their mirrors', async () => {
    const node = await nodeAtWork()
    expect(node.kubelet.podManager.getPodsAndMirrorPods().allMirrorPods).toHaveLength(2)
    expect(found(node)).toEqual([])
  })

  it('reports (4) two started static pods of one name', async () => {
    const node = await nodeAtWork()
    const { records } = node.kubelet.podWorkers.table
    const record = records.get('uid-a')
    if (record !== undefined) records.set('other', { ...record, uid: 'other' })
    expect(found(node)).toEqual(['4 n1: a-n1_default: uid-a and other'])
  })

  it('reports (5) a pod with the UID of a mirror', async () => {
    const node = await nodeAtWork()
    const { podManager } = node.kubelet
    const mirror = podManager.getPodsAndMirrorPods().allMirrorPods[0]
    podManager.addPod(fakePod({ uid: mirror?.metadata.uid ?? '' }), [])
    expect(found(node)).toEqual([
      `5 n1: ${mirror?.metadata.uid}, a pod's own, is translated`,
      `5 n1: the mirror ${mirror?.metadata.uid} is a pod by its uid`,
    ])
  })
})
