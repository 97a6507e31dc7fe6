import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { controlTypes } from '../control/control-types.ts'
import { metricsTypes } from '../metrics/metrics-types.ts'
import { unstoredTypes } from '../review/review-types.ts'
import { customTypes } from './custom/custom-types.ts'
import { missingTypes } from './missing-kinds.ts'
import type { ResourceType } from './resource-type.ts'
import { resourceTypes } from './resource-types.ts'

function byVersion(types: readonly ResourceType[]): ReadonlyMap<string, readonly ResourceType[]> {
  const map = new Map<string, ResourceType[]>()
  for (const type of types) {
    const key = `${type.group}/${type.version}`
    map.set(key, [...(map.get(key) ?? []), type])
  }
  return map
}

const builtIn: readonly ResourceType[] = [
  ...resourceTypes,
  ...unstoredTypes,
  ...missingTypes,
  ...metricsTypes,
  ...controlTypes,
]
const builtInByVersion = byVersion(builtIn)

/** The resources of an API server: those of Kubernetes, and those of its CustomResourceDefinitions, which change. */
export class ResourceRegistry {
  readonly #listeners = new Set<() => void>()
  #byVersion = builtInByVersion
  #custom: readonly ResourceType[] = []

  /** What CustomResourceDefinitions define: served versions, in the order of discovery. */
  get custom(): readonly ResourceType[] {
    return this.#custom
  }

  /** Those whose objects are stored. */
  get stored(): readonly ResourceType[] {
    return this.#custom.length === 0 ? resourceTypes : [...resourceTypes, ...this.#custom]
  }

  /** All that discovery lists. */
  get discovered(): readonly ResourceType[] {
    return this.#custom.length === 0 ? builtIn : [...builtIn, ...this.#custom]
  }

  /** Those of a group and version; the core group is empty. */
  at(group: string, version: string): readonly ResourceType[] {
    return this.#byVersion.get(`${group}/${version}`) ?? []
  }

  /** Sets the definitions that there are now. */
  define(definitions: readonly KubeObject[]): void {
    const custom = customTypes(definitions)
    if (custom.length === 0 && this.#custom.length === 0) return
    this.#custom = custom
    this.#byVersion = custom.length === 0 ? builtInByVersion : byVersion(this.discovered)
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` after each change of the definitions. Returns a function that unsubscribes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
