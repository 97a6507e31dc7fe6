/** Why a pod is evicted, in the kubelet's words (eviction evictionMessage; eviction#evicting-one-pod). Pure. */
import { isJsonObject, objectAt, ownField } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { isPodLevelResource } from '../../../shared/kubernetes/pod-requests.ts'
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from '../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../shared/kubernetes/quantity.ts'
import { resourceOf } from '../../../shared/model/pressure/signals.ts'
import type { StarvedResource } from '../../../shared/model/pressure/signals.ts'
import type { Observations } from './observations.ts'
import type { ContainerFigures, PodFigures } from './stats.ts'
import { quantityOf, thresholdQuantity } from './thresholds.ts'
import type { Threshold } from './thresholds.ts'

interface EvictionMessage {
  readonly message: string
  /** Of the event. */
  readonly annotations: Readonly<Record<string, string>>
}

const noQuantity: Quantity = { nanos: 0n, format: 'decimal' }

/** `thresholds`: those that are met, the one that is acted on first. `figures` undefined: nothing is known of the pod. */
export function evictionMessage(
  resource: StarvedResource,
  pod: Pod,
  figures: PodFigures | undefined,
  { thresholds, observations }: MetThresholds,
): EvictionMessage {
  const opening = `The node was low on resource: ${resource}. ${thresholdText(resource, thresholds, observations)}`
  if (figures === undefined) return { message: opening, annotations: {} }
  const whole = wholePod(resource, pod, figures)
  const offending = figures.containers.flatMap((one) => offendingContainer(resource, pod, one))
  const texts = offending.map(
    ({ name, use, request }) =>
      `Container ${name} was using ${use}, request is ${request}, has larger consumption of ${resource}. `,
  )
  return {
    message: opening + (whole?.text ?? '') + texts.join(''),
    annotations: {
      ...whole?.annotations,
      offending_containers: offending.map(({ name }) => name).join(','),
      offending_containers_usage: offending.map(({ use }) => use).join(','),
      starved_resource: resource,
    },
  }
}

interface MetThresholds {
  readonly thresholds: readonly Threshold[]
  readonly observations: Observations
}

/** Of the first threshold of that resource. */
function thresholdText(
  resource: StarvedResource,
  thresholds: readonly Threshold[],
  observations: Observations,
): string {
  const first = thresholds.find(
    ({ signal }) => resourceOf(signal) === resource && observations.has(signal),
  )
  const observed = first && observations.get(first.signal)
  if (first === undefined || observed === undefined) return ''
  const quantity = formatQuantity(thresholdQuantity(first.value, observed.capacity))
  const available = formatQuantity(quantityOf(observed.available, observed.format))
  return `Threshold quantity: ${quantity}, available: ${available}. `
}

/** A pod that requests memory as a whole is named in any case. */
function wholePod(
  resource: StarvedResource,
  pod: Pod,
  { workingSetBytes }: PodFigures,
): { readonly text: string; readonly annotations: Readonly<Record<string, string>> } | undefined {
  const { resources } = pod.spec
  if (resource !== 'memory' || workingSetBytes === undefined || !isJsonObject(resources))
    return undefined
  const lists = ['requests', 'limits'].map((field) => objectAt(resources, field))
  if (!lists.some((list) => Object.keys(list).some(isPodLevelResource))) return undefined
  const request = parseQuantity(ownField(objectAt(resources, 'requests'), resource))
  if (request === undefined) return undefined
  const { name } = pod.metadata
  const use = formatQuantity(quantityOf(workingSetBytes, 'binary'))
  return {
    text: `Pod ${name} was using ${use}, request is ${formatQuantity(request)}, has larger consumption of ${resource}. `,
    annotations: { offending_pod: name, offending_pod_usage: use },
  }
}

interface OffendingContainer {
  readonly name: string
  readonly use: string
  readonly request: string
}

/** Ephemeral containers request nothing and are never named. */
function offendingContainer(
  resource: StarvedResource,
  { spec }: Pod,
  figures: ContainerFigures,
): readonly OffendingContainer[] {
  const { name } = figures
  const container = [...spec.containers, ...(spec.initContainers ?? [])].find(
    (one) => one.name === name,
  )
  const used = containerUse(resource, figures)
  if (container === undefined || used === undefined) return []
  const use = quantityOf(used, 'binary')
  const request = containerRequest(container, resource)
  if (compareQuantities(use, request) <= 0) return []
  return [{ name, use: formatQuantity(use), request: formatQuantity(request) }]
}

function containerRequest({ resources }: Container, resource: StarvedResource): Quantity {
  return parseQuantity(ownField(resources?.requests ?? {}, resource)) ?? noQuantity
}

function containerUse(resource: StarvedResource, figures: ContainerFigures): number | undefined {
  const { rootfs, logs, workingSetBytes } = figures
  if (resource === 'memory') return workingSetBytes
  if (resource !== 'ephemeral-storage') return undefined
  const [layer, log] = [rootfs?.usedBytes, logs?.usedBytes]
  return layer === undefined || log === undefined ? undefined : layer + log
}
