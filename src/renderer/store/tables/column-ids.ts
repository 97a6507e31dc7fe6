/** The columns of the table of pods, in their usual order. */
export const sortColumns = [
  'namespace',
  'name',
  'ready',
  'status',
  'why',
  'restarts',
  'age',
  'node',
  'source',
  'kind',
  'worker',
  'grace',
  'mirrorUid',
  'staticUid',
  'ip',
  'labels',
] as const

export type SortColumn = (typeof sortColumns)[number]

/** Those of the table of nodes. */
export const nodeColumns = [
  'name',
  'status',
  'roles',
  'kubelet',
  'age',
  'pods',
  'lease',
  'static',
  'mirrors',
  'conditions',
  'taints',
  'labels',
] as const

export type NodeColumn = (typeof nodeColumns)[number]

/** The column ids of each table. */
export interface TableColumns {
  readonly pods: SortColumn
  readonly nodes: NodeColumn
}

export type TableKind = keyof TableColumns
