import { numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { parseQuantity } from '../../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../../shared/kubernetes/quantity.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { requestedStorage } from '../../registry/claim-strategy.ts'
import { groupResource } from '../../registry/resource-type.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { added, podAmounts } from './amounts.ts'
import type { Amounts } from './amounts.ts'

function count(number: number): Quantity {
  return { nanos: BigInt(number) * 1_000_000_000n, format: 'decimal' }
}

const one = count(1)

/** Kinds that a quota counts by their plural alone. */
const byPlural = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
])

function computeUsage(spec: JsonObject): Amounts {
  const usage = new Map<string, Quantity>([['pods', one]])
  for (const [name, quantity] of podAmounts(spec, 'requests')) {
    const isNative = ['cpu', 'memory', 'ephemeral-storage'].includes(name)
    if (isNative || name.startsWith('hugepages-')) usage.set(name, quantity)
    usage.set(`requests.${name}`, quantity)
  }
  for (const [name, quantity] of podAmounts(spec, 'limits')) usage.set(`limits.${name}`, quantity)
  return usage
}

/** A pod that ended, or whose grace period is over, uses no compute resources. `now` in ms. Source: QuotaV1Pod. */
function isCharged(pod: KubeObject, now: number): boolean {
  const phase = textAt(objectAt(pod, 'status'), 'phase')
  if (phase === 'Failed' || phase === 'Succeeded') return false
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata
  if (deletionTimestamp === undefined) return true
  return now <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000
}

function serviceUsage(service: KubeObject): Amounts {
  const spec = objectAt(service, 'spec')
  const ports = objectsAt(spec, 'ports')
  const isBalanced = spec['type'] === 'LoadBalancer'
  const allocates = spec['allocateLoadBalancerNodePorts'] !== false
  const open = ports.filter((port) => (numberAt(port, 'nodePort') ?? 0) !== 0).length
  const nodePorts =
    spec['type'] === 'NodePort' || (isBalanced && allocates) ? ports.length : isBalanced ? open : 0
  return new Map([
    ['services', one],
    ['services.nodeports', count(nodePorts)],
    ['services.loadbalancers', count(isBalanced ? 1 : 0)],
  ])
}

function claimUsage(claim: KubeObject): Amounts {
  const storage = parseQuantity(requestedStorage(claim))
  const storageClass = textAt(objectAt(claim, 'spec'), 'storageClassName')
  const prefix = `${storageClass}.storageclass.storage.k8s.io`
  const usage = new Map<string, Quantity>([['persistentvolumeclaims', one]])
  if (storage !== undefined) usage.set('requests.storage', storage)
  if (storageClass === '') return usage
  usage.set(`${prefix}/persistentvolumeclaims`, one)
  if (storage !== undefined) usage.set(`${prefix}/requests.storage`, storage)
  return usage
}

function ownUsage(type: ResourceType, object: KubeObject, now: number): Amounts {
  if (type.group !== '') return new Map()
  switch (type.kind) {
    case 'Pod':
      return isCharged(object, now) ? computeUsage(objectAt(object, 'spec')) : new Map()
    case 'Service':
      return serviceUsage(object)
    case 'PersistentVolumeClaim':
      return claimUsage(object)
    default:
      return byPlural.has(type.plural) ? new Map([[type.plural, one]]) : new Map()
  }
}

/** What an object uses, by the names of quotas. Source: pkg/quota/v1/evaluator/core (v1.34). */
export function usageOf(type: ResourceType, object: KubeObject, now: number): Amounts {
  return added(new Map([[`count/${groupResource(type)}`, one]]), ownUsage(type, object, now))
}

const ofServices = ['services', 'services.nodeports', 'services.loadbalancers']

/** Whether the objects of a type use a resource that a quota limits. */
export function measures(type: ResourceType, resource: string): boolean {
  if (resource === `count/${groupResource(type)}`) return true
  if (type.group !== '') return false
  switch (type.kind) {
    case 'Pod':
      return (
        /^(pods|cpu|memory|ephemeral-storage|hugepages-.*|limits\..*)$/.test(resource) ||
        (resource.startsWith('requests.') && resource !== 'requests.storage')
      )
    case 'Service':
      return ofServices.includes(resource)
    case 'PersistentVolumeClaim':
      return (
        resource === 'persistentvolumeclaims' ||
        resource === 'requests.storage' ||
        /\.storageclass\.storage\.k8s\.io\//.test(resource)
      )
    default:
      return byPlural.has(type.plural) && resource === type.plural
  }
}
