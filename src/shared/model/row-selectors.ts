import type { JsonObject } from '../json.ts'
import type { Pod } from '../kubernetes/objects.ts'
import { fieldSelector } from '../kubernetes/selectors/field-selector.ts'
import type { SelectableFields } from '../kubernetes/selectors/field-selector.ts'
import { labelSelector } from '../kubernetes/selectors/label-selector.ts'
import { nodeFields, podFields } from '../kubernetes/selectors/selectable-fields.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import type { PodRow } from './pod-row.ts'

/** What most pods have; rows leave it out. */
const usualFields: Readonly<Record<string, string>> = {
  'spec.restartPolicy': 'Always',
  'spec.schedulerName': 'default-scheduler',
  'spec.serviceAccountName': 'default',
  'spec.hostNetwork': 'false',
  'status.phase': 'Running',
}

/** Fields that a row has by other names. */
const rowReaders: SelectableFields<PodRow> = new Map([
  ['metadata.name', ({ name }) => name],
  ['metadata.namespace', ({ namespace }) => namespace],
])

/** What selects a pod besides what its row has anyway. `node`: the row's. Pure. */
export function podSelectable(pod: Pod, node: string): Pick<PodRow, 'labels' | 'fields'> {
  const object: JsonObject = { ...pod }
  const fields: Record<string, string> = {}
  for (const [name, read] of podFields) {
    if (rowReaders.has(name)) continue
    const value = read(object)
    const usual = name === 'spec.nodeName' ? node : (usualFields[name] ?? '')
    if (value !== usual) fields[name] = value
  }
  return { labels: pod.metadata.labels ?? {}, fields }
}

/** The fields that select rows of pods: those that the API server has for pods. */
const podRowFields: SelectableFields<PodRow> = new Map(
  Array.from(podFields.keys(), (name) => [
    name,
    rowReaders.get(name) ??
      (({ fields, node }) =>
        fields[name] ?? (name === 'spec.nodeName' ? node : (usualFields[name] ?? ''))),
  ]),
)

/** The address of a pod; empty: it has none yet. */
export function podIP({ fields }: Pick<PodRow, 'fields'>): string {
  return fields['status.podIP'] ?? ''
}

/** As `kubectl get --show-labels` prints them. Pure. */
export function labelsText({ labels }: Selectable): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.toSorted().join(',')
}

/** What selects a node. */
export interface SelectableNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly isUnschedulable: boolean
}

const nodeReaders: Readonly<Record<string, (node: SelectableNode) => string>> = {
  'metadata.name': ({ name }) => name,
  'spec.unschedulable': ({ isUnschedulable }) => String(isUnschedulable),
}

const nodeRowFields: SelectableFields<SelectableNode> = new Map(
  Array.from(nodeFields.keys(), (name) => [name, nodeReaders[name] ?? (() => '')]),
)

/** The two selectors of a table, as `kubectl get` takes them with -l and --field-selector. */
export interface Selectors {
  readonly labels: string
  readonly fields: string
}

export const noSelectors: Selectors = { labels: '', fields: '' }

/** Which of the two cannot be read, and why, as the API server says it. */
export type SelectorProblems = Partial<Selectors>

interface Selectable {
  readonly labels: Readonly<Record<string, string>>
}

function selectorOf<T extends Selectable>(
  { labels, fields }: Selectors,
  known: SelectableFields<T>,
): Result<(row: T) => boolean, SelectorProblems> {
  const byLabels = labelSelector(labels)
  const byFields = fieldSelector(fields.trim(), known)
  if (byLabels.ok && byFields.ok)
    return ok((row) => byLabels.value(row.labels) && byFields.value(row))
  return err({
    ...(byLabels.ok ? {} : { labels: byLabels.error }),
    ...(byFields.ok ? {} : { fields: byFields.error }),
  })
}

/** Whether a pod's row is selected. The error names the selectors that cannot be read. Pure. */
export function podSelector(
  selectors: Selectors,
): Result<(row: PodRow) => boolean, SelectorProblems> {
  return selectorOf(selectors, podRowFields)
}

/** The same for nodes. */
export function nodeSelector(
  selectors: Selectors,
): Result<(node: SelectableNode) => boolean, SelectorProblems> {
  return selectorOf(selectors, nodeRowFields)
}

/** Names of the fields that select pods and nodes, for a hint. */
export const selectableFieldNames = {
  pods: [...podFields.keys()],
  nodes: [...nodeFields.keys()],
} as const
