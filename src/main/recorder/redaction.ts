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

function withoutValues(text: string, hidden: readonly string[]): string {
  return hidden.reduce((rest, value) => rest.replaceAll(value, redacted), text)
}

/** Whether an event says something in free text, which may quote what a container was started with. */
export function hasFreeText({ data }: TraceEvent): boolean {
  return ('message' in data && data.message !== '') || 'why' in data
}

/** An event whose free texts hold none of these values. Its names and numbers stay. */
export function redactedEvent(event: TraceEvent, hidden: readonly string[]): TraceEvent {
  if (hidden.length === 0) return event
  const texts: Record<string, string> = {}
  for (const [key, text] of Object.entries(event.data)) {
    if ((key === 'message' || key === 'why') && typeof text === 'string')
      texts[key] = withoutValues(text, hidden)
  }
  // The same kind with the same fields, of which one or two texts are shorter.
  return { ...event, data: { ...event.data, ...texts } } as TraceEvent
}

/** A row whose sentences hold none of these values. */
export function redactedRow(row: PodRow, hidden: readonly string[]): PodRow {
  if (hidden.length === 0) return row
  return {
    ...row,
    workerReason: withoutValues(row.workerReason, hidden),
    mirrorReason: withoutValues(row.mirrorReason, hidden),
  }
}
