import { describe, expect, it } from 'vitest'
import type { ConditionStatus, Node, Taint } from '../../../../shared/kubernetes/objects.ts'
import { evictionTaints, noScheduleTaints, withoutEviction } from './node-taints.ts'

const now = '2026-01-01T00:00:00Z'

function node(
  conditions: Record<string, ConditionStatus>,
  taints: readonly Taint[] = [],
  unschedulable = false,
): Node {
  return {
    metadata: { name: 'n1', uid: 'u' },
    spec: { taints, unschedulable },
    status: { conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })) },
  }
}

function taint(name: string, effect: Taint['effect'], timeAdded?: string): Taint {
  const key = `node.kubernetes.io/${name}`
  return timeAdded === undefined ? { key, effect } : { key, effect, timeAdded }
}

const own: Taint = { key: 'own', effect: 'NoExecute' }

// api-server#missing-heartbeats.
describe('the taints of a node', () => {
  it.each<[string, Node, readonly Taint[] | undefined]>([
    ['none when it is ready', node({ Ready: 'True' }), undefined],
    [
      'lose not-ready when the node is ready',
      node({ Ready: 'True' }, [
        own,
        taint('not-ready', 'NoSchedule'),
        taint('unreachable', 'NoSchedule'),
      ]),
      [own],
    ],
    [
      'keep not-ready while the node has no Ready condition',
      node({}, [taint('not-ready', 'NoSchedule')]),
      undefined,
    ],
    [
      'have unreachable instead of not-ready, and keep what evicts',
      node({ Ready: 'Unknown' }, [
        taint('not-ready', 'NoSchedule'),
        taint('not-ready', 'NoExecute'),
      ]),
      [taint('not-ready', 'NoExecute'), taint('unreachable', 'NoSchedule', now)],
    ],
    [
      'have the pressures',
      node({
        Ready: 'True',
        MemoryPressure: 'True',
        DiskPressure: 'True',
        PIDPressure: 'True',
        NetworkUnavailable: 'True',
      }),
      [
        taint('memory-pressure', 'NoSchedule', now),
        taint('disk-pressure', 'NoSchedule', now),
        taint('pid-pressure', 'NoSchedule', now),
        taint('network-unavailable', 'NoSchedule', now),
      ],
    ],
    [
      'lose pressures that are over',
      node({ Ready: 'True', MemoryPressure: 'False' }, [taint('memory-pressure', 'NoSchedule')]),
      [],
    ],
    ['a cordon', node({ Ready: 'True' }, [], true), [taint('unschedulable', 'NoSchedule', now)]],
    [
      'lose a cordon that is lifted',
      node({ Ready: 'True' }, [taint('unschedulable', 'NoSchedule', now)]),
      [],
    ],
    [
      'keep the time of an existing taint',
      node({ Ready: 'Unknown' }, [taint('unreachable', 'NoSchedule', 'before')]),
      undefined,
    ],
    [
      'keep an effect that no condition manages',
      node({ Ready: 'True' }, [taint('memory-pressure', 'NoExecute')]),
      undefined,
    ],
  ])('%s', (_, given, expected) => {
    expect(noScheduleTaints(given, now)).toEqual(expected)
  })
})

it('of a lost node evict by one of the two keys', () => {
  const unreachable = taint('unreachable', 'NoExecute', now)
  const notReady = taint('not-ready', 'NoExecute')
  const lost = node({ Ready: 'Unknown' }, [own, notReady])
  expect(evictionTaints(lost, unreachable.key, now)).toEqual([own, unreachable])
  expect(evictionTaints(lost, notReady.key, now)).toBeUndefined()
  expect(withoutEviction(lost, [notReady.key])).toEqual([own])
  expect(withoutEviction(lost, [unreachable.key])).toBeUndefined()
})
