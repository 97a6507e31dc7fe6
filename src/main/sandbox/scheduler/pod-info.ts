import { isJsonObject } from '../../../shared/json.ts'
import { hostPorts } from '../../../shared/kubernetes/host-ports.ts'
import type { HostPort } from '../../../shared/kubernetes/host-ports.ts'
import type { ContainerStatus, Pod, PodSpec } from '../../../shared/kubernetes/objects.ts'
import {
  nonzeroRequestsOnNode,
  podRequestsWithStatus,
} from '../../../shared/kubernetes/pod-requests.ts'
import type { NonzeroRequests, ResourceAmounts } from '../../../shared/kubernetes/pod-requests.ts'
import { affinityTerms } from './affinity-term.ts'
import type { AffinityTerms } from './affinity-term.ts'

/** A pod with what the plugins read from it. Source: pkg/scheduler/framework PodInfo. */
export interface PodInfo {
  readonly pod: Pod
  readonly uid: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly priority: number
  readonly affinity: AffinityTerms
  readonly antiAffinity: AffinityTerms
  /** True if it has any pod affinity or anti-affinity. */
  readonly hasAffinity: boolean
  /** What it takes of its node. */
  readonly requests: ResourceAmounts
  readonly nonzero: NonzeroRequests
  readonly hostPorts: readonly HostPort[]
}

const known = new WeakMap<Pod, PodInfo>()

const noLabels = {}

type PodInfoOfSpec = Omit<PodInfo, 'pod'>

/** By the spec: what is read of a pod with it whose requests come from it alone. */
const bySpec = new WeakMap<PodSpec, PodInfoOfSpec>()

/** True if its status says of no container what it has, as when nothing is asked for, and of no resize. */
function isAskedBySpec({ status }: Pod): boolean {
  const isWithout = ({ resources, allocatedResources }: ContainerStatus): boolean =>
    Object.keys(resources?.requests ?? {}).length + Object.keys(allocatedResources ?? {}).length ===
    0
  return (
    (status?.conditions ?? []).every(({ type }) => type !== 'PodResizePending') &&
    (status?.containerStatuses ?? []).every(isWithout) &&
    (status?.initContainerStatuses ?? []).every(isWithout)
  )
}

function read(pod: Pod): PodInfo {
  const { metadata, spec } = pod
  const { affinity } = spec
  const labels = metadata.labels ?? noLabels
  const isBySpec = isAskedBySpec(pod)
  const like = bySpec.get(spec)
  if (like !== undefined && isBySpec && like.labels === labels && like.uid === metadata.uid)
    return { pod, ...like }
  const info: PodInfoOfSpec = {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    labels,
    priority: spec.priority ?? 0,
    affinity: affinityTerms(pod, 'podAffinity'),
    antiAffinity: affinityTerms(pod, 'podAntiAffinity'),
    hasAffinity:
      isJsonObject(affinity) &&
      (isJsonObject(affinity['podAffinity']) || isJsonObject(affinity['podAntiAffinity'])),
    requests: podRequestsWithStatus(pod),
    nonzero: nonzeroRequestsOnNode(pod),
    hostPorts: hostPorts(pod),
  }
  if (isBySpec) bySpec.set(spec, info)
  return { pod, ...info }
}

/** True if it takes the same of its node and no other pod depends on where it is. */
export function countsTheSame(one: PodInfo, other: PodInfo): boolean {
  const { requests, hasAffinity, hostPorts: ports } = one
  return requests === other.requests && !hasAffinity && ports.length === 0
}

/** Objects are frozen, so each is read once. */
export function podInfo(pod: Pod): PodInfo {
  const before = known.get(pod)
  if (before !== undefined) return before
  const info = read(pod)
  known.set(pod, info)
  return info
}
