/** What the page needs a right for. */
export const rightIds = [
  'nodes',
  'pods',
  'events',
  'leases',
  'budgets',
  'logs',
  'kubelet',
  'kubeletProxy',
  'deletePods',
  'evictPods',
  'cordon',
  'drain',
  'exec',
  'forward',
] as const

export type RightId = (typeof rightIds)[number]

/** One thing that the page does, with the permissions that it needs. */
export interface Right {
  readonly id: RightId
  /** `Delete pods`. */
  readonly title: string
  /** All of them are needed. */
  readonly verbs: readonly string[]
  /** As RBAC writes them: `pods/log`. All verbs are needed of each. */
  readonly resources: readonly string[]
  readonly apiGroup: string
  /** Namespace that was asked about; empty: the whole cluster. */
  readonly namespace: string
  /** `unknown`: the server did not answer the question; `note` says why. */
  readonly allowed: 'yes' | 'no' | 'unknown'
  /** Those of `verbs` that are not allowed. */
  readonly missingVerbs: readonly string[]
  /** What does not work without it, the server's reason, or why it is unknown; one or two sentences, else empty. */
  readonly note: string
  /** What granting it also allows, in one sentence; else empty. */
  readonly warning: string
  /** A ClusterRole or Role as YAML that allows exactly what is missing; empty if nothing is. */
  readonly rule: string
}

/** What the API server lets the user of a cluster do. Times are ms on the system clock. */
export interface RightsView {
  readonly user: string
  readonly groups: readonly string[]
  readonly askedAt: number
  /** Namespace of the namespaced rights; empty: the whole cluster. */
  readonly namespace: string
  readonly look: readonly Right[]
  readonly change: readonly Right[]
  /** Acts that no right allows, with the reason. */
  readonly impossible: readonly { readonly title: string; readonly why: string }[]
  /** All missing rules in one YAML; empty if nothing is missing. */
  readonly missingRules: string
  /** SelfSubjectRulesReview of the namespace is incomplete (`status.incomplete`), and why; else empty. */
  readonly incomplete: string
}
