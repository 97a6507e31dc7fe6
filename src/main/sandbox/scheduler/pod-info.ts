import { isJsonObject } from '../../../shared/json.ts'
import { hostPorts } from '../../../shared/kubernetes/host-ports.ts'
import type { HostPort } from '../../../shared/kubernetes/host-ports.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
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

function read(pod: Pod): PodInfo {
  const { metadata, spec } = pod
  const { affinity } = spec
  return {
    pod,
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    labels: metadata.labels ?? {},
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
}

/** Objects are frozen, so each is read once. */
export function podInfo(pod: Pod): PodInfo {
  const before = known.get(pod)
  if (before !== undefined) return before
  const info = read(pod)
  known.set(pod, info)
  return info
}
