import { fullNameOf, isMirrorPod, isStaticPod } from '../../src/main/kubelet/pod/identity.ts'
import type { PodManager } from '../../src/main/kubelet/pod/pod-manager.ts'
import type { WorkerTable } from '../../src/main/kubelet/workers/worker-table.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import type { ReportViolation } from './invariants.ts'

/** Invariant 4: static pods that were started and have not stopped, by full name. */
function checkStaticPods(table: WorkerTable, report: (what: string) => void): void {
  const started = new Map<string, string>()
  for (const record of table.records.values()) {
    const pod = record.activeUpdate?.pod
    if (pod === undefined || !isStaticPod(pod)) continue
    if (record.startedAt === undefined || record.terminatedAt !== undefined) continue
    const other = started.get(record.fullName)
    if (other !== undefined) report(`${record.fullName}: ${other} and ${record.uid}`)
    started.set(record.fullName, record.uid)
  }
}

/** Invariant 5, with pod-manager#asymmetries: links outlive static pods. */
function checkPodManager(podManager: PodManager, report: (what: string) => void): void {
  const { allPods, allMirrorPods, orphanedMirrorPodFullNames } = podManager.getPodsAndMirrorPods()
  const { podToMirror, mirrorToPod } = podManager.getUIDTranslations()
  for (const pod of allPods) {
    const { uid } = pod.metadata
    if (isMirrorPod(pod)) report(`the mirror ${uid} is among the pods`)
    if (podManager.getPodByUID(uid) !== pod) report(`${uid} is another pod by its uid`)
    if (podManager.translatePodUID(uid) !== uid) report(`${uid}, a pod's own, is translated`)
    if (isStaticPod(pod) && !podToMirror.has(uid)) report(`${uid} has no place among the mirrors`)
  }
  for (const mirror of allMirrorPods) {
    const { uid } = mirror.metadata
    if (!isMirrorPod(mirror)) report(`${uid} is among the mirrors`)
    if (podManager.getPodByUID(uid) !== undefined) report(`the mirror ${uid} is a pod by its uid`)
    const pod = podManager.getPodByMirrorPod(mirror)
    if (pod === undefined || podManager.getMirrorPodByPod(pod) !== mirror) continue
    if (podManager.translatePodUID(uid) !== pod.metadata.uid)
      report(`${uid} is not translated to ${pod.metadata.uid}`)
  }
  for (const [mirrorUid, uid] of mirrorToPod) {
    if (podManager.translatePodUID(mirrorUid) !== uid) report(`${mirrorUid} has two translations`)
    if (!podToMirror.get(uid)) report(`${uid} does not lead back to ${mirrorUid}`)
  }
  const names = new Set(allPods.map(fullNameOf))
  for (const name of orphanedMirrorPodFullNames)
    if (podManager.getPodByFullName(name) !== undefined || names.has(name))
      report(`${name} counts as orphaned`)
}

/** What holds at any moment on a node whose agent runs. */
export function checkNode(node: SimulatedNode, report: ReportViolation): void {
  const { nodeName, kubelet } = node
  checkStaticPods(kubelet.podWorkers.table, (what) => {
    report(4, `${nodeName}: ${what}`)
  })
  checkPodManager(kubelet.podManager, (what) => {
    report(5, `${nodeName}: ${what}`)
  })
}
