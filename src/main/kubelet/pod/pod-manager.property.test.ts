import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from './fake-pod.ts'
import { buildPodFullName, fullNameOf, isMirrorPod, isStaticPod } from './identity.ts'
import { PodManager } from './pod-manager.ts'

/** A failure prints the seed and the path to it; more runs look further. */
const parameters = { seed: 20_260_101, numRuns: 500 }

const uids = ['u1', 'u2', 'u3', 'm1', 'm2']
const names = ['a', 'b']
const namespaces = ['default', 'other']

type Operation =
  | { readonly kind: 'add' | 'update' | 'remove'; readonly pod: Pod }
  | { readonly kind: 'set'; readonly pods: readonly Pod[] }

/** Uids, names and kinds are drawn apart, so that all of them are reused for one another. */
const pods: fc.Arbitrary<Pod> = fc
  .record({
    kind: fc.constantFrom('regular', 'static', 'mirror'),
    uid: fc.constantFrom(...uids),
    hash: fc.constantFrom(...uids),
    name: fc.constantFrom(...names),
    namespace: fc.constantFrom('default', ...namespaces),
    debuggers: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ kind, uid, hash, name, namespace, debuggers }) => {
    const spec = {
      ephemeralContainers: Array.from({ length: debuggers }, (_, index) => ({
        name: `debugger-${index}`,
        image: 'busybox',
      })),
    }
    if (kind === 'regular') return fakePod({ uid, name, namespace, spec })
    const staticPod = fakeStaticPod({ uid: kind === 'static' ? uid : hash, name, namespace, spec })
    return kind === 'static' ? staticPod : fakeMirrorOf(staticPod, { uid })
  })

const operations: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({ kind: fc.constantFrom('add', 'update', 'remove'), pod: pods }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('set'), pods: fc.array(pods, { maxLength: 4 }) }),
    },
  ),
  { maxLength: 40, size: 'max' },
)

interface Past {
  readonly isSet: boolean
  readonly pod: Pod
}

/**
 * docs/kubelet/pod-manager.md as a history instead of maps: every answer follows from the last thing that happened
 * under a uid or a name. A removal counts whatever uid it names (2.5.2).
 */
class History {
  #past: Past[] = []
  #links = new Map<string, string>()
  managedEphemeralContainers = 0

  take(operation: Operation): void {
    if (operation.kind === 'set') {
      this.#past = []
      this.#links = new Map()
      for (const pod of operation.pods) this.#set(pod)
    } else if (operation.kind === 'remove') this.#remove(operation.pod)
    else this.#set(operation.pod)
  }

  podOf(uid: string): Pod | undefined {
    return this.#last((pod) => !isMirrorPod(pod) && pod.metadata.uid === uid)
  }

  podNamed(fullName: string): Pod | undefined {
    return this.#last((pod) => !isMirrorPod(pod) && fullNameOf(pod) === fullName)
  }

  mirrorNamed(fullName: string): Pod | undefined {
    return this.#last((pod) => isMirrorPod(pod) && fullNameOf(pod) === fullName)
  }

  get pods(): readonly Pod[] {
    return uids.flatMap((uid) => this.podOf(uid) ?? [])
  }

  get mirrors(): readonly Pod[] {
    return uids.flatMap(
      (uid) => this.#last((pod) => isMirrorPod(pod) && pod.metadata.uid === uid) ?? [],
    )
  }

  get orphanedMirrorPodFullNames(): readonly string[] {
    return allFullNames.filter(
      (name) => this.mirrorNamed(name) !== undefined && this.podNamed(name) === undefined,
    )
  }

  /** Mirror uid to the uid of the pod it stands for. */
  get links(): ReadonlyMap<string, string> {
    return this.#links
  }

  #last(matches: (pod: Pod) => boolean): Pod | undefined {
    const last = this.#past.findLast(({ pod }) => matches(pod))
    return last?.isSet === true ? last.pod : undefined
  }

  #set(pod: Pod): void {
    const fullName = fullNameOf(pod)
    const { uid } = pod.metadata
    const complement = isMirrorPod(pod) ? this.podNamed(fullName) : this.mirrorNamed(fullName)
    if (complement !== undefined && isMirrorPod(pod)) this.#links.set(uid, complement.metadata.uid)
    if (complement !== undefined && !isMirrorPod(pod)) this.#links.set(complement.metadata.uid, uid)
    if (!isMirrorPod(pod))
      this.managedEphemeralContainers += debuggersOf(pod) - debuggersOf(this.podOf(uid))
    this.#past.push({ isSet: true, pod })
  }

  #remove(pod: Pod): void {
    this.managedEphemeralContainers -= debuggersOf(pod)
    if (isMirrorPod(pod)) this.#links.delete(pod.metadata.uid)
    this.#past.push({ isSet: false, pod })
  }
}

const allFullNames = names.flatMap((name) =>
  namespaces.map((namespace) => buildPodFullName(name, namespace)),
)

function debuggersOf(pod: Pod | undefined): number {
  return pod?.spec.ephemeralContainers?.length ?? 0
}

function apply(manager: PodManager, operation: Operation): void {
  switch (operation.kind) {
    case 'add':
      manager.addPod(operation.pod, [])
      break
    case 'update':
      manager.updatePod(operation.pod, [])
      break
    case 'remove':
      manager.removePod(operation.pod, [])
      break
    case 'set':
      manager.setPods(operation.pods, [])
      break
  }
}

const byUid = (list: readonly Pod[]): readonly Pod[] =>
  list.toSorted((one, other) => (one.metadata.uid < other.metadata.uid ? -1 : 1))

/** Everything that can be asked, with objects as themselves and lists without their order. */
function answersOf(manager: PodManager, asked: readonly Pod[]) {
  const everything = manager.getPodsAndMirrorPods()
  const { podToMirror, mirrorToPod } = manager.getUIDTranslations()
  return {
    pods: byUid(manager.getPods()),
    allPods: byUid(everything.allPods),
    allMirrorPods: byUid(everything.allMirrorPods),
    orphans: everything.orphanedMirrorPodFullNames.toSorted(),
    orphanNames: manager.getOrphanedMirrorPodNames().toSorted(),
    byUid: uids.map((uid) => manager.getPodByUID(uid)),
    byFullName: allFullNames.map((fullName) => manager.getPodByFullName(fullName)),
    byName: names.flatMap((name) =>
      namespaces.map((namespace) => manager.getPodByName(namespace, name)),
    ),
    mirrorsOf: asked.map((pod) => manager.getMirrorPodByPod(pod)),
    podsOf: asked.map((pod) => manager.getPodByMirrorPod(pod)),
    pairs: asked.map((pod) => manager.getPodAndMirrorPod(pod)),
    translated: ['', 'unknown', ...uids].map((uid) => manager.translatePodUID(uid)),
    podToMirror: new Map<string, string>(podToMirror),
    mirrorToPod: new Map<string, string>(mirrorToPod),
    staticToMirror: new Map(manager.getStaticPodToMirrorPodMap()),
    ephemeral: manager.managedEphemeralContainers,
  }
}

/** The same by pod-manager#queries. */
function expectedAnswers(history: History, asked: readonly Pod[]): ReturnType<typeof answersOf> {
  const { pods: present, mirrors, links } = history
  const statics = present.filter(isStaticPod)
  const orphans = allFullNames
    .filter((fullName) => history.orphanedMirrorPodFullNames.includes(fullName))
    .toSorted()
  const podToMirror = new Map(statics.map((pod) => [pod.metadata.uid, '']))
  // Of two mirrors of one pod the one that was linked first comes first; the later one stands.
  for (const [mirrorUid, uid] of links) podToMirror.set(uid, mirrorUid)
  const translated = (uid: string): string => links.get(uid) ?? uid
  return {
    pods: byUid(present),
    allPods: byUid(present),
    allMirrorPods: byUid(mirrors),
    orphans,
    orphanNames: orphans,
    byUid: uids.map((uid) => history.podOf(uid)),
    byFullName: allFullNames.map((fullName) => history.podNamed(fullName)),
    byName: allFullNames.map((fullName) => history.podNamed(fullName)),
    mirrorsOf: asked.map((pod) => history.mirrorNamed(fullNameOf(pod))),
    podsOf: asked.map((pod) => history.podNamed(fullNameOf(pod))),
    pairs: asked.map((pod) =>
      isMirrorPod(pod)
        ? { pod: history.podNamed(fullNameOf(pod)), mirrorPod: pod, wasMirror: true }
        : { pod, mirrorPod: history.mirrorNamed(fullNameOf(pod)), wasMirror: false },
    ),
    // The brand says where a uid came from and has no value.
    translated: ['', 'unknown', ...uids].map(translated) as ReturnType<
      typeof answersOf
    >['translated'],
    podToMirror,
    mirrorToPod: new Map(links),
    staticToMirror: new Map(statics.map((pod) => [pod, history.mirrorNamed(fullNameOf(pod))])),
    ephemeral: history.managedEphemeralContainers,
  }
}

function podsIn(operation: Operation): readonly Pod[] {
  return operation.kind === 'set' ? operation.pods : [operation.pod]
}

/** Which of pod-manager#asymmetries the present state shows. */
function asymmetriesIn(history: History): readonly number[] {
  const shown: number[] = []
  const { links, pods: present } = history
  const presentUids = new Set(present.map((pod) => pod.metadata.uid))
  if ([...links.values()].some((uid) => !presentUids.has(uid))) shown.push(1)
  if (present.some((pod) => history.podNamed(fullNameOf(pod)) === undefined)) shown.push(2)
  for (const fullName of allFullNames) {
    const mirror = history.mirrorNamed(fullName)
    const pod = history.podNamed(fullName)
    if (mirror === undefined || pod === undefined) continue
    if (!isStaticPod(pod)) shown.push(3)
    const hash = mirror.metadata.annotations?.['kubernetes.io/config.mirror']
    if (isStaticPod(pod) && hash !== pod.metadata.uid) shown.push(4)
  }
  if (history.mirrors.length > 0) shown.push(5)
  return shown
}

describe('PodManager, by properties', () => {
  it('gives after any sequence the answers of docs/kubelet/pod-manager.md, and meets each of pod-manager#asymmetries on the way', () => {
    const met = new Set<number>()
    fc.assert(
      fc.property(operations, (sequence) => {
        const manager = new PodManager({ trace: new FakeTrace() })
        const history = new History()
        for (const operation of sequence) {
          apply(manager, operation)
          history.take(operation)
          const asked = podsIn(operation)
          expect(answersOf(manager, asked)).toEqual(expectedAnswers(history, asked))
          for (const number of asymmetriesIn(history)) met.add(number)
        }
      }),
      parameters,
    )
    expect(met).toEqual(new Set([1, 2, 3, 4, 5]))
  }, 60_000)

  it('hands out the very objects it was given last, and keeps them as they are', () => {
    fc.assert(
      fc.property(operations, (sequence) => {
        const manager = new PodManager({ trace: new FakeTrace() })
        const before = structuredClone(sequence)
        const given = new Set(sequence.flatMap(podsIn))
        for (const operation of sequence) {
          apply(manager, operation)
          const { allPods, allMirrorPods } = manager.getPodsAndMirrorPods()
          for (const pod of [...allPods, ...allMirrorPods]) expect(given).toContain(pod)
        }
        expect(sequence).toEqual(before)
      }),
      { ...parameters, numRuns: 100 },
    )
  }, 60_000)

  it('never changes a list or translations that it handed out', () => {
    fc.assert(
      fc.property(operations, (sequence) => {
        const manager = new PodManager({ trace: new FakeTrace() })
        const handed: (() => void)[] = []
        for (const operation of sequence) {
          apply(manager, operation)
          const { allPods, allMirrorPods, orphanedMirrorPodFullNames } =
            manager.getPodsAndMirrorPods()
          const { podToMirror, mirrorToPod } = manager.getUIDTranslations()
          const now = [
            manager.getPods(),
            allPods,
            allMirrorPods,
            orphanedMirrorPodFullNames,
            podToMirror,
            mirrorToPod,
          ]
          const copies = now.map((one) => [...one])
          handed.push(() => {
            expect(now.map((one) => [...one])).toEqual(copies)
          })
        }
        for (const isAsItWas of handed) isAsItWas()
      }),
      { ...parameters, numRuns: 100 },
    )
  }, 60_000)

  it('traces the links, so that the translations follow from the trace', () => {
    fc.assert(
      fc.property(operations, (sequence) => {
        const trace = new FakeTrace()
        const manager = new PodManager({ trace })
        const followed = new Map<string, string>()
        let seen = 0
        for (const operation of sequence) {
          // `setPods` is for tests and says nothing of the links that it drops.
          if (operation.kind === 'set') continue
          apply(manager, operation)
          for (const event of trace.events.slice(seen)) {
            if (event.kind === 'uid.linked')
              followed.set(event.data.mirrorUid, event.data.staticUid)
            if (event.kind === 'uid.unlinked') {
              expect(followed.get(event.data.mirrorUid)).toBe(event.data.staticUid)
              followed.delete(event.data.mirrorUid)
            }
          }
          seen = trace.events.length
          expect(followed).toEqual(new Map(manager.getUIDTranslations().mirrorToPod))
        }
      }),
      parameters,
    )
  }, 60_000)
})
