import { hostPorts } from '../../../shared/kubernetes/host-ports.ts'
import type { HostPort } from '../../../shared/kubernetes/host-ports.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { podRequestsWithStatus } from '../../../shared/kubernetes/pod-requests.ts'
import type { ResourceAmounts } from '../../../shared/kubernetes/pod-requests.ts'

/** The resources and ports that the pods of one node use. */
export interface NodeLoad {
  readonly pods: readonly Pod[]
  readonly requested: ResourceAmounts
  readonly ports: readonly HostPort[]
}

/** `pods`: the pods on the node that have not terminated. */
export function nodeLoad(pods: readonly Pod[]): NodeLoad {
  const requested = new Map<string, bigint>()
  for (const pod of pods)
    for (const [name, amount] of podRequestsWithStatus(pod))
      requested.set(name, (requested.get(name) ?? 0n) + amount)
  return { pods, requested, ports: pods.flatMap(hostPorts) }
}

const noLoad = nodeLoad([])

/** Which pods use which node. The load of a node is computed on demand after a change. */
export class NodeLoads {
  readonly #nodes = new Map<string, Map<string, Pod>>()
  readonly #nodeOf = new Map<string, string>()
  readonly #loads = new Map<string, NodeLoad>()

  put(nodeName: string, pod: Pod): void {
    const { uid } = pod.metadata
    if (this.#nodeOf.get(uid) !== nodeName) this.remove(uid)
    const pods = this.#nodes.get(nodeName) ?? new Map<string, Pod>()
    pods.set(uid, pod)
    this.#nodes.set(nodeName, pods)
    this.#nodeOf.set(uid, nodeName)
    this.#loads.delete(nodeName)
  }

  /** True if the pod was on a node. */
  remove(uid: string): boolean {
    const nodeName = this.#nodeOf.get(uid)
    if (nodeName === undefined) return false
    this.#nodeOf.delete(uid)
    this.#loads.delete(nodeName)
    const pods = this.#nodes.get(nodeName)
    pods?.delete(uid)
    if (pods?.size === 0) this.#nodes.delete(nodeName)
    return true
  }

  of(nodeName: string): NodeLoad {
    const pods = this.#nodes.get(nodeName)
    if (pods === undefined) return noLoad
    const known = this.#loads.get(nodeName)
    if (known !== undefined) return known
    const load = nodeLoad([...pods.values()])
    this.#loads.set(nodeName, load)
    return load
  }
}
