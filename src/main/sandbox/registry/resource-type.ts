import type { TableColumns } from '../surface/tables/columns.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Decoded } from '../../../shared/kubernetes/schema/decode.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { SelectableFields } from '../../../shared/kubernetes/selectors/field-selector.ts'
import type { Shape } from '../apply/typed-value.ts'
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

/** A version of a kind that a CustomResourceDefinition defines. */
export interface CustomKind {
  /** A value as an object of the kind: without the fields that it does not have. */
  readonly decode: (value: JsonObject) => Pick<Decoded, 'object' | 'error' | 'unknownFields'>
  readonly shape: Shape
  /** Why server-side apply does not take a value. */
  readonly typedProblems: (value: JsonObject) => readonly string[]
  /** Sent with every answer. */
  readonly warnings: readonly string[]
  /** Its definition is being deleted: no object is created. */
  readonly isTerminating: boolean
  /** It has rules in CEL, which are not checked. */
  readonly hasUncheckedRules: boolean
  /** The spec of its definition: while it is the same, only the status of the definition changes. */
  readonly definition: JsonObject
  /** Its openAPIV3Schema. */
  readonly schema: JsonObject
  /** The paths of the subresource `scale`. */
  readonly scale?: JsonObject
  readonly fromStored: StoredAs['fromStored']
  readonly toStored: StoredAs['toStored']
}

/** One resource of the sandbox's API server. `group` is empty for the core group. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  /** Absent: the kind and `List`. */
  readonly listKind?: string
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
  /** Absent: the kind is one of Kubernetes. Its name alone says little: custom kinds can be named like those. */
  readonly custom?: CustomKind
  /** The fields for field selectors; `undefined`: name and namespace, the kind has no field label conversion. */
  readonly selectableFields: SelectableFields<JsonObject> | undefined
}

/** Whether a type is this kind of Kubernetes: a custom one can have the same name. */
export function isBuiltIn({ kind, custom }: ResourceType, name: string): boolean {
  return kind === name && custom === undefined
}

/** How errors and events name a resource: `pods`, `leases.coordination.k8s.io`. */
export function groupResource(type: Pick<ResourceType, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

/** `v1`, `apps/v1`. */
export function groupVersion(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}
