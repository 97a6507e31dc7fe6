import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { Trace } from '../ports.ts'
import { buildPodFullName, fullNameOf, isMirror, isStatic, podSubject } from './identity.ts'
import type { PodFullName } from './identity.ts'

/** A mirror pod's own uid, given by the API server. Never the key of a worker or a status. */
export type MirrorPodUid = string & { readonly brand: 'MirrorPodUid' }
/** The uid that the kubelet works with: a regular pod's, or a static pod's own. */
export type ResolvedPodUid = string & { readonly brand: 'ResolvedPodUid' }

// Minted only behind an isMirror check.
const mirrorUidOf = (pod: Pod): MirrorPodUid => pod.metadata.uid as MirrorPodUid
// Minted only for pods that are no mirrors, and for uids that no translation knows.
const resolved = (uid: string): ResolvedPodUid => uid as ResolvedPodUid

/** Everything known at one moment, and the full names of mirrors that have no pod of that name. */
export interface PodsAndMirrorPods {
  readonly allPods: readonly Pod[]
  readonly allMirrorPods: readonly Pod[]
  readonly orphanedMirrorPodFullNames: readonly PodFullName[]
}

/** Both directions of the link between static pods and mirrors; `''` for a static pod without a mirror. */
export interface UidTranslations {
  readonly podToMirror: ReadonlyMap<string, MirrorPodUid | ''>
  readonly mirrorToPod: ReadonlyMap<string, ResolvedPodUid>
}

/** A pod with its complement. `pod` is undefined only when a mirror was asked about whose pod is unknown. */
export interface PodAndMirrorPod {
  readonly pod: Pod | undefined
  readonly mirrorPod: Pod | undefined
  readonly wasMirror: boolean
}

/**
 * The desired pods, in memory: regular and static ones by uid and full name, mirrors apart, and the
 * links between the uids of static pods and of their mirrors (semantics 2). Makes no calls.
 * The asymmetries of semantics 2.5 are the kubelet's and kept: removing a static pod leaves its link,
 * and removal by name does not look at the uid.
 */
export class PodManager {
  readonly #trace: Trace
  readonly #podByUid = new Map<ResolvedPodUid, Pod>()
  readonly #mirrorPodByUid = new Map<MirrorPodUid, Pod>()
  readonly #podByFullName = new Map<PodFullName, Pod>()
  readonly #mirrorPodByFullName = new Map<PodFullName, Pod>()
  readonly #translationByUid = new Map<MirrorPodUid, ResolvedPodUid>()
  /** What `getUIDTranslations` answers, until a pod comes, goes or is linked. */
  #translations: UidTranslations | undefined
  #managedEphemeralContainers = 0

  constructor(deps: { readonly trace: Trace }) {
    this.#trace = deps.trace
  }

  /** The metric of that name: ephemeral containers of all pods here. */
  get managedEphemeralContainers(): number {
    return this.#managedEphemeralContainers
  }

  /** The same as `updatePod`: both are an upsert. */
  addPod(pod: Pod, causes: TraceCauses): void {
    this.updatePod(pod, causes)
  }

  updatePod(pod: Pod, causes: TraceCauses): void {
    if (isMirror(pod)) this.#setMirror(pod, causes)
    else this.#setPod(pod, causes)
  }

  removePod(pod: Pod, causes: TraceCauses): void {
    const fullName = fullNameOf(pod)
    this.#managedEphemeralContainers -= pod.spec.ephemeralContainers?.length ?? 0
    this.#changed(pod, 'removed', causes)
    if (!isMirror(pod)) {
      this.#podByUid.delete(resolved(pod.metadata.uid))
      this.#podByFullName.delete(fullName)
      this.#translations = undefined
      return
    }
    const uid = mirrorUidOf(pod)
    const staticUid = this.#translationByUid.get(uid)
    this.#mirrorPodByUid.delete(uid)
    this.#mirrorPodByFullName.delete(fullName)
    this.#translationByUid.delete(uid)
    this.#translations = undefined
    if (staticUid === undefined) return
    this.#trace.emit({
      kind: 'uid.unlinked',
      subject: { ...podSubject(pod), uid: staticUid },
      causes,
      data: { mirrorUid: uid, staticUid },
    })
  }

  /** Replaces everything. Production only adds, updates and removes; tests start from a known state with it. */
  setPods(pods: readonly Pod[], causes: TraceCauses): void {
    this.#podByUid.clear()
    this.#mirrorPodByUid.clear()
    this.#podByFullName.clear()
    this.#mirrorPodByFullName.clear()
    this.#translationByUid.clear()
    this.#translations = undefined
    for (const pod of pods) this.updatePod(pod, causes)
  }

  /** Regular and static pods, no mirrors. */
  getPods(): readonly Pod[] {
    return [...this.#podByUid.values()]
  }

  getPodsAndMirrorPods(): PodsAndMirrorPods {
    return {
      allPods: [...this.#podByUid.values()],
      allMirrorPods: [...this.#mirrorPodByUid.values()],
      orphanedMirrorPodFullNames: [...this.#mirrorPodByFullName.keys()].filter(
        (fullName) => !this.#podByFullName.has(fullName),
      ),
    }
  }

  /** Never a mirror. */
  getPodByUID(uid: string): Pod | undefined {
    return this.#podByUid.get(resolved(uid))
  }

  getPodByFullName(fullName: PodFullName): Pod | undefined {
    return this.#podByFullName.get(fullName)
  }

  getPodByName(namespace: string, name: string): Pod | undefined {
    return this.#podByFullName.get(buildPodFullName(name, namespace))
  }

  /** By name only: it may be the mirror of an earlier version, and a regular pod of that name has it too. */
  getMirrorPodByPod(pod: Pod): Pod | undefined {
    return this.#mirrorPodByFullName.get(fullNameOf(pod))
  }

  getPodByMirrorPod(mirror: Pod): Pod | undefined {
    return this.#podByFullName.get(fullNameOf(mirror))
  }

  /** The given object stands for itself; the other one is looked up by name. */
  getPodAndMirrorPod(pod: Pod): PodAndMirrorPod {
    if (isMirror(pod)) return { pod: this.getPodByMirrorPod(pod), mirrorPod: pod, wasMirror: true }
    return { pod, mirrorPod: this.getMirrorPodByPod(pod), wasMirror: false }
  }

  /** A linked mirror's uid becomes its static pod's; any other stays as it is. */
  translatePodUID(uid: string): ResolvedPodUid {
    // A key of the map is a mirror's uid or nothing is found.
    return this.#translationByUid.get(uid as MirrorPodUid) ?? resolved(uid)
  }

  /** Links outlive static pods: `podToMirror` may name a uid that is no longer here (semantics 2.5). */
  getUIDTranslations(): UidTranslations {
    this.#translations ??= this.#allTranslations()
    return this.#translations
  }

  #allTranslations(): UidTranslations {
    const podToMirror = new Map<string, MirrorPodUid | ''>()
    const mirrorToPod = new Map<string, ResolvedPodUid>()
    for (const [uid, pod] of this.#podByUid) if (isStatic(pod)) podToMirror.set(uid, '')
    for (const [mirrorUid, uid] of this.#translationByUid) {
      mirrorToPod.set(mirrorUid, uid)
      podToMirror.set(uid, mirrorUid)
    }
    return { podToMirror, mirrorToPod }
  }

  getStaticPodToMirrorPodMap(): ReadonlyMap<Pod, Pod | undefined> {
    const mirrors = new Map<Pod, Pod | undefined>()
    for (const pod of this.#podByUid.values())
      if (isStatic(pod)) mirrors.set(pod, this.getMirrorPodByPod(pod))
    return mirrors
  }

  #setMirror(pod: Pod, causes: TraceCauses): void {
    const fullName = fullNameOf(pod)
    this.#mirrorPodByUid.set(mirrorUidOf(pod), pod)
    this.#mirrorPodByFullName.set(fullName, pod)
    const known = this.#podByFullName.get(fullName)
    if (known !== undefined) this.#link(pod, known, causes)
    this.#changed(pod, 'set', causes)
  }

  #setPod(pod: Pod, causes: TraceCauses): void {
    const uid = resolved(pod.metadata.uid)
    const known = this.#podByUid.get(uid)
    const before = known?.spec.ephemeralContainers?.length ?? 0
    this.#managedEphemeralContainers += (pod.spec.ephemeralContainers?.length ?? 0) - before
    if (known === undefined || isStatic(known) !== isStatic(pod)) this.#translations = undefined
    const fullName = fullNameOf(pod)
    this.#podByUid.set(uid, pod)
    this.#podByFullName.set(fullName, pod)
    const mirror = this.#mirrorPodByFullName.get(fullName)
    if (mirror !== undefined) this.#link(mirror, pod, causes)
    this.#changed(pod, 'set', causes)
  }

  #link(mirror: Pod, pod: Pod, causes: TraceCauses): void {
    const mirrorUid = mirrorUidOf(mirror)
    const staticUid = resolved(pod.metadata.uid)
    if (this.#translationByUid.get(mirrorUid) === staticUid) return
    this.#translationByUid.set(mirrorUid, staticUid)
    this.#translations = undefined
    this.#trace.emit({
      kind: 'uid.linked',
      subject: podSubject(pod),
      causes,
      data: { mirrorUid, staticUid },
    })
  }

  #changed(pod: Pod, op: 'set' | 'removed', causes: TraceCauses): void {
    const subject: TraceSubject = {
      ...podSubject(pod),
      uid: this.translatePodUID(pod.metadata.uid),
    }
    this.#trace.emit({
      kind: 'podManager.changed',
      subject,
      causes,
      data: { op, mirror: isMirror(pod) },
    })
  }
}
