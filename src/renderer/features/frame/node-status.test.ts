import { describe, expect, it } from 'vitest'
import type { NodeView } from '../../../shared/model/cluster-view.ts'
import { noShutdown } from '../../../shared/model/node/node-shutdown-view.ts'
import { fakeCluster, fakeNow } from '../../bridge/fake-views.ts'
import { clusterStatus, nodeStatus } from './node-status.ts'

const away = {
  kind: 'away',
  since: fakeNow - 45_000,
  retryAt: null,
  message: 'refused',
} as const
const [node] = fakeCluster().nodes
if (node === undefined) throw new Error('the cluster has a node')

describe('the status of a cluster', () => {
  it.each([
    [{ kind: 'connected' } as const, false, 'full', 'connected'],
    [{ kind: 'connecting' } as const, false, 'ring', 'connecting'],
    [{ kind: 'waiting', message: 'for the lease' } as const, false, 'ring', 'waiting'],
    [away, false, 'cross', 'API server unreachable'],
    [{ kind: 'connected' } as const, true, 'cross', 'page disconnected'],
  ])('%j, page lost %s', (connection, isPageLost, sign, word) => {
    expect(clusterStatus(fakeCluster({ connection }), isPageLost)).toMatchObject({ sign, word })
  })
})

describe('the status of a node', () => {
  it.each<[Partial<NodeView>, string, string]>([
    [{}, 'plain', 'Ready'],
    [{ status: 'Ready,SchedulingDisabled' }, 'warn', 'Ready,SchedulingDisabled'],
    [{ status: 'NotReady' }, 'error', 'NotReady'],
    [{ status: 'Unknown' }, 'error', 'Unknown'],
    [{ registered: false }, 'warn', 'not registered yet'],
    [{ agent: 'stopped' }, 'error', 'kubelet stopped'],
    [{ status: 'Unknown', agent: 'stopped', machine: 'off' }, 'error', 'machine off'],
    [
      { status: 'NotReady', shutdown: { ...noShutdown, phase: 'running' } },
      'warn',
      'shutting down',
    ],
  ])('%j', (part, tone, word) => {
    expect(nodeStatus({ ...node, ...part }, fakeCluster())).toEqual({ tone, word })
  })

  it('has the time of the last answer while the API server is unreachable', () => {
    expect(nodeStatus(node, fakeCluster({ connection: away }))).toEqual({
      tone: 'warn',
      word: 'Ready, as of 14:01:46',
    })
  })

  it('is cut off with its cluster or alone', () => {
    const cluster = fakeCluster({ connection: away, isCutOff: true })
    const cut = { ...node, isCutOff: true }
    expect(nodeStatus(cut, cluster)).toEqual({ tone: 'warn', word: 'cut off' })
    expect(nodeStatus(cut, fakeCluster())).toEqual({ tone: 'warn', word: 'cut off' })
    expect(clusterStatus(cluster, false)).toMatchObject({ sign: 'cross', word: 'nodes cut off' })
  })
})
