import { describe, expect, it } from 'vitest'
import type { Pod, PodStatus } from '../../src/shared/kubernetes/objects.ts'
import { fakePod } from '../../src/main/kubelet/pod/fake-pod.ts'
import { CoreStage, Outside } from './core-stage.ts'
import { Places } from './places.ts'

/** A kubelet's core whose ports answer at once, except where it is held. */
class Stage {
  readonly outside = new Outside()
  readonly places = new Places()
  readonly core = new CoreStage(this.outside, this.places)

  constructor() {
    this.places.isAutomatic = true
  }

  /** A pod of the API server, on its way to the kubelet. */
  async create(): Promise<void> {
    const pod: Pod = { ...fakePod({ name: 'a' }), status: { phase: 'Pending' } }
    await this.outside.server.create({ resource: 'pods', namespace: 'default' }, pod)
    await this.#deliver()
  }

  /** The same, and admission refuses it: no worker is told. Nothing of an unknown pod runs, since the workers were compared once. */
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

  /** What everybody can see. */
  get shown(): PodStatus | undefined {
    return this.outside.server.pod('a')?.status
  }

  /** What the kubelet holds. */
  get cached(): PodStatus | undefined {
    return this.core.statusManager.getPodStatus(this.known.metadata.uid)
  }

  async release(place: string): Promise<void> {
    this.places.held.delete(place)
    for (const call of this.places.pending.filter((each) => each.place === place))
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
  readonly reach: (stage: Stage) => Promise<void>
  readonly shown: object
  /** Where the kubelet holds something else than what it shows. */
  readonly cached?: object
}

describe('status#timeline', () => {
  it.each<Moment>([
    {
      moment: 'start of the first SyncPod: Pending, ContainerCreating, before anything is done',
      reach: async (stage) => {
        stage.places.held.add('SyncPod: syncPod')
        await stage.create()
        expect(stage.places.pending.map(({ place }) => place)).toEqual(['SyncPod: syncPod'])
      },
      shown: {
        phase: 'Pending',
        observedGeneration: 1,
        containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
      },
    },
    {
      moment: 'start of a later SyncPod: current',
      reach: (stage) => stage.runs(),
      shown: { phase: 'Running', containerStatuses: [{ ready: true }] },
    },
    {
      moment: 'probe result: readiness flips at once',
      reach: async (stage) => {
        await stage.runs()
        const { uid } = stage.known.metadata
        const id = stage.cached?.containerStatuses?.[0]?.containerID ?? ''
        stage.core.statusManager.setContainerReadiness(uid, id, false, [])
        await stage.core.settle()
      },
      shown: { phase: 'Running', containerStatuses: [{ ready: false }] },
    },
    {
      moment: 'start of SyncTerminatingPod: still the old phase in the API, another one locally',
      reach: async (stage) => {
        await stage.runs()
        stage.places.held.add('SyncTerminatingPod: killPod')
        stage.core.update({
          updateType: 'kill',
          pod: stage.known,
          killPodOptions: { evict: true, podStatusFunc: evicted },
        })
        await stage.core.settle()
      },
      shown: { phase: 'Running' },
      cached: { phase: 'Failed', reason: 'Evicted', message: 'low' },
    },
    {
      moment: 'end of SyncTerminatingPod: terminal container states; the phase may become Failed',
      reach: async (stage) => {
        await stage.runs()
        stage.places.held.add('cache before SyncTerminatedPod')
        stage.core.update({ updateType: 'kill', pod: stage.known })
        await stage.core.settle()
        // By the ten-second look at the latest (status#sending-a-status, the race).
        await stage.outside.clock.advance(10_000)
        stage.core.takeSources()
        await stage.outside.clock.advance(10_000)
      },
      shown: {
        phase: 'Failed',
        containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'Error' } } }],
      },
    },
    {
      moment: 'SyncTerminatedPod of a pod that nobody deletes: the same, and the object stays',
      reach: async (stage) => {
        await stage.runs()
        stage.core.update({ updateType: 'kill', pod: stage.known })
        await stage.core.settle()
        expect(stage.core.workers.shouldPodBeFinished(stage.known.metadata.uid)).toBe(true)
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
      reach: async (stage) => {
        await stage.createRejected()
        const status: PodStatus = { phase: 'Failed', reason: 'OutOfcpu', message: 'no' }
        stage.core.statusManager.setPodStatus(stage.known, status, [])
        await stage.core.settle()
        expect(containersOf(stage.shown)).toBeUndefined()
      },
      shown: { phase: 'Failed', reason: 'OutOfcpu', message: 'no', observedGeneration: 1 },
    },
  ])('$moment', async ({ reach, shown, cached }) => {
    const stage = new Stage()
    await reach(stage)
    expect(stage.shown).toMatchObject(shown)
    expect(stage.cached).toMatchObject(cached ?? shown)
    expect(stage.core.invariants.broken).toEqual([])
  })

  it('TerminatePod forces a write; then the object of a deleted pod goes, its terminal phase seen first', async () => {
    const stage = new Stage()
    await stage.runs()
    const seen: (string | undefined)[] = []
    const { server } = stage.outside
    server.watch((_, { type }) => {
      seen.push(type === 'DELETED' ? type : stage.shown?.phase)
    })
    stage.places.held.add('status: delete')
    await stage.delete()
    expect(stage.shown).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 137 } } }],
    })
    await stage.release('status: delete')
    expect(stage.outside.server.pods()).toEqual([])
    expect(seen.slice(-2)).toEqual(['Failed', 'DELETED'])
  })

  it('raises observedGeneration when a deletion is noticed, before anything has stopped', async () => {
    const stage = new Stage()
    await stage.runs()
    stage.places.held.add('SyncTerminatingPod: killPod')
    await stage.delete()
    expect(stage.shown).toMatchObject({ phase: 'Running', observedGeneration: 2 })
    const generations = stage.shown?.conditions?.map((each) => each.observedGeneration)
    expect(new Set(generations)).toEqual(new Set([2]))
  })
})
