import { describe, expect, it } from 'vitest'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { FakeWatch } from '../../src/main/cluster/transport/fake-transport.ts'
import { fakePod } from '../../src/main/kubelet/pod/fake-pod.ts'
import { ApiHistory } from './api-history.ts'
import type { Violation } from './invariants.ts'

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

class Fixture {
  readonly violations: Violation[] = []
  readonly watch = new FakeWatch()
  running = new Set<string>()
  #version = 0
  readonly history = new ApiHistory({
    watch: () => Promise.resolve(this.watch.response),
    runs: (uid) => this.running.has(uid),
    report: (invariant, what) => {
      this.violations.push({ invariant, what })
    },
  })

  static async begin(): Promise<Fixture> {
    const fixture = new Fixture()
    await fixture.history.start()
    return fixture
  }

  /** The server stores this version of a pod, written by a user, and the watch sends it. */
  async store(type: 'ADDED' | 'MODIFIED' | 'DELETED', pod: Pod, user = 'admin'): Promise<void> {
    const resourceVersion = String(++this.#version)
    this.history.written(resourceVersion, user)
    const object = { ...pod, metadata: { ...pod.metadata, resourceVersion } }
    this.watch.push({ type, object })
    await settled()
  }

  get numbers(): readonly number[] {
    return this.violations.map(({ invariant }) => invariant)
  }
}

function pod(status: Pod['status'], more: Partial<Pod['metadata']> = {}): Pod {
  const base = fakePod({ uid: 'u', metadata: more })
  return { ...base, spec: { ...base.spec, nodeName: 'n1' }, ...(status && { status }) }
}

const container = { name: 'c', ready: true, image: 'i', imageID: '' }
const kubelet = 'system:node:n1'

describe('ApiHistory', () => {
  it('returns the current pods, and the nodes of deleted ones', async () => {
    const fixture = await Fixture.begin()
    await fixture.store('ADDED', pod({ phase: 'Pending' }))
    expect(fixture.history.pods.map(({ metadata }) => metadata.uid)).toEqual(['u'])
    expect(fixture.history.pod('u')?.status).toEqual({ phase: 'Pending' })
    await fixture.store('DELETED', pod({ phase: 'Pending' }))
    expect(fixture.history.pods).toEqual([])
    expect([fixture.history.nodeOf('u'), fixture.history.nodeOf('x')]).toEqual(['n1', undefined])
    expect(fixture.violations).toEqual([])
    fixture.history.stop()
    expect(fixture.watch.isStopped).toBe(true)
  })

  it.each<[number, string, Pod, Pod]>([
    [6, 'a write without a change', pod({ phase: 'Running' }), pod({ phase: 'Running' })],
    [
      8,
      'a restart count that falls',
      pod({ containerStatuses: [{ ...container, restartCount: 2 }] }),
      pod({ containerStatuses: [{ ...container, restartCount: 1 }] }),
    ],
    [
      9,
      'another start time',
      pod({ startTime: '2026-01-01T00:00:00Z' }),
      pod({ startTime: '2026-01-01T00:00:01Z' }),
    ],
    [
      9,
      'a deletion that moves away',
      pod({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      pod({}, { deletionTimestamp: '2026-01-01T00:00:01Z' }),
    ],
    [9, 'a deletion taken back', pod({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), pod({})],
  ])('reports (%i) %s', async (invariant, _what, before, after) => {
    const fixture = await Fixture.begin()
    await fixture.store('ADDED', before)
    await fixture.store('MODIFIED', after)
    expect(fixture.numbers).toEqual([invariant])
  })

  it('accepts a deletion whose time is over when its grace period is shortened', async () => {
    const fixture = await Fixture.begin()
    const deleted = (deletionTimestamp: string, deletionGracePeriodSeconds: number) =>
      pod({}, { deletionTimestamp, deletionGracePeriodSeconds })
    await fixture.store('ADDED', deleted('2026-01-01T00:00:00Z', 30))
    await fixture.store('MODIFIED', deleted('2026-01-01T00:05:00Z', 1))
    expect(fixture.numbers).toEqual([])
  })

  it('reports (9) a pod that leaves its node', async () => {
    const fixture = await Fixture.begin()
    const before = pod({})
    await fixture.store('ADDED', before)
    await fixture.store('MODIFIED', { ...before, spec: { ...before.spec, nodeName: 'n2' } })
    expect(fixture.numbers).toEqual([9])
  })

  it('reports (7) a changed terminal phase that the kubelet had reported, but not one from another writer', async () => {
    for (const [user, expected] of [
      [kubelet, [7]],
      ['system:kube-controller-manager', []],
    ] as const) {
      const fixture = await Fixture.begin()
      await fixture.store('ADDED', pod({ phase: 'Running' }))
      await fixture.store('MODIFIED', pod({ phase: 'Failed' }), user)
      await fixture.store('MODIFIED', pod({ phase: 'Running' }), kubelet)
      expect(fixture.numbers).toEqual(expected)
    }
  })

  it('reports (13) a terminal phase while a container runs, unless the pod was rejected', async () => {
    const fixture = await Fixture.begin()
    fixture.running.add('u')
    await fixture.store('ADDED', pod({ phase: 'Running' }))
    await fixture.store(
      'MODIFIED',
      pod({ phase: 'Failed', message: 'Pod was rejected: too much' }),
      kubelet,
    )
    expect(fixture.numbers).toEqual([])
    const other = await Fixture.begin()
    other.running.add('u')
    await other.store('ADDED', pod({ phase: 'Running' }))
    await other.store('MODIFIED', pod({ phase: 'Succeeded' }), kubelet)
    expect(other.numbers).toEqual([13])
  })

  it('accepts a restart count that falls when a deleted pod is over', async () => {
    const fixture = await Fixture.begin()
    const deleted = (phase: 'Running' | 'Succeeded', restartCount: number) =>
      pod(
        { phase, containerStatuses: [{ ...container, restartCount }] },
        { deletionTimestamp: '2026-01-01T00:00:00Z' },
      )
    await fixture.store('ADDED', deleted('Running', 2))
    await fixture.store('MODIFIED', deleted('Running', 1))
    expect(fixture.numbers).toEqual([8])
    await fixture.store('MODIFIED', deleted('Succeeded', 0))
    expect(fixture.numbers).toEqual([8])
  })
})
