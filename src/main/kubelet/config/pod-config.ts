/**
 * PodConfig: turns each source's full snapshots into what changed (kubelet pkg/kubelet/config; sources#merge,
 * sources#delivery).
 */
import { defined, equalJson } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { ConfigOp, TraceCauses } from '../../../shared/model/trace-event.ts'
import type { PodSource } from '../../../shared/model/pod-source.ts'
import type { CorePorts, EventRecorder } from '../ports.ts'
import { KnownPods } from './known-pods.ts'
import {
  configSeenAnnotation,
  configSourceAnnotation,
  fullNameOf,
  isLocalAnnotation,
  isMirrorPod,
  podDescription,
  tracePod,
} from '../pod/identity.ts'

/** A pod with the trace events that brought it. Absent causes: those of the whole snapshot. */
export interface SourcePod {
  readonly pod: Pod
  readonly causes?: TraceCauses
}

/** A pod as merged, caused by its `config.merged` event. Objects are never changed after delivery. */
export interface MergedPod {
  readonly pod: Pod
  readonly causes: TraceCauses
}

/** One message to the sync loop. An ADD without pods only says that the source has been seen. */
export interface PodUpdate {
  readonly op: ConfigOp
  readonly source: PodSource
  readonly pods: readonly MergedPod[]
}

type Merged = { readonly [op in ConfigOp]: MergedPod[] }

function semanticAnnotations(pod: Pod): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(pod.metadata.annotations ?? {}).filter(([key]) => !isLocalAnnotation(key)),
  )
}

function differsSemantically(existing: Pod, incoming: Pod): boolean {
  const a = existing.metadata
  const b = incoming.metadata
  return !(
    a.deletionTimestamp === b.deletionTimestamp &&
    a.deletionGracePeriodSeconds === b.deletionGracePeriodSeconds &&
    equalJson(existing.spec, incoming.spec) &&
    equalJson(a.labels ?? {}, b.labels ?? {}) &&
    equalJson(semanticAnnotations(existing), semanticAnnotations(incoming))
  )
}

function mergedAnnotations(existing: Pod, incoming: Pod): Readonly<Record<string, string>> {
  const kept = Object.entries(existing.metadata.annotations ?? {}).filter(([key]) =>
    isLocalAnnotation(key),
  )
  return { ...incoming.metadata.annotations, ...Object.fromEntries(kept) }
}

/**
 * The pod with other parts. Written out, since V8 keeps what a spread copies in two objects; the items of a server's list have no kind
 * and no version.
 */
function withParts(pod: Pod, parts: Partial<Pick<Pod, 'metadata' | 'spec' | 'status'>>): Pod {
  const { kind, apiVersion } = pod
  const { metadata = pod.metadata, spec = pod.spec, status = pod.status } = parts
  if (kind === undefined || apiVersion === undefined || status === undefined)
    return { ...pod, ...parts }
  return { kind, apiVersion, metadata, spec, status }
}

/** The stored pod with what an update copies; ownerReferences, finalizers and resourceVersion stay as they were. */
function updatedPod(existing: Pod, incoming: Pod): Pod {
  const { labels, deletionTimestamp, deletionGracePeriodSeconds, generation } = incoming.metadata
  const annotations = mergedAnnotations(existing, incoming)
  const copied = { labels, deletionTimestamp, deletionGracePeriodSeconds, generation, annotations }
  return withParts(existing, {
    metadata: defined({ ...existing.metadata, ...copied }),
    spec: incoming.spec,
    status: incoming.status ?? {},
  })
}

function withAnnotation(pod: Pod, key: string, value: string): Pod {
  if (pod.metadata.annotations?.[key] === value) return pod
  // Assigned, not spread: a spread with a name after it gives every object a shape of its own.
  const annotations = Object.assign({}, pod.metadata.annotations, { [key]: value })
  return withParts(pod, { metadata: { ...pod.metadata, annotations } })
}

/** Whether one object comes before the other in a snapshot. Only asked about two pods of one name. */
function isBefore(pods: readonly SourcePod[], one: Pod, other: Pod): boolean {
  return pods.findIndex(({ pod }) => pod === one) < pods.findIndex(({ pod }) => pod === other)
}

/** The kubelet changes the one pod that it has of a uid: of several updates in one snapshot each shows the last. */
function showLast(merged: Merged, known: KnownPods): void {
  for (const op of ['UPDATE', 'RECONCILE', 'DELETE'] as const) {
    for (const [index, { pod, causes }] of merged[op].entries())
      merged[op][index] = { pod: known.get(pod.metadata.uid)?.pod ?? pod, causes }
  }
}

/** RFC 3339 with nine digits, of a time in ms. */
function nanoTimestamp(ms: number): string {
  // Joined: `replace` keeps the parts in memory as well, for every pod.
  return [new Date(ms).toISOString().slice(0, -1), '000000Z'].join('')
}

interface PodConfigDeps extends Omit<CorePorts, 'log'> {
  readonly recorder: EventRecorder
  readonly deliver: (update: PodUpdate) => void
}

/**
 * Merges what the sources say. `set` takes a source's complete list and delivers, in this order and only
 * where there is something: REMOVE, ADD, UPDATE, DELETE, RECONCILE. A source's first snapshot always delivers.
 */
export class PodConfig {
  readonly #deps: PodConfigDeps
  readonly #sources = new Map<PodSource, KnownPods>()

  constructor(deps: PodConfigDeps) {
    this.#deps = deps
  }

  /** A full snapshot of one source. Two pods of one full name: the later is dropped, with an event each time. */
  set(source: PodSource, pods: readonly SourcePod[], causes: TraceCauses): void {
    const isFirst = !this.#sources.has(source)
    const known = this.#sources.get(source) ?? new KnownPods()
    this.#sources.set(source, known)
    const startup = source === 'api' ? this.#deps.metrics?.podStartup : undefined
    const merged: Merged = { ADD: [], UPDATE: [], REMOVE: [], RECONCILE: [], DELETE: [] }
    for (const { pod: given, causes: own } of this.#valid(source, known, pods, causes)) {
      startup?.observedOnWatch(given)
      const before = known.existing(given.metadata.uid)
      known.put(given, this.#merge(source, before, given, own, merged))
    }
    if (known.hasDuplicateUids) showLast(merged, known)
    for (const { pod } of known.removeMissing()) {
      startup?.forget(pod.metadata.uid)
      merged.REMOVE.push(this.#merged(source, 'REMOVE', pod, causes))
    }
    this.#send(source, merged, isFirst)
  }

  /** Whether each of the sources has sent a snapshot. */
  readonly hasSeen = (sources: readonly PodSource[]): boolean =>
    sources.every((source) => this.#sources.has(source))

  /** How many pods the source's last snapshot held, for the views. */
  count(source: PodSource): number {
    return this.#sources.get(source)?.size ?? 0
  }

  /** The pods that are not the same objects as in the last snapshot, without those whose name an earlier one has. */
  #valid(
    source: PodSource,
    known: KnownPods,
    pods: readonly SourcePod[],
    causes: TraceCauses,
  ): Required<SourcePod>[] {
    const names = new Set<string>()
    const valid: Required<SourcePod>[] = []
    for (const { pod, causes: own = causes } of known.takeSnapshot(pods)) {
      const name = fullNameOf(pod)
      const holder = known.holderOf(name)
      const isLater = holder !== undefined && isBefore(pods, holder.given, pod)
      if (names.has(name) || isLater) {
        this.#drop(source, pod, own)
        continue
      }
      if (holder !== undefined) {
        known.exclude(holder)
        this.#drop(source, holder.given, causes)
      }
      names.add(name)
      valid.push({ pod, causes: own })
    }
    return valid
  }

  #drop(source: PodSource, pod: Pod, causes: TraceCauses): void {
    const message = `Error validating pod ${podDescription(pod)} from ${source} due to duplicate pod name "${pod.metadata.name}", ignoring`
    const seq = tracePod(this.#deps.trace, pod, 'config.invalid', causes, { source, message })
    this.#deps.recorder.event({ kind: 'pod', pod }, 'Warning', 'FailedValidation', message, [seq])
  }

  #merge(
    source: PodSource,
    existing: Pod | undefined,
    given: Pod,
    causes: TraceCauses,
    merged: Merged,
  ): Pod {
    const incoming = withAnnotation(given, configSourceAnnotation, source)
    if (existing === undefined) {
      const seen = withAnnotation(
        incoming,
        configSeenAnnotation,
        nanoTimestamp(this.#deps.clock.now()),
      )
      merged.ADD.push(this.#merged(source, 'ADD', seen, causes))
      return seen
    }
    if (differsSemantically(existing, incoming)) {
      const updated = updatedPod(existing, incoming)
      const op = updated.metadata.deletionTimestamp === undefined ? 'UPDATE' : 'DELETE'
      merged[op].push(this.#merged(source, op, updated, causes))
      return updated
    }
    if (equalJson(existing.status ?? {}, incoming.status ?? {})) return existing
    const reconciled = withParts(existing, { status: incoming.status ?? {} })
    merged.RECONCILE.push(this.#merged(source, 'RECONCILE', reconciled, causes))
    return reconciled
  }

  #merged(source: PodSource, op: ConfigOp, pod: Pod, causes: TraceCauses): MergedPod {
    const seq = tracePod(this.#deps.trace, pod, 'config.merged', causes, {
      source,
      op,
      mirror: isMirrorPod(pod),
    })
    return { pod, causes: [seq] }
  }

  #send(source: PodSource, merged: Merged, isFirst: boolean): void {
    let hasSent = false
    for (const op of ['REMOVE', 'ADD', 'UPDATE', 'DELETE'] as const) {
      if (merged[op].length === 0) continue
      hasSent = true
      this.#deps.deliver({ op, source, pods: merged[op] })
    }
    // Reports that the source has been seen, although it has no pods.
    if (isFirst && !hasSent) this.#deps.deliver({ op: 'ADD', source, pods: [] })
    if (merged.RECONCILE.length > 0)
      this.#deps.deliver({ op: 'RECONCILE', source, pods: merged.RECONCILE })
  }
}
