import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { OwnerView } from '../../../shared/model/workloads/workloads.ts'

/** An owner with what it owns. */
export interface OwnerTree {
  readonly owner: OwnerView
  readonly children: readonly OwnerTree[]
  /** By name. */
  readonly pods: readonly PodKey[]
  /** ReplicaSets of a Deployment that want no pods and have none. */
  readonly oldSets: number
}

/** Pods by their owner's UID; under the empty name those that no controller owns. */
export type OwnedPods = ReadonlyMap<string, readonly PodKey[]>

/** Groups the pods of a cluster; static and mirror pods, which a node owns, are left out. Pure. */
export function ownedPods(rows: Iterable<PodRow>, cluster: string): OwnedPods {
  const groups = new Map<string, PodRow[]>()
  for (const row of rows) {
    if (row.cluster !== cluster || row.kind !== 'regular') continue
    const owner = row.owner ?? ''
    const group = groups.get(owner)
    if (group === undefined) groups.set(owner, [row])
    else group.push(row)
  }
  const name = (row: PodRow): string => `${row.namespace}/${row.name}`
  return new Map(
    [...groups].map(([owner, group]) => [
      owner,
      group.toSorted((one, other) => (name(one) < name(other) ? -1 : 1)).map(({ key }) => key),
    ]),
  )
}

/** Whether both have the same pods in the same order. Pure. */
export function isSameOwnership(one: OwnedPods, other: OwnedPods): boolean {
  if (one.size !== other.size) return false
  for (const [owner, keys] of one) {
    const others = other.get(owner)
    if (others?.length !== keys.length || keys.some((key, index) => key !== others[index]))
      return false
  }
  return true
}

/** The owners without an owner, each above what it owns. An owner whose own owner is not known stands for itself. Pure. */
export function ownerTrees(owners: readonly OwnerView[], pods: OwnedPods): readonly OwnerTree[] {
  const known = new Set(owners.map(({ uid }) => uid))
  const childrenOf = new Map<string, OwnerView[]>()
  for (const owner of owners) {
    const parent = owner.parent !== null && known.has(owner.parent) ? owner.parent : ''
    const children = childrenOf.get(parent) ?? []
    childrenOf.set(parent, children)
    children.push(owner)
  }
  const tree = (owner: OwnerView): OwnerTree => {
    const children = (childrenOf.get(owner.uid) ?? []).map(tree)
    const shown = children.filter((child) => !isOldSet(child))
    return {
      owner,
      children: shown,
      pods: pods.get(owner.uid) ?? [],
      oldSets: children.length - shown.length,
    }
  }
  return (childrenOf.get('') ?? []).map(tree)
}

function isOldSet({ owner, pods }: OwnerTree): boolean {
  return owner.kind === 'ReplicaSet' && owner.wanted === 0 && pods.length === 0
}

/** Whether it has fewer ready pods than it wants, or cannot go on. Pure. */
export function isUnready({ owner }: Pick<OwnerTree, 'owner'>): boolean {
  return owner.tone === 'bad' || owner.tone === 'wait'
}

/** Whether the tree has a name with the text, in any case, with its namespace. Pure. */
export function hasName(tree: OwnerTree, typed: string): boolean {
  const wanted = typed.trim().toLowerCase()
  const { namespace, name, kind } = tree.owner
  if (`${kind} ${namespace}/${name}`.toLowerCase().includes(wanted)) return true
  return tree.children.some((child) => hasName(child, typed))
}
