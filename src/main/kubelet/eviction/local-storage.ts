/** Pods that use more of the node's disk than their own limits allow (eviction#local-storage-limits). Pure. */
import { isJsonObject, objectAt, ownField } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from '../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../shared/kubernetes/quantity.ts'
import { goQuote } from '../../../shared/go/text.ts'
import type { DiskLayout } from './container-fs-thresholds.ts'
import type { PodFigures } from './stats.ts'
import { quantityOf } from './thresholds.ts'

/** `signal`: as the metric counts it. */
export interface ExceededLimit {
  readonly message: string
  readonly signal: 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit'
}

const resource = 'ephemeral-storage'

/** The limits that a pod exceeds, in the order in which a kubelet looks at them: it acts on the first of each kind. */
export function exceededLimits(
  pod: Pod,
  figures: PodFigures,
  layout: DiskLayout,
): readonly ExceededLimit[] {
  return [
    exceededEmptyDir(pod, figures),
    exceededPodLimit(pod, figures),
    exceededContainerLimit(pod, figures, layout),
  ].filter((limit) => limit !== undefined)
}

/** Whether the pod has any such limit. */
export function hasStorageLimit({ spec }: Pod): boolean {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])]
  if (containers.some((container) => limitOf(container) !== undefined)) return true
  return (spec.volumes ?? []).some((volume) => sizeLimitOf(volume) !== undefined)
}

function limitOf({ resources }: Container): Quantity | undefined {
  return parseQuantity(ownField(resources?.limits ?? {}, resource))
}

/** Undefined: none, which 0 also means. */
function sizeLimitOf({
  emptyDir,
}: NonNullable<Pod['spec']['volumes']>[number]): Quantity | undefined {
  const size = isJsonObject(emptyDir) ? parseQuantity(emptyDir['sizeLimit']) : undefined
  return size !== undefined && size.nanos > 0n ? size : undefined
}

function exceededEmptyDir({ spec }: Pod, { volumes }: PodFigures): ExceededLimit | undefined {
  for (const volume of spec.volumes ?? []) {
    const limit = sizeLimitOf(volume)
    const used = volumes.findLast(({ name }) => name === volume.name)?.usedBytes
    if (limit === undefined || used === undefined || !isOver(used, limit)) continue
    const message = `Usage of EmptyDir volume ${goQuote(volume.name)} exceeds the limit ${goQuote(formatQuantity(limit))}. `
    return { message, signal: 'emptydirfs.limit' }
  }
  return undefined
}

function exceededPodLimit(pod: Pod, figures: PodFigures): ExceededLimit | undefined {
  const limit = podLimit(pod)
  if (limit === undefined || !isOver(figures.ephemeralStorageBytes ?? 0, limit)) return undefined
  const message = `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limit)}. `
  return { message, signal: 'ephemeralpodfs.limit' }
}

function exceededContainerLimit(
  { spec }: Pod,
  { containers }: PodFigures,
  { hasDedicatedImageFs }: DiskLayout,
): ExceededLimit | undefined {
  for (const { name, logs, rootfs } of containers) {
    const container = spec.containers.find((one) => one.name === name)
    const limit = container && limitOf(container)
    if (limit === undefined || limit.nanos === 0n) continue
    const used = (logs?.usedBytes ?? 0) + (hasDedicatedImageFs ? 0 : (rootfs?.usedBytes ?? 0))
    if (!isOver(used, limit)) continue
    const message = `Container ${name} exceeded its local ephemeral storage limit ${goQuote(formatQuantity(limit))}. `
    return { message, signal: 'ephemeralcontainerfs.limit' }
  }
  return undefined
}

function isOver(bytes: number, limit: Quantity): boolean {
  return compareQuantities(quantityOf(bytes, 'binary'), limit) > 0
}

/** component-helpers resource.PodLimits, written as its first part was. */
function podLimit({ spec }: Pod): Quantity | undefined {
  const sum = (a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined =>
    a === undefined || b === undefined ? (a ?? b) : addQuantities(a, b)
  const most = (a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined =>
    a === undefined || b === undefined ? (a ?? b) : compareQuantities(b, a) > 0 ? b : a
  let total: Quantity | undefined
  for (const container of spec.containers) total = sum(total, limitOf(container))
  let sidecars: Quantity | undefined
  let duringInit: Quantity | undefined
  for (const container of spec.initContainers ?? []) {
    const own = limitOf(container)
    if (isSidecar(container)) {
      total = sum(total, own)
      sidecars = sum(sidecars, own)
    }
    duringInit = most(duringInit, isSidecar(container) ? sidecars : sum(own, sidecars))
  }
  const all = most(total, duringInit)
  const overhead = parseQuantity(objectAt(spec, 'overhead')[resource])
  return all === undefined || all.nanos === 0n ? all : sum(all, overhead)
}
