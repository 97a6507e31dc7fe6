import { describe, expect, it } from 'vitest'
import type { PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { Bench, deletedPod, failed, pending, running, seconds } from './status-fixture.ts'
import { canBeDeleted } from '../../../src/main/kubelet/status/pod-status-writer.ts'

describe('status#batches', () => {
  it('writes nothing before it is started and nothing after it is stopped', async () => {
    const bench = new Bench()
    bench.manager.stop()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, running, [])
    await bench.clock.advance(60_000)
    expect(bench.verbs()).toEqual([])
    bench.manager.start()
    await bench.settle()
    expect(bench.verbs()).toEqual(['get web', 'patch web'])
  })

  it('writes a static pod to its mirror, by the mirror’s uid', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.patches()).toMatchObject([{ metadata: { uid: mirror.metadata.uid } }])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: 1 })
  })

  it('writes no static pod that has no mirror', async () => {
    const bench = new Bench()
    const pod = fakeStaticPod()
    bench.podManager.addPod(pod, [])
    bench.manager.setPodStatus(pod, running, [])
    await bench.clock.advance(10_000)
    expect(bench.verbs()).toEqual([])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: undefined })
  })

  it('coalesces versions that came while another was sent', async () => {
    const bench = new Bench(50)
    const pod = await bench.putSlow()
    bench.manager.setPodStatus(pod, pending, [])
    await bench.clock.advance(10)
    bench.manager.setPodStatus(pod, running, [])
    bench.manager.setPodStatus(pod, { ...running, podIP: '10.0.0.1' }, [])
    await bench.clock.advance(190)
    expect(bench.verbs()).toEqual(['get web', 'patch web', 'get web', 'patch web'])
    expect(bench.api.pod('web')?.status?.podIP).toBe('10.0.0.1')
    expect(bench.trace.data('status.patched').map(({ version }) => version)).toEqual([1, 3])
  })

  it.each([
    [undefined, ['get a', 'patch a', 'get b', 'patch b', 'get c', 'patch c']],
    [2, ['get a', 'get b', 'patch a', 'patch b', 'get c', 'patch c']],
    [9, ['get a', 'get b', 'get c', 'patch a', 'patch b', 'patch c']],
  ])('writes %s pods at a time, by default one', async (writesAtOnce, verbs) => {
    const bench = new Bench(50, writesAtOnce)
    bench.manager.stop()
    for (const name of ['a', 'b', 'c']) {
      const pod = await bench.putSlow({ name, uid: `uid-${name}` })
      bench.manager.setPodStatus(pod, running, [])
    }
    bench.manager.start()
    await bench.clock.advance(1000)
    expect(bench.verbs()).toEqual(verbs)
  })

  it('writes a pod only once at a time, and the newest last, however many pods it may write at once', async () => {
    const bench = new Bench(50, 4)
    const [one, other] = [
      await bench.putSlow({ name: 'a', uid: 'uid-a' }),
      await bench.putSlow({ name: 'b', uid: 'uid-b' }),
    ]
    bench.manager.setPodStatus(one, pending, [])
    bench.manager.setPodStatus(other, pending, [])
    await bench.clock.advance(60)
    bench.manager.setPodStatus(one, running, [])
    await bench.clock.advance(300)
    expect(bench.verbs()).toEqual(['get a', 'get b', 'patch a', 'patch b', 'get a', 'patch a'])
    expect(bench.api.pod('a')?.status?.phase).toBe('Running')
    expect(bench.trace.data('status.patched').map(({ version }) => version)).toEqual([1, 1, 2])
  })

  it('reports how many statuses wait for the server, without static pods that have no mirror', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const { pod: mirrored } = await bench.putStatic()
    const alone = fakeStaticPod({ uid: 'static-2', metadata: { name: 'alone-node' } })
    bench.podManager.addPod(alone, [])
    bench.api.refuse = () => ({ kind: 'unavailable', message: 'connection refused' })
    for (const one of [pod, mirrored, alone]) bench.manager.setPodStatus(one, running, [])
    await bench.clock.advance(1000)
    expect(bench.manager.backlog(1)).toEqual({ cached: 3, unsent: 2, pods: [pod] })
    bench.api.refuse = () => undefined
    await bench.clock.advance(10_000)
    expect(bench.manager.backlog(5)).toEqual({ cached: 3, unsent: 0, pods: [] })
  })

  describe('the ten-second look', () => {
    it('writes a static pod whose mirror came back under another uid at the next tick, at most ten seconds later', async () => {
      const bench = new Bench()
      const { pod, mirror } = await bench.putStatic()
      bench.manager.setPodStatus(pod, running, [])
      await bench.settle()
      bench.api.deletePod(mirror.metadata.name, 0)
      const created = await bench.api.create(
        { resource: 'pods', namespace: 'default' },
        fakeMirrorOf(pod),
      )
      if (!created.ok) throw new Error('not created')
      bench.podManager.removePod(mirror, [])
      bench.podManager.addPod(created.value, [])
      await bench.clock.advance(9_999)
      expect(bench.api.pod(pod.metadata.name)?.status?.phase).toBeUndefined()
      await bench.clock.advance(1)
      expect(bench.api.pod(pod.metadata.name)?.status?.phase).toBe('Running')
    })

    it('restores what another client changed', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      bench.manager.setPodStatus(pod, running, [])
      await bench.settle()
      bench.refresh()
      bench.verbs()
      await bench.clock.advance(10_000)
      expect(bench.verbs()).toEqual([])
      bench.api.setPodStatus('web', { ...bench.api.pod('web')?.status, phase: 'Pending' })
      bench.refresh()
      await bench.clock.advance(10_000)
      expect(bench.verbs()).toEqual(['get web', 'patch web'])
      expect(bench.api.pod('web')?.status?.phase).toBe('Running')
      expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: 1 })
    })

    it('leaves alone what belongs to others, and a server that drops observedGeneration', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      bench.manager.setPodStatus(pod, running, [])
      await bench.settle()
      const { observedGeneration, ...status } = bench.api.pod('web')?.status ?? {}
      expect(observedGeneration).toBe(1)
      bench.api.setPodStatus('web', {
        ...status,
        conditions: [...(status.conditions ?? []), { type: 'example.com/gate', status: 'True' }],
        resourceClaimStatuses: [{ name: 'a' }],
      })
      bench.refresh()
      bench.verbs()
      await bench.clock.advance(30_000)
      expect(bench.verbs()).toEqual([])
    })

    it('compares a static pod with its mirror', async () => {
      const bench = new Bench()
      const { pod } = await bench.putStatic()
      bench.manager.setPodStatus(pod, running, [])
      await bench.settle()
      bench.refresh(pod.metadata.name)
      bench.verbs()
      await bench.clock.advance(10_000)
      expect(bench.verbs()).toEqual([])
      bench.api.setPodStatus(pod.metadata.name, { phase: 'Pending' })
      bench.refresh(pod.metadata.name)
      await bench.clock.advance(10_000)
      expect(bench.verbs()).toEqual([`get ${pod.metadata.name}`, `patch ${pod.metadata.name}`])
    })

    it('forgets what was sent for unknown uids', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      bench.manager.setPodStatus(pod, running, [])
      await bench.settle()
      bench.manager.removeOrphanedStatuses(new Set())
      await bench.clock.advance(10_000)
      bench.manager.setPodStatus(pod, running, [])
      expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: undefined })
    })

    it('waits for the terminal phase in the API before it deletes', async () => {
      const bench = new Bench()
      const pod = await deletedPod(bench)
      bench.running.add(pod.metadata.uid)
      bench.manager.terminatePod(pod, [])
      await bench.settle()
      expect(bench.api.pod('web')?.status?.phase).toBe('Running')
      bench.running.delete(pod.metadata.uid)
      await bench.clock.advance(10_000)
      expect(bench.api.pod('web')).toBeUndefined()
    })
  })
})

describe('status#sending-a-status', () => {
  it('ignores a pod that is no longer in the API (step 1)', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.api.deletePod('web', 0)
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.verbs()).toEqual(['get web'])
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeDefined()
    expect(bench.log.problems).toEqual([])
  })

  it('retries at the next signal or tick when the server failed', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.api.refuse = () => ({ kind: 'unavailable', message: 'connection refused' })
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.trace.data('status.failed')).toEqual([{ message: 'connection refused' }])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: undefined })
    bench.api.refuse = () => undefined
    await bench.clock.advance(10_000)
    expect(bench.api.pod('web')?.status?.phase).toBe('Running')
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: 1 })
  })

  it('drops the status when the name belongs to another pod by now (step 2)', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.api.deletePod('web', 0)
    await bench.put()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.verbs()).toEqual(['get web'])
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeUndefined()
    expect(bench.trace.kinds.at(-1)).toBe('status.dropped')
  })

  it('drops a static pod’s status when the mirror in the API is one that the kubelet has not seen yet (step 2)', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.api.deletePod(mirror.metadata.name, 0)
    await bench.api.create({ resource: 'pods', namespace: 'default' }, fakeMirrorOf(pod))
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeUndefined()
    expect(bench.patches()).toEqual([])
  })

  it('a static pod’s next status is written as soon as its mirror is known (step 2, the way out)', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.api.deletePod(mirror.metadata.name, 0)
    const scope = { resource: 'pods', namespace: 'default' } as const
    const created = await bench.api.create(scope, fakeMirrorOf(pod))
    if (!created.ok) throw new Error(created.error.message)
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    bench.podManager.removePod(mirror, [])
    bench.podManager.addPod(created.value, [])
    await bench.clock.advance(30_000)
    expect(bench.api.pod(pod.metadata.name)?.status?.phase).toBeUndefined()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.api.pod(pod.metadata.name)?.status?.phase).toBe('Running')
  })

  it('withholds the end while containers could run, then writes it, and deletes the object when the worker is done', async () => {
    const bench = new Bench()
    const pod = await deletedPod(bench)
    const { uid } = pod.metadata
    bench.running.add(uid)
    bench.manager.setPodStatus(pod, failed, [])
    await bench.settle()
    expect(bench.api.pod('web')?.status).toMatchObject({
      phase: 'Running',
      containerStatuses: [{ state: { terminated: { exitCode: 137 } } }],
    })
    expect(bench.trace.data('status.withheld')).toEqual([
      { phase: 'Failed', message: 'containers could still be running' },
    ])
    bench.running.delete(uid)
    bench.manager.setPodStatus(pod, failed, [])
    await bench.settle()
    expect(bench.api.pod('web')?.status?.phase).toBe('Failed')
    bench.api.calls.length = 0
    bench.manager.terminatePod(pod, [])
    await bench.settle()
    expect(bench.api.pod('web')).toBeUndefined()
    expect(bench.api.calls.map(({ verb, body }) => [verb, body])).toEqual([
      ['get', undefined],
      ['delete', { gracePeriodSeconds: 0, preconditions: { uid } }],
    ])
    expect(bench.trace.events.at(-1)).toMatchObject({ kind: 'status.podDeleted', data: { uid } })
    expect(bench.manager.getPodStatus(uid)).toBeUndefined()
  })

  it('gates no terminal phase of a static pod, since workers do not know the uid of a mirror (step 3)', async () => {
    const bench = new Bench()
    const { pod } = await bench.putStatic()
    bench.running.add(pod.metadata.uid)
    bench.manager.setPodStatus(pod, failed, [])
    await bench.settle()
    expect(bench.api.pod(pod.metadata.name)?.status?.phase).toBe('Failed')
  })

  it('writes the first status whole, then only what changed with the order of the conditions', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const { uid } = pod.metadata
    bench.manager.setPodStatus(pod, pending, [])
    await bench.settle()
    expect(bench.api.calls.map(({ verb }) => verb)).toEqual(['get', 'patch'])
    const whole = bench.manager.getPodStatus(uid)
    expect(bench.patches()).toEqual([{ metadata: { uid }, status: whole }])
    await bench.clock.advance(2000)
    bench.api.calls.length = 0
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.patches()).toEqual([
      {
        metadata: { uid },
        status: {
          '$setElementOrder/conditions': [{ type: 'Ready' }, { type: 'ContainersReady' }],
          conditions: [
            { type: 'Ready', status: 'True', reason: null, lastTransitionTime: seconds('03') },
            {
              type: 'ContainersReady',
              status: 'True',
              reason: null,
              lastTransitionTime: seconds('03'),
            },
          ],
          phase: 'Running',
          containerStatuses: running.containerStatuses,
        },
      },
    ])
    expect(bench.manager.versions(uid)).toEqual({ cached: 2, sent: 2 })
  })

  it('raises the generation alone when a deletion was only noticed (observed)', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const withGeneration = (generation: number): PodStatus => ({
      ...running,
      conditions:
        running.conditions?.map((condition) => ({
          ...condition,
          observedGeneration: generation,
        })) ?? [],
    })
    bench.manager.setPodStatus(pod, withGeneration(1), [])
    await bench.settle()
    bench.api.deletePod('web')
    const deleting = bench.refresh()
    bench.api.calls.length = 0
    bench.manager.setPodStatus(deleting, withGeneration(2), [])
    await bench.settle()
    expect(bench.patches()).toEqual([
      {
        metadata: { uid: pod.metadata.uid },
        status: {
          observedGeneration: 2,
          '$setElementOrder/conditions': [{ type: 'Ready' }, { type: 'ContainersReady' }],
          conditions: [
            { type: 'Ready', observedGeneration: 2 },
            { type: 'ContainersReady', observedGeneration: 2 },
          ],
        },
      },
    ])
  })

  it('makes no write when nothing differs, and remembers the version as sent (step 4)', async () => {
    const bench = new Bench()
    const pod = await bench.put({ metadata: { deletionTimestamp: seconds('30') } })
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    bench.verbs()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.verbs()).toEqual(['get web'])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 2, sent: 2 })
  })

  it('tries again when only the write failed', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.api.refuse = ({ verb }) =>
      verb === 'patch' ? { kind: 'conflict', message: 'try again' } : undefined
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.manager.versions(pod.metadata.uid)?.sent).toBeUndefined()
    bench.api.refuse = () => undefined
    const other = await bench.put({ name: 'other' })
    bench.manager.setPodStatus(other, running, [])
    await bench.settle()
    expect(bench.api.pod('web')?.status?.phase).toBe('Running')
  })

  it('leads each call back to the status that was cached, and that to its cause', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, running, [40, 41])
    await bench.settle()
    expect(bench.trace.events.map(({ kind, causes }) => [kind, causes])).toEqual([
      ['status.cached', [40, 41]],
      ['status.patched', [1]],
    ])
    expect(bench.trace.data('status.patched')).toEqual([
      { version: 1, phase: 'Running', reason: '' },
    ])
  })

  describe('canBeDeleted', () => {
    const bits = [false, true]
    it.each(
      bits.flatMap((isDeleting) =>
        bits.flatMap((isMirrorPod) =>
          bits.flatMap((isTerminal) =>
            bits.map((isFinished) => ({ isDeleting, isMirrorPod, isTerminal, isFinished })),
          ),
        ),
      ),
    )(
      'deleting $isDeleting, mirror $isMirrorPod, terminal in the API $isTerminal, finished $isFinished',
      ({ isDeleting, isMirrorPod, isTerminal, isFinished }) => {
        const pod = fakePod({
          status: { phase: isTerminal ? 'Failed' : 'Running' },
          metadata: isDeleting ? { deletionTimestamp: seconds('01') } : {},
        })
        const shown = isMirrorPod ? fakeMirrorOf(pod) : pod
        const only = isDeleting && !isMirrorPod && isTerminal && isFinished
        expect(canBeDeleted(shown, isFinished)).toBe(only)
      },
    )

    it('never deletes a mirror', async () => {
      const bench = new Bench()
      const { pod, mirror } = await bench.putStatic()
      bench.manager.terminatePod(pod, [])
      bench.api.deletePod(mirror.metadata.name)
      bench.manager.setPodStatus(pod, failed, [])
      await bench.clock.advance(20_000)
      expect(bench.api.calls.map(({ verb }) => verb)).not.toContain('delete')
    })

    it('leaves the object of a pod that is not deleted', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      bench.manager.setPodStatus(pod, failed, [])
      bench.manager.terminatePod(pod, [])
      await bench.clock.advance(30_000)
      expect(bench.api.pod('web')?.status?.phase).toBe('Failed')
      expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeDefined()
    })
  })

  describe('the race to reproduce', () => {
    it('writes the end up to ten seconds late: the version that was sent too early counts as sent', async () => {
      const bench = new Bench()
      const pod = await deletedPod(bench)
      bench.running.add(pod.metadata.uid)
      // The last status of SyncTerminatingPod is sent before the worker has noted that it is terminated.
      bench.manager.setPodStatus(pod, failed, [])
      await bench.settle()
      bench.running.delete(pod.metadata.uid)
      bench.refresh()
      const { cached, sent } = bench.manager.versions(pod.metadata.uid) ?? {}
      expect(sent).toBe(cached)
      await bench.clock.advance(9_999)
      expect(bench.api.pod('web')?.status?.phase).toBe('Running')
      await bench.clock.advance(1)
      expect(bench.api.pod('web')?.status?.phase).toBe('Failed')
    })

    it('ends at once by a status change, or by the forced write of TerminatePod', async () => {
      for (const by of ['change', 'TerminatePod'] as const) {
        const bench = new Bench()
        const pod = await deletedPod(bench)
        bench.running.add(pod.metadata.uid)
        bench.manager.setPodStatus(pod, failed, [])
        await bench.settle()
        expect(bench.api.pod('web')?.status?.phase).toBe('Running')
        bench.running.delete(pod.metadata.uid)
        if (by === 'change') bench.manager.setPodStatus(pod, { ...failed, podIP: '10.0.0.1' }, [])
        else bench.manager.terminatePod(pod, [])
        await bench.settle()
        expect(bench.trace.data('status.patched').at(-1)?.phase).toBe('Failed')
      }
    })
  })
})
