import { describe, expect, it } from 'vitest'
import type { PodPhase, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { Bench, failed, running, seconds } from './status-fixture.ts'
import { podOf } from '../../../src/main/kubelet/container/fake-pods.ts'
import {
  isStatusByKubeletEqual,
  mergePodStatus,
  withTransitionTime,
} from '../../../src/main/kubelet/status/merge-status.ts'

describe('status#merge', () => {
  const phases: readonly PodPhase[] = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']
  const isOver = (phase: PodPhase) => phase === 'Succeeded' || phase === 'Failed'

  it.each(
    phases.flatMap((old) =>
      phases.flatMap((next) =>
        [false, true].map((couldRun) => ({
          old,
          next,
          couldRun,
          // Only a move to a terminal phase is held back, and only while something could run.
          sent: couldRun && isOver(next) && !isOver(old) ? old : next,
        })),
      ),
    ),
  )('phase: $old in the API, $next here, could run: $couldRun; $sent is sent', (row) => {
    const merged = mergePodStatus({
      pod: fakePod(),
      old: { phase: row.old, reason: 'before', message: 'before' },
      next: { phase: row.next, reason: 'after', message: 'after' },
      couldHaveRunningContainers: row.couldRun,
      now: 60_000,
    })
    const isKept = row.sent !== row.next
    const words = isKept ? 'before' : 'after'
    expect(merged.isWithheld).toBe(isKept)
    expect(merged.status).toMatchObject({ phase: row.sent, reason: words, message: words })
  })

  it.each([
    ['PodScheduled', 'kubelet'],
    ['Ready', 'kubelet'],
    ['Initialized', 'kubelet'],
    ['ContainersReady', 'kubelet'],
    ['PodReadyToStartContainers', 'kubelet'],
    ['PodResizeInProgress', 'kubelet'],
    ['PodResizePending', 'kubelet'],
    ['example.com/gate', 'others'],
    ['DisruptionTarget', 'others'],
  ] as const)('condition %s of a pod that runs is said by: %s', (type, owner) => {
    const of = (reason: string): PodStatus => ({
      phase: 'Running',
      conditions: [{ type, status: 'False', reason }],
    })
    const [old, next] = [of('others'), of('kubelet')]
    const input = { pod: fakePod(), couldHaveRunningContainers: true, now: 60_000 }
    const reasons = (status: PodStatus) => status.conditions?.map(({ reason }) => reason)
    expect(reasons(mergePodStatus({ ...input, old, next }).status)).toEqual([owner])
    const onlyOld = mergePodStatus({ ...input, old, next: { phase: 'Running' } })
    expect(reasons(onlyOld.status)).toEqual(owner === 'others' ? ['others'] : [])
  })

  it.each([
    ['moving to a terminal phase, nothing can run', 'Running', 'Failed', false, true],
    ['moving to a terminal phase, something could run', 'Running', 'Failed', true, false],
    ['terminal already', 'Failed', 'Failed', false, false],
    ['not terminal', 'Running', 'Running', false, false],
  ] as const)('DisruptionTarget, %s: copied %s', (_, old, next, couldRun, isCopied) => {
    const merged = mergePodStatus({
      pod: fakePod(),
      old: { phase: old },
      next: { phase: next, conditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      couldHaveRunningContainers: couldRun,
      now: 60_000,
    })
    const target = merged.status.conditions?.find(({ type }) => type === 'DisruptionTarget')
    expect(target?.lastTransitionTime).toBe(isCopied ? '1970-01-01T00:01:00Z' : undefined)
    expect(target !== undefined).toBe(isCopied)
  })

  const pod = podOf({}, { metadata: { generation: 2 } })
  const early = '1970-01-01T00:00:01Z'
  const now = 60_000
  const later = '1970-01-01T00:01:00Z'

  function merge(old: PodStatus, next: PodStatus, couldHaveRunningContainers = false) {
    return mergePodStatus({ pod, old, next, couldHaveRunningContainers, now })
  }

  describe('mergePodStatus', () => {
    it("keeps the conditions of others in front and replaces the kubelet's", () => {
      const merged = merge(
        {
          conditions: [
            { type: 'Ready', status: 'False' },
            { type: 'example.com/gate', status: 'True' },
          ],
        },
        {
          conditions: [
            { type: 'example.com/gate', status: 'False' },
            { type: 'Ready', status: 'True', lastTransitionTime: early },
          ],
        },
      )
      expect(merged).toEqual({
        isWithheld: false,
        status: {
          conditions: [
            { type: 'example.com/gate', status: 'True' },
            { type: 'Ready', status: 'True', lastTransitionTime: early },
          ],
        },
      })
    })

    it('keeps the fields of others, of which resourceClaimStatuses is one', () => {
      const claims = [{ name: 'a' }]
      expect(
        merge(
          { phase: 'Pending', resourceClaimStatuses: claims, later: 1, podIP: '10.0.0.1' },
          { phase: 'Running' },
        ).status,
      ).toEqual({ phase: 'Running', resourceClaimStatuses: claims, later: 1, conditions: [] })
    })

    const failed: PodStatus = {
      phase: 'Failed',
      reason: 'Evicted',
      message: 'why',
      podIP: '10.0.0.1',
    }

    it('withholds a terminal phase with its reason while containers could run', () => {
      expect(merge({ phase: 'Running', reason: 'r' }, failed, true)).toEqual({
        isWithheld: true,
        status: { phase: 'Running', reason: 'r', podIP: '10.0.0.1', conditions: [] },
      })
      expect(merge({}, failed, true).status).toEqual({ podIP: '10.0.0.1', conditions: [] })
    })

    it('lets a terminal phase through when nothing can run, or when it was terminal already', () => {
      expect(merge({ phase: 'Running' }, failed, false)).toMatchObject({
        isWithheld: false,
        status: failed,
      })
      expect(merge({ phase: 'Failed' }, failed, true)).toMatchObject({
        isWithheld: false,
        status: failed,
      })
    })

    it('takes a DisruptionTarget only together with the terminal phase, with a fresh time', () => {
      const disruption = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'TerminationByKubelet',
        lastTransitionTime: early,
      } as const
      const next: PodStatus = { ...failed, conditions: [disruption] }
      expect(merge({ phase: 'Running' }, next, true).status.conditions).toEqual([])
      expect(merge({ phase: 'Running' }, next).status.conditions).toEqual([
        { ...disruption, lastTransitionTime: later },
      ])
      expect(merge({ phase: 'Failed' }, next).status.conditions).toEqual([])
      expect(merge({ phase: 'Running' }, { ...next, phase: 'Running' }).status.conditions).toEqual(
        [],
      )
    })

    it('replaces a DisruptionTarget of others in place, keeping its time when it was True', () => {
      const byApi = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        lastTransitionTime: early,
      } as const
      const gate = { type: 'example.com/gate', status: 'True' } as const
      const byKubelet = {
        ...byApi,
        reason: 'TerminationByKubelet',
        lastTransitionTime: later,
      } as const
      expect(
        merge(
          { phase: 'Running', conditions: [byApi, gate] },
          { ...failed, conditions: [byKubelet] },
        ).status.conditions,
      ).toEqual([{ ...byKubelet, lastTransitionTime: early }, gate])
    })

    it.each([
      ['Failed', 'PodFailed'],
      ['Succeeded', 'PodCompleted'],
    ] as const)('never sends a %s pod as ready', (phase, reason) => {
      expect(
        merge(
          { phase: 'Running' },
          {
            phase,
            conditions: [
              { type: 'Ready', status: 'True', lastTransitionTime: early },
              { type: 'ContainersReady', status: 'False', lastTransitionTime: early },
            ],
          },
        ).status.conditions,
      ).toEqual([
        {
          type: 'Ready',
          status: 'False',
          reason,
          observedGeneration: 2,
          lastTransitionTime: later,
        },
        {
          type: 'ContainersReady',
          status: 'False',
          reason,
          observedGeneration: 2,
          lastTransitionTime: early,
        },
      ])
    })

    it('leaves the readiness of a withheld pod alone', () => {
      const ready = { type: 'Ready', status: 'True', lastTransitionTime: early } as const
      expect(
        merge({ phase: 'Running' }, { ...failed, conditions: [ready] }, true).status,
      ).toMatchObject({
        phase: 'Running',
        conditions: [ready],
      })
    })
  })

  describe('withTransitionTime', () => {
    const condition = { type: 'Ready', status: 'True' } as const

    it('keeps the time while the status is the same, else takes now', () => {
      const of = (old: PodStatus) => withTransitionTime(condition, old, now)
      expect(of({ conditions: [{ ...condition, lastTransitionTime: early }] })).toEqual({
        ...condition,
        lastTransitionTime: early,
      })
      expect(
        of({ conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: early }] }),
      ).toEqual({
        ...condition,
        lastTransitionTime: later,
      })
      expect(of({})).toEqual({ ...condition, lastTransitionTime: later })
    })

    it('knows no time where the old condition has none', () => {
      const old: PodStatus = { conditions: [condition] }
      expect(withTransitionTime({ ...condition, lastTransitionTime: early }, old, now)).toEqual(
        condition,
      )
    })
  })

  describe('isStatusByKubeletEqual', () => {
    const status: PodStatus = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: early }],
      containerStatuses: [
        { name: 'c', ready: true, restartCount: 0, image: 'i', imageID: '', lastState: {} },
      ],
    }

    it('ignores transition times, foreign conditions, foreign fields and emptiness', () => {
      expect(
        isStatusByKubeletEqual(status, {
          ...status,
          reason: '',
          podIPs: [],
          resourceClaimStatuses: [{ name: 'a' }],
          conditions: [
            { type: 'example.com/gate', status: 'True' },
            { type: 'Ready', status: 'True', lastTransitionTime: later },
          ],
        }),
      ).toBe(true)
    })

    it.each([
      ['phase', { phase: 'Failed' }],
      [
        'restart count',
        { containerStatuses: [{ ...status.containerStatuses?.[0], restartCount: 1 }] },
      ],
      ['condition status', { conditions: [{ type: 'Ready', status: 'False' }] }],
      ['condition reason', { conditions: [{ type: 'Ready', status: 'True', reason: 'x' }] }],
      ['condition count', { conditions: [] }],
      [
        'shared condition',
        {
          conditions: [...(status.conditions ?? []), { type: 'DisruptionTarget', status: 'True' }],
        },
      ],
    ])('sees another %s', (_, change) => {
      expect(isStatusByKubeletEqual(status, { ...status, ...(change as PodStatus) })).toBe(false)
    })
  })

  it('keeps conditions and fields that others wrote', async () => {
    const bench = new Bench()
    const foreign = { type: 'example.com/gate', status: 'True' } as const
    const pod = await bench.put({
      status: { conditions: [foreign], resourceClaimStatuses: [{ name: 'claim' }] },
    })
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    const status = bench.api.pod('web')?.status
    expect(status?.conditions?.map(({ type }) => type)).toEqual([
      'example.com/gate',
      'Ready',
      'ContainersReady',
    ])
    expect(status?.['resourceClaimStatuses']).toEqual([{ name: 'claim' }])
  })

  it('keeps a DisruptionTarget back until the phase is terminal, seen in the API', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    bench.running.add(pod.metadata.uid)
    const disruption = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
    } as const
    const evicted: PodStatus = {
      ...failed,
      reason: 'Evicted',
      message: 'low',
      conditions: [disruption, ...(failed.conditions ?? [])],
    }
    bench.manager.setPodStatus(pod, evicted, [])
    await bench.settle()
    expect(bench.api.pod('web')?.status?.conditions?.map(({ type }) => type)).toEqual([
      'Ready',
      'ContainersReady',
    ])
    bench.running.delete(pod.metadata.uid)
    await bench.clock.advance(4000)
    bench.manager.setPodStatus(pod, { ...evicted, podIP: '10.0.0.1' }, [])
    await bench.settle()
    expect(bench.api.pod('web')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'low',
      conditions: [
        { ...disruption, lastTransitionTime: seconds('05') },
        { type: 'Ready' },
        { type: 'ContainersReady' },
      ],
    })
  })
})
