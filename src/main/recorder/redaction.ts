import type { Container, Pod } from '../../shared/kubernetes/objects.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'

/** What stands in a recording where a text quoted the value of an environment variable. */
const redacted = '[environment value]'

// Shorter ones are in every text by chance, and taking them out would leave none to read.
const shortestValue = 4
/** A shell makes words of a value, and a message may quote one of them. */
const shortestWord = 8

const valuesOfPod = new WeakMap<Pod, readonly string[]>()

function environmentOf({ env }: Container): readonly string[] {
  return (env ?? []).flatMap(({ value }) => (value === undefined ? [] : [value]))
}

function hiddenIn(value: string): readonly string[] {
  const words = value.split(/\s+/).filter((word) => word.length >= shortestWord)
  return value.length >= shortestValue ? [value, ...words] : words
}

/** The values of a pod's environment that no text of a recording may hold, longest first. */
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

/** One word, as `Evicted` or `resync`: a reason that programs tell apart, no sentence. */
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

/** Whether an event says something in free text, which may quote what a container was started with. */
export function hasFreeText({ data }: TraceEvent): boolean {
  return ('message' in data && data.message !== '') || 'why' in data || 'reason' in data
}

/** An event whose free texts hold none of these values, and none of whose texts holds a password of a URL or an image. */
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
  // The same kind with the same fields, of which one or two texts are shorter.
  return { ...event, data: { ...event.data, ...texts } } as TraceEvent
}

/** A row whose sentences hold none of these values. */
export function redactedRow(row: PodRow, hidden: readonly string[]): PodRow {
  return {
    ...row,
    status: reasonWithoutValues(row.status, hidden),
    workerReason: withoutValues(row.workerReason, hidden),
    mirrorReason: withoutValues(row.mirrorReason, hidden),
  }
}
