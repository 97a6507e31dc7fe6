import { isJsonObject, listAt, numberAt } from '../../../shared/json.ts'
import type { Node } from '../../../shared/kubernetes/objects.ts'
import type { HostPort } from '../../../shared/kubernetes/host-ports.ts'
import { resourceAmount } from '../../../shared/kubernetes/pod-requests.ts'
import type { ResourceAmounts } from '../../../shared/kubernetes/pod-requests.ts'
import type { PodInfo } from './pod-info.ts'

/** A node with the pods on it. Source: pkg/scheduler/framework NodeInfo. */
export interface NodeInfo {
  readonly node: Node
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly allocatable: ResourceAmounts
  /** Bytes by name. */
  readonly images: ReadonlyMap<string, number>
  readonly pods: readonly PodInfo[]
  readonly podsWithAffinity: readonly PodInfo[]
  readonly podsWithRequiredAntiAffinity: readonly PodInfo[]
  readonly ports: readonly HostPort[]
  /** What the pods request, and what the scores count for them. */
  readonly requested: ResourceAmounts
  readonly nonzero: { readonly cpu: bigint; readonly memory: bigint }
}

function allocatableOf({ status }: Node): ResourceAmounts {
  return new Map(
    Object.entries(status?.allocatable ?? {}).map(([name, quantity]) => [
      name,
      resourceAmount(name, quantity),
    ]),
  )
}

/** Bytes of each image on a node, by every name of it. */
function imageSizes({ status }: Node): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const image of (status?.images ?? []).filter(isJsonObject))
    for (const name of listAt(image, 'names'))
      if (typeof name === 'string' && !sizes.has(name))
        sizes.set(name, numberAt(image, 'sizeBytes') ?? 0)
  return sizes
}

function hasRequiredAntiAffinity({ antiAffinity }: PodInfo): boolean {
  return antiAffinity.required.length > 0
}

/** A NodeInfo whose pods change. A change of the node itself makes another one. */
export class PodsOnNode implements NodeInfo {
  readonly node: Node
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly allocatable: ResourceAmounts
  readonly images: ReadonlyMap<string, number>
  readonly requested: Map<string, bigint>
  readonly nonzero: { cpu: bigint; memory: bigint }
  pods: readonly PodInfo[]
  podsWithAffinity: readonly PodInfo[]
  podsWithRequiredAntiAffinity: readonly PodInfo[]
  ports: readonly HostPort[]

  constructor(node: Node, like?: NodeInfo) {
    this.node = node
    this.name = node.metadata.name
    this.labels = node.metadata.labels ?? {}
    this.allocatable = like?.node === node ? like.allocatable : allocatableOf(node)
    this.images = like?.node === node ? like.images : imageSizes(node)
    this.requested = new Map(like?.requested)
    this.nonzero = { cpu: like?.nonzero.cpu ?? 0n, memory: like?.nonzero.memory ?? 0n }
    this.pods = like?.pods ?? []
    this.podsWithAffinity = like?.podsWithAffinity ?? []
    this.podsWithRequiredAntiAffinity = like?.podsWithRequiredAntiAffinity ?? []
    this.ports = like?.ports ?? []
  }

  add(pod: PodInfo): void {
    this.pods = [...this.pods, pod]
    if (pod.hasAffinity) this.podsWithAffinity = [...this.podsWithAffinity, pod]
    if (hasRequiredAntiAffinity(pod))
      this.podsWithRequiredAntiAffinity = [...this.podsWithRequiredAntiAffinity, pod]
    if (pod.hostPorts.length > 0) this.ports = [...this.ports, ...pod.hostPorts]
    this.#count(pod, 1n)
  }

  /** In place of the pod with its UID, which counts the same: it comes last, as if that were removed and this added. */
  replace(pod: PodInfo): void {
    const pods = this.pods.filter(({ uid }) => uid !== pod.uid)
    pods.push(pod)
    this.pods = pods
  }

  remove({ uid }: { readonly uid: string }): void {
    const pod = this.pods.find((one) => one.uid === uid)
    if (pod === undefined) return
    const others = (pods: readonly PodInfo[]): readonly PodInfo[] =>
      pods.filter((one) => one !== pod)
    this.pods = others(this.pods)
    if (pod.hasAffinity) this.podsWithAffinity = others(this.podsWithAffinity)
    if (hasRequiredAntiAffinity(pod))
      this.podsWithRequiredAntiAffinity = others(this.podsWithRequiredAntiAffinity)
    if (pod.hostPorts.length > 0) this.ports = this.pods.flatMap((one) => one.hostPorts)
    this.#count(pod, -1n)
  }

  #count(pod: PodInfo, sign: bigint): void {
    for (const [name, amount] of pod.requests)
      this.requested.set(name, (this.requested.get(name) ?? 0n) + sign * amount)
    this.nonzero.cpu += sign * pod.nonzero.cpu
    this.nonzero.memory += sign * pod.nonzero.memory
  }
}
