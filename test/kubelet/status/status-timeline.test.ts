import { describe, expect, it } from 'vitest'
import type { Pod, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { CoreFixture, Outside } from '../pod-workers/core-fixture.ts'
import { AwaitPoints } from '../pod-workers/await-points.ts'

/** A kubelet's core whose ports answer at once, except where it is held. */
class Fixture {
  readonly outside = new Outside()
  readonly awaitPoints = new AwaitPoints()
  readonly core = new CoreFixture(this.outside, this.awaitPoints)

  constructor() {
    this.awaitPoints.isAutomatic = true
  }

  /** A pod of the API server, on its way to the kubelet. */
  async create(): Promise<void> {
    const pod: Pod = { ...fakePod({ name: 'a' }), status: { phase: 'Pending' } }
    await this.outside.server.create({ resource: 'pods', namespace: 'default' }, pod)
    await this.#deliver()
  }

  /** The same, and admission refuses it: it gets no worker. Nothing of an unknown pod runs, since the workers were compared once. */
  async createRejected(): Promise<void> {
    this.core.takeSources()
    await this.core.housekeeping()
    const pod: Pod = { ...fakePod({ name: 'a' }), status: { phase: 'Pending' } }
    const scope = { resource: 'pods', namespace: 'default' } as const
    const created = await this.outside.server.create(scope, pod)
    if (!created.ok) throw new Error(created.error.message)
    this.core.podManager.addPod(created.value, [])
  }

  /** A second after it was created, when its status has been looked at again. */
  async runs(): Promise<void> {
    await this.create()
    await this.core.settle()
    this.core.update({ updateType: 'sync', pod: this.known })
    await this.core.settle()
    expect(this.shown?.phase).toBe('Running')
  }

  async delete(): Promise<void> {
    this.outside.server.deletePod('a')
    await this.#deliver()
  }

  /** The pod as the kubelet knows it. */
  get known(): Pod {
    const [pod] = this.core.podManager.getPods()
    if (pod === undefined) throw new Error('no pod')
    return pod
  }

  /** What every client can see. */
  get shown(): PodStatus | undefined {
    return this.outside.server.pod('a')?.status
  }

  /** What the kubelet holds. */
  get cached(): PodStatus | undefined {
    return this.core.statusManager.getPodStatus(this.known.metadata.uid)
  }

  async release(place: string): Promise<void> {
    this.awaitPoints.held.delete(place)
    for (const call of this.awaitPoints.pending.filter((each) => each.place === place))
      call.end('answers')
    await this.core.settle()
  }

  async #deliver(): Promise<void> {
    this.core.takeSources()
    await this.core.settle()
  }
}

const containersOf = (status: PodStatus | undefined) =>
  status?.containerStatuses?.map(({ state }) => state)

const evicted = (status: PodStatus): PodStatus => ({
  ...status,
  phase: 'Failed',
  reason: 'Evicted',
  message: 'low',
})

interface Moment {
  readonly moment: string
  readonly reach: (fixture: Fixture) => Promise<void>
  readonly shown: object
  /** Where the kubelet holds something else than what it shows. */
  readonly cached?: object
}

describe('status#timeline', () => {
  it.each<Moment>([
    {
      moment: 'start of the first SyncPod: Pending, ContainerCreating, before anything is done',
      reach: async (fixture) => {
        fixture.awaitPoints.held.add('SyncPod: syncPod')
        await fixture.create()
        expect(fixture.awaitPoints.pending.map(({ place }) => place)).toEqual(['SyncPod: syncPod'])
      },
      shown: {
        phase: 'Pending',
        observedGeneration: 1,
        containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
      },
    },
    {
      moment: 'start of a later SyncPod: current',
      reach: (fixture) => fixture.runs(),
      shown: { phase: 'Running', containerStatuses: [{ ready: true }] },
    },
    {
      moment: 'probe result: readiness flips at once',
      reach: async (fixture) => {
        await fixture.runs()
        const { uid } = fixture.known.metadata
        const id = fixture.cached?.containerStatuses?.[0]?.containerID ?? ''
        fixture.core.statusManager.setContainerReadiness(uid, id, false, [])
        await fixture.core.settle()
      },
      shown: { phase: 'Running', containerStatuses: [{ ready: false }] },
    },
    {
      moment: 'start of SyncTerminatingPod: still the old phase in the API, another one locally',
      reach: async (fixture) => {
        await fixture.runs()
        fixture.awaitPoints.held.add('SyncTerminatingPod: killPod')
        fixture.core.update({
          updateType: 'kill',
          pod: fixture.known,
          killPodOptions: { evict: true, podStatusFunc: evicted },
        })
        await fixture.core.settle()
      },
      shown: { phase: 'Running' },
      cached: { phase: 'Failed', reason: 'Evicted', message: 'low' },
    },
    {
      moment: 'end of SyncTerminatingPod: terminal container states; the phase may become Failed',
      reach: async (fixture) => {
        await fixture.runs()
        fixture.awaitPoints.held.add('cache before SyncTerminatedPod')
        fixture.core.update({ updateType: 'kill', pod: fixture.known })
        await fixture.core.settle()
        // By the ten-second look at the latest (status#sending-a-status, the race).
        await fixture.outside.clock.advance(10_000)
        fixture.core.takeSources()
        await fixture.outside.clock.advance(10_000)
      },
      shown: {
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'Error' } } }],
      },
    },
    {
      moment: 'SyncTerminatedPod of a pod that is not deleted: the same, and the object stays',
      reach: async (fixture) => {
        await fixture.runs()
        fixture.core.update({ updateType: 'kill', pod: fixture.known })
        await fixture.core.settle()
        expect(fixture.core.workers.shouldPodBeFinished(fixture.known.metadata.uid)).toBe(true)
      },
      shown: {
        phase: 'Failed',
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PodFailed' }),
        ]),
      },
    },
    {
      moment: 'rejection: Failed and the reason, nothing else',
      reach: async (fixture) => {
        await fixture.createRejected()
        const status: PodStatus = { phase: 'Failed', reason: 'OutOfcpu', message: 'no' }
        fixture.core.statusManager.setPodStatus(fixture.known, status, [])
        await fixture.core.settle()
        expect(containersOf(fixture.shown)).toBeUndefined()
      },
      shown: { phase: 'Failed', reason: 'OutOfcpu', message: 'no', observedGeneration: 1 },
    },
  ])('$moment', async ({ reach, shown, cached }) => {
    const fixture = new Fixture()
    await reach(fixture)
    expect(fixture.shown).toMatchObject(shown)
    expect(fixture.cached).toMatchObject(cached ?? shown)
    expect(fixture.core.invariants.broken).toEqual([])
  })

  it('TerminatePod forces a write; then the object of a deleted pod goes, its terminal phase seen first', async () => {
    const fixture = new Fixture()
    await fixture.runs()
    const seen: (string | undefined)[] = []
    const { server } = fixture.outside
    server.watch((_, { type }) => {
      seen.push(type === 'DELETED' ? type : fixture.shown?.phase)
    })
    fixture.awaitPoints.held.add('status: delete')
    await fixture.delete()
    expect(fixture.shown).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 137 } } }],
    })
    await fixture.release('status: delete')
    expect(fixture.outside.server.pods()).toEqual([])
    expect(seen.slice(-2)).toEqual(['Failed', 'DELETED'])
  })

  it('raises observedGeneration when a deletion is noticed, before anything has stopped', async () => {
    const fixture = new Fixture()
    await fixture.runs()
    fixture.awaitPoints.held.add('SyncTerminatingPod: killPod')
    await fixture.delete()
    expect(fixture.shown).toMatchObject({ phase: 'Running', observedGeneration: 2 })
    const generations = fixture.shown?.conditions?.map((each) => each.observedGeneration)
    expect(new Set(generations)).toEqual(new Set([2]))
  })
})
