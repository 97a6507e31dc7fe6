import { isJsonObject } from '../../shared/json.ts'
import type { Container, Pod } from '../../shared/kubernetes/objects.ts'
import type { InspectRow, InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'

/** Replaces the value of an environment variable in the texts of a recording. */
const redacted = '[environment value]'

// Shorter values occur in every text by chance.
const shortestValue = 4
/** A shell splits a value into words, and a message may quote one of them. */
const shortestWord = 8

const valuesOfPod = new WeakMap<Pod, readonly string[]>()

function environmentOf({ env }: Container): readonly string[] {
  return (env ?? []).flatMap(({ value }) => (value === undefined ? [] : [value]))
}

function hiddenIn(value: string): readonly string[] {
  const words = value.split(/\s+/).filter((word) => word.length >= shortestWord)
  return value.length >= shortestValue ? [value, ...words] : words
}

/** The values of a pod's environment that must not be in a recording, longest first. */
export function hiddenValues(pod: Pod): readonly string[] {
  const known = valuesOfPod.get(pod)
  if (known !== undefined) return known
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
  const values = containers.flatMap(environmentOf).flatMap(hiddenIn)
  const hidden = [...new Set(values)].toSorted((a, b) => b.length - a.length)
  valuesOfPod.set(pod, hidden)
  return hidden
}

/** Of `user:password@` before a host. A tag before a digest looks like it: `nginx:1.27@sha256:…`. */
const userInfo = /[^\s"'`@/:]+:(?!\/\/)[^\s"'`]*@(?!sha\d+:)/g

/** One word, such as `Evicted` or `resync`: a machine-readable reason, not a sentence. */
const oneWord = /^[A-Za-z]+$/

function withoutPasswords(text: string): string {
  return text.includes('@') ? text.replace(userInfo, '[user]@') : text
}

function withoutValues(text: string, hidden: readonly string[]): string {
  return withoutPasswords(hidden.reduce((rest, value) => rest.replaceAll(value, redacted), text))
}

function reasonWithoutValues(reason: string, hidden: readonly string[]): string {
  return oneWord.test(reason) ? reason : withoutValues(reason, hidden)
}

/** Whether an event has free text, which may quote a container's environment. */
export function hasFreeText({ data }: TraceEvent): boolean {
  return ('message' in data && data.message !== '') || 'why' in data || 'reason' in data
}

/** The event without these values in its free texts, and without passwords of URLs and images in any text. */
export function redactedEvent(event: TraceEvent, hidden: readonly string[]): TraceEvent {
  const texts: Record<string, string> = {}
  for (const [key, text] of Object.entries(event.data)) {
    if (typeof text !== 'string') continue
    const clean =
      key === 'message'
        ? withoutValues(text, hidden)
        : key === 'why' || key === 'reason'
          ? reasonWithoutValues(text, hidden)
          : withoutPasswords(text)
    if (clean !== text) texts[key] = clean
  }
  if (Object.keys(texts).length === 0) return event
  // The same kind with the same fields; only texts differ.
  return { ...event, data: { ...event.data, ...texts } } as TraceEvent
}

function cleaned(value: unknown, hidden: readonly string[]): unknown {
  if (typeof value === 'string') return reasonWithoutValues(value, hidden)
  if (Array.isArray(value)) return value.map((one) => cleaned(one, hidden))
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleaned(one, hidden)]))
    : value
}

/** What a recording has of a detail, without these values in any text. */
export function redactedDetail(
  { worker, containers, facts, why, notSimulated, behavior, podIP, message }: PodDetail,
  hidden: readonly string[],
): Omit<PodDetail, 'row' | 'trace'> {
  const detail = { worker, containers, facts, why, notSimulated, behavior, podIP, message }
  // The same fields; only texts differ.
  return cleaned(detail, hidden) as typeof detail
}

/** Who owns the pods, without passwords in any text. */
export function redactedWorkloads(view: WorkloadsView): WorkloadsView {
  // The same fields; only texts differ.
  return cleaned(view, []) as WorkloadsView
}

/** The row without these values in its sentences. */
export function redactedRow(row: PodRow, hidden: readonly string[]): PodRow {
  return {
    ...row,
    status: reasonWithoutValues(row.status, hidden),
    workerReason: withoutValues(row.workerReason, hidden),
    mirrorReason: withoutValues(row.mirrorReason, hidden),
  }
}

/** Fields of /configz whose values may be secret: a query, and headers. */
const manifestUrl = /^staticPodURL/

/** An inspection without the values of each pod in the texts about it, and without passwords in any text. */
export function redactedInspection(
  view: InspectView,
  hiddenOf: (row: InspectRow) => readonly string[],
): InspectView {
  // The same fields; only texts differ.
  const { configuration } = view
  const differences = configuration?.differences.filter(({ field }) => !manifestUrl.test(field))
  const known = configuration && { ...configuration, differences }
  const clean = cleaned({ ...view, rows: [], configuration: known }, []) as InspectView
  return { ...clean, node: view.node, rows: view.rows.map((row) => cleanRow(row, hiddenOf(row))) }
}

function cleanRow(row: InspectRow, hidden: readonly string[]): InspectRow {
  const { uid, apiUid, namespace, name, mirror } = row
  return { ...(cleaned(row, hidden) as InspectRow), uid, apiUid, namespace, name, mirror }
}
