import { describe, expect, it } from 'vitest'
import type { Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { SchedulerChecks } from './checks.ts'

const node: Node = {
  metadata: { name: 'n1', uid: 'n1' },
  status: { allocatable: { cpu: '2', memory: '4Gi', pods: '9' } },
}

function podAsking(uid: string, cpu: string, spec: Partial<Pod['spec']> = {}): Pod {
  const containers = [{ name: 'c', resources: { requests: { cpu } } }]
  return { metadata: { name: uid, namespace: 'default', uid }, spec: { containers, ...spec } }
}

function setUp() {
  let now = 0
  const violations: string[] = []
  const checks = new SchedulerChecks({
    watch: () => Promise.reject(new Error('not watched')),
    now: () => now,
    report: (invariant, what) => violations.push(`${invariant} ${what}`),
  })
  const bind = (pod: Pod): void => {
    checks.takePod(pod, false)
    checks.takePod({ ...pod, spec: { ...pod.spec, nodeName: 'n1' } }, false)
  }
  const pass = (ms: number): void => {
    now += ms
  }
  checks.takeNode(node, false)
  pass(120_000)
  return { checks, bind, pass, violations }
}

describe('the checks of the scheduler', () => {
  it('accept bindings that fit', () => {
    const { checks, bind, violations } = setUp()
    bind(podAsking('a', '1'))
    bind(podAsking('b', '1'))
    expect([checks.seen.bindings, violations]).toEqual([2, []])
  })

  it('report a pod on a node that has no room for it', () => {
    const { bind, pass, violations } = setUp()
    bind(podAsking('a', '1500m'))
    pass(120_000)
    bind(podAsking('b', '1'))
    expect(violations).toEqual(['27 b (b) on n1: Insufficient cpu'])
  })

  it('accept what the scheduler may not know yet', () => {
    const { checks, bind, violations } = setUp()
    checks.takePod(podAsking('a', '2', { nodeName: 'n1' }), false)
    bind(podAsking('b', '1'))
    checks.takeNode({ ...node, spec: { unschedulable: true } }, false)
    bind(podAsking('c', '1'))
    expect(violations).toEqual([])
  })

  it('report a preemption of a pod that is as important', () => {
    const { checks, violations } = setUp()
    checks.takePod(podAsking('a', '1', { priority: 5 }), false)
    checks.takePod(podAsking('b', '1', { priority: 5 }), false)
    checks.takePod(podAsking('c', '1', { priority: 4 }), false)
    for (const uid of ['b', 'c'])
      checks.takeEvent(
        {
          metadata: { name: 'e', uid },
          involvedObject: { uid },
          reason: 'Preempted',
          message: 'Preempted by pod a on node n1',
        },
        false,
      )
    expect([checks.seen.preemptions, violations]).toEqual([
      2,
      ['28 a of priority 5 preempted b of 5'],
    ])
  })
})
