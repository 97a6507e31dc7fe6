import {
  defined,
  equalJson,
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'

/** The cluster IP of a headless service. */
export const headless = 'None'

const clientIpSeconds = 10_800

export function clusterIpsOf(spec: JsonObject): readonly string[] {
  return listAt(spec, 'clusterIPs').map(String)
}

export function ipFamiliesOf(spec: JsonObject): readonly string[] {
  return listAt(spec, 'ipFamilies').map(String)
}

export function isHeadless(spec: JsonObject): boolean {
  return equalJson(clusterIpsOf(spec), [headless])
}

export function needsClusterIp(spec: JsonObject): boolean {
  return spec['type'] !== 'ExternalName'
}

export function needsNodePort(spec: JsonObject): boolean {
  return spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer'
}

/** A load balancer that uses only nodes with pods of the service checks the health of each node. */
export function needsHealthCheck(spec: JsonObject): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local'
}

/** Source: pkg/api/service ExternallyAccessible. */
export function isExternallyAccessible(spec: JsonObject): boolean {
  return (
    needsNodePort(spec) || (spec['type'] === 'ClusterIP' && listAt(spec, 'externalIPs').length > 0)
  )
}

/** The node ports of a service. */
export function nodePortsOf(spec: JsonObject): readonly number[] {
  return objectsAt(spec, 'ports').flatMap((port) => numberAt(port, 'nodePort') || [])
}

/** The service with these fields of its spec; `undefined` removes a field. */
export function withSpecFields(service: KubeObject, fields: JsonObject): KubeObject {
  return { ...service, spec: defined({ ...objectAt(service, 'spec'), ...fields }) }
}

function portWithDefaults(port: JsonObject): JsonObject {
  const { nodePort, ...rest } = port
  const target = port['targetPort'] ?? 0
  return {
    ...rest,
    protocol: textAt(port, 'protocol') || 'TCP',
    targetPort: target === 0 || target === '' ? (port['port'] ?? 0) : target,
    ...(nodePort === undefined || nodePort === 0 ? {} : { nodePort }),
  }
}

function affinityFields(spec: JsonObject): JsonObject {
  const sessionAffinity = textAt(spec, 'sessionAffinity') || 'None'
  if (sessionAffinity === 'None') return { sessionAffinity, sessionAffinityConfig: undefined }
  const given = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP')
  if (sessionAffinity !== 'ClientIP' || numberAt(given, 'timeoutSeconds') !== undefined) {
    return { sessionAffinity }
  }
  const sessionAffinityConfig = { clientIP: { timeoutSeconds: clientIpSeconds } }
  return { sessionAffinity, sessionAffinityConfig }
}

/** Go omits empty fields. */
function withoutEmpty(spec: JsonObject): JsonObject {
  const kept = Object.entries(spec).filter(([, value]) => {
    if (Array.isArray(value)) return value.length > 0
    return value !== '' && !(isJsonObject(value) && Object.keys(value).length === 0)
  })
  const { publishNotReadyAddresses, healthCheckNodePort, ...rest } = Object.fromEntries(kept)
  return {
    ...rest,
    ...(publishNotReadyAddresses === true ? { publishNotReadyAddresses } : {}),
    ...(healthCheckNodePort === 0 ? {} : { healthCheckNodePort }),
  }
}

function ingressWithDefaults(service: KubeObject, type: string): JsonObject {
  const ingress = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress')
  if (ingress.length === 0) return {}
  return {
    ingress: ingress.map((point) =>
      type === 'LoadBalancer' && textAt(point, 'ip') !== '' && point['ipMode'] === undefined
        ? { ...point, ipMode: 'VIP' }
        : point,
    ),
  }
}

/** The service with its defaults. Source: pkg/apis/core/v1 SetDefaults_Service (v1.34). */
export function withServiceDefaults(service: KubeObject): KubeObject {
  const spec = withoutEmpty(objectAt(service, 'spec'))
  const type = textAt(spec, 'type') || 'ClusterIP'
  const isServed = type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer'
  const isExternal = isExternallyAccessible({ ...spec, type })
  const ports = objectsAt(spec, 'ports').map(portWithDefaults)
  const completed = withSpecFields(
    { ...service, spec },
    {
      ...(ports.length === 0 ? {} : { ports }),
      type,
      ...affinityFields(spec),
      ...(isExternal ? { externalTrafficPolicy: spec['externalTrafficPolicy'] ?? 'Cluster' } : {}),
      // The server never shows it for ExternalName (storage.go defaultOnReadInternalTrafficPolicy).
      ...(type === 'ExternalName' ? { internalTrafficPolicy: undefined } : {}),
      ...(isServed ? { internalTrafficPolicy: spec['internalTrafficPolicy'] ?? 'Cluster' } : {}),
      ...(type === 'LoadBalancer'
        ? { allocateLoadBalancerNodePorts: spec['allocateLoadBalancerNodePorts'] ?? true }
        : {}),
    },
  )
  const status = objectAt(service, 'status')
  return { ...completed, status: { ...status, loadBalancer: ingressWithDefaults(service, type) } }
}

function isSame(field: string, next: JsonObject, old: JsonObject): boolean {
  return equalJson(next[field], old[field])
}

/** Fields that only the old type has and that the update did not change. */
function droppedFields(next: JsonObject, old: JsonObject): JsonObject {
  const dropped: Record<string, undefined> = {}
  const drop = (field: string): void => {
    if (isSame(field, next, old)) dropped[field] = undefined
  }
  if (needsClusterIp(old) && !needsClusterIp(next)) {
    if (isSame('clusterIP', next, old)) drop('clusterIPs')
    if (isSame('clusterIPs', next, old)) drop('clusterIP')
    drop('ipFamilies')
    drop('ipFamilyPolicy')
  }
  if (needsHealthCheck(old) && !needsHealthCheck(next)) drop('healthCheckNodePort')
  if (old['type'] === 'LoadBalancer' && next['type'] !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts')
    drop('loadBalancerClass')
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(next)) drop('externalTrafficPolicy')
  return dropped
}

function withoutNodePort(port: JsonObject): JsonObject {
  const { nodePort: _, ...rest } = port
  return rest
}

/** An update without the fields that the new type does not have. Source: strategy.go dropTypeDependentFields. */
export function withoutTypeDependentFields(next: KubeObject, old: KubeObject): KubeObject {
  const spec = objectAt(next, 'spec')
  const oldSpec = objectAt(old, 'spec')
  const oldPorts = nodePortsOf(oldSpec)
  const losesPorts =
    needsNodePort(oldSpec) &&
    !needsNodePort(spec) &&
    nodePortsOf(spec).every((port) => oldPorts.includes(port))
  const ports = objectsAt(spec, 'ports').map(withoutNodePort)
  const kept = withSpecFields(next, {
    ...droppedFields(spec, oldSpec),
    ...(losesPorts ? { ports } : {}),
  })
  return spec['type'] === 'LoadBalancer' ? kept : { ...kept, status: { loadBalancer: {} } }
}
