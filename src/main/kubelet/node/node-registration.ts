/** What a kubelet corrects on a Node that already exists (kubelet tryRegisterWithAPIServer; node#registration). Pure. */
import { compareQuantities, parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import type { Node } from '../../../shared/kubernetes/objects.ts'
import {
  isExtendedResource,
  isHugePagesResource,
} from '../../../shared/kubernetes/resource-names.ts'

/** That volumes are attached for this node by the controller of attachments, as on every node today. */
export const attachDetachAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach'

/** Only these: labels that a node was registered with otherwise are its administrator's from then on. */
const defaultLabels = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'node.kubernetes.io/windows-build',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
] as const

type Texts = Readonly<Record<string, string>>

/** What of a Node was not as the kubelet wants it. */
export type Correction = 'labels' | 'annotations' | 'resources'

interface Resources {
  readonly capacity: Texts
  readonly allocatable: Texts
}

/**
 * The Node as it should be, and what the kubelet corrects: its default labels and those of `keptLabels`,
 * the annotation of attachments, extended resources (zero until a device plugin reports them) and
 * huge pages. Taints, other labels and conditions are left alone; the status comes with the next update.
 */
export function reconciledNode(
  initial: Node,
  existing: Node,
  keptLabels: readonly string[] = [],
): { readonly node: Node; readonly corrected: readonly Correction[] } {
  const { labels: knownLabels = {}, annotations: knownAnnotations = {} } = existing.metadata
  const labels = reconciledLabels(initial.metadata.labels ?? {}, knownLabels, keptLabels)
  const annotations = reconciledAnnotations(initial.metadata.annotations ?? {}, knownAnnotations)
  const own = resourcesOf(initial)
  const known = resourcesOf(existing)
  const resources = reconciledHugePages(own, withoutDevices(filled(known, own)))
  const corrected: Correction[] = []
  if (!isSame(labels, knownLabels)) corrected.push('labels')
  if (!isSame(annotations, knownAnnotations)) corrected.push('annotations')
  const isAsKnown =
    isSame(resources.capacity, known.capacity) && isSame(resources.allocatable, known.allocatable)
  if (!isAsKnown) corrected.push('resources')
  const node = {
    ...existing,
    metadata: { ...existing.metadata, labels, annotations },
    status: { ...existing.status, ...resources },
  }
  return { node, corrected }
}

function resourcesOf({ status }: Node): Resources {
  return { capacity: status?.capacity ?? {}, allocatable: status?.allocatable ?? {} }
}

function filled(known: Resources, own: Resources): Resources {
  const orOwn = (list: keyof Resources): Texts =>
    Object.keys(known[list]).length === 0 ? own[list] : known[list]
  return { capacity: orOwn('capacity'), allocatable: orOwn('allocatable') }
}

function isSame(one: Texts, other: Texts): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  )
}

/** An empty value takes the label away. */
function reconciledLabels(wanted: Texts, known: Texts, kept: readonly string[]): Texts {
  const names = [...defaultLabels, ...kept].filter((name) => wanted[name] !== undefined)
  const labels = {
    ...known,
    ...Object.fromEntries(names.map((name) => [name, wanted[name] ?? ''])),
  }
  return Object.fromEntries(
    Object.entries(labels).filter(([name, value]) => value !== '' || !names.includes(name)),
  )
}

function reconciledAnnotations(wanted: Texts, known: Texts): Texts {
  const value = wanted[attachDetachAnnotation]
  if (value === known[attachDetachAnnotation]) return known
  const { [attachDetachAnnotation]: _replaced, ...others } = known
  return value === undefined ? others : { ...others, [attachDetachAnnotation]: value }
}

function withoutDevices({ capacity, allocatable }: Resources): Resources {
  const extended = Object.keys(capacity).filter(isExtendedResource)
  const zeros = Object.fromEntries(extended.map((name) => [name, '0']))
  return { capacity: { ...capacity, ...zeros }, allocatable: { ...allocatable, ...zeros } }
}

function reconciledHugePages(wanted: Resources, known: Resources): Resources {
  const sizes = Object.keys(wanted.capacity).filter(isHugePagesResource)
  const gone = Object.keys(known.capacity).filter(
    (name) => isHugePagesResource(name) && !sizes.includes(name),
  )
  const of = (list: 'capacity' | 'allocatable'): Texts => ({
    ...Object.fromEntries(Object.entries(known[list]).filter(([name]) => !gone.includes(name))),
    ...Object.fromEntries(
      sizes
        .filter(
          (name) =>
            known.capacity[name] === undefined || !isAmount(known[list][name], wanted[list][name]),
        )
        .map((name) => [name, wanted[list][name] ?? '0']),
    ),
  })
  return { capacity: of('capacity'), allocatable: of('allocatable') }
}

/** Absent counts as zero, as in Go. */
function isAmount(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [parseQuantity(one ?? '0'), parseQuantity(other ?? '0')]
  return a !== undefined && b !== undefined && compareQuantities(a, b) === 0
}
