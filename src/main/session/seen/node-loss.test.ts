import { describe, expect, it } from 'vitest'
import type { Node, Pod, Toleration } from '../../../shared/kubernetes/objects.ts'
import { nodeLoss } from './node-loss.ts'

const second = 1000

function node(ready: string, taints: NonNullable<Node['spec']>['taints'] = []): Node {
  return {
    metadata: { name: 'n1', uid: 'n1' },
    spec: { taints },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  } as Node
}

function pod(...tolerations: readonly Toleration[]): Pod {
  return { metadata: { name: 'web', uid: 'web' }, spec: { containers: [], tolerations } }
}

const unreachable = {
  key: 'node.kubernetes.io/unreachable',
  effect: 'NoExecute',
  timeAdded: '1970-01-01T00:01:40Z',
} as const
const usual: Toleration = { key: unreachable.key, operator: 'Exists', tolerationSeconds: 300 }

describe('what the control plane does with a node', () => {
  it.each<readonly [string, number, string, unknown]>([
    ['v1.34.4', 24, 'its lease is current', { kind: 'none' }],
    ['v1.34.4', 26, 'its lease is late', { kind: 'late', unknownAt: 50 * second }],
    ['v1.31.0', 26, 'its lease is late, before 1.32', { kind: 'late', unknownAt: 40 * second }],
  ])('server %s, %i s after the last renewal: %s', (serverVersion, seconds, _title, expected) => {
    const facts = { pods: [], renewedAt: 0, serverVersion, now: seconds * second, skewMs: 0 }
    expect(nodeLoss(node('True'), facts)).toEqual(expected)
  })

  it('has times of our clock where that of the cluster is another', () => {
    const facts = {
      pods: [pod(usual)],
      renewedAt: 0,
      serverVersion: '',
      now: 0,
      skewMs: -3600 * second,
    }
    expect(nodeLoss(node('Unknown', [unreachable]), facts)).toMatchObject({
      since: 3700 * second,
      deletions: [{ at: 4000 * second, pods: 1 }],
    })
  })

  it('deletes each pod when its toleration of the taint ends', () => {
    const deleting = pod(usual)
    const pods = [
      pod(usual),
      pod(usual),
      pod({ ...usual, tolerationSeconds: 10 }),
      pod({ operator: 'Exists' }),
      pod(),
      { ...deleting, metadata: { ...deleting.metadata, deletionTimestamp: 'x' } },
    ]
    const facts = { pods, renewedAt: 0, serverVersion: 'v1.34.4', now: 200 * second, skewMs: 0 }
    expect(nodeLoss(node('Unknown', [unreachable]), facts)).toEqual({
      kind: 'tainted',
      taint: unreachable.key,
      since: 100 * second,
      deletions: [
        { at: 100 * second, pods: 1 },
        { at: 110 * second, pods: 1 },
        { at: 400 * second, pods: 2 },
      ],
      staying: 1,
    })
  })

  it('has not tainted it yet', () => {
    const facts = { pods: [], renewedAt: 0, serverVersion: '', now: 60 * second, skewMs: 0 }
    expect(nodeLoss(node('Unknown'), facts)).toEqual({ kind: 'notReady' })
  })
})
