import type { JsonObject } from '../../../shared/json.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { Anchor } from '../../../shared/handbook/anchors.ts'
import type { Taint } from '../../../shared/kubernetes/objects.ts'
import type { GotchaCategory } from '../../../shared/model/scenarios/gotcha.ts'
import { groupVersion } from '../../sandbox/registry/resource-type.ts'
import type { ResourceType } from '../../sandbox/registry/resource-type.ts'
import type { ScenarioStep, StepCondition } from './scenario-step.ts'

/** A file in the manifest folder of a node. One of the two: its content as YAML, or its text. */
export interface ScenarioManifest {
  readonly file: string
  readonly content?: JsonObject
  readonly text?: string
}

export interface ScenarioNode {
  readonly name: string
  readonly manifests?: readonly ScenarioManifest[]
  /** The kubelet registers its Node with these. */
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly Taint[]
  /** Quantities of cpu, memory, ephemeral-storage and pods. */
  readonly capacity?: Readonly<Record<string, string>>
}

/** A prepared situation, as the schema `scenario` has it. */
export interface Scenario {
  readonly metadata: {
    readonly name: string
    readonly title?: string
    readonly description?: string
  }
  readonly spec: {
    readonly seed?: number
    readonly clock?: {
      readonly startAt?: string
      readonly paused?: boolean
      readonly speed?: number
    }
    readonly nodes?: readonly ScenarioNode[]
    readonly objects?: readonly JsonObject[]
    readonly behavior?: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly faults?: readonly JsonObject[]
    readonly steps?: readonly ScenarioStep[]
    readonly stopAt?: { readonly after?: string; readonly until?: StepCondition }
    readonly show?: StepCondition
    readonly lookAt?: string
    readonly next?: string
    readonly gotcha?: {
      readonly category: GotchaCategory
      readonly confusion: string
      readonly truth: string
      readonly sections: readonly Anchor[]
    }
  }
}

/** The nodes of a scenario; without any it has one. */
export function nodesOf({ spec }: Scenario): readonly ScenarioNode[] {
  return spec.nodes ?? [{ name: 'scope-node-1' }]
}

/** The type of an object among `types`; undefined if it is of none of them. */
export function typeOfObject<T extends Pick<ResourceType, 'group' | 'version' | 'kind'>>(
  object: JsonObject,
  types: readonly T[],
): T | undefined {
  return types.find(
    (type) => type.kind === object['kind'] && groupVersion(type) === object['apiVersion'],
  )
}

/** `default/web` of a pod. */
export function podKeyOf(object: JsonObject): string {
  const metadata = objectAt(object, 'metadata')
  return `${textAt(metadata, 'namespace') || 'default'}/${textAt(metadata, 'name')}`
}

/** The objects with the annotations of their behavior. */
export function scenarioObjects({ spec }: Scenario): readonly JsonObject[] {
  const { objects = [] } = spec
  return objects.map((object) => withBehavior(spec, object))
}

/** An object; a pod with the annotations of its behavior. */
export function withBehavior({ behavior = {} }: Scenario['spec'], object: JsonObject): JsonObject {
  const added = object['kind'] === 'Pod' ? behavior[podKeyOf(object)] : undefined
  if (added === undefined) return object
  const metadata = objectAt(object, 'metadata')
  const { annotations } = metadata
  const own = isJsonObject(annotations) ? annotations : {}
  return { ...object, metadata: { ...metadata, annotations: { ...own, ...added } } }
}
