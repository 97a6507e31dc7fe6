import { describe, expect, it } from 'vitest'
import type {
  ContainerStatus,
  PodStatus,
  ContainerState,
  RestartPolicy,
} from '../../../src/shared/kubernetes/objects.ts'
import { fakeMirrorOf, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { Bench, deletedPod, failed, pending, running, seconds } from './status-fixture.ts'
import { containersOf, podOf, sidecar } from '../../../src/main/kubelet/container/fake-pods.ts'
import { illegalContainerTransition } from '../../../src/main/kubelet/status/container-transition.ts'
import { cutToBytes, normalizeStatus } from '../../../src/main/kubelet/status/normalize-status.ts'

describe('status#status-cache', () => {
  it('podStatuses is keyed by the static pod’s uid, not by its mirror’s', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.manager.setPodStatus(pod, running, [])
    expect(bench.manager.versions(pod.metadata.uid)?.cached).toBe(1)
    expect(bench.manager.versions(mirror.metadata.uid)).toBeUndefined()
  })

  it('a version counts the statuses of its pod from 1', async () => {
    const bench = new Bench()
    const [pod, other] = [await bench.put(), await bench.put({ name: 'other' })]
    bench.manager.setPodStatus(pod, pending, [])
    bench.manager.setPodStatus(pod, running, [])
    bench.manager.setPodStatus(other, pending, [])
    expect([pod, other].map((one) => bench.manager.versions(one.metadata.uid)?.cached)).toEqual([
      2, 1,
    ])
  })

  it('apiStatusVersions is of the object in the API: another mirror has been sent nothing', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: 1 })
    bench.podManager.removePod(mirror, [])
    bench.podManager.addPod(fakeMirrorOf(pod, { uid: 'another' }), [])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: undefined })
  })

  it('the signal holds one ring: many changes in one turn make one round', async () => {
    const bench = new Bench()
    const pod = await bench.put({ metadata: { deletionTimestamp: seconds('30') } })
    for (let round = 0; round < 5; round++) bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.verbs()).toEqual(['get web', 'patch web'])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 5, sent: 5 })
  })

  it('the timer rings every 10 s', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.api.refuse = () => ({ kind: 'unavailable', message: 'away' })
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    for (let tick = 0; tick < 3; tick++) {
      bench.verbs()
      await bench.clock.advance(9_999)
      expect(bench.verbs()).toEqual([])
      await bench.clock.advance(1)
      expect(bench.verbs()).toEqual(['get web'])
    }
  })
})

describe('status#cache-updates', () => {
  it('1: takes start time and times from the mirror, or from the pod, while nothing is cached', async () => {
    const bench = new Bench()
    const shown: PodStatus = {
      startTime: seconds('00'),
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: seconds('00') }],
    }
    const pod = await bench.put({ status: shown })
    bench.manager.setPodStatus(pod, running, [])
    const { pod: staticPod, mirror } = await bench.putStatic()
    bench.podManager.updatePod({ ...mirror, status: shown }, [])
    bench.manager.setPodStatus(staticPod, running, [])
    for (const { metadata } of [pod, staticPod]) {
      expect(bench.manager.getPodStatus(metadata.uid)).toMatchObject({
        startTime: seconds('00'),
        conditions: [
          { type: 'Ready', lastTransitionTime: seconds('00') },
          { type: 'ContainersReady', lastTransitionTime: seconds('01') },
        ],
      })
    }
  })

  it('1: takes nothing over from a static pod whose mirror has no status yet', () => {
    const bench = new Bench()
    const pod = fakeStaticPod({ status: { startTime: seconds('00') } })
    bench.podManager.addPod(fakeMirrorOf(fakeStaticPod()), [])
    bench.manager.setPodStatus(pod, pending, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)?.startTime).toBe(seconds('01'))
  })

  it('2: keeps a pod finished: a later status of the worker does not undo it', async () => {
    const bench = new Bench()
    const pod = await deletedPod(bench)
    bench.api.refuse = ({ verb }) =>
      verb === 'delete' ? { kind: 'unavailable', message: 'away' } : undefined
    bench.manager.terminatePod(pod, [])
    bench.manager.setPodStatus(pod, failed, [])
    await bench.settle()
    expect(bench.api.pod('web')?.status?.phase).toBe('Failed')
    bench.refresh()
    bench.api.refuse = () => undefined
    await bench.clock.advance(10_000)
    expect(bench.api.pod('web')).toBeUndefined()
  })

  describe('3: illegal transitions', () => {
    const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } })
    const running: ContainerState = { running: {} }
    const waiting: ContainerState = { waiting: {} }

    function statusOf(
      list: 'containerStatuses' | 'initContainerStatuses',
      state: ContainerState,
    ): PodStatus {
      return {
        [list]: [{ name: 'x', state, ready: false, restartCount: 0, image: 'i', imageID: '' }],
      }
    }

    function check(
      restartPolicy: RestartPolicy,
      old: ContainerState,
      next: ContainerState,
      list: 'containerStatuses' | 'initContainerStatuses' = 'containerStatuses',
    ): string | undefined {
      const pod = podOf({ restartPolicy, initContainers: containersOf('x') })
      return illegalContainerTransition(pod, statusOf(list, old), statusOf(list, next))
    }

    describe('illegalContainerTransition', () => {
      it.each([
        ['Always', ended(1), running, true],
        ['OnFailure', ended(1), running, true],
        ['OnFailure', ended(0), running, false],
        ['OnFailure', ended(0), waiting, false],
        ['Never', ended(0), running, false],
        ['Never', ended(1), waiting, false],
        ['Never', ended(1), ended(0), true],
        ['Never', running, waiting, true],
        ['Never', waiting, running, true],
      ] as const)('with %s from %j to %j is legal: %s', (policy, old, next, isLegal) => {
        expect(check(policy, old, next)).toBe(
          isLegal
            ? undefined
            : 'terminated container x attempted illegal transition to non-terminated state',
        )
        expect(check(policy, old, next, 'initContainerStatuses')).toBe(
          isLegal
            ? undefined
            : 'terminated init container x attempted illegal transition to non-terminated state',
        )
      })

      it('lets sidecars restart whatever the policy', () => {
        const pod = podOf({ restartPolicy: 'Never', initContainers: [sidecar('x')] })
        expect(
          illegalContainerTransition(
            pod,
            statusOf('initContainerStatuses', ended(0)),
            statusOf('initContainerStatuses', running),
          ),
        ).toBeUndefined()
      })

      it('follows no status of init containers that stand elsewhere in the pod', () => {
        const pod = podOf({ restartPolicy: 'Never', initContainers: containersOf('w', 'x') })
        const old = statusOf('initContainerStatuses', waiting)
        expect(illegalContainerTransition(pod, old, old)).toBe(
          'found mismatch between pod spec and status, container: x',
        )
        const always = podOf({ restartPolicy: 'Always', initContainers: containersOf('w', 'x') })
        expect(illegalContainerTransition(always, old, old)).toBeUndefined()
      })

      it('ignores a container that no longer exists', () => {
        const pod = podOf({ restartPolicy: 'Never' })
        expect(
          illegalContainerTransition(pod, statusOf('containerStatuses', ended(0)), {}),
        ).toBeUndefined()
      })
    })
  })

  it('3: refuses a container that rises from its end, the whole status with it', async () => {
    const bench = new Bench()
    const pod = await bench.put({ spec: { restartPolicy: 'Never' } })
    bench.manager.setPodStatus(pod, failed, [])
    bench.manager.setPodStatus(pod, running, [7])
    expect(bench.manager.getPodStatus(pod.metadata.uid)?.phase).toBe('Failed')
    expect(bench.log.problems).toEqual(['status update aborted'])
    expect(bench.trace.events.at(-1)).toEqual({
      kind: 'status.rejected',
      subject: { kind: 'pod', uid: pod.metadata.uid, namespace: 'default', name: 'web' },
      causes: [7],
      data: {
        message: 'terminated container c attempted illegal transition to non-terminated state',
      },
    })
  })

  it('4: keeps transition times while a status stays and moves them when it flips', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, pending, [])
    await bench.clock.advance(9000)
    const conditions = [
      { type: 'Ready', status: 'True' },
      { type: 'ContainersReady', status: 'False', reason: 'other' },
      { type: 'example.com/gate', status: 'True' },
    ] as const
    bench.manager.setPodStatus(pod, { ...pending, conditions }, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)?.conditions).toEqual([
      { ...conditions[0], lastTransitionTime: seconds('10') },
      { ...conditions[1], lastTransitionTime: seconds('01') },
      conditions[2],
    ])
  })

  it.each([
    'ContainersReady',
    'Ready',
    'Initialized',
    'PodReadyToStartContainers',
    'PodScheduled',
    'DisruptionTarget',
  ])('4: keeps the time of %s while its status stays', async (type) => {
    const bench = new Bench()
    const pod = await bench.put()
    const { uid } = pod.metadata
    const recorded = (status: 'True' | 'False', reason: string) => {
      const conditions = [{ type, status, reason }]
      bench.manager.setPodStatus(pod, { ...pending, conditions }, [])
      return bench.manager.getPodStatus(uid)?.conditions?.[0]?.lastTransitionTime
    }
    expect(recorded('True', 'a')).toBe(seconds('01'))
    await bench.clock.advance(4000)
    expect(recorded('True', 'b')).toBe(seconds('01'))
    expect(recorded('False', 'b')).toBe(seconds('05'))
  })

  it('5: keeps the start time, whatever a later status says', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, pending, [])
    await bench.clock.advance(4000)
    bench.manager.setPodStatus(pod, { ...running, startTime: seconds('05') }, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)?.startTime).toBe(seconds('01'))
  })

  it('6: never lowers observedGeneration, and writes none for a static pod', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const newer = { ...pod, metadata: { ...pod.metadata, generation: 5 } }
    bench.manager.setPodStatus(newer, pending, [])
    bench.manager.setPodStatus(pod, running, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)?.observedGeneration).toBe(5)
    const { pod: staticPod } = await bench.putStatic()
    bench.manager.setPodStatus(staticPod, running, [])
    expect(bench.manager.getPodStatus(staticPod.metadata.uid)).not.toHaveProperty(
      'observedGeneration',
    )
  })

  it('6: observes no generation of a pod that has none', () => {
    const bench = new Bench()
    const pod = fakeStaticPod()
    bench.manager.setPodStatus(pod, { ...pending, observedGeneration: 1 }, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)).not.toHaveProperty('observedGeneration')
  })

  describe('7: normalised', () => {
    function statusOf(name: string, rest: Partial<ContainerStatus> = {}): ContainerStatus {
      return { name, ready: false, restartCount: 0, image: 'i', imageID: '', ...rest }
    }

    const time = '1970-01-01T00:00:01.999Z'
    const whole = '1970-01-01T00:00:01Z'

    describe('normalizeStatus', () => {
      it('cuts all times to whole seconds', () => {
        expect(
          normalizeStatus(podOf(), {
            startTime: time,
            conditions: [
              { type: 'Ready', status: 'True', lastTransitionTime: time, lastProbeTime: null },
            ],
            containerStatuses: [
              statusOf('c', {
                state: { running: { startedAt: time } },
                lastState: { terminated: { exitCode: 0, startedAt: time, finishedAt: time } },
              }),
            ],
          }),
        ).toEqual({
          startTime: whole,
          conditions: [
            { type: 'Ready', status: 'True', lastTransitionTime: whole, lastProbeTime: null },
          ],
          containerStatuses: [
            statusOf('c', {
              state: { running: { startedAt: whole } },
              lastState: { terminated: { exitCode: 0, startedAt: whole, finishedAt: whole } },
            }),
          ],
        })
      })

      it('gives each container of whatever kind its share of 12 KiB for its termination message', () => {
        const message = 'x'.repeat(20_000)
        const pod = podOf({
          containers: containersOf('a', 'b'),
          initContainers: containersOf('i'),
          ephemeralContainers: containersOf('e'),
        })
        const status = statusOf('a', { state: { terminated: { exitCode: 1, message } } })
        const cut = normalizeStatus(pod, { containerStatuses: [status] })
        expect(cut.containerStatuses?.[0]?.state?.terminated?.message).toHaveLength(3072)
      })

      it('sorts statuses by name and init statuses as in the spec', () => {
        const pod = podOf({ initContainers: containersOf('z', 'y') })
        const names = (statuses: readonly ContainerStatus[] = []) =>
          statuses.map(({ name }) => name)
        const status = normalizeStatus(pod, {
          containerStatuses: [statusOf('b'), statusOf('a')],
          initContainerStatuses: [statusOf('other'), statusOf('y'), statusOf('z')],
          ephemeralContainerStatuses: [statusOf('f'), statusOf('e')],
        })
        expect(names(status.containerStatuses)).toEqual(['a', 'b'])
        expect(names(status.initContainerStatuses)).toEqual(['z', 'y', 'other'])
        expect(names(status.ephemeralContainerStatuses)).toEqual(['e', 'f'])
      })

      it('moves init statuses by changing awaitPoints, those of strangers too', () => {
        const pod = podOf({ initContainers: containersOf('z') })
        const { initContainerStatuses = [] } = normalizeStatus(pod, {
          initContainerStatuses: [statusOf('v'), statusOf('w'), statusOf('z')],
        })
        expect(initContainerStatuses.map(({ name }) => name)).toEqual(['z', 'w', 'v'])
      })

      it('adds nothing to a status that says little', () => {
        expect(normalizeStatus(podOf(), { phase: 'Failed' })).toEqual({ phase: 'Failed' })
      })
    })

    describe('cutToBytes', () => {
      it.each([
        ['abc', 3, 'abc'],
        ['abc', 2, 'ab'],
        ['aß', 2, 'a\ufffd'],
        ['€€', 5, '€\ufffd\ufffd'],
        ['😀', 3, '\ufffd\ufffd\ufffd'],
        ['😀', 4, '😀'],
        ['', 0, ''],
      ])('cuts %j to %d bytes: %j', (text, bytes, cut) => {
        expect(cutToBytes(text, bytes)).toBe(cut)
      })
    })
  })

  it('8: ignores an equal one, and one that differs only in the conditions of others', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, pending, [])
    await bench.clock.advance(5000)
    bench.manager.setPodStatus(pod, pending, [])
    const foreign = { type: 'example.com/gate', status: 'True' } as const
    const conditions = [foreign, ...(pending.conditions ?? [])]
    bench.manager.setPodStatus(pod, { ...pending, conditions }, [])
    expect(bench.manager.versions(pod.metadata.uid)?.cached).toBe(1)
    bench.manager.setPodStatus(pod, running, [])
    expect(bench.manager.versions(pod.metadata.uid)?.cached).toBe(2)
  })

  it.each([
    ['setPodStatus of a pod that is not deleted', false, false, 1],
    ['setPodStatus of a deleted pod', true, false, 2],
    ['terminatePod', false, true, 2],
  ])('8: %s counts an equal status as another: %s', async (_, isDeleted, isTerminate, version) => {
    const bench = new Bench()
    const pod = await bench.put(isDeleted ? { metadata: { deletionTimestamp: seconds('30') } } : {})
    bench.manager.setPodStatus(pod, failed, [])
    if (isTerminate) bench.manager.terminatePod(pod, [])
    else bench.manager.setPodStatus(pod, failed, [])
    expect(bench.manager.versions(pod.metadata.uid)?.cached).toBe(version)
  })

  it('8: counts every status of a deleting pod as a new version', async () => {
    const bench = new Bench()
    const pod = await bench.put({ metadata: { deletionTimestamp: seconds('30') } })
    for (let round = 0; round < 3; round++) bench.manager.setPodStatus(pod, running, [])
    expect(bench.manager.versions(pod.metadata.uid)?.cached).toBe(3)
  })
})
