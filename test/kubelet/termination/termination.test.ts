import { describe, expect, it } from 'vitest'
import {
  hardEvictionGraceSeconds,
  PodEvictor,
} from '../../../src/main/kubelet/eviction/evict-pod.ts'
import type { Eviction } from '../../../src/main/kubelet/eviction/evict-pod.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeCluster } from '../../../src/main/kubelet/fake-cluster.ts'
import { noPressure } from '../../../src/main/kubelet/node/node-status.ts'
import type { NodePressure } from '../../../src/main/kubelet/node/node-status.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { CriticalPodAdmissionHandler } from '../../../src/main/kubelet/preemption/critical-pod-admission.ts'
import { getPodsToPreempt } from '../../../src/main/kubelet/preemption/pods-to-preempt.ts'
import type { AdmissionRequirement } from '../../../src/main/kubelet/preemption/pods-to-preempt.ts'
import type { KillPodRequest } from '../../../src/main/kubelet/workers/kill-pod.ts'
import type { PodSpec, PodStatus, Pod, Toleration } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Result } from '../../../src/shared/result.ts'
import { asking, podWith, refusalOn } from '../admission/admission-fixture.ts'
import { endingOf, manifestOf, nodeName, TerminationFixture } from './termination-fixture.ts'
import type { Ending, Temper } from './termination-fixture.ts'

const critical = { priority: 2_000_000_000 }
const clock = {
  now: () => Date.parse('2026-01-01T00:00:07.9Z'),
  after: () => () => undefined,
}

/** Kills that are noted, with how they end. */
function killing(outcome: (pod: Pod) => Result<undefined, string> = () => ok(undefined)) {
  const kills: (KillPodRequest & { readonly uid: string })[] = []
  const kill = (pod: Pod, request: KillPodRequest): Promise<Result<undefined, string>> => {
    kills.push({ ...request, uid: pod.metadata.uid })
    return Promise.resolve(outcome(pod))
  }
  return { kills, kill, trace: new FakeTrace(), recorder: new FakeEventRecorder(), clock }
}

describe('eviction#evicting-one-pod', () => {
  const hard: Eviction = {
    message: 'The node was low on resource: memory. ',
    gracePeriodSeconds: hardEvictionGraceSeconds,
    disruptionTarget: true,
  }

  function evicting(outcome?: () => Result<undefined, string>) {
    const parts = killing(outcome)
    return { ...parts, evictor: new PodEvictor(parts) }
  }

  it.each([
    [
      'static',
      fakeStaticPod(),
      'A static pod counts as critical, whatever its priority: the kubelet never evicts it.',
    ],
    [
      'a mirror',
      fakeMirrorOf(fakeStaticPod()),
      'A mirror pod counts as critical: the kubelet never evicts it.',
    ],
    [
      'of a system priority',
      fakePod({ spec: critical }),
      'Its priority 2000000000 makes it critical (2000000000 and more): the kubelet never evicts it.',
    ],
  ])('leaves a critical pod alone, here one that is %s', async (_why, pod, sentence) => {
    const { evictor, kills, recorder, trace } = evicting()
    expect(await evictor.evictPod(pod, hard, [])).toEqual(err(sentence))
    expect([kills, recorder.lines, trace.kinds]).toEqual([[], [], ['eviction.refused']])
  })

  it('evicts a pod just below the critical priority', async () => {
    const { evictor } = evicting()
    const pod = fakePod({ spec: { priority: 1_999_999_999 } })
    expect(await evictor.evictPod(pod, hard, [])).toEqual(ok(undefined))
  })

  it('records the event with its annotations, then kills as evicted with the given grace', async () => {
    const { evictor, kills, recorder, trace } = evicting()
    const annotations = { starved_resource: 'memory', offending_containers: 'c' }
    const soft = { ...hard, gracePeriodSeconds: 20, annotations }
    await evictor.evictPod(fakePod(), soft, [5])
    expect(recorder.events).toMatchObject([
      { type: 'Warning', reason: 'Evicted', message: hard.message, causes: [1], annotations },
    ])
    expect(kills).toEqual([
      {
        uid: 'web-uid',
        evict: true,
        gracePeriodSecondsOverride: 20,
        podStatusFunc: expect.any(Function),
        causes: [1],
      },
    ])
    expect(trace.events.map(({ kind, causes }) => [kind, causes])).toEqual([
      ['eviction.requested', [5]],
      ['eviction.completed', [1]],
    ])
  })

  it('is true even if the kill timed out', async () => {
    const { evictor, trace } = evicting(() => err('timeout'))
    expect(await evictor.evictPod(fakePod(), hard, [])).toEqual(ok(undefined))
    expect(trace.data('eviction.completed')).toEqual([{ timedOut: true }])
  })

  describe('writes Failed, Evicted and the message over the latest status, and DisruptionTarget', () => {
    const ready = { type: 'Ready', status: 'True' } as const
    const before = '2020-01-01T00:00:00Z'
    const target = {
      type: 'DisruptionTarget',
      status: 'True',
      observedGeneration: 2,
      reason: 'TerminationByKubelet',
      message: hard.message,
    }

    it.each<[string, PodStatus['conditions'], unknown]>([
      ['at the end', [ready], [ready, { ...target, lastTransitionTime: '2026-01-01T00:00:07Z' }]],
      [
        'in the place of one that was False, with a new time',
        [{ type: 'DisruptionTarget', status: 'False', lastTransitionTime: before }, ready],
        [{ ...target, lastTransitionTime: '2026-01-01T00:00:07Z' }, ready],
      ],
      [
        'in the place of one that was True, whose time stays',
        [
          {
            type: 'DisruptionTarget',
            status: 'True',
            lastTransitionTime: before,
            reason: 'EvictionByEvictionAPI',
          },
          ready,
        ],
        [{ ...target, lastTransitionTime: before }, ready],
      ],
    ])('%s', async (_where, conditions, expected) => {
      const { evictor, kills } = evicting()
      await evictor.evictPod(fakePod({ metadata: { generation: 2 } }), hard, [])
      const latest: PodStatus = {
        phase: 'Running',
        podIP: '10.0.0.1',
        conditions: conditions ?? [],
      }
      expect(kills[0]?.podStatusFunc?.(latest)).toEqual({
        phase: 'Failed',
        reason: 'Evicted',
        message: hard.message,
        podIP: '10.0.0.1',
        conditions: expected,
      })
    })

    it('not for a limit of local storage', async () => {
      const { evictor, kills } = evicting()
      await evictor.evictPod(fakePod(), { ...hard, disruptionTarget: false }, [])
      expect(kills[0]?.podStatusFunc?.({ phase: 'Running' })).toEqual({
        phase: 'Failed',
        reason: 'Evicted',
        message: hard.message,
      })
    })
  })
})

describe('admission#node-pressure', () => {
  const burstable = asking({ cpu: '100m' })
  const guaranteed = podWith({
    containers: [
      {
        name: 'c',
        resources: {
          requests: { cpu: '1', memory: '1Mi' },
          limits: { cpu: '1', memory: '1Mi' },
        },
      },
    ],
  })
  const tolerating = (key: string, effect: Toleration['effect'] = 'NoSchedule'): Pod =>
    podWith({ tolerations: [{ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect }] })
  const conditionsOf = (pressure: Partial<NodePressure>): string =>
    [
      pressure.memory === true ? 'MemoryPressure' : '',
      pressure.disk === true ? 'DiskPressure' : '',
      pressure.pid === true ? 'PIDPressure' : '',
    ]
      .filter((type) => type !== '')
      .join(' ')

  it.each<[string, Pod, Partial<NodePressure>, 'admitted' | 'rejected']>([
    ['without a condition', podWith({}), {}, 'admitted'],
    ['a critical pod', podWith(critical), { memory: true, disk: true, pid: true }, 'admitted'],
    ['a static pod', fakeStaticPod(), { disk: true }, 'admitted'],
    ['under memory pressure, Burstable', burstable, { memory: true }, 'admitted'],
    ['under memory pressure, Guaranteed', guaranteed, { memory: true }, 'admitted'],
    ['under memory pressure, BestEffort', podWith({}), { memory: true }, 'rejected'],
    [
      'under memory pressure, BestEffort that the API recorded as Burstable',
      fakePod({ status: { phase: 'Pending', qosClass: 'Burstable' } }),
      { memory: true },
      'admitted',
    ],
    [
      'under memory pressure, BestEffort that tolerates its taint',
      tolerating('memory-pressure'),
      { memory: true },
      'admitted',
    ],
    [
      'under memory pressure, BestEffort that tolerates it for NoExecute only',
      tolerating('memory-pressure', 'NoExecute'),
      { memory: true },
      'rejected',
    ],
    [
      'under memory pressure, BestEffort that tolerates another',
      tolerating('disk-pressure'),
      { memory: true },
      'rejected',
    ],
    ['under disk pressure, Guaranteed', guaranteed, { disk: true }, 'rejected'],
    ['under disk pressure, tolerating it', tolerating('disk-pressure'), { disk: true }, 'rejected'],
    ['under PID pressure, Burstable', burstable, { pid: true }, 'rejected'],
    [
      'under memory and disk pressure, Burstable',
      burstable,
      { memory: true, disk: true },
      'rejected',
    ],
  ])('%s: %#', async (_title, pod, pressure, verdict) => {
    const refuse = refusalOn({ pressure: () => ({ ...noPressure, ...pressure }) })
    expect(await refuse(pod)).toEqual(
      verdict === 'admitted'
        ? undefined
        : {
            reason: 'Evicted',
            message: `The node had condition: [${conditionsOf(pressure)}]. `,
          },
    )
  })

  it('uses the current conditions, not those of its start', async () => {
    let isPressed = false
    const refuse = refusalOn({ pressure: () => ({ ...noPressure, disk: isPressed }) })
    expect(await refuse(podWith({}))).toBeUndefined()
    isPressed = true
    expect((await refuse(podWith({})))?.reason).toBe('Evicted')
  })

  it('follows the node’s conditions', async () => {
    const cluster = new FakeCluster()
    await cluster.start()
    cluster.pressure = { ...noPressure, memory: true }
    await cluster.create(fakePod())
    await cluster.clock.advance(20_000)
    expect(cluster.api.pod('web')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod was rejected: The node had condition: [MemoryPressure]. ',
    })
    const conditions = cluster.node()?.status?.conditions ?? []
    expect(conditions.flatMap(({ type, status }) => (status === 'True' ? [type] : []))).toEqual([
      'MemoryPressure',
      'Ready',
    ])
  })
})

describe('admission#preemption', () => {
  interface Asked {
    readonly cpu?: string
    readonly memory?: string
    readonly limited?: boolean
    readonly priority?: number
  }

  /** BestEffort without anything, Guaranteed when limited, else Burstable. */
  function resident(name: string, { cpu, memory, limited = false, priority = 0 }: Asked): Pod {
    const requests = {
      ...(cpu === undefined ? {} : { cpu }),
      ...(memory === undefined ? {} : { memory }),
    }
    const resources = { requests, ...(limited ? { limits: requests } : {}) }
    return fakePod({
      name,
      uid: name,
      spec: { priority, containers: [{ name: 'c', resources }] },
    })
  }

  const comer = fakePod({ name: 'dns', uid: 'dns', spec: critical })
  const lacking = (amounts: Readonly<Record<string, bigint>>): readonly AdmissionRequirement[] =>
    Object.entries(amounts).map(([resource, quantity]) => ({ resource, quantity }))

  function chosen(
    pods: readonly Pod[],
    amounts: Readonly<Record<string, bigint>>,
    by: Pod = comer,
  ): unknown {
    const victims = getPodsToPreempt(by, pods, lacking(amounts))
    return victims.ok ? victims.value.map(({ metadata }) => metadata.name) : victims.error
  }

  describe('who goes', () => {
    const small = resident('small', { cpu: '100m' })
    const middle = resident('middle', { cpu: '500m' })
    const large = resident('large', { cpu: '1' })
    const sure = resident('sure', { cpu: '1', memory: '1Mi', limited: true })
    const idle = resident('idle', {})

    it.each<[string, readonly Pod[], Readonly<Record<string, bigint>>, unknown]>([
      ['the one that is enough alone', [small, large, middle], { cpu: 400n }, ['middle']],
      ['the smaller of two that are enough', [large, middle], { cpu: 100n }, ['middle']],
      [
        'of two that ask for as much cpu, the one with less memory',
        [resident('b', { cpu: '1', memory: '2Mi' }), resident('a', { cpu: '1', memory: '1Mi' })],
        { cpu: 900n },
        ['a'],
      ],
      [
        'the last of those that are alike',
        [resident('a', { cpu: '1' }), resident('b', { cpu: '1' })],
        { cpu: 900n },
        ['b'],
      ],
      [
        'the nearest first, then what remains',
        [small, middle, large],
        { cpu: 1400n },
        ['large', 'middle'],
      ],
      ['Burstable before Guaranteed', [sure, large], { cpu: 900n }, ['large']],
      [
        'Guaranteed for what all others do not free, and of the others as many as are still needed',
        [sure, large, small],
        { cpu: 1500n },
        ['large', 'sure'],
      ],
      ['BestEffort pods for nothing but their place', [idle, large], { cpu: 900n }, ['large']],
      ['a BestEffort pod first for a place', [large, sure, idle], { pods: 1n }, ['idle']],
      [
        'as few as are needed for several resources together',
        [
          resident('cpu', { cpu: '1' }),
          resident('memory', { memory: '1Gi' }),
          resident('both', { cpu: '1', memory: '1Gi' }),
        ],
        { cpu: 1000n, memory: 1_000_000n },
        ['both'],
      ],
      [
        'no pod, when all together are not enough',
        [small, middle],
        { cpu: 700n, memory: 1n },
        'no set of running pods found to reclaim resources: [(res: cpu, q: 100), (res: memory, q: 1), ]',
      ],
    ])('%s', (_title, pods, amounts, expected) => {
      expect(chosen(pods, amounts)).toEqual(expected)
    })

    it('only pods that it may preempt: less critical, or of less priority', () => {
      const none = 'no set of running pods found to reclaim resources: [(res: pods, q: 1), ]'
      const by = (spec: Partial<PodSpec>): Pod => fakePod({ uid: 'by', spec })
      const lack = { pods: 1n }
      expect(chosen([fakeStaticPod()], lack)).toBe(none)
      expect(chosen([fakePod({ name: 'same', spec: critical })], lack)).toBe(none)
      expect(chosen([fakePod({ name: 'higher', spec: { priority: 2_000_000_001 } })], lack)).toBe(
        none,
      )
      expect(
        chosen([fakePod({ name: 'less', spec: critical })], lack, by({ priority: 2_000_001_000 })),
      ).toEqual(['less'])
      // Itself is among the active pods.
      expect(chosen([comer], lack)).toBe(none)
    })
  })

  function handling(outcome?: (pod: Pod) => Result<undefined, string>) {
    const parts = killing(outcome)
    const log = new FakeLog()
    const failureHandler = new CriticalPodAdmissionHandler({
      ...parts,
      log,
    })
    return { ...parts, log, failureHandler, refuse: refusalOn({ failureHandler }) }
  }

  const busy = [
    resident('idle', {}),
    resident('half', { cpu: '1' }),
    resident('rest', { cpu: '1', memory: '1Mi', limited: true }),
  ]
  const wanting = (cpu: string, spec: Partial<PodSpec> = critical): Pod => asking({ cpu }, spec)

  it('only when the incoming pod is critical', async () => {
    const { refuse, kills } = handling()
    expect((await refuse(wanting('1', {}), busy))?.reason).toBe('OutOfpods')
    expect(kills).toEqual([])
    expect(await refuse(wanting('1'), busy)).toBeUndefined()
    expect(kills.map(({ uid }) => uid)).toEqual(['half'])
  })

  it('a static pod is critical, whatever its priority', async () => {
    const { refuse, kills } = handling()
    expect(await refuse(fakeStaticPod({ spec: wanting('1').spec }), busy)).toBeUndefined()
    expect(kills.map(({ uid }) => uid)).toEqual(['half'])
  })

  it('when the pod also fails for another reason, the shortage is ignored, the rest rejects it, and no pod is killed', async () => {
    const { refuse, kills } = handling()
    const misplaced = wanting('1', { ...critical, nodeSelector: { disk: 'hdd' } })
    expect(await refuse(misplaced, busy)).toMatchObject({ reason: 'NodeAffinity' })
    expect(kills).toEqual([])
  })

  it('rejects when all together cannot free enough', async () => {
    const { refuse, kills, trace } = handling()
    expect(await refuse(wanting('9'), busy)).toEqual({
      reason: 'UnexpectedAdmissionError',
      message:
        'Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 7000), ]',
    })
    expect([kills, trace.kinds]).toEqual([[], []])
  })

  it('kills in the order BestEffort, Burstable, Guaranteed, with the pod’s own grace, and records why', async () => {
    const { refuse, kills, recorder, trace } = handling()
    expect(await refuse(wanting('2'), [...busy, resident('more', {})])).toBeUndefined()
    expect(kills).toEqual(
      ['half', 'rest'].map((uid) => ({
        uid,
        evict: true,
        podStatusFunc: expect.any(Function),
        causes: expect.any(Array),
      })),
    )
    const line = 'Warning Preempting Preempted in order to admit critical pod'
    expect(recorder.lines).toEqual([line, line])
    expect(trace.kinds).toEqual([
      'preemption.decided',
      'preemption.requested',
      'preemption.completed',
      'preemption.requested',
      'preemption.completed',
    ])
    expect(trace.data('preemption.decided')).toEqual([
      {
        missing: '[(res: pods, q: 2), (res: cpu, q: 2000), ]',
        victims: ['half_default(half)', 'rest_default(rest)'],
      },
    ])
    expect(kills.map(({ causes }) => causes)).toEqual([[2], [4]])
  })

  it('writes Failed, Preempting, and DisruptionTarget with a message of its own', async () => {
    const { refuse, kills } = handling()
    await refuse(wanting('1'), busy)
    const status = kills[0]?.podStatusFunc?.({ phase: 'Running', podIP: '10.0.0.1' })
    expect(status).toEqual({
      phase: 'Failed',
      reason: 'Preempting',
      message: 'Preempted in order to admit critical pod',
      podIP: '10.0.0.1',
      conditions: [
        {
          type: 'DisruptionTarget',
          status: 'True',
          lastTransitionTime: '2026-01-01T00:00:07Z',
          reason: 'TerminationByKubelet',
          message: 'Pod was preempted by Kubelet to accommodate a critical pod.',
        },
      ],
    })
  })

  it('tries the next when a kill failed, admits the pod anyway, and counts the preempted pods', async () => {
    const { refuse, failureHandler, log, trace } = handling(({ metadata }) =>
      metadata.uid === 'half' ? err('timeout waiting to kill pod') : ok(undefined),
    )
    expect(await refuse(wanting('2'), busy)).toBeUndefined()
    expect(trace.data('preemption.completed')).toEqual([{ timedOut: true }, { timedOut: false }])
    expect(log.lines.map(({ message }) => message)).toEqual([
      'a pod that was preempted has not stopped in time',
    ])
    expect(Object.fromEntries(failureHandler.preemptions)).toEqual({ pods: 1 })
  })

  describe('on a whole node', () => {
    const dns = `dns-${nodeName}`

    /** A static pod has come for which a pod with 8 s of grace must go. */
    async function preempting(): Promise<TerminationFixture> {
      const fixture = new TerminationFixture()
      await fixture.settle(5)
      const resources = { requests: { cpu: '1500m' } }
      const [container] = manifestOf('victim', 'stubborn').spec.containers
      if (container === undefined) throw new Error('it has one')
      await fixture.runs('victim', 'stubborn', { containers: [{ ...container, resources }] })
      const containers = [{ name: 'c', image: 'busybox:1', resources }]
      fixture.cluster.putManifests([manifestOf('dns', 'polite', { containers })])
      await fixture.settle(1)
      expect(fixture.data('victim', 'preemption.requested')).toHaveLength(1)
      return fixture
    }

    it('blocks the sync loop until the victims have stopped', async () => {
      const fixture = await preempting()
      await fixture.cluster.createPod(manifestOf('other', 'polite', { nodeName }))
      await fixture.settle(6)
      expect(fixture.data('other', 'worker.updated')).toEqual([])
      expect(fixture.data(dns, 'worker.updated')).toEqual([])
      await fixture.settle(10)
      const phases: (string | undefined)[] = []
      for (const name of ['victim', 'other', dns])
        phases.push((await fixture.pod(name))?.status?.phase)
      expect(phases).toEqual(['Failed', 'Running', 'Running'])
      fixture.cluster.stop()
    })

    it('admits no pod when the kubelet stops meanwhile; the next kubelet starts over', async () => {
      const fixture = await preempting()
      const node = fixture.cluster.node()
      node.stopKubelet()
      await fixture.settle(30)
      expect(fixture.data('victim', 'preemption.completed')).toEqual([])
      expect(fixture.data(dns, 'container.created')).toEqual([])
      expect((await fixture.pod('victim'))?.status?.phase).toBe('Running')
      fixture.mark()
      node.startKubelet()
      await fixture.settle(30)
      // Whichever of the two its sources bring first, there is room for the static one only.
      expect((await fixture.pod('victim'))?.status?.phase).toBe('Failed')
      expect((await fixture.pod(dns))?.status?.phase).toBe('Running')
      fixture.cluster.stop()
    })
  })
})

describe('termination#ways-to-stop-a-pod', () => {
  const node = `system:node:${nodeName}`
  /** Nothing has been done to it. */
  const untouched: Ending = {
    grace: [],
    deletionAfter: undefined,
    phase: 'Running',
    reason: undefined,
    disruption: undefined,
    endWrittenByKubelet: false,
    removedBy: undefined,
    restarts: 0,
  }
  const ended = { grace: [8], phase: 'Failed', endWrittenByKubelet: true } as const
  const deleted = { ...ended, deletionAfter: 8, removedBy: node } as const
  const large = { requests: { cpu: '1500m' } }

  interface Way {
    readonly way: string
    readonly who: Temper
    readonly spec?: Partial<PodSpec>
    readonly act: (fixture: TerminationFixture) => unknown
    readonly seconds?: number
    readonly ending: Partial<Ending>
  }

  /** The budget of every pod here allows no disruption: only the eviction API asks it. */
  const ways: readonly Way[] = [
    {
      way: 'API delete',
      who: 'stubborn',
      act: (fixture) => fixture.delete('web'),
      ending: deleted,
    },
    {
      way: 'API delete of a pod that exits 0',
      who: 'polite',
      act: (fixture) => fixture.delete('web'),
      ending: { ...deleted, phase: 'Succeeded' },
    },
    {
      way: 'API delete with a grace of its own',
      who: 'stubborn',
      act: (fixture) => fixture.delete('web', 3),
      ending: { ...deleted, grace: [3], deletionAfter: 3 },
    },
    {
      way: 'API delete with a negative grace, which is 1',
      who: 'stubborn',
      act: (fixture) => fixture.delete('web', -5),
      ending: { ...deleted, grace: [2], deletionAfter: 1 },
    },
    {
      way: 'repeated delete, which cannot make it longer',
      who: 'stubborn',
      act: async (fixture) => {
        await fixture.delete('web')
        await fixture.delete('web', 20)
      },
      ending: deleted,
    },
    {
      way: 'repeated delete, which makes it shorter; the stop that is under way is not cut short',
      who: 'stubborn',
      act: async (fixture) => {
        await fixture.delete('web')
        await fixture.delete('web', 4)
      },
      ending: { ...deleted, deletionAfter: 4 },
    },
    {
      way: 'force delete: grace 1, which the runtime is given as 2',
      who: 'stubborn',
      act: (fixture) => fixture.delete('web', 0),
      ending: { grace: [2], removedBy: 'nodescope-admin' },
    },
    {
      way: 'force delete of which the kubelet missed the change: the grace of the spec',
      who: 'stubborn',
      act: async (fixture) => {
        // It gets no events, and then a list without the pod.
        fixture.cluster.outage().cut()
        await fixture.delete('web', 0)
        fixture.kubelet.setPods('api', [], [])
      },
      ending: { grace: [8], removedBy: 'nodescope-admin' },
    },
    {
      way: 'eviction API, where the budget refuses it',
      who: 'stubborn',
      act: async (fixture) => {
        expect(await fixture.evictThroughApi('web')).toBe(429)
      },
      ending: {},
    },
    {
      way: 'eviction API, where no budget stands against it',
      who: 'stubborn',
      act: async (fixture) => {
        await fixture.ask('DELETE', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/guard')
        expect(await fixture.evictThroughApi('web')).toMatchObject({ status: 'Success' })
      },
      ending: { ...deleted, disruption: 'EvictionByEvictionAPI' },
    },
    {
      way: 'node-pressure eviction, as by hand',
      who: 'stubborn',
      act: async (fixture) => fixture.kubelet.manualActions.evict(await fixture.uid('web'), []),
      ending: { ...ended, grace: [2], reason: 'Evicted', disruption: 'TerminationByKubelet' },
    },
    {
      way: 'node-pressure eviction of a pod that exits 0: only DisruptionTarget shows it',
      who: 'polite',
      act: async (fixture) => fixture.kubelet.manualActions.evict(await fixture.uid('web'), []),
      ending: { ...ended, grace: [2], phase: 'Succeeded', disruption: 'TerminationByKubelet' },
    },
    {
      way: 'kubelet preemption',
      who: 'stubborn',
      spec: {
        containers: [
          { name: 'c', image: 'busybox:1', command: ['sleep', '9000'], resources: large },
        ],
      },
      act: (fixture) =>
        fixture.cluster.createPod(
          manifestOf('dns', 'polite', {
            nodeName,
            priorityClassName: 'system-cluster-critical',
            containers: [{ name: 'c', image: 'busybox:1', resources: large }],
          }),
        ),
      ending: { ...ended, reason: 'Preempting', disruption: 'TerminationByKubelet' },
    },
    {
      way: 'scheduler preemption',
      who: 'stubborn',
      act: async (fixture) => {
        const condition = {
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'PreemptionByScheduler',
        } as const
        await fixture.patchStatus('web', { conditions: [condition] })
        await fixture.delete('web')
      },
      ending: { ...deleted, disruption: 'PreemptionByScheduler' },
    },
    {
      way: 'taint NoExecute',
      who: 'stubborn',
      act: (fixture) =>
        fixture.patchNode({ spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }),
      ending: { ...deleted, disruption: 'DeletionByTaintManager' },
    },
    {
      way: 'taint NoExecute, tolerated for 5 s',
      who: 'stubborn',
      spec: {
        tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
      },
      act: (fixture) =>
        fixture.patchNode({ spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }),
      ending: { ...deleted, deletionAfter: 13, disruption: 'DeletionByTaintManager' },
    },
    {
      way: 'pod GC, when the node has been gone for a while',
      who: 'stubborn',
      act: (fixture) => {
        fixture.cluster.node().stopKubelet()
        return fixture.ask('DELETE', `/api/v1/nodes/${nodeName}`)
      },
      seconds: 90,
      ending: {
        phase: 'Failed',
        disruption: 'DeletionByPodGC',
        removedBy: 'system:kube-controller-manager',
      },
    },
    {
      way: 'graceful node shutdown: the grace of its group',
      who: 'stubborn',
      act: (fixture) =>
        fixture.kubelet.shutdownManager.shutDown(
          { shutdownGracePeriodMs: 5000, shutdownGracePeriodCriticalPodsMs: 1000 },
          [],
        ),
      ending: {
        ...ended,
        grace: [4],
        reason: 'Terminated',
        disruption: 'TerminationByKubelet',
      },
    },
    {
      way: 'active deadline',
      who: 'stubborn',
      spec: { activeDeadlineSeconds: 20 },
      act: () => undefined,
      ending: { ...ended, reason: 'DeadlineExceeded' },
    },
  ]

  it.each(ways)('$way', async ({ who, spec = {}, act, seconds = 40, ending }) => {
    const fixture = new TerminationFixture()
    await fixture.settle(5)
    await fixture.protect('web')
    await fixture.runs('web', who, spec)
    expect(await endingOf(fixture, 'web', () => act(fixture), seconds)).toEqual({
      ...untouched,
      ...ending,
    })
    fixture.cluster.stop()
  })

  it('kubelet rejection: no worker and no container, Failed with the reason, and the object stays', async () => {
    const fixture = new TerminationFixture()
    await fixture.settle(5)
    const tooLarge = { requests: { cpu: '9' } }
    const rejected = manifestOf('web', 'polite', {
      nodeName,
      containers: [{ name: 'c', image: 'busybox:1', resources: tooLarge }],
    })
    const ending = await endingOf(fixture, 'web', () => fixture.cluster.createPod(rejected), 40)
    expect(ending).toEqual({
      ...untouched,
      phase: 'Failed',
      reason: 'OutOfcpu',
      endWrittenByKubelet: true,
    })
    fixture.cluster.stop()
  })

  it('static manifest removed: the grace of the spec, no final status, and the kubelet deletes the mirror', async () => {
    const fixture = new TerminationFixture()
    await fixture.settle(5)
    const manifest = manifestOf('web', 'stubborn')
    fixture.cluster.putManifests([manifest])
    await fixture.settle(20)
    const name = `web-${nodeName}`
    const ending = await endingOf(
      fixture,
      name,
      () => {
        fixture.cluster.putManifests([])
      },
      40,
    )
    expect(ending).toEqual({ ...untouched, grace: [8], removedBy: node })
    fixture.cluster.stop()
  })
})
