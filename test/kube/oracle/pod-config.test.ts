import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { PodSource } from '../../../src/shared/model/pod-source.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { PodConfig } from '../../../src/main/kubelet/config/pod-config.ts'
import type { PodUpdate } from '../../../src/main/kubelet/config/pod-config.ts'
import { ExpectedSources } from '../../../src/main/kubelet/config/sources-ready.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'
import { plain } from './plain.ts'

const numRuns = 1500
const sources: readonly PodSource[] = ['file', 'http', 'api']
let snapshots = 0

interface Snapshot {
  readonly source: PodSource
  readonly pods: readonly Pod[]
}

interface SnapshotEvent {
  readonly uid: string
  readonly reason: string
  readonly message: string
}

interface Merged {
  readonly updates: readonly { op: string; source: string; pods: readonly Pod[] }[]
  readonly events: readonly SnapshotEvent[]
}

const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined, freq: 2 })

const annotations = fc.dictionary(
  fc.constantFrom(
    'a',
    'kubernetes.io/config.mirror',
    'kubernetes.io/config.source',
    'kubernetes.io/config.seen',
    'kubernetes.io/config.hash',
  ),
  fc.constantFrom('1', 'api'),
  { maxKeys: 2 },
)

// Few uids and names, so that they collide, as they do when manifests set their uids themselves.
const pods: fc.Arbitrary<Pod> = fc
  .record({
    uid: fc.constantFrom('u1', 'u2', 'u3', 'u4'),
    name: fc.constantFrom('a', 'b', 'c'),
    namespace: fc.constantFrom('default', 'default', 'other'),
    labels: optional(fc.constantFrom({ l: '1' }, { l: '2' })),
    annotations: optional(annotations),
    deletionTimestamp: optional(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:09Z')),
    deletionGracePeriodSeconds: optional(fc.constantFrom(0, 30)),
    generation: optional(fc.constantFrom(1, 2)),
    ownerReferences: optional(
      fc.constant([{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n' }]),
    ),
    image: fc.constantFrom('i', 'i', 'j'),
    phase: optional(fc.constantFrom<('Pending' | 'Running')[]>('Pending', 'Running')),
  })
  .map(({ image, phase, ...metadata }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    // What is undefined is left out by JSON, as by the API.
    metadata: JSON.parse(JSON.stringify(metadata)) as Pod['metadata'],
    spec: { containers: [{ name: 'c', image }] },
    ...(phase === undefined ? {} : { status: { phase } }),
  }))

/** Snapshots, many of which hold what was there before: as the same object, as an equal one, or changed. */
const sequences: fc.Arbitrary<readonly Snapshot[]> = fc
  .array(pods, { minLength: 1, maxLength: 6 })
  .chain((some) =>
    fc.array(
      fc.record({
        source: fc.constantFrom(...sources, 'api' as const),
        pods: fc.array(
          fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...some) },
            { weight: 1, arbitrary: fc.constantFrom(...some).map((pod) => structuredClone(pod)) },
            { weight: 1, arbitrary: pods },
          ),
          { maxLength: 5 },
        ),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  )

class Ours {
  readonly #updates: PodUpdate[] = []
  readonly #events: SnapshotEvent[] = []
  readonly #config: PodConfig
  readonly #ready: ExpectedSources

  constructor(clock: VirtualClock) {
    this.#config = new PodConfig({
      clock,
      trace: { emit: () => 0 },
      recorder: {
        event: (subject, _type, reason, message) => {
          if (subject.kind !== 'pod') throw new Error('an event about the node')
          this.#events.push({ uid: subject.pod.metadata.uid, reason, message })
        },
      },
      deliver: (update) => this.#updates.push(update),
    })
    this.#ready = new ExpectedSources({ expected: sources, hasSeen: this.#config.hasSeen })
  }

  set({ source, pods: given }: Snapshot): Merged {
    this.#config.set(
      source,
      given.map((pod) => ({ pod })),
      [],
    )
    const updates = this.#updates.splice(0).map(({ op, source: from, pods: merged }) => ({
      op,
      source: from,
      pods: merged.map(({ pod }) => pod),
    }))
    return { updates, events: this.#events.splice(0) }
  }

  allReady(noted: PodSource): boolean {
    this.#ready.addSource(noted)
    return this.#ready.allReady()
  }
}

function inOrder<T>(list: readonly T[]): readonly T[] {
  const text = (one: T): string => JSON.stringify(plain(one))
  return list.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
}

/**
 * Go removes in the order of a map, that is in none. The events of one snapshot are of one moment: ours looks
 * at pods that it knows already only when another has their name, so it may tell them in another order.
 */
function comparable({ updates, events }: Merged): unknown {
  return plain({
    events: inOrder(events),
    updates: updates.map(({ op, source, pods: of }) => ({
      op,
      source,
      pods: op === 'REMOVE' ? inOrder(of) : of,
    })),
  })
}

await describeOracle(
  {
    name: 'pod config',
    subject: 'podConfig',
    title: 'PodConfig',
    summary: () => `${snapshots} snapshots merged as the kubelet’s PodConfig does`,
  },
  (oracle) => {
    async function both(given: readonly Snapshot[]): Promise<void> {
      // Go's clock goes on from run to run.
      const startAt = Number(await oracle.ask('new', sources))
      const clock = new VirtualClock(nodeClockHost, { startAt })
      const asked: Promise<unknown>[] = []
      const ours = new Ours(clock)
      const ready: boolean[] = []
      const asksReady: Promise<unknown>[] = []
      const noted: PodSource[] = []
      const merged: Merged[] = []
      for (const snapshot of given) {
        snapshots++
        asked.push(oracle.ask('set', snapshot))
        noted.push(snapshot.source)
        asksReady.push(oracle.ask('seenAllSources', [...noted]))
        merged.push(ours.set(snapshot))
        ready.push(ours.allReady(snapshot.source))
        await Promise.all([oracle.ask('advance', 1), clock.advance(1)])
      }
      // As overlay/nodescope/oracle/podconfig.go answers.
      const answers = (await Promise.all(asked)) as readonly Merged[]
      expect(merged.map(comparable)).toEqual(answers.map(comparable))
      expect(ready).toEqual(await Promise.all(asksReady))
    }

    it(
      'delivers the same as the kubelet’s for random snapshots',
      { timeout: 120_000 },
      async () => {
        await fc.assert(fc.asyncProperty(sequences, both), oracleParameters(numRuns))
      },
    )
  },
)
