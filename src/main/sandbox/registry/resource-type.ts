import type { TableColumns } from '../surface/tables/columns.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { SelectableFields } from '../../../shared/kubernetes/selectors/field-selector.ts'
import type { ResourceStrategy } from './strategy.ts'

/** A subresource. Kind, group and version are those of its body. */
export interface Subresource {
  readonly name: string
  readonly kind: string
  readonly group: string
  readonly version: string
  readonly verbs: readonly string[]
}

/** How the objects of a resource are stored as those of another version of it. */
export interface StoredAs {
  readonly type: ResourceType
  readonly fromStored: (object: KubeObject) => KubeObject
  readonly toStored: (object: KubeObject) => KubeObject
}

/** One resource of the sandbox's API server. `group` is empty for the core group. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly shortNames: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly Subresource[]
  readonly strategy: ResourceStrategy
  /** The table that `kubectl get` prints. */
  readonly columns: TableColumns
  /** Absent: its objects are stored as they are. */
  readonly storedAs?: StoredAs
  /** The fields for field selectors; `undefined`: name and namespace, the kind has no field label conversion. */
  readonly selectableFields: SelectableFields<JsonObject> | undefined
}

/** How errors and events name a resource: `pods`, `leases.coordination.k8s.io`. */
export function groupResource(type: Pick<ResourceType, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

/** `v1`, `apps/v1`. */
export function groupVersion(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}
