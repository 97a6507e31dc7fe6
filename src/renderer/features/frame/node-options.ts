import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'

/** One cluster of the menu, with those of its nodes that the filter lets through. */
export interface NodeGroup {
  readonly cluster: ClusterView
  readonly nodes: readonly NodeView[]
}

/** All nodes by cluster; each word of the filter must be in a node's name, its STATUS or its cluster's label. Pure. */
export function nodeGroups(clusters: readonly ClusterView[], filter: string): readonly NodeGroup[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return clusters
    .map((cluster) => ({
      cluster,
      nodes: cluster.nodes.filter(({ name, status }) => {
        const text = `${cluster.label} ${name} ${status}`.toLowerCase()
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ nodes }) => nodes.length > 0)
}

/**
 * Where a key leads in a list of `count` lines from the one at `at`; undefined for a key that does not
 * move. It goes round. Pure.
 */
export function movedOption(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % Math.max(1, count)
    case 'ArrowUp':
      return (at - 1 + count) % Math.max(1, count)
    case 'Home':
      return 0
    case 'End':
      return Math.max(0, count - 1)
    default:
      return undefined
  }
}

/** The next name after `at` of which a word begins with the letter that was typed: nodes are often told apart by their number alone. Pure. */
export function typedOption(
  letter: string,
  at: number,
  names: readonly string[],
): number | undefined {
  if (letter.length !== 1 || letter === ' ') return undefined
  const begins = (name: string): boolean =>
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((word) => word.startsWith(letter.toLowerCase()))
  const order = names.map((_, index) => (at + 1 + index) % names.length)
  return order.find((index) => begins(names[index] ?? ''))
}
