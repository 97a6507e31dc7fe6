/** A manifest in the style of a task page of the Kubernetes documentation, and what a cluster makes of its object. */
interface AnyCase {
  /** The object's name. */
  readonly name: string
  /** What it shows. */
  readonly about: string
  /** The objects, as `kubectl apply -f` takes them; the pod or the owner last. */
  readonly yaml: string
  /** Objects that are applied when half of the time has passed. */
  readonly later?: string
  /** Seconds of the cluster after which the outcome is read. */
  readonly seconds: number
  /** Where the simulated nodes are not as nodes, in a sentence; `outcome` and the rest are then the simulated ones. */
  readonly differs?: string
}

/** What a node makes of a pod. */
export interface ManifestCase extends AnyCase {
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
}

/** What a cluster of three nodes makes of an owner. */
export interface OwnerCase extends AnyCase {
  readonly kind: string
  /** As `kubectl get` prints it, without NAME, AGE and DURATION; `NotFound` if it is not there any more. */
  readonly outcome: string
  /** READY, STATUS and RESTARTS of the pods as `kubectl get pods` prints them; equal ones once, with their number: `3x 1/1 Running 0`. */
  readonly pods: readonly string[]
  /** How many pods are on each node that has any, in ascending order. Default: not read. */
  readonly perNode?: readonly number[]
  /** `Type=Status Reason` of the owner's conditions. Default: not read. */
  readonly conditions?: readonly string[]
  /** By kind: all other objects as `kubectl get` prints them, as `pods`. Addresses are `IP`. */
  readonly others?: Readonly<Record<string, readonly string[]>>
  /** The reasons of all Warning events, each once. Default: none. */
  readonly warnings?: readonly string[]
}
