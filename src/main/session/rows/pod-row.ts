import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { podColumns } from '../../../shared/kubernetes/printers/pod-columns.ts'
import { statusTone } from '../../../shared/kubernetes/printers/status-tone.ts'
import type {
  PodKind,
  PodRow,
  StatusAside,
  WorkerStateWord,
} from '../../../shared/model/pod-row.ts'
import { containerBrick } from '../../../shared/model/container-brick.ts'
import { podSelectable } from '../../../shared/model/row-selectors.ts'
import type { PodSource } from '../../../shared/model/pod-source.ts'
import {
  configMirrorAnnotation,
  isMirrorPod,
  isStaticPod,
  podSource,
  podNamespace,
  configSeenAnnotation,
} from '../../kubelet/pod/identity.ts'
import type { PodKnowledge } from './pod-knowledge.ts'
import { mirrorReason } from './mirror-reason.ts'
import { mirrorState } from './mirror-state.ts'
import { controllerUid } from '../workloads/owner-view.ts'

/** The object that kubectl shows for the pod: a static pod's mirror, with the local status while it has none. */
export function shownPod(known: PodKnowledge): Pod {
  const { pod, mirror, api, localStatus } = known
  const own = localStatus === undefined ? pod : { ...pod, status: localStatus }
  // Without an API object only the kubelet has the pod's status.
  if (!isStaticPod(pod)) return api === null ? own : (api ?? pod)
  return mirror === undefined || isOldMirror(known) ? own : (api ?? mirror)
}

/** Whether the mirror belongs to the previous static pod of the name, which this one waits for. */
function isOldMirror({ pod, mirror, worker }: PodKnowledge): boolean {
  return (
    worker?.state === 'waiting' && mirror !== undefined && mirrorState(pod, mirror) !== 'matched'
  )
}

/** kubectl's STATUS for the kubelet's own status; undefined if it has none. */
function kubeletWord({ pod, localStatus }: PodKnowledge, now: number): string | undefined {
  if (localStatus === undefined) return undefined
  const { deletionTimestamp: _, ...metadata } = pod.metadata
  return podColumns({ ...pod, metadata, status: localStatus }, now).status
}

function statusAside(
  known: PodKnowledge,
  shown: Pod,
  { status, now }: { readonly status: string; readonly now: number },
): StatusAside | null {
  const { pod, mirror, api } = known
  if (isOldMirror(known) && mirror !== undefined)
    return { from: 'api', word: podColumns(api ?? mirror, now).status }
  if (api === null && kindOf(pod) === 'regular') return { from: 'api', word: 'gone' }
  const own = kubeletWord(known, now)
  if (own !== undefined && own !== status) return { from: 'kubelet', word: own }
  const reason = shown.status?.reason ?? ''
  return reason === '' || reason === status ? null : { from: 'reason', word: reason }
}

function kindOf(pod: Pod): PodKind {
  if (isStaticPod(pod)) return 'static'
  return isMirrorPod(pod) ? 'mirror' : 'regular'
}

const rejectedPrefix = 'Pod was rejected: '

function whyNoWorker(known: PodKnowledge): string {
  const { pod, localStatus } = known
  if (kindOf(pod) === 'mirror')
    return `orphaned mirror of ${pod.metadata.annotations?.[configMirrorAnnotation] ?? 'an unknown static pod'}: the node has no static pod of this name`
  const message = localStatus?.message ?? pod.status?.message ?? ''
  if (message.startsWith(rejectedPrefix))
    return `rejected at admission: ${message.slice(rejectedPrefix.length)}`
  return 'no worker yet'
}

function workerWord(known: PodKnowledge): {
  readonly word: WorkerStateWord
  readonly reason: string
} {
  if (known.inferred !== undefined)
    return { word: known.inferred.worker, reason: known.inferred.because }
  if (known.noKubelet !== '') return { word: 'noKubelet', reason: known.noKubelet }
  if (known.worker === undefined) return { word: 'none', reason: whyNoWorker(known) }
  return { word: known.worker.state, reason: known.worker.reason }
}

function milliseconds(time: string | undefined): number | null {
  if (time === undefined) return null
  const parsed = Date.parse(time)
  return Number.isNaN(parsed) ? null : parsed
}

/** The finalizers that keep the object. None while containers may run: then it stays anyway. */
function heldBy(known: PodKnowledge, word: WorkerStateWord): readonly string[] {
  const isMirrorOnly = isStaticPod(known.pod) || isMirrorPod(known.pod)
  if (!isMirrorOnly && (word === 'SyncPod' || word === 'TerminatingPod')) return []
  // The kubelet's copy may have outdated finalizers; the stored object has the current ones.
  if (known.api === null) return []
  const { deletionTimestamp, finalizers = [] } = (known.api ?? known.mirror ?? known.pod).metadata
  return deletionTimestamp === undefined ? [] : finalizers
}

/** One row of the table. Pure. `now` in ms on the cluster's clock. */
export function podRow(known: PodKnowledge, now: number): PodRow {
  const { pod, mirror, cluster, node } = known
  const shown = shownPod(known)
  const columns = podColumns(shown, now)
  const { word, reason } = workerWord(known)
  const kind = kindOf(pod)
  const source: PodSource = kind === 'mirror' ? 'api' : podSource(pod)
  const statuses = shown.status?.containerStatuses ?? []
  return {
    key: `${cluster}/${node}/${pod.metadata.uid}`,
    cluster,
    node,
    uid: pod.metadata.uid,
    namespace: podNamespace(pod),
    name: pod.metadata.name,
    readyContainers: columns.readyContainers,
    totalContainers: columns.totalContainers,
    status: columns.status,
    statusAside: statusAside(known, shown, { status: columns.status, now }),
    tone: statusTone(columns.status),
    restarts: columns.restarts,
    lastRestartAt: columns.lastRestartAt,
    createdAt:
      milliseconds(shown.metadata.creationTimestamp) ??
      milliseconds(pod.metadata.annotations?.[configSeenAnnotation]),
    owner: controllerUid(shown),
    source,
    kind,
    worker: word,
    workerReason: reason,
    ...(known.isMomentary === true ? { isMomentary: true as const } : {}),
    ...(known.isCutOff === true ? { isCutOff: true as const } : {}),
    grace: known.grace ?? null,
    mirror: kind === 'static' ? mirrorState(pod, mirror) : null,
    mirrorUid: kind === 'mirror' ? pod.metadata.uid : (mirror?.metadata.uid ?? null),
    mirrorReason: mirrorReason(known),
    heldBy: heldBy(known, word),
    notSimulated: known.notSimulated.length,
    ...podSelectable(shown, node),
    bricks: pod.spec.containers.map((container) => ({
      name: container.name,
      state: containerBrick(statuses.find((status) => status.name === container.name)),
    })),
  }
}
