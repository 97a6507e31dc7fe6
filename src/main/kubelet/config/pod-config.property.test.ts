import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalJson } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { ConfigOp } from '../../../shared/model/trace-event.ts'
import type { PodSource } from '../../../shared/model/pod-source.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { fullNameOf, isLocalAnnotation } from '../pod/identity.ts'
import { PodConfig } from './pod-config.ts'

/** A failure prints the seed and the path to it; more runs look further. */
const parameters = { seed: 20_260_101, numRuns: 500 }

const sources: readonly PodSource[] = ['file', 'http', 'api']
const nowMs = Date.UTC(2026, 0, 1)
const seen = '2026-01-01T00:00:00.000000000Z'

interface Snapshot {
  readonly source: PodSource
  readonly pods: readonly Pod[]
}

/** Few uids and names, drawn apart: names move to other uids, uids to other names and sources, and some come twice. */
const pods: fc.Arbitrary<Pod> = fc
  .record({
    uid: fc.constantFrom('u1', 'u2', 'u3'),
    name: fc.constantFrom('a', 'b', 'c'),
    namespace: fc.constantFrom('default', 'default', 'other'),
    label: fc.constantFrom('1', '2'),
    annotations: fc.dictionary(
      fc.constantFrom('a', 'kubernetes.io/config.seen', 'kubernetes.io/config.hash'),
      fc.constantFrom('1', '2'),
      { maxKeys: 2 },
    ),
    isDeleting: fc.constantFrom(false, false, true),
    image: fc.constantFrom('i', 'i', 'j'),
    phase: fc.constantFrom('Pending', 'Running'),
  })
  .map(({ label, isDeleting, image, phase, ...metadata }) => ({
    metadata: {
      ...metadata,
      labels: { l: label },
      ...(isDeleting ? { deletionTimestamp: 't', deletionGracePeriodSeconds: 30 } : {}),
    },
    spec: { containers: [{ name: 'c', image }] },
    status: { phase },
  }))

/** Interleaved snapshots of the sources; much of what they hold was there before, as the same object or an equal one. */
const interleavings: fc.Arbitrary<readonly Snapshot[]> = fc
  .array(pods, { minLength: 1, maxLength: 6 })
  .chain((some) =>
    fc.array(
      fc.record({
        source: fc.constantFrom(...sources),
        pods: fc.array(
          fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...some) },
            { weight: 1, arbitrary: fc.constantFrom(...some).map((pod) => structuredClone(pod)) },
            { weight: 1, arbitrary: pods },
          ),
          { maxLength: 5 },
        ),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  )

/** What was delivered, one source's or all: ops in order, each with its pods. */
interface Delivered {
  readonly source: PodSource
  readonly op: ConfigOp
  readonly pods: readonly Pod[]
}

interface Outcome {
  readonly updates: readonly Delivered[]
  /** Uids that were dropped for their name, with an event. */
  readonly invalid: readonly string[]
}

class Ours {
  #updates: Delivered[] = []
  #invalid: string[] = []
  readonly config = new PodConfig({
    clock: { now: () => nowMs, after: () => () => undefined },
    trace: new FakeTrace(),
    recorder: {
      event: (subject) =>
        this.#invalid.push(subject.kind === 'pod' ? subject.pod.metadata.uid : ''),
    },
    deliver: ({ source, op, pods: merged }) =>
      this.#updates.push({ source, op, pods: merged.map(({ pod }) => pod) }),
  })

  set({ source, pods: given }: Snapshot): Outcome {
    this.config.set(
      source,
      given.map((pod) => ({ pod })),
      [],
    )
    const outcome = { updates: this.#updates, invalid: this.#invalid.toSorted() }
    this.#updates = []
    this.#invalid = []
    return outcome
  }
}

/** A pod of the model, changed in place as the kubelet changes the one that it has of a uid. */
interface Held {
  pod: Pod
}

function semantics({ metadata, spec }: Pod): unknown {
  const { labels, annotations = {}, deletionTimestamp, deletionGracePeriodSeconds } = metadata
  const own = Object.entries(annotations).filter(([key]) => !isLocalAnnotation(key))
  const annotated = Object.fromEntries(own)
  return { spec, labels, annotated, deletionTimestamp, deletionGracePeriodSeconds }
}

/** sources#merge and sources#delivery, for one source, as plainly as can be. */
class PlainSource {
  readonly #source: PodSource
  #held = new Map<string, Held>()
  #isSeen = false

  constructor(source: PodSource) {
    this.#source = source
  }

  get pods(): readonly Pod[] {
    return [...this.#held.values()].map(({ pod }) => pod)
  }

  set(given: readonly Pod[]): Outcome {
    const names = new Set<string>()
    const invalid: string[] = []
    const before = this.#held
    const merged: Record<ConfigOp, Held[]> = {
      REMOVE: [],
      ADD: [],
      UPDATE: [],
      DELETE: [],
      RECONCILE: [],
    }
    this.#held = new Map()
    for (const pod of given) {
      const name = fullNameOf(pod)
      if (names.has(name)) {
        invalid.push(pod.metadata.uid)
        continue
      }
      names.add(name)
      this.#take(pod, before, merged)
    }
    for (const [uid, held] of before) if (!this.#held.has(uid)) merged.REMOVE.push(held)
    return { updates: this.#delivered(merged), invalid: invalid.toSorted() }
  }

  #take(given: Pod, before: ReadonlyMap<string, Held>, merged: Record<ConfigOp, Held[]>): void {
    const { metadata } = given
    const annotations = { ...metadata.annotations, 'kubernetes.io/config.source': this.#source }
    const pod: Pod = { ...given, metadata: { ...metadata, annotations } }
    const known = before.get(metadata.uid)
    if (known === undefined) {
      const added = { ...annotations, 'kubernetes.io/config.seen': seen }
      const held = { pod: { ...pod, metadata: { ...metadata, annotations: added } } }
      this.#held.set(metadata.uid, held)
      merged.ADD.push(held)
      return
    }
    this.#held.set(metadata.uid, known)
    const { pod: old } = known
    if (!equalJson(semantics(old), semantics(pod))) {
      known.pod = updated(old, pod)
      merged[pod.metadata.deletionTimestamp === undefined ? 'UPDATE' : 'DELETE'].push(known)
    } else if (!equalJson(old.status, pod.status)) {
      known.pod = { ...old, ...(pod.status === undefined ? {} : { status: pod.status }) }
      merged.RECONCILE.push(known)
    }
  }

  #delivered(merged: Readonly<Record<ConfigOp, readonly Held[]>>): readonly Delivered[] {
    const isFirst = !this.#isSeen
    this.#isSeen = true
    const source = this.#source
    const update = (op: ConfigOp): readonly Delivered[] =>
      merged[op].length === 0 ? [] : [{ source, op, pods: merged[op].map(({ pod }) => pod) }]
    const changes = (['REMOVE', 'ADD', 'UPDATE', 'DELETE'] as const).flatMap(update)
    const says = isFirst && changes.length === 0 ? [{ source, op: 'ADD', pods: [] } as const] : []
    return [...changes, ...says, ...update('RECONCILE')]
  }
}

function updated(old: Pod, pod: Pod): Pod {
  const { labels, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata
  const { annotations = {}, ...rest } = old.metadata
  const local = Object.entries(annotations).filter(([key]) => isLocalAnnotation(key))
  const { deletionTimestamp: _time, deletionGracePeriodSeconds: _grace, ...kept } = rest
  return {
    ...old,
    metadata: {
      ...kept,
      ...(labels === undefined ? {} : { labels }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
      annotations: { ...pod.metadata.annotations, ...Object.fromEntries(local) },
    },
    spec: pod.spec,
    ...(pod.status === undefined ? {} : { status: pod.status }),
  }
}

const byUid = (list: readonly Pod[]): readonly Pod[] =>
  list.toSorted((one, other) => (one.metadata.uid < other.metadata.uid ? -1 : 1))

/** What is removed comes in no order that means anything. */
function comparable({ updates, invalid }: Outcome): unknown {
  return {
    invalid,
    updates: updates.map((one) => (one.op === 'REMOVE' ? { ...one, pods: byUid(one.pods) } : one)),
  }
}

/** Follows the deliveries of a source and keeps a pod for each uid. */
class Follower {
  readonly #pods = new Map<string, Pod>()

  take({ op, pods: changed }: Delivered): void {
    for (const pod of changed) {
      if (op === 'REMOVE') this.#pods.delete(pod.metadata.uid)
      else this.#pods.set(pod.metadata.uid, pod)
    }
  }

  get pods(): readonly Pod[] {
    return byUid([...this.#pods.values()])
  }
}

describe('PodConfig, by properties', () => {
  it('merges any interleaving of three sources as a plain model of sources#merge does', () => {
    const met = new Set<string>()
    fc.assert(
      fc.property(interleavings, (interleaving) => {
        const ours = new Ours()
        const plain = new Map(sources.map((source) => [source, new PlainSource(source)]))
        for (const snapshot of interleaving) {
          const expected = plain.get(snapshot.source)?.set(snapshot.pods)
          if (expected === undefined) throw new Error('no such source')
          expect(comparable(ours.set(snapshot))).toEqual(comparable(expected))
          for (const { op } of expected.updates) met.add(op)
          if (expected.invalid.length > 0) met.add('invalid')
        }
      }),
      parameters,
    )
    expect([...met].toSorted()).toEqual([
      'ADD',
      'DELETE',
      'RECONCILE',
      'REMOVE',
      'UPDATE',
      'invalid',
    ])
  }, 60_000)

  it('delivers of a source what it would deliver if there were no other', () => {
    fc.assert(
      fc.property(interleavings, fc.constantFrom(...sources), (interleaving, source) => {
        const together = new Ours()
        const alone = new Ours()
        for (const snapshot of interleaving) {
          const outcome = together.set(snapshot)
          if (snapshot.source === source) expect(outcome).toEqual(alone.set(snapshot))
        }
        expect(together.config.hasSeen([source])).toBe(alone.config.hasSeen([source]))
        expect(together.config.count(source)).toBe(alone.config.count(source))
      }),
      parameters,
    )
  }, 60_000)

  it('delivers enough: all deliveries together give the source’s last list', () => {
    fc.assert(
      fc.property(interleavings, (interleaving) => {
        const ours = new Ours()
        const plain = new PlainSource('api')
        const follower = new Follower()
        for (const snapshot of interleaving.filter(({ source }) => source === 'api')) {
          for (const delivered of ours.set(snapshot).updates) follower.take(delivered)
          plain.set(snapshot.pods)
          expect(follower.pods).toEqual(byUid(plain.pods))
        }
      }),
      parameters,
    )
  }, 60_000)

  it('changes neither what it was given nor what it has delivered', () => {
    fc.assert(
      fc.property(interleavings, (interleaving) => {
        const before = structuredClone(interleaving)
        const ours = new Ours()
        const delivered = interleaving.flatMap((snapshot) => {
          const outcome = ours.set(snapshot)
          return [{ outcome, copy: structuredClone(outcome) }]
        })
        expect(interleaving).toEqual(before)
        for (const { outcome, copy } of delivered) expect(outcome).toEqual(copy)
      }),
      { ...parameters, numRuns: 100 },
    )
  }, 60_000)
})
