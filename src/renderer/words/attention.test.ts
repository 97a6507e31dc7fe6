import { describe, expect, it } from 'vitest'
import { fakeRow, fakeStaticRow } from '../bridge/fake-views.ts'
import { attentionReason } from './attention.ts'

const fine = fakeRow({ name: 'fine' })
const web = fakeStaticRow({ name: 'web-node' })

describe('the reason why a pod needs attention', () => {
  it.each([
    ['a pod that runs', fine, ''],
    ['a static pod whose mirror matches', web, ''],
    ['a mirror that the kubelet recreates by itself', { ...web, mirror: 'deleting' }, ''],
    [
      'a crash loop',
      { ...fine, tone: 'bad', status: 'Init:CrashLoopBackOff' },
      'A container keeps exiting; the kubelet waits before the next restart.',
    ],
    ['an unknown reason', { ...fine, tone: 'bad', status: 'Signal:9' }, 'STATUS is Signal:9.'],
    [
      'a refused pod',
      {
        ...fine,
        tone: 'bad',
        status: 'OutOfcpu',
        worker: 'none',
        workerReason: "rejected at admission: Node didn't have enough resource: cpu",
      },
      "Rejected at admission: Node didn't have enough resource: cpu.",
    ],
    [
      'a static pod whose name is taken',
      { ...web, worker: 'waiting', workerReason: 'its name is taken by the old UID' },
      'Its name is taken by the old UID.',
    ],
    [
      'a missing mirror',
      { ...web, mirror: 'missing', mirrorReason: 'The namespace does not exist.' },
      'The namespace does not exist.',
    ],
    ['a stale mirror', { ...web, mirror: 'stale' }, 'The mirror is stale.'],
    [
      'an orphaned mirror',
      { ...fine, kind: 'mirror' },
      'Orphaned mirror: no static pod of this name is on the node.',
    ],
    [
      'a pod that the scheduler has not seen yet',
      {
        ...fine,
        worker: 'noKubelet',
        workerReason: 'The scheduler has not processed it yet.',
        isMomentary: true,
      },
      '',
    ],
    [
      'a pod that the scheduler has refused',
      {
        ...fine,
        worker: 'noKubelet',
        workerReason: '0/1 nodes are available: 1 Insufficient cpu.',
      },
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'a pod on a node that is cut off',
      { ...fine, node: 'n2', isCutOff: true },
      "Node n2 is cut off from the API server; its kubelet cannot report the pod's status.",
    ],
    ['a finished pod on it', { ...fine, worker: 'finished', isCutOff: true }, ''],
    [
      'a pod that a finalizer holds',
      { ...fine, status: 'Terminating', tone: 'term', heldBy: ['example.com/hold'] },
      'Finalizer example.com/hold holds the API object.',
    ],
    [
      'a pod that two finalizers hold',
      { ...fine, heldBy: ['a.io/x', 'b.io/y'] },
      'Finalizers a.io/x, b.io/y hold the API object.',
    ],
  ] as const)('is given for %s', (_, row, reason) => {
    expect(attentionReason(row)).toBe(reason)
  })
})
