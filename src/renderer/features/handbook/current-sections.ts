import type { Anchor } from '../../../shared/handbook/anchors.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { MirrorState, WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { PodSource } from '../../../shared/model/pod-source.ts'

const workerSections: Readonly<Record<WorkerStateWord, readonly Anchor[]>> = {
  waiting: ['pod-workers#static-pods-of-one-name'],
  SyncPod: ['pod-workers#sync-functions', 'containers#runtime-sync'],
  TerminatingPod: [
    'pod-workers#sync-functions',
    'termination#stopping-containers',
    'termination#grace-period',
  ],
  TerminatedPod: ['pod-workers#sync-functions'],
  TerminatedAndRecreatedPod: ['pod-workers#reuse-of-a-uid'],
  finished: ['pod-workers#states'],
  none: [],
  noKubelet: [],
}

const mirrorSections: Readonly<Record<MirrorState, Anchor | undefined>> = {
  matched: undefined,
  missing: 'mirror-pods#creation',
  stale: 'mirror-pods#reconciliation',
  deleting: 'mirror-pods#deletion',
}

const sourceSections: Readonly<Record<PodSource, Anchor>> = {
  file: 'sources#file-source',
  http: 'sources#http-source',
  api: 'sources#api-source',
}

/** The sections of the handbook that describe the pod's current state. Pure. */
export function currentSections({ row, containers, why }: PodDetail): ReadonlySet<string> {
  const isPulling = containers.some(({ reason }) => /ImagePull/.test(reason))
  const isStarting = containers.some(({ kind, state }) => kind === 'init' && state === 'running')
  const isCrashing = containers.some(({ backOffUntil }) => backOffUntil !== null)
  const found = [
    sourceSections[row.source],
    row.kind === 'static' ? 'identity#static-pods' : undefined,
    row.kind === 'mirror' ? 'mirror-pods#orphaned-mirrors' : undefined,
    ...workerSections[row.worker],
    row.mirror === null ? undefined : mirrorSections[row.mirror],
    isPulling ? 'images#pull-back-off' : undefined,
    isStarting ? 'containers#init-containers' : undefined,
    isCrashing ? 'containers#back-off' : undefined,
    row.heldBy.length > 0 ? 'api-server#pod-deletion' : undefined,
    why === null || why.section === '' ? undefined : why.section,
  ]
  return new Set(found.filter((section) => section !== undefined))
}
