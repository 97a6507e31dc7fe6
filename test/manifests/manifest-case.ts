/** A manifest in the style of a task page of the Kubernetes documentation, and what a node makes of it. */
export interface ManifestCase {
  /** The pod's name. */
  readonly name: string
  /** What it shows. */
  readonly about: string
  /** The objects, as `kubectl apply -f` takes them; the pod last. */
  readonly yaml: string
  /** Objects that arrive when half of the time has passed. */
  readonly later?: string
  /** Seconds of the cluster after which the outcome is read. */
  readonly seconds: number
  /** READY, STATUS and RESTARTS as `kubectl get pods` prints them on a node. */
  readonly outcome: string
  /** The reasons of its Warning events on a node, each once. Default: none. */
  readonly warnings?: readonly string[]
  /** The last lines that its containers print, in the order of the containers. Default: not read. */
  readonly log?: readonly string[]
  /** The message of the last termination. Default: not read. */
  readonly terminationMessage?: string
  /** The reason of the last termination. Default: not read. */
  readonly terminationReason?: string
  /** Where the simulated node is not as a node, in a sentence; `outcome` and the rest are then the simulated node's. */
  readonly differs?: string
}
