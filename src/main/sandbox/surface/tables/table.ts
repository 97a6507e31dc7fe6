import { assertNever } from '../../../../shared/assert-never.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { groupVersion, isBuiltIn, type ResourceType } from '../../registry/resource-type.ts'

export const includeObjects = ['None', 'Metadata', 'Object'] as const

/** What each row contains of its object (`?includeObject=`). */
export type IncludeObject = (typeof includeObjects)[number]

export interface TableOptions {
  /** ms, for ages. */
  readonly now: number
  readonly includeObject: IncludeObject
  /** The metadata of the list; a table of a single object has its resourceVersion. */
  readonly listMeta?: {
    readonly resourceVersion?: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
}

const finishedConditions: ReadonlyMap<unknown, readonly object[]> = new Map(
  [
    ['Succeeded', 'The pod has completed successfully.'],
    ['Failed', 'The pod failed.'],
  ].map(([reason, message]) => [reason, [{ type: 'Completed', status: 'True', reason, message }]]),
)

function rowConditions(type: ResourceType, object: KubeObject): object {
  const status = object['status']
  if (!isBuiltIn(type, 'Pod') || typeof status !== 'object' || status === null) return {}
  const conditions = 'phase' in status ? finishedConditions.get(status.phase) : undefined
  return conditions === undefined ? {} : { conditions }
}

function rowObject(type: ResourceType, object: KubeObject, include: IncludeObject): object | null {
  switch (include) {
    case 'None':
      return null
    case 'Metadata':
      return {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: object.metadata,
      }
    case 'Object':
      return { ...object, kind: type.kind, apiVersion: groupVersion(type) }
    default:
      return assertNever(include, 'includeObject')
  }
}

/**
 * Objects as a meta.k8s.io/v1 Table, from which kubectl prints. It has every column; kubectl shows those of priority 1 only
 * with -o wide. In a watch, the object of each event is a table of one row.
 */
export function tableFor(
  type: ResourceType,
  objects: readonly KubeObject[],
  options: TableOptions,
): object {
  const { columns, cells } = type.columns
  const ownVersion = objects.length === 1 ? objects[0]?.metadata.resourceVersion : undefined
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.listMeta ?? (ownVersion === undefined ? {} : { resourceVersion: ownVersion }),
    columnDefinitions: columns,
    rows: objects.map((object) => ({
      cells: cells(object, options.now),
      ...rowConditions(type, object),
      object: rowObject(type, object, options.includeObject),
    })),
  }
}
