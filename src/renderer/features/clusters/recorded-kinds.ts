import type { ClusterKind } from '../../../shared/model/cluster-view.ts'

/** Clusters that can be recorded. */
export const recordedKinds: ReadonlySet<ClusterKind> = new Set(['sandbox', 'joined', 'seen'])
