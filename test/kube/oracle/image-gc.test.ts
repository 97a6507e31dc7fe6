import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeRuntimeService } from '../../../src/main/kubelet/container/fake-runtime-service.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import type { FilesystemInfo } from '../../../src/main/kubelet/ports.ts'
import { ImageGcManager } from '../../../src/main/kubelet/images/image-gc-manager.ts'
import { defaultKubeletSettings } from '../../../src/main/kubelet/kubelet-settings.ts'
import type { RuntimeContainer } from '../../../src/main/kubelet/ports.ts'
import { err, ok } from '../../../src/shared/result.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'

const numRuns = 600
let rounds = 0
let removals = 0

interface Policy {
  readonly high: number
  readonly low: number
  readonly minAge: number
  readonly maxAge: number
}

interface Image {
  readonly id: string
  readonly size: number
  readonly pinned: boolean
}

/** A node as one round finds it, but for the images that earlier rounds removed. */
interface Round {
  readonly afterMs: number
  readonly images: readonly Image[]
  readonly used: readonly string[]
  readonly stuck: readonly string[]
  readonly capacity: number | null
  readonly available: number | null
  readonly failure: string
}

interface Collected {
  readonly removed: readonly string[]
  readonly left: readonly string[]
  readonly error: string
  readonly events: readonly string[]
}

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

const policies: fc.Arbitrary<Policy> = fc
  .record({
    high: fc.constantFrom(85, 85, 50, 100, 0),
    low: fc.constantFrom(80, 80, 40, 0),
    minAge: fc.constantFrom(120_000, 0, 600_000),
    maxAge: fc.constantFrom(0, 0, 300_000, 1_800_000),
  })
  .filter(({ high, low }) => low <= high)

const nodes: fc.Arbitrary<Round> = fc.record({
  afterMs: fc.integer({ min: 1, max: 700_000 }),
  images: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(...ids),
      size: fc.integer({ min: 1, max: 300 }),
      pinned: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
    }),
    { selector: ({ id }) => id, maxLength: 7 },
  ),
  used: fc.subarray(ids, { maxLength: 3 }),
  stuck: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, fc.subarray(ids, { maxLength: 2 })),
  capacity: fc.oneof({ weight: 8, arbitrary: fc.constant(1000) }, fc.constantFrom(null, 0, 333)),
  available: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }) },
    fc.constantFrom(null, 2000),
  ),
  failure: fc.oneof({ weight: 10, arbitrary: fc.constant('') }, fc.constant('no statistics')),
})

/** One new image a round: the order of images that were detected at one moment is that of Go's maps. */
function oneByOne(given: readonly Round[]): readonly Round[] {
  const known = new Set<string>()
  return given.map((round) => {
    const fresh = round.images.find(({ id }) => !known.has(id))
    if (fresh !== undefined) known.add(fresh.id)
    const images = round.images.filter(({ id }) => known.has(id))
    for (const id of known) if (!images.some((image) => image.id === id)) known.delete(id)
    // Two that one round sees in use would have been used last at one moment.
    return { ...round, images, used: round.used.slice(0, 1) }
  })
}

class Ours {
  readonly #runtime: FakeRuntimeService
  readonly #events = new FakeEventRecorder()
  readonly #manager: ImageGcManager
  readonly #beganAt: number
  #round: Round | undefined
  #removed: string[] = []

  constructor(clock: VirtualClock, policy: Policy) {
    this.#runtime = new FakeRuntimeService({ clock })
    this.#beganAt = clock.now()
    this.#manager = new ImageGcManager({
      clock,
      trace: new FakeTrace(),
      log: new FakeLog(),
      recorder: this.#events,
      imageService: {
        imageStatus: this.#runtime.imageStatus,
        pullImage: this.#runtime.pullImage,
        listImages: async () =>
          ok([...this.#left()].map(({ id, size, pinned }) => ({ id, sizeBytes: size, pinned }))),
        removeImage: async (id) => {
          if (this.#round?.stuck.includes(id) === true)
            return err({ kind: 'failed', message: `cannot remove ${id}` })
          this.#removed.push(id)
          return ok(undefined)
        },
        imageFsInfo: async () => {
          const failure = this.#round?.failure ?? ''
          if (failure !== '') return err({ kind: 'failed', message: failure })
          const usage = { timestamp: 0, mountpoint: '/', usedBytes: 0, inodesUsed: 0 }
          return ok({ imageFilesystems: [usage], containerFilesystems: [] })
        },
      },
      runtime: {
        getPods: async () => {
          // Only the image of a container is looked at.
          const containers = (this.#round?.used ?? []).map(
            (imageRef) => ({ imageRef }) as RuntimeContainer,
          )
          const pod = { uid: 'u', name: 'p', namespace: 'n', createdAt: 0, sandboxes: [] }
          return ok([{ ...pod, containers }])
        },
      },
      dirFilesystemInfo: async () => ok(this.#filesystem()),
      settings: {
        ...defaultKubeletSettings,
        imageGCHighThresholdPercent: policy.high,
        imageGCLowThresholdPercent: policy.low,
        imageMinimumGCAgeMs: policy.minAge,
        imageMaximumGCAgeMs: policy.maxAge,
      },
    })
  }

  async collect(round: Round): Promise<Collected> {
    this.#round = round
    this.#removed = []
    this.#events.take()
    const collected = await this.#manager.garbageCollect(this.#beganAt)
    const removed = this.#removed
    return {
      removed,
      left: this.#left()
        .map(({ id }) => id)
        .toSorted(),
      error: collected.ok ? '' : collected.error,
      events: this.#events.take(),
    }
  }

  #left(): readonly Image[] {
    return (this.#round?.images ?? []).filter(({ id }) => !this.#removed.includes(id))
  }

  #filesystem(): FilesystemInfo | undefined {
    const { capacity = null, available = null } = this.#round ?? {}
    return capacity === null && available === null
      ? undefined
      : { capacityBytes: capacity ?? 0, availableBytes: available ?? 0 }
  }
}

await describeOracle(
  {
    name: 'image garbage collection',
    subject: 'imageGC',
    title: 'ImageGcManager',
    summary: () =>
      `${rounds} rounds with ${removals} removed images as the kubelet’s image GC manager`,
  },
  (oracle) => {
    async function both(policy: Policy, given: readonly Round[]): Promise<void> {
      // Go's clock goes on from run to run.
      const startAt = Number(await oracle.ask('new', policy))
      const clock = new VirtualClock(nodeClockHost, { startAt })
      const ours = new Ours(clock, policy)
      const gone = new Set<string>()
      for (const node of oneByOne(given)) {
        const round = { ...node, images: node.images.filter(({ id }) => !gone.has(id)) }
        await Promise.all([oracle.ask('advance', round.afterMs), clock.advance(round.afterMs)])
        // As overlay/nodescope/oracle/image_gc.go answers.
        const theirs = (await oracle.ask('collect', round)) as Collected
        expect(await ours.collect(round)).toEqual(theirs)
        rounds++
        removals += theirs.removed.length
        for (const id of theirs.removed) gone.add(id)
      }
    }

    it('removes what the kubelet removes, in its order', { timeout: 120_000 }, async () => {
      const sequences = fc.array(nodes, { minLength: 1, maxLength: 12, size: 'max' })
      await fc.assert(fc.asyncProperty(policies, sequences, both), oracleParameters(numRuns))
    })
  },
)
