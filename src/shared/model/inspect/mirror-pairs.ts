import type { Pod } from '../../kubernetes/objects.ts'
import {
  configHashAnnotation,
  configMirrorAnnotation,
  isMirrorPod,
  isStaticPod,
} from '../../kubernetes/static-pods.ts'

/**
 * How a static pod and a mirror stand. `matched`, `stale`, `deleting`, `missing` as for our own kubelet; `orphan`: the
 * kubelet no longer has its static pod; `notKnown`: the kubelet was not asked.
 */
export type PairState = 'matched' | 'stale' | 'deleting' | 'missing' | 'orphan' | 'notKnown'

/** A static pod with its mirror. `staticUid`: its `config.hash`. */
export interface MirrorPair {
  readonly fullName: string
  readonly state: PairState
  readonly staticUid: string | null
  readonly mirrorUid: string | null
  readonly staticPod: Pod | null
  readonly mirror: Pod | null
}

/** Both ways between the UIDs of static pods and of their mirrors. */
export interface UidTranslation {
  readonly toStatic: ReadonlyMap<string, string>
  readonly toMirror: ReadonlyMap<string, string>
}

function fullNameOfPod({ metadata }: Pod): string {
  return `${metadata.name}_${metadata.namespace ?? 'default'}`
}

function hashOf(mirror: Pod): string {
  return mirror.metadata.annotations?.[configMirrorAnnotation] ?? ''
}

function staticUidOf(pod: Pod): string {
  return pod.metadata.annotations?.[configHashAnnotation] ?? pod.metadata.uid
}

function stateOf(staticPod: Pod | null, mirror: Pod | null, isAsked: boolean): PairState {
  if (mirror === null) return 'missing'
  if (mirror.metadata.deletionTimestamp !== undefined) return 'deleting'
  if (!isAsked) return 'notKnown'
  if (staticPod === null) return 'orphan'
  return hashOf(mirror) === staticUidOf(staticPod) ? 'matched' : 'stale'
}

/**
 * Pairs the mirrors of one node with the static pods of its kubelet, by full name. `told`: the items of /pods; null: not
 * asked, and then a mirror's annotation is all that is known of its static pod.
 */
export function mirrorPairs(
  inApi: readonly Pod[],
  told: readonly Pod[] | null,
): readonly MirrorPair[] {
  const mirrors = new Map(inApi.filter(isMirrorPod).map((pod) => [fullNameOfPod(pod), pod]))
  const statics = new Map((told ?? []).filter(isStaticPod).map((pod) => [fullNameOfPod(pod), pod]))
  return [...new Set([...statics.keys(), ...mirrors.keys()])].map((fullName): MirrorPair => {
    const staticPod = statics.get(fullName) ?? null
    const mirror = mirrors.get(fullName) ?? null
    const hash = mirror === null ? '' : hashOf(mirror)
    return {
      fullName,
      state: stateOf(staticPod, mirror, told !== null),
      staticUid: staticPod === null ? hash || null : staticUidOf(staticPod),
      mirrorUid: mirror?.metadata.uid ?? null,
      staticPod,
      mirror,
    }
  })
}

/** As the pod manager translates: a mirror of another version is still the mirror of its name. */
export function uidTranslation(pairs: readonly MirrorPair[]): UidTranslation {
  const both = pairs.flatMap(({ staticUid, mirrorUid }) =>
    staticUid === null || mirrorUid === null ? [] : [[staticUid, mirrorUid] as const],
  )
  return {
    toMirror: new Map(both),
    toStatic: new Map(both.map(([staticUid, mirrorUid]) => [mirrorUid, staticUid])),
  }
}
