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

/** What a pod's spec says, read once. */
export interface StorageLimits {
  /** Of emptyDir volumes, in the order of the spec. */
  readonly volumes: readonly { readonly name: string; readonly limit: Quantity }[]
  /** Of all containers together; undefined: none has one. */
  readonly pod: Quantity | undefined
  /** By the container's name, without init containers. */
  readonly containers: ReadonlyMap<string, Quantity>
}

/** Undefined: the pod has none. */
export function storageLimitsOf(pod: Pod): StorageLimits | undefined {
  const { containers, volumes = [] } = pod.spec
  const limits: StorageLimits = {
    volumes: volumes.flatMap((volume) => {
      const limit = sizeLimitOf(volume)
      return limit === undefined ? [] : [{ name: volume.name, limit }]
    }),
    pod: podLimit(pod),
    containers: new Map(
      containers.flatMap((container) => {
        const limit = limitOf(container)
        return limit === undefined || limit.nanos === 0n ? [] : [[container.name, limit] as const]
      }),
    ),
  }
  return limits.volumes.length === 0 && limits.pod === undefined ? undefined : limits
}

/** The limits that a pod exceeds, in the order in which a kubelet looks at them: it acts on the first of each kind. */
export function exceededLimits(
  limits: StorageLimits,
  figures: PodFigures,
  layout: DiskLayout,
): readonly ExceededLimit[] {
  return [
    exceededEmptyDir(limits, figures),
    exceededPodLimit(limits, figures),
    exceededContainerLimit(limits, figures, layout),
  ].filter((limit) => limit !== undefined)
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

function exceededEmptyDir(limits: StorageLimits, figures: PodFigures): ExceededLimit | undefined {
  for (const { name, limit } of limits.volumes) {
    const used = figures.volumes.findLast((volume) => volume.name === name)?.usedBytes
    if (used === undefined || !isOver(used, limit)) continue
    const message = `Usage of EmptyDir volume ${goQuote(name)} exceeds the limit ${goQuote(formatQuantity(limit))}. `
    return { message, signal: 'emptydirfs.limit' }
  }
  return undefined
}

function exceededPodLimit(
  { pod: limit }: StorageLimits,
  figures: PodFigures,
): ExceededLimit | undefined {
  if (limit === undefined || !isOver(figures.ephemeralStorageBytes ?? 0, limit)) return undefined
  const message = `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limit)}. `
  return { message, signal: 'ephemeralpodfs.limit' }
}

function exceededContainerLimit(
  limits: StorageLimits,
  { containers }: PodFigures,
  { hasDedicatedImageFs }: DiskLayout,
): ExceededLimit | undefined {
  for (const { name, logs, rootfs } of containers) {
    const limit = limits.containers.get(name)
    const used = (logs?.usedBytes ?? 0) + (hasDedicatedImageFs ? 0 : (rootfs?.usedBytes ?? 0))
    if (limit === undefined || !isOver(used, limit)) continue
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
