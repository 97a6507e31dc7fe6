import { equalJson, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../../shared/kubernetes/objects.ts'
import { compareQuantities } from '../../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../../shared/kubernetes/quantity.ts'
import { forbidden } from '../../api-status.ts'
import type { ObjectStore } from '../../object-store.ts'
import { typeOfKind } from '../../registry/resource-types.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { added, amountsOf, amountsText, resourceList, subtracted, zero } from './amounts.ts'
import type { Amounts } from './amounts.ts'
import { isInScopes } from './quota-scopes.ts'
import { measures, usageOf } from './usage.ts'

/** Resources that every container must name if a quota limits them. */
const required = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']

function isNamed(container: JsonObject, resource: string): boolean {
  const [list, name] = resource.startsWith('limits.')
    ? (['limits', resource.slice('limits.'.length)] as const)
    : (['requests', resource.replace('requests.', '')] as const)
  return objectAt(objectAt(container, 'resources'), list)[name] !== undefined
}

/** `must specify cpu for: web`: what the containers of a pod lack; empty if they lack nothing. */
function missingResources(pod: KubeObject, limited: readonly string[]): string {
  const spec = objectAt(pod, 'spec')
  if (spec['resources'] !== undefined) return ''
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]
  const parts = required
    .filter((name) => limited.includes(name))
    .flatMap((resource) => {
      const lacking = containers.filter((container) => !isNamed(container, resource))
      const names = new Set(lacking.map((container) => textAt(container, 'name')))
      return names.size === 0 ? [] : [`${resource} for: ${[...names].toSorted().join(',')}`]
    })
  return parts.length === 0 ? '' : `must specify ${parts.toSorted().join('; ')}`
}

function selected(amounts: Amounts, names: readonly string[]): Amounts {
  return new Map(names.map((name): [string, Quantity] => [name, amounts.get(name) ?? zero]))
}

/** An object that a write creates or changes. */
interface Write {
  readonly type: ResourceType
  readonly next: KubeObject
  readonly old: KubeObject | undefined
}

/** The resource quotas of all namespaces: their admission and their status. */
export class Quotas {
  readonly #store: ObjectStore
  readonly #now: () => number

  constructor(deps: { readonly store: ObjectStore; readonly now: () => number }) {
    this.#store = deps.store
    this.#now = deps.now
  }

  #of(namespace: string): readonly KubeObject[] {
    const all = this.#store.of(typeOfKind('ResourceQuota')).list()
    return all.filter(({ metadata }) => metadata.namespace === namespace)
  }

  /** Why a quota does not admit a write. Source: apiserver pkg/admission/plugin/resourcequota CheckRequest (v1.34). */
  refusal(write: Write): KubeStatus | undefined {
    const { namespace = '', name } = write.next.metadata
    for (const quota of namespace === '' ? [] : this.#of(namespace)) {
      const why = this.#refusalBy(quota, write)
      if (why !== '') return forbidden(write.type, name, why)
    }
    return undefined
  }

  #refusalBy(quota: KubeObject, { type, next, old }: Write): string {
    const { hard, used } = objectAt(quota, 'status')
    const limits = amountsOf(typeof hard === 'object' ? { ...hard } : {})
    const names = [...limits.keys()].filter((name) => measures(type, name))
    if (names.length === 0 || !isInScopes(quota, next)) return ''
    const lacking = type.kind === 'Pod' && old === undefined ? missingResources(next, names) : ''
    if (lacking !== '') return `failed quota: ${quota.metadata.name}: ${lacking}`
    const usage = usageOf(type, next, this.#now())
    const before = old === undefined ? new Map() : usageOf(type, old, this.#now())
    const change = subtracted(usage, before)
    const requested = names.filter((name) => (change.get(name)?.nanos ?? 0n) > 0n)
    const current = amountsOf(typeof used === 'object' ? { ...used } : {})
    const total = added(current, selected(change, requested))
    const exceeded = requested.filter(
      (name) => compareQuantities(total.get(name) ?? zero, limits.get(name) ?? zero) > 0,
    )
    if (exceeded.length === 0) return ''
    const text = (amounts: Amounts): string => amountsText(selected(amounts, exceeded))
    return `exceeded quota: ${quota.metadata.name}, requested: ${text(change)}, used: ${text(current)}, limited: ${text(limits)}`
  }

  /** The quotas of a namespace whose status is not what it uses, with the status that they should have. */
  outdated(
    namespace: string,
  ): readonly { readonly quota: KubeObject; readonly status: JsonObject }[] {
    return this.#of(namespace).flatMap((quota) => {
      const status = this.#statusOf(quota, namespace)
      return equalJson(status, quota['status']) ? [] : [{ quota, status }]
    })
  }

  #statusOf(quota: KubeObject, namespace: string): JsonObject {
    const hard = objectAt(objectAt(quota, 'spec'), 'hard')
    const names = Object.keys(hard)
    if (names.length === 0) return {}
    const types = this.#store.types.filter(
      (type) => type.namespaced && names.some((name) => measures(type, name)),
    )
    const usages = types.flatMap((type) =>
      this.#store
        .of(type)
        .list()
        .filter((object) => object.metadata.namespace === namespace && isInScopes(quota, object))
        .map((object) => usageOf(type, object, this.#now())),
    )
    return {
      hard: resourceList(amountsOf(hard)),
      used: resourceList(selected(added(...usages), names)),
    }
  }
}
