/** Which pods make room for a critical one (kubelet pkg/kubelet/preemption getPodsToPreempt; admission#preemption). */
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { freedRequest } from '../../../shared/kubernetes/pod-requests.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import type { QosClass } from '../../../shared/kubernetes/qos.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { isPreemptable } from '../pod/identity.ts'

/** So much of a resource is missing. Milli-CPUs for cpu, whole units for the rest; above zero. */
export interface AdmissionRequirement {
  readonly resource: string
  readonly quantity: bigint
}

/** As the kubelet writes a list of requirements, its last comma with it. */
export function requirementsText(requirements: readonly AdmissionRequirement[]): string {
  const each = requirements.map(({ resource, quantity }) => `(res: ${resource}, q: ${quantity}), `)
  return `[${each.join('')}]`
}

/** What is still missing when these pods have gone. */
function remaining(
  requirements: readonly AdmissionRequirement[],
  pods: readonly Pod[],
): readonly AdmissionRequirement[] {
  return requirements.flatMap(({ resource, quantity }) => {
    let missing = quantity
    for (const pod of pods) missing -= freedRequest(pod, resource)
    return missing > 0n ? [{ resource, quantity: missing }] : []
  })
}

/** Sum of the squares of the shares that the pod would leave missing: 0 when it is enough alone. */
function distance(requirements: readonly AdmissionRequirement[], pod: Pod): number {
  let sum = 0
  for (const { resource, quantity } of requirements) {
    const missing = quantity - freedRequest(pod, resource)
    const share = missing > 0n ? Number(missing) / Number(quantity) : 0
    sum += share * share
  }
  return sum
}

/** By memory, then by cpu; of two that ask for the same each is. */
function asksForLess(pod: Pod, other: Pod): boolean {
  for (const resource of ['memory', 'cpu']) {
    const [own, others] = [freedRequest(pod, resource), freedRequest(other, resource)]
    if (own !== others) return own < others
  }
  return true
}

function nearest(pods: readonly Pod[], requirements: readonly AdmissionRequirement[]): number {
  // A distance is at most the number of requirements.
  let best = { index: 0, distance: requirements.length + 1 }
  for (const [index, pod] of pods.entries()) {
    const own = { index, distance: distance(requirements, pod) }
    const before = pods[best.index]
    const isNearer = own.distance < best.distance
    const isAsNear = own.distance === best.distance
    if (isNearer || (isAsNear && before !== undefined && asksForLess(pod, before))) best = own
  }
  return best.index
}

function noneFound(missing: readonly AdmissionRequirement[]): Result<never, string> {
  return err(`no set of running pods found to reclaim resources: ${requirementsText(missing)}`)
}

/** Takes the pod that comes nearest to what is missing, again and again. */
function byDistance(
  pods: readonly Pod[],
  requirements: readonly AdmissionRequirement[],
): Result<readonly Pod[], string> {
  const candidates = [...pods]
  const chosen: Pod[] = []
  let missing = requirements
  while (missing.length > 0) {
    const index = nearest(candidates, missing)
    const pod = candidates[index]
    const last = candidates.pop()
    if (pod === undefined || last === undefined) return noneFound(missing)
    // The last takes its place, as in Go: of pods that are alike the order decides.
    if (index < candidates.length) candidates[index] = last
    missing = remaining(missing, [pod])
    chosen.push(pod)
  }
  return ok(chosen)
}

/**
 * The pods to kill for `pod`, in the order in which they are killed: BestEffort, Burstable, Guaranteed.
 * Guaranteed pods go only for what all others together do not free, Burstable ones only for what remains
 * after all BestEffort pods and those. `pods`: all active ones. Error: there are not enough.
 */
export function getPodsToPreempt(
  pod: Pod,
  pods: readonly Pod[],
  requirements: readonly AdmissionRequirement[],
): Result<readonly Pod[], string> {
  const victims = pods.filter((victim) => isPreemptable(pod, victim))
  const of = (wanted: QosClass): readonly Pod[] =>
    victims.filter((victim) => recordedQosClass(victim) === wanted)
  const [bestEffort, burstable, guaranteed] = [of('BestEffort'), of('Burstable'), of('Guaranteed')]
  const unmet = remaining(requirements, victims)
  if (unmet.length > 0) return noneFound(unmet)
  const fromGuaranteed = byDistance(
    guaranteed,
    remaining(requirements, [...bestEffort, ...burstable]),
  )
  if (!fromGuaranteed.ok) return fromGuaranteed
  const fromBurstable = byDistance(
    burstable,
    remaining(requirements, [...bestEffort, ...fromGuaranteed.value]),
  )
  if (!fromBurstable.ok) return fromBurstable
  const fromBestEffort = byDistance(
    bestEffort,
    remaining(requirements, [...fromBurstable.value, ...fromGuaranteed.value]),
  )
  if (!fromBestEffort.ok) return fromBestEffort
  return ok([...fromBestEffort.value, ...fromBurstable.value, ...fromGuaranteed.value])
}
