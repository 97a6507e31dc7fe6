/** Whether pod and node go together (kubelet pkg/kubelet/lifecycle/predicate.go; admission#handlers, no. 4). */
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import { areHostPortsTaken, hostPorts } from '../../../shared/kubernetes/host-ports.ts'
import { matchesNodeAffinity } from '../../../shared/kubernetes/node-affinity.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'
import { isStaticPod } from '../pod/identity.ts'
import type { AdmissionRefusal, PodAdmitter } from './pod-admitter.ts'
import { refusalOf } from './predicate-failure.ts'
import type { PredicateFailure } from './predicate-failure.ts'
import { ResourceFit } from './resource-fit.ts'

/**
 * What may still be done for a pod that the predicates refuse (kubelet AdmissionFailureHandler): the failures
 * that remain, none to admit it. Error: why it could not be helped.
 */
export interface AdmissionFailureHandler {
  readonly handleAdmissionFailure: (
    pod: Pod,
    failures: readonly PredicateFailure[],
    causes: TraceCauses,
    /** The active pods but this one, which never preempts itself. */
    otherPods: readonly Pod[],
  ) => Promise<Result<readonly PredicateFailure[], string>>
}

const osLabel = 'kubernetes.io/os'

function operatingSystemRefusal(pod: Pod, operatingSystem: string): AdmissionRefusal | undefined {
  const { labels } = pod.metadata
  if (labels?.[osLabel] !== undefined && labels[osLabel] !== operatingSystem)
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    }
  const { os } = pod.spec
  if (isJsonObject(os) && textAt(os, 'name') !== operatingSystem)
    return {
      reason: 'PodOSNotSupported',
      message: "Failed to admit pod as the OS field doesn't match node OS",
    }
  return undefined
}

function supplementalGroupsRefusal(pod: Pod, node: Node): AdmissionRefusal | undefined {
  const { securityContext } = pod.spec
  if (!isJsonObject(securityContext)) return undefined
  const isStrict = textAt(securityContext, 'supplementalGroupsPolicy') === 'Strict'
  const isSupported = objectAt(node.status ?? {}, 'features')['supplementalGroupsPolicy'] === true
  if (!isStrict || isSupported) return undefined
  return {
    reason: 'SupplementalGroupsPolicyNotSupported',
    message: 'SupplementalGroupsPolicy=Strict is not supported in this node',
  }
}

/** The node's labels; the kubelet puts its own operating system among them, unless there are none at all. */
function labelsOf({ metadata }: Node, operatingSystem: string): Readonly<Record<string, string>> {
  const { labels = {} } = metadata
  return Object.keys(labels).length === 0 ? labels : { ...labels, [osLabel]: operatingSystem }
}

function hasUntoleratedNoExecuteTaint(pod: Pod, node: Node): boolean {
  return (node.spec?.taints ?? []).some(
    (taint) =>
      taint.effect === 'NoExecute' &&
      !(pod.spec.tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint)),
  )
}

function failure(name: string, description: string): PredicateFailure {
  return { kind: 'predicate', name, description }
}

export interface NodePredicatesDeps {
  /** The Node as it is in the API, or as this kubelet would register it. Undefined: neither is known. */
  readonly node: () => Node | undefined
  /** What Go calls the kubelet's own: `linux`. */
  readonly operatingSystem: string
  readonly failureHandler: AdmissionFailureHandler
}

/**
 * First the operating system and the groups policy, which no preemption can mend; then resources, node
 * affinity and selector, node name, host ports, and NoExecute taints (not for static pods). Of several
 * failures the first one that the failure handler leaves is reported.
 */
export class NodePredicates implements PodAdmitter {
  readonly #deps: NodePredicatesDeps
  readonly #fit = new ResourceFit()

  constructor(deps: NodePredicatesDeps) {
    this.#deps = deps
  }

  readonly admit: PodAdmitter['admit'] = (pod, otherPods, causes) => {
    const node = this.#deps.node()
    if (node === undefined)
      return { reason: 'InvalidNodeInfo', message: 'Kubelet cannot get node info.' }
    const refusal =
      operatingSystemRefusal(pod, this.#deps.operatingSystem) ??
      supplementalGroupsRefusal(pod, node)
    if (refusal !== undefined) return refusal
    const failures = this.#failures(pod, otherPods, node)
    return failures.length === 0 ? undefined : this.#recover(pod, failures, causes, otherPods)
  }

  #failures(pod: Pod, otherPods: readonly Pod[], node: Node): readonly PredicateFailure[] {
    const { name } = node.metadata
    const failures: PredicateFailure[] = [...this.#fit.shortages(pod, otherPods, node)]
    const labels = labelsOf(node, this.#deps.operatingSystem)
    if (!matchesNodeAffinity(pod.spec, { name, labels }))
      failures.push(failure('NodeAffinity', "node(s) didn't match Pod's node affinity/selector"))
    if (pod.spec.nodeName && pod.spec.nodeName !== name)
      failures.push(failure('NodeName', "node(s) didn't match the requested node name"))
    const wanted = hostPorts(pod)
    if (wanted.length > 0 && areHostPortsTaken(wanted, otherPods.flatMap(hostPorts)))
      failures.push(
        failure('NodePorts', "node(s) didn't have free ports for the requested pod ports"),
      )
    if (!isStaticPod(pod) && hasUntoleratedNoExecuteTaint(pod, node))
      failures.push(failure('TaintToleration', "node(s) had taints that the pod didn't tolerate"))
    return failures
  }

  async #recover(
    pod: Pod,
    failures: readonly PredicateFailure[],
    causes: TraceCauses,
    otherPods: readonly Pod[],
  ): Promise<AdmissionRefusal | undefined> {
    const { handleAdmissionFailure } = this.#deps.failureHandler
    const remaining = await handleAdmissionFailure(pod, failures, causes, otherPods)
    if (!remaining.ok)
      return {
        reason: 'UnexpectedAdmissionError',
        message: `Unexpected error while attempting to recover from admission failure: ${remaining.error}`,
      }
    const [first] = remaining.value
    return first === undefined ? undefined : refusalOf(first)
  }
}
