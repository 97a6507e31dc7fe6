import { equalJson } from '../../../../shared/json.ts'
import type {
  Deployment,
  PodTemplate,
  ReplicaSet,
} from '../../../../shared/kubernetes/workloads.ts'

type Annotations = Readonly<Record<string, string>>

const prefix = 'deployment.kubernetes.io'
export const revisionAnnotation = `${prefix}/revision`
const revisionHistoryAnnotation = `${prefix}/revision-history`
export const desiredReplicasAnnotation = `${prefix}/desired-replicas`
export const maxReplicasAnnotation = `${prefix}/max-replicas`
export const hashLabel = 'pod-template-hash'

/** Annotations of a Deployment that its ReplicaSets do not take over, and that an undo leaves as they are. */
export const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  'deprecated.deployment.rollback.to',
])

const longestHistory = 2000

/** A count in an annotation; undefined if it is absent or none. */
export function countAnnotation({ metadata }: ReplicaSet, name: string): number | undefined {
  const text = metadata.annotations?.[name] ?? ''
  const count = Number(text)
  return /^\d+$/.test(text) && count < 2 ** 31 ? count : undefined
}

/** 0 without the annotation, undefined if it is no number. */
export function revisionOf({ metadata }: ReplicaSet): number | undefined {
  const text = metadata.annotations?.[revisionAnnotation]
  if (text === undefined) return 0
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined
}

export function maxRevision(sets: readonly ReplicaSet[]): number {
  return Math.max(0, ...sets.map((set) => revisionOf(set) ?? 0))
}

/** The annotations that say how many replicas the Deployment has and may have. */
export function replicasAnnotations(desired: number, max: number): Annotations {
  return { [desiredReplicasAnnotation]: String(desired), [maxReplicasAnnotation]: String(max) }
}

function historyAfter(history: string, revision: string): string {
  if (history === '') return revision
  const revisions = history.split(',')
  while (revisions.length > 0 && [...revisions, revision].join(',').length > longestHistory) {
    revisions.shift()
  }
  return [...revisions, revision].join(',')
}

/**
 * The annotations of a Deployment's new ReplicaSet: those of the Deployment, and its revision, which is raised if it is
 * lower. Source: pkg/controller/deployment/util SetNewReplicaSetAnnotations (v1.34).
 */
export function newSetAnnotations(
  deployment: Deployment,
  before: Annotations = {},
  newRevision: number,
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([name]) => !notCopied.has(name),
  )
  const annotations = { ...before, ...Object.fromEntries(copied) }
  const old = before[revisionAnnotation]
  if (old !== undefined && old !== '' && !/^[+-]?\d+$/.test(old)) return annotations
  if (Number(old ?? 0) >= newRevision) return annotations
  const history =
    old === undefined
      ? {}
      : { [revisionHistoryAnnotation]: historyAfter(before[revisionHistoryAnnotation] ?? '', old) }
  return { ...annotations, [revisionAnnotation]: String(newRevision), ...history }
}

function withoutHash(template: PodTemplate): PodTemplate {
  const { metadata = {}, ...rest } = template
  const { [hashLabel]: _, ...labels } = metadata.labels ?? {}
  return { ...rest, metadata: { ...metadata, labels } }
}

/** Whether two templates are the same but for the label pod-template-hash (EqualIgnoreHash). */
export function equalIgnoringHash(a: PodTemplate, b: PodTemplate): boolean {
  return equalJson(withoutHash(a), withoutHash(b))
}
