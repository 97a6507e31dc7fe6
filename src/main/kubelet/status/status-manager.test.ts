import { describe, expect, it } from 'vitest'
import type { ContainerStatus, Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../container/fake-log.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { FakeApiClient } from '../fake-api-client.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../pod/fake-pod.ts'
import { PodManager } from '../pod/pod-manager.ts'
import { StatusManager } from './status-manager.ts'

const seconds = (text: string): string => `1970-01-01T00:00:${text}Z`

function containerStatus(name: string, rest: Partial<ContainerStatus> = {}): ContainerStatus {
  return { name, ready: false, restartCount: 0, image: 'i', imageID: '', lastState: {}, ...rest }
}

const pending: PodStatus = {
  phase: 'Pending',
  conditions: [
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
    { type: 'ContainersReady', status: 'False', reason: 'ContainersNotReady' },
  ],
  containerStatuses: [
    containerStatus('c', { state: { waiting: { reason: 'ContainerCreating' } } }),
  ],
  qosClass: 'BestEffort',
}
const running: PodStatus = {
  ...pending,
  phase: 'Running',
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'ContainersReady', status: 'True' },
  ],
  containerStatuses: [
    containerStatus('c', { state: { running: {} }, ready: true, containerID: 'fake://c-0' }),
  ],
}
const failed: PodStatus = {
  ...running,
  phase: 'Failed',
  conditions: [
    { type: 'Ready', status: 'False', reason: 'PodFailed' },
    { type: 'ContainersReady', status: 'False', reason: 'PodFailed' },
  ],
  containerStatuses: [containerStatus('c', { state: { terminated: { exitCode: 137 } } })],
}

/** A manager on a clock that stands at one second, whose API and pod manager know the pods that were put. */
class Bench {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  readonly api: FakeApiClient
  readonly trace = new FakeTrace()
  readonly log = new FakeLog()
  readonly podManager = new PodManager({ trace: { emit: () => 0 } })
  readonly running = new Set<string>()
  readonly manager: StatusManager

  constructor(latencyMs = 0, writesAtOnce?: number) {
    this.api = new FakeApiClient({ clock: this.clock, latencyMs })
    this.manager = new StatusManager({
      api: this.api,
      podManager: this.podManager,
      podDeletionSafety: { couldHaveRunningContainers: (uid) => this.running.has(uid) },
      clock: this.clock,
      trace: this.trace,
      log: this.log,
      writesAtOnce,
    })
    this.manager.start()
  }

  /** Creates the pod in the API and hands the kubelet the object that came back. */
  async put(shape: Parameters<typeof fakePod>[0] = {}): Promise<Pod> {
    const created = await this.api.create(
      { resource: 'pods', namespace: 'default' },
      fakePod(shape),
    )
    if (!created.ok) throw new Error(created.error.message)
    this.podManager.addPod(created.value, [])
    this.api.calls.length = 0
    return created.value
  }

  /** The same where every call takes time. */
  async putSlow(shape: Parameters<typeof fakePod>[0] = {}): Promise<Pod> {
    const put = this.put(shape)
    await this.clock.advance(1000)
    return put
  }

  /** A static pod whose mirror is in the API and known. */
  async putStatic(): Promise<{ readonly pod: Pod; readonly mirror: Pod }> {
    const pod = fakeStaticPod()
    const created = await this.api.create(
      { resource: 'pods', namespace: 'default' },
      fakeMirrorOf(pod),
    )
    if (!created.ok) throw new Error(created.error.message)
    this.podManager.addPod(pod, [])
    this.podManager.addPod(created.value, [])
    this.api.calls.length = 0
    return { pod, mirror: created.value }
  }

  /** The API source: what the API has now becomes what the kubelet knows. */
  refresh(name = 'web'): Pod {
    const pod = this.api.pod(name)
    if (pod === undefined) throw new Error(`no pod ${name}`)
    this.podManager.updatePod(pod, [])
    return pod
  }

  async settle(): Promise<void> {
    await this.clock.advance(0)
  }

  /** Verbs since the last call. */
  verbs(): readonly string[] {
    return this.api.calls.splice(0).map(({ verb, name }) => `${verb} ${name}`)
  }

  patches(): readonly unknown[] {
    return this.api.calls.filter(({ verb }) => verb === 'patch').map(({ body }) => body)
  }
}

describe('caching a status', () => {
  it('gives it back with times and generation, and by the uid of a mirror too', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, pending, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toEqual({
      ...pending,
      conditions: pending.conditions?.map((condition) => ({
        ...condition,
        lastTransitionTime: seconds('01'),
      })),
      startTime: seconds('01'),
      observedGeneration: 1,
    })
    const { pod: staticPod, mirror } = await bench.putStatic()
    bench.manager.setPodStatus(staticPod, running, [])
    expect(bench.manager.getPodStatus(mirror.metadata.uid)?.phase).toBe('Running')
    expect(bench.manager.getPodStatus('nobody')).toBeUndefined()
  })

  it('observes no generation of a pod that has none', () => {
    const bench = new Bench()
    const pod = fakeStaticPod()
    bench.manager.setPodStatus(pod, { ...pending, observedGeneration: 1 }, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)).not.toHaveProperty('observedGeneration')
  })

  it('takes nothing over from a static pod whose mirror has no status yet', () => {
    const bench = new Bench()
    const pod = fakeStaticPod({ status: { startTime: seconds('00') } })
    bench.podManager.addPod(fakeMirrorOf(fakeStaticPod()), [])
    bench.manager.setPodStatus(pod, pending, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)?.startTime).toBe(seconds('01'))
  })

  it('ignores an equal one, and one that differs only in the conditions of others', async () => {
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

  it('counts every status of a deleting pod as a new version', async () => {
    const bench = new Bench()
    const pod = await bench.put({ metadata: { deletionTimestamp: seconds('30') } })
    for (let round = 0; round < 3; round++) bench.manager.setPodStatus(pod, running, [])
    expect(bench.manager.versions(pod.metadata.uid)?.cached).toBe(3)
  })

  it('tells how many statuses wait for the server, and leaves out what has nowhere to go', async () => {
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

  it('keeps transition times while a status stays and moves them when it flips', async () => {
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

  it('takes start time and times from the mirror, or from the pod, while nothing is cached', async () => {
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

  it('never lowers observedGeneration, and writes none for a static pod', async () => {
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

  it('refuses a container that rises from its end, the whole status with it', async () => {
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

  it('drops what is not wanted any more', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const other = await bench.put({ name: 'other' })
    bench.manager.setPodStatus(pod, pending, [])
    bench.manager.setPodStatus(other, pending, [])
    bench.manager.removeOrphanedStatuses(new Set([other.metadata.uid]))
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeUndefined()
    expect(bench.manager.getPodStatus(other.metadata.uid)).toBeDefined()
  })
})

describe('probe results', () => {
  it('flip readiness with its two conditions, or startup, and send at once', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const { uid } = pod.metadata
    bench.manager.setPodStatus(pod, running, [])
    await bench.clock.advance(1000)
    bench.manager.setContainerReadiness(uid, 'fake://c-0', false, [])
    expect(bench.manager.getPodStatus(uid)).toMatchObject({
      containerStatuses: [{ ready: false }],
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'ContainersNotReady',
          message: 'containers with unready status: [c]',
          lastTransitionTime: seconds('02'),
        },
        { type: 'ContainersReady', status: 'False', lastTransitionTime: seconds('02') },
      ],
    })
    bench.manager.setContainerStartup(uid, 'c-0', true, [])
    expect(bench.manager.getPodStatus(uid)?.containerStatuses).toMatchObject([{ started: true }])
    expect(bench.manager.versions(uid)?.cached).toBe(3)
    bench.manager.setContainerReadiness(uid, 'c-0', false, [])
    bench.manager.setContainerStartup(uid, 'c-0', true, [])
    expect(bench.manager.versions(uid)?.cached).toBe(3)
    await bench.settle()
    expect(bench.api.pod('web')?.status?.containerStatuses).toMatchObject([
      { ready: false, started: true },
    ])
  })

  it('make no condition when a container has started', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const { conditions: _none, ...status } = running
    bench.manager.setPodStatus(pod, status, [])
    bench.manager.setContainerStartup(pod.metadata.uid, 'c-0', true, [])
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toMatchObject({
      containerStatuses: [{ started: true }],
    })
    expect(bench.manager.getPodStatus(pod.metadata.uid)?.conditions ?? []).toEqual([])
  })

  it('of a sidecar count too', async () => {
    const bench = new Bench()
    const pod = await bench.put({
      spec: { initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always' }] },
    })
    const { uid } = pod.metadata
    const initContainerStatuses = [containerStatus('s', { containerID: 'fake://s-0' })]
    bench.manager.setPodStatus(pod, { ...running, initContainerStatuses }, [])
    bench.manager.setContainerReadiness(uid, 's-0', true, [])
    expect(bench.manager.getPodStatus(uid)?.initContainerStatuses).toMatchObject([{ ready: true }])
  })

  it('of unknown pods and containers change nothing', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    const { uid } = pod.metadata
    bench.manager.setContainerReadiness('nobody', 'c-0', true, [])
    bench.manager.setContainerReadiness(uid, 'c-0', true, [])
    bench.manager.setPodStatus(pod, running, [])
    bench.manager.setContainerReadiness(uid, 'gone', false, [])
    expect(bench.manager.versions(uid)?.cached).toBe(1)
  })
})

describe('sending', () => {
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

  it('makes no write when nothing differs, and remembers the version as sent', async () => {
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
  ])('told to write %s pods at a time, by default one, does so', async (writesAtOnce, verbs) => {
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

  it('tries again at the next bell or tick when the server failed', async () => {
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

  it('ignores a pod that is not in the API any more', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.api.deletePod('web', 0)
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.verbs()).toEqual(['get web'])
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeDefined()
    expect(bench.log.problems).toEqual([])
  })

  it('drops the status when the name belongs to another pod by now', async () => {
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
})

describe('static pods', () => {
  it('are written to their mirror, by its uid', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.patches()).toMatchObject([{ metadata: { uid: mirror.metadata.uid } }])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: 1 })
  })

  it('without a mirror are not written', async () => {
    const bench = new Bench()
    const pod = fakeStaticPod()
    bench.podManager.addPod(pod, [])
    bench.manager.setPodStatus(pod, running, [])
    await bench.clock.advance(10_000)
    expect(bench.verbs()).toEqual([])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: undefined })
  })

  it('whose mirror came back under another uid are written at the next tick, at most ten seconds later', async () => {
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

  it('lose their status when the mirror in the API is one that the kubelet has not seen yet (semantics 6.5 step 2)', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.api.deletePod(mirror.metadata.name, 0)
    await bench.api.create({ resource: 'pods', namespace: 'default' }, fakeMirrorOf(pod))
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeUndefined()
    expect(bench.patches()).toEqual([])
  })

  it('have no gate before their terminal phase, since workers do not know the uid of a mirror', async () => {
    const bench = new Bench()
    const { pod } = await bench.putStatic()
    bench.running.add(pod.metadata.uid)
    bench.manager.setPodStatus(pod, failed, [])
    await bench.settle()
    expect(bench.api.pod(pod.metadata.name)?.status?.phase).toBe('Failed')
  })

  it('are never deleted from the API by their status', async () => {
    const bench = new Bench()
    const { pod, mirror } = await bench.putStatic()
    bench.manager.terminatePod(pod, [])
    bench.api.deletePod(mirror.metadata.name)
    bench.manager.setPodStatus(pod, failed, [])
    await bench.clock.advance(20_000)
    expect(bench.api.calls.map(({ verb }) => verb)).not.toContain('delete')
  })
})

describe('the ten-second look', () => {
  it('puts back what somebody else changed', async () => {
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

  it('forgets what was sent for uids that nobody knows', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    bench.manager.removeOrphanedStatuses(new Set())
    await bench.clock.advance(10_000)
    bench.manager.setPodStatus(pod, running, [])
    expect(bench.manager.versions(pod.metadata.uid)).toEqual({ cached: 1, sent: undefined })
  })
})

describe('the end of a pod', () => {
  async function deletedPod(bench: Bench): Promise<Pod> {
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, running, [])
    await bench.settle()
    bench.api.deletePod('web')
    return bench.refresh()
  }

  it('is withheld while containers could run, then written, and the object goes when the worker is done', async () => {
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

  it('may come ten seconds late: the version that was sent too early counts as sent (semantics 6.5, the race)', async () => {
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

  it('is Failed when the last status was not terminal, with every container ended', async () => {
    const bench = new Bench()
    const pod = await deletedPod(bench)
    bench.manager.terminatePod(pod, [])
    await bench.settle()
    expect(bench.trace.data('status.patched').at(-1)?.phase).toBe('Failed')
    expect(bench.api.pod('web')).toBeUndefined()
  })

  it('leaves the object of a pod that nobody deletes', async () => {
    const bench = new Bench()
    const pod = await bench.put()
    bench.manager.setPodStatus(pod, failed, [])
    bench.manager.terminatePod(pod, [])
    await bench.clock.advance(30_000)
    expect(bench.api.pod('web')?.status?.phase).toBe('Failed')
    expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeDefined()
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

  it('is finished for good: a later status of the worker does not undo it', async () => {
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

  it('keeps a DisruptionTarget back until the phase is terminal', async () => {
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
