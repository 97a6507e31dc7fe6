/** Reasons that the kubelet's metric knows by name (pkg/kubelet/kubelet.go admissionRejectionReasons). */
const knownReasons: ReadonlySet<string> = new Set([
  'AppArmor',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'PodOSNotSupported',
  'InvalidNodeInfo',
  'InitContainerRestartPolicyForbidden',
  'SupplementalGroupsPolicyNotSupported',
  'UnexpectedAdmissionError',
  'UnknownReason',
  'UnexpectedPredicateFailureType',
  'OutOfcpu',
  'OutOfmemory',
  'OutOfephemeral-storage',
  'OutOfpods',
  'PodLevelResourcesNotSupported',
  // A sentence, where a reason is meant: so the metric never counts the reason TaintToleration.
  "node(s) had taints that the pod didn't tolerate",
  'Evicted',
  'SysctlForbidden',
  'TopologyAffinityError',
  'NodeShutdown',
  'VolumeAttachmentLimitExceeded',
])

/** What a reason is counted as, so that the metric has few labels (recordAdmissionRejection). */
function rejectionLabel(reason: string): string {
  if (knownReasons.has(reason)) return reason
  return reason.startsWith('OutOf') ? 'OutOfExtendedResources' : 'Other'
}

/** Rejected pods by reason, as `kubelet_admission_rejections_total` counts them. */
export class RejectionCount {
  readonly #counts = new Map<string, number>()

  /** What it is counted as. */
  add(reason: string): string {
    const label = rejectionLabel(reason)
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1)
    return label
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }
}
