/** What tables show of a Node object. Times are ms since 1970. */
export interface NodeObject {
  readonly labels: Readonly<Record<string, string>>
  /** Of the labels node-role.kubernetes.io/ROLE. */
  readonly roles: readonly string[]
  readonly kubeletVersion: string
  readonly createdAt: number | null
  /** `key=value:Effect`, as kubectl describe writes it. */
  readonly taints: readonly string[]
  readonly isUnschedulable: boolean
  readonly conditions: readonly {
    readonly type: string
    /** `True`, `False` or `Unknown`. */
    readonly status: string
  }[]
}
