import type { Pod } from '../../kubernetes/objects.ts'
import { isMirrorPod, isStaticPod } from '../../kubernetes/static-pods.ts'
import type {
  EventFact,
  Fact,
  KubeletContact,
  PodEvidence,
  RunningPod,
  Sightings,
} from './evidence.ts'
import { mirrorPairs } from './mirror-pairs.ts'
import type { MirrorPair } from './mirror-pairs.ts'

/** All that was read about one node. `null` facts: not read. */
export interface NodeEvidence {
  /** The pods of the node, mirrors among them. */
  readonly api: Fact<readonly Pod[]>
  readonly told: Fact<readonly Pod[]> | null
  readonly running: Fact<readonly RunningPod[]> | null
  readonly kubelet: KubeletContact
  readonly apiAwaySince: number | null
  readonly lease: Fact<number | null>
  readonly leaseDurationMs: number
  /** By the UID of the object that they are about: for a static pod, its own and its mirror's. */
  readonly events: ReadonlyMap<string, readonly EventFact[]>
  /** By `sightingKey`. */
  readonly sightings: ReadonlyMap<string, Sightings>
}

/** The name, the namespace and the evidence of a pod. */
export interface JoinedPod {
  readonly namespace: string
  readonly name: string
  readonly evidence: PodEvidence
  /** Of a static pod. */
  readonly pair: MirrorPair | null
}

/** Of a pod that was not watched. */
export const unseen: Sightings = {
  firstInApiAt: null,
  goneFromApiAt: null,
  goneFromPodsAt: null,
  goneFromRunningAt: null,
  hadFinalPhase: false,
  differsSince: null,
  unreportedSince: null,
}

/** The UID of a static pod is an MD5 without dashes; the API server's have dashes. */
function looksStatic(uid: string): boolean {
  return /^[0-9a-f]{32}$/.test(uid)
}

interface Entry {
  uid: string
  isStatic: boolean
  api: Pod | null
  told: Pod | null
  running: RunningPod | null
  pair: MirrorPair | null
}

function entriesOf({ api, told, running }: NodeEvidence): readonly Entry[] {
  const entries = new Map<string, Entry>()
  const entry = (uid: string, isStatic: boolean): Entry => {
    const made = entries.get(uid) ?? {
      uid,
      isStatic,
      api: null,
      told: null,
      running: null,
      pair: null,
    }
    entries.set(uid, made)
    return made
  }
  for (const pod of api.value) if (!isMirrorPod(pod)) entry(pod.metadata.uid, false).api = pod
  for (const pod of told?.value ?? []) entry(pod.metadata.uid, isStaticPod(pod)).told = pod
  for (const pair of mirrorPairs(api.value, told?.value ?? null)) {
    const own = entry(pair.staticUid ?? pair.mirrorUid ?? '', true)
    own.api = pair.mirror
    own.pair = pair
  }
  for (const pod of running?.value ?? []) entry(pod.uid, looksStatic(pod.uid)).running = pod
  return [...entries.values()]
}

function nameOf({ told, api, running }: Entry): {
  readonly namespace: string
  readonly name: string
} {
  const pod = told ?? api
  if (pod !== null)
    return { namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name }
  return { namespace: running?.namespace ?? '', name: running?.name ?? '' }
}

/** One entry for each UID that a kubelet knows a pod of the node by, from every origin. Pure. */
export function joinEvidence(node: NodeEvidence): readonly JoinedPod[] {
  const entries = entriesOf(node)
  const byName = new Map<string, Entry[]>()
  for (const entry of entries) {
    const { namespace, name } = nameOf(entry)
    const same = byName.get(`${namespace}/${name}`)
    if (same === undefined) byName.set(`${namespace}/${name}`, [entry])
    else same.push(entry)
  }
  const { api, told, running, events, sightings, ...common } = node
  return entries.map((entry): JoinedPod => {
    const { uid, isStatic, pair } = entry
    const { namespace, name } = nameOf(entry)
    const others = (byName.get(`${namespace}/${name}`) ?? []).filter(
      (other) => other !== entry && (other.told !== null || other.running !== null),
    )
    const evidence: PodEvidence = {
      ...common,
      uid,
      isStatic,
      api: { value: entry.api, at: api.at },
      told: told === null ? null : { value: entry.told, at: told.at },
      running: running === null ? null : { value: entry.running, at: running.at },
      sameName: others.map((other) => ({ uid: other.uid, isTold: other.told !== null })),
      events: [
        ...(events.get(uid) ?? []),
        ...(entry.api === null || entry.api.metadata.uid === uid
          ? []
          : (events.get(entry.api.metadata.uid) ?? [])),
      ].toSorted((a, b) => b.at - a.at),
      sightings: sightings.get(uid) ?? unseen,
    }
    return { namespace, name, evidence, pair }
  })
}
