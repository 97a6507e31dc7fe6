import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Trace } from '../ports.ts'
import {
  isMirrorPod,
  isMirrorPodOf,
  isStaticPod,
  podSubject,
  traceAbout,
  tracePod,
} from './identity.ts'
import type { PodFullName } from './identity.ts'
import { PodsByName } from './pods-by-name.ts'

/** A mirror pod's own uid, given by the API server. Never the key of a worker or a status. */
export type MirrorPodUid = string & { readonly brand: 'MirrorPodUid' }
/** The uid that the kubelet works with: a regular pod's, or a static pod's own. */
export type ResolvedPodUid = string & { readonly brand: 'ResolvedPodUid' }

// Made only behind an isMirror check.
const mirrorUidOf = (pod: Pod): MirrorPodUid => pod.metadata.uid as MirrorPodUid
// Made only for pods that are not mirrors, and for uids without a translation.
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

/** A pod with its complement. `pod` is undefined only for a mirror whose pod is unknown. */
export interface PodAndMirrorPod {
  readonly pod: Pod | undefined
  readonly mirrorPod: Pod | undefined
  readonly wasMirror: boolean
}

/**
 * The desired pods, in memory: regular and static ones by uid and full name, mirrors apart, and the
 * links between the uids of static pods and of their mirrors (docs/kubelet/pod-manager.md). Makes no calls.
 * Its asymmetries (pod-manager#asymmetries) are the kubelet's and kept: removing a static pod leaves its link,
 * and removal by name does not look at the uid. What is handed out is never changed afterwards; lists and
 * translations are the same objects until the next write. Source: pkg/kubelet/pod/pod_manager.go.
 */
export class PodManager {
  readonly #trace: Trace
  readonly #podByUid = new Map<ResolvedPodUid, Pod>()
  readonly #mirrorPodByUid = new Map<MirrorPodUid, Pod>()
  readonly #byName = new PodsByName()
  readonly #translationByUid = new Map<MirrorPodUid, ResolvedPodUid>()
  /** Static pods among those by uid, so that translations need not look at all of them. */
  readonly #staticUids = new Set<ResolvedPodUid>()
  /** What the lists answer, until the next write. */
  #pods: readonly Pod[] | undefined
  #everything: PodsAndMirrorPods | undefined
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

  /** Puts a pod or a mirror where its uid and its name are, and links the two of a name where both are known. */
  updatePod(pod: Pod, causes: TraceCauses): void {
    this.#pods = undefined
    this.#everything = undefined
    if (isMirrorPod(pod)) this.#setMirror(pod, causes)
    else this.#setPod(pod, causes)
  }

  /** Removes a pod or a mirror by its uid and by its name, even if the name is another pod's now; a mirror's link goes too. */
  removePod(pod: Pod, causes: TraceCauses): void {
    this.#managedEphemeralContainers -= pod.spec.ephemeralContainers?.length ?? 0
    this.#changed(pod, 'removed', causes)
    this.#pods = undefined
    this.#everything = undefined
    this.#translations = undefined
    if (isMirrorPod(pod)) this.#removeMirror(pod, causes)
    else this.#removePod(pod)
  }

  /** Replaces everything. Production only adds, updates and removes; tests start from a known state with it. */
  setPods(pods: readonly Pod[], causes: TraceCauses): void {
    this.#podByUid.clear()
    this.#mirrorPodByUid.clear()
    this.#byName.clear()
    this.#translationByUid.clear()
    this.#staticUids.clear()
    this.#pods = undefined
    this.#everything = undefined
    this.#translations = undefined
    for (const pod of pods) this.updatePod(pod, causes)
  }

  /** Regular and static pods, no mirrors. */
  getPods(): readonly Pod[] {
    this.#pods ??= [...this.#podByUid.values()]
    return this.#pods
  }

  /** Regular and static pods, mirrors, and the names of mirrors that no pod has. */
  getPodsAndMirrorPods(): PodsAndMirrorPods {
    this.#everything ??= {
      allPods: this.getPods(),
      allMirrorPods: [...this.#mirrorPodByUid.values()],
      orphanedMirrorPodFullNames: this.getOrphanedMirrorPodNames(),
    }
    return this.#everything
  }

  /** Full names of mirrors without a pod of that name, static or not. */
  getOrphanedMirrorPodNames(): readonly PodFullName[] {
    return this.#byName.orphanedMirrors()
  }

  /** Never a mirror. */
  getPodByUID(uid: string): Pod | undefined {
    return this.#podByUid.get(resolved(uid))
  }

  /** Never a mirror. */
  getPodByFullName(fullName: PodFullName): Pod | undefined {
    return this.#byName.byFullName(fullName)?.pod
  }

  /** Never a mirror. */
  getPodByName(namespace: string, name: string): Pod | undefined {
    return this.#byName.get(namespace, name)?.pod
  }

  /** By name only: it may be the mirror of an earlier version, and a regular pod of that name has it too. */
  getMirrorPodByPod(pod: Pod): Pod | undefined {
    return this.#byName.of(pod)?.mirrorPod
  }

  /** By name only: the mirror may be of an earlier version, and the pod need not be static. */
  getPodByMirrorPod(mirror: Pod): Pod | undefined {
    return this.#byName.of(mirror)?.pod
  }

  /** The given object is returned; the other one is looked up by name. */
  getPodAndMirrorPod(pod: Pod): PodAndMirrorPod {
    if (isMirrorPod(pod))
      return { pod: this.getPodByMirrorPod(pod), mirrorPod: pod, wasMirror: true }
    return { pod, mirrorPod: this.getMirrorPodByPod(pod), wasMirror: false }
  }

  /** Whether the mirror was made from exactly this version of the pod: same name, and its mirror hash is the pod's hash. */
  isMirrorPodOf(mirrorPod: Pod, pod: Pod): boolean {
    return isMirrorPodOf(mirrorPod, pod)
  }

  /** A linked mirror's uid becomes its static pod's; any other stays as it is. */
  translatePodUID(uid: string): ResolvedPodUid {
    // A key of the map is a mirror's uid or nothing is found.
    return this.#translationByUid.get(uid as MirrorPodUid) ?? resolved(uid)
  }

  /** Links outlive static pods: `podToMirror` may name a uid that is no longer here (pod-manager#asymmetries). */
  getUIDTranslations(): UidTranslations {
    this.#translations ??= this.#allTranslations()
    return this.#translations
  }

  /** Every static pod with its mirror, by name; undefined where there is none. */
  getStaticPodToMirrorPodMap(): ReadonlyMap<Pod, Pod | undefined> {
    const mirrors = new Map<Pod, Pod | undefined>()
    for (const uid of this.#staticUids) {
      const pod = this.#podByUid.get(uid)
      if (pod !== undefined) mirrors.set(pod, this.getMirrorPodByPod(pod))
    }
    return mirrors
  }

  #allTranslations(): UidTranslations {
    const podToMirror = new Map<string, MirrorPodUid | ''>()
    for (const uid of this.#staticUids) podToMirror.set(uid, '')
    for (const [mirrorUid, uid] of this.#translationByUid) podToMirror.set(uid, mirrorUid)
    return { podToMirror, mirrorToPod: new Map(this.#translationByUid) }
  }

  #setMirror(pod: Pod, causes: TraceCauses): void {
    const named = this.#byName.take(pod)
    this.#mirrorPodByUid.set(mirrorUidOf(pod), pod)
    named.mirrorPod = pod
    if (named.pod !== undefined) this.#link(pod, named.pod, causes)
    this.#changed(pod, 'set', causes)
  }

  #setPod(pod: Pod, causes: TraceCauses): void {
    const uid = resolved(pod.metadata.uid)
    const known = this.#podByUid.get(uid)
    const before = known?.spec.ephemeralContainers?.length ?? 0
    this.#managedEphemeralContainers += (pod.spec.ephemeralContainers?.length ?? 0) - before
    if ((known !== undefined && isStaticPod(known)) !== isStaticPod(pod)) this.#changeStatic(uid)
    const named = this.#byName.take(pod)
    this.#podByUid.set(uid, pod)
    named.pod = pod
    if (named.mirrorPod !== undefined) this.#link(named.mirrorPod, pod, causes)
    this.#changed(pod, 'set', causes)
  }

  #changeStatic(uid: ResolvedPodUid): void {
    if (!this.#staticUids.delete(uid)) this.#staticUids.add(uid)
    this.#translations = undefined
  }

  #removePod(pod: Pod): void {
    const uid = resolved(pod.metadata.uid)
    this.#podByUid.delete(uid)
    this.#staticUids.delete(uid)
    this.#byName.remove(pod, 'pod')
  }

  #removeMirror(pod: Pod, causes: TraceCauses): void {
    const mirrorUid = mirrorUidOf(pod)
    const staticUid = this.#translationByUid.get(mirrorUid)
    this.#mirrorPodByUid.delete(mirrorUid)
    this.#byName.remove(pod, 'mirrorPod')
    this.#translationByUid.delete(mirrorUid)
    if (staticUid === undefined) return
    traceAbout(this.#trace, { ...podSubject(pod), uid: staticUid }, 'uid.unlinked', causes, {
      mirrorUid,
      staticUid,
    })
  }

  #link(mirror: Pod, pod: Pod, causes: TraceCauses): void {
    const mirrorUid = mirrorUidOf(mirror)
    const staticUid = resolved(pod.metadata.uid)
    if (this.#translationByUid.get(mirrorUid) === staticUid) return
    this.#translationByUid.set(mirrorUid, staticUid)
    this.#translations = undefined
    tracePod(this.#trace, pod, 'uid.linked', causes, { mirrorUid, staticUid })
  }

  #changed(pod: Pod, op: 'set' | 'removed', causes: TraceCauses): void {
    const mirror = isMirrorPod(pod)
    const subject = podSubject(pod)
    traceAbout(
      this.#trace,
      mirror ? { ...subject, uid: this.translatePodUID(subject.uid) } : subject,
      'podManager.changed',
      causes,
      { op, mirror },
    )
  }
}
