import type { Pod, PodCondition } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Clock } from '../ports.ts'

export type ResizeConditionType = 'PodResizePending' | 'PodResizeInProgress'

/** As the kubelet keeps it; what the API gets is `apiCondition`. */
interface ResizeCondition {
  readonly type: ResizeConditionType
  readonly reason: string
  readonly message: string
  /** 0: the pod has no generation. */
  readonly observedGeneration: number
  /** ms */
  readonly probedAt: number
  /** ms, when the reason last changed. */
  readonly changedAt: number
}

const types: readonly ResizeConditionType[] = ['PodResizePending', 'PodResizeInProgress']

/**
 * The conditions of pods that are resized in place, by the pod's UID (kubelet status manager, podResizeConditions). They
 * are in no status until the next one is made. Each condition is replaced, never changed.
 */
export class ResizeConditions {
  readonly #clock: Clock
  readonly #pods = new Map<string, Partial<Record<ResizeConditionType, ResizeCondition>>>()

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock
  }

  /** PodResizePending first. */
  list(uid: string): readonly ResizeCondition[] {
    const conditions = this.#pods.get(uid) ?? {}
    return types.flatMap((type) => conditions[type] ?? [])
  }

  setPending(uid: string, reason: string, message: string, observedGeneration: number): void {
    this.#set(uid, { type: 'PodResizePending', reason, message, observedGeneration })
  }

  /** One that is there keeps its generation, and its reason and message unless others are given. */
  setInProgress(uid: string, reason: string, message: string, observedGeneration: number): void {
    const old = this.#pods.get(uid)?.PodResizeInProgress
    const isKept = reason === '' && message === ''
    this.#set(uid, {
      type: 'PodResizeInProgress',
      reason: isKept ? (old?.reason ?? '') : reason,
      message: isKept ? (old?.message ?? '') : message,
      observedGeneration: old?.observedGeneration ?? observedGeneration,
    })
  }

  /** Whether there was one. */
  clear(uid: string, type: ResizeConditionType): boolean {
    const { [type]: old, ...rest } = this.#pods.get(uid) ?? {}
    if (old === undefined) return false
    if (Object.keys(rest).length === 0) this.#pods.delete(uid)
    else this.#pods.set(uid, rest)
    return true
  }

  isPending(uid: string, reason: 'Deferred' | 'Infeasible'): boolean {
    return this.#pods.get(uid)?.PodResizePending?.reason === reason
  }

  /** What the API says of these pods: after a restart of the kubelet it is all that is known. */
  backfill(pods: readonly Pod[]): void {
    for (const { metadata, status } of pods) {
      for (const { type, reason = '', message = '', observedGeneration } of status?.conditions ??
        []) {
        const known = types.find((one) => one === type)
        if (known === undefined) continue
        this.clear(metadata.uid, known)
        const generation = typeof observedGeneration === 'number' ? observedGeneration : 0
        this.#set(metadata.uid, { type: known, reason, message, observedGeneration: generation })
      }
    }
  }

  remove(uid: string): void {
    this.#pods.delete(uid)
  }

  removeOrphans(uids: ReadonlySet<string>): void {
    for (const uid of this.#pods.keys()) if (!uids.has(uid)) this.#pods.delete(uid)
  }

  #set(uid: string, wanted: Omit<ResizeCondition, 'probedAt' | 'changedAt'>): void {
    const conditions = this.#pods.get(uid) ?? {}
    const old = conditions[wanted.type]
    const now = this.#clock.now()
    const changedAt = old?.reason === wanted.reason ? old.changedAt : now
    this.#pods.set(uid, { ...conditions, [wanted.type]: { ...wanted, probedAt: now, changedAt } })
  }
}

/** As the API has it. */
export function apiCondition(
  { type, reason, message, observedGeneration, probedAt, changedAt }: ResizeCondition,
  pod: Pod,
): PodCondition {
  const hasGeneration = observedGeneration !== 0 && (pod.metadata.generation ?? 0) !== 0
  return {
    type,
    ...(hasGeneration ? { observedGeneration } : {}),
    status: 'True',
    lastProbeTime: toTimestamp(probedAt),
    lastTransitionTime: toTimestamp(changedAt),
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
  }
}
