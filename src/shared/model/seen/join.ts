/** What joining a cluster as a simulated node would do, found out with reads alone. */
export interface JoinPlan {
  /** One fact each: the server, the user, the node, the DaemonSets that would place a pod there. */
  readonly lines: readonly string[]
  /** Why the node cannot join, in one sentence; empty: it can. */
  readonly refusal: string
  /** Whether the refusal ends once a simulated node is allowed on a server that is not on this machine. */
  readonly needsAllowSimulated: boolean
  /** Folder of the node's static pod manifests, absolute. */
  readonly manifestsPath: string
}
