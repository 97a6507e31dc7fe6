import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import type { ImageState, Snapshot } from './framework.ts'
import { PodsOnNode } from './node-info.ts'
import type { NodeInfo } from './node-info.ts'
import { countsTheSame, podInfo } from './pod-info.ts'

/** Regions and zones, which the order of the nodes goes through in turn. Source: component-helpers GetZoneKey. */
export function zoneKey({ metadata }: Node): string {
  const labels = metadata.labels ?? {}
  const zone =
    labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? ''
  const region =
    labels['topology.kubernetes.io/region'] ??
    labels['failure-domain.beta.kubernetes.io/region'] ??
    ''
  return JSON.stringify([region, zone])
}

/** Nodes by zone, in the order of their creation. Source: pkg/scheduler/backend/cache/node_tree.go. */
class NodeTree {
  readonly #zones = new Map<string, Map<string, NodeInfo>>()

  set(info: NodeInfo, before: NodeInfo | undefined): void {
    const zone = zoneKey(info.node)
    if (before !== undefined && zoneKey(before.node) !== zone) this.delete(before)
    const nodes = this.#zones.get(zone) ?? new Map<string, NodeInfo>()
    this.#zones.set(zone, nodes.set(info.name, info))
  }

  delete({ node, name }: NodeInfo): void {
    const zone = zoneKey(node)
    const nodes = this.#zones.get(zone)
    nodes?.delete(name)
    if (nodes?.size === 0) this.#zones.delete(zone)
  }

  list(): readonly NodeInfo[] {
    const zones = [...this.#zones.values()].map((nodes) => [...nodes.values()])
    const longest = Math.max(0, ...zones.map((nodes) => nodes.length))
    return Array.from({ length: longest }, (_, index) =>
      zones.flatMap((nodes) => nodes.slice(index, index + 1)),
    ).flat()
  }
}

/**
 * The nodes with the pods on them, also those that are assumed to be bound. A change touches only its own node.
 * Source: pkg/scheduler/backend/cache (v1.34).
 */
export class ClusterCache implements Snapshot {
  readonly #nodes = new Map<string, PodsOnNode>()
  readonly #tree = new NodeTree()
  /** By UID: a pod on a node, which may not exist yet. */
  readonly #pods = new Map<string, { readonly pod: Pod; readonly nodeName: string }>()
  readonly #podsByNode = new Map<string, Set<string>>()
  readonly #images = new Map<string, ImageState>()
  #list: readonly NodeInfo[] | undefined
  #withAffinity: readonly NodeInfo[] | undefined
  #withRequiredAntiAffinity: readonly NodeInfo[] | undefined

  get nodes(): readonly NodeInfo[] {
    this.#list ??= this.#tree.list()
    return this.#list
  }

  get withAffinity(): readonly NodeInfo[] {
    this.#withAffinity ??= this.nodes.filter(({ podsWithAffinity }) => podsWithAffinity.length > 0)
    return this.#withAffinity
  }

  get withRequiredAntiAffinity(): readonly NodeInfo[] {
    this.#withRequiredAntiAffinity ??= this.nodes.filter(
      ({ podsWithRequiredAntiAffinity }) => podsWithRequiredAntiAffinity.length > 0,
    )
    return this.#withRequiredAntiAffinity
  }

  readonly get = (name: string): NodeInfo | undefined => this.#nodes.get(name)

  readonly imageState = (name: string): ImageState =>
    this.#images.get(name) ?? { size: 0, nodes: 0 }

  putNode(node: Node): void {
    const { name } = node.metadata
    const before = this.#nodes.get(name)
    const info = new PodsOnNode(node, before)
    if (before === undefined)
      for (const uid of this.#podsByNode.get(name) ?? []) this.#addTo(info, uid)
    else this.#countImages(before, -1)
    this.#countImages(info, 1)
    this.#nodes.set(name, info)
    this.#tree.set(info, before)
    this.#changed()
  }

  deleteNode(name: string): void {
    const before = this.#nodes.get(name)
    if (before === undefined) return
    this.#countImages(before, -1)
    this.#nodes.delete(name)
    this.#tree.delete(before)
    this.#changed()
  }

  #countImages({ images }: NodeInfo, sign: 1 | -1): void {
    for (const [name, size] of images) {
      const known = this.#images.get(name) ?? { size, nodes: 0 }
      const nodes = known.nodes + sign
      if (nodes === 0) this.#images.delete(name)
      else this.#images.set(name, { size: known.size, nodes })
    }
  }

  #changed(): void {
    this.#list = undefined
    this.#podsChanged()
  }

  #podsChanged(): void {
    this.#withAffinity = undefined
    this.#withRequiredAntiAffinity = undefined
  }

  #addTo(info: PodsOnNode, uid: string): void {
    const known = this.#pods.get(uid)
    if (known !== undefined) info.add(podInfo(known.pod))
  }

  hasPod(uid: string): boolean {
    return this.#pods.has(uid)
  }

  /** Adds or replaces a pod on a node. */
  putPod(pod: Pod, nodeName: string): void {
    const { uid } = pod.metadata
    const known = this.#pods.get(uid)
    const info = podInfo(pod)
    if (known?.nodeName === nodeName && countsTheSame(podInfo(known.pod), info)) {
      this.#pods.set(uid, { pod, nodeName })
      this.#nodes.get(nodeName)?.replace(info)
      return
    }
    this.deletePod(uid)
    this.#pods.set(uid, { pod, nodeName })
    const uids = this.#podsByNode.get(nodeName) ?? new Set<string>()
    this.#podsByNode.set(nodeName, uids.add(uid))
    this.#nodes.get(nodeName)?.add(info)
    if (info.hasAffinity) this.#podsChanged()
  }

  deletePod(uid: string): void {
    const known = this.#pods.get(uid)
    if (known === undefined) return
    this.#pods.delete(uid)
    const uids = this.#podsByNode.get(known.nodeName)
    uids?.delete(uid)
    if (uids?.size === 0) this.#podsByNode.delete(known.nodeName)
    this.#nodes.get(known.nodeName)?.remove({ uid })
    if (podInfo(known.pod).hasAffinity) this.#podsChanged()
  }
}
