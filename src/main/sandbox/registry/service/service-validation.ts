import {
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
import {
  duplicateField,
  enumProblems,
  forbiddenField,
  invalidField,
  invalidEach,
  problemIf,
  problemUnless,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type {
  FieldProblem,
  FieldProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  portNameProblems,
  portNumberProblems,
  qualifiedNameProblems,
} from '../../../../shared/kubernetes/validation/name-rules.ts'
import { labelProblems } from '../../../../shared/kubernetes/validation/object-meta-validation.ts'
import {
  cidrProblems,
  ipFamilyOf,
  ipProblems,
  isIpAddress,
  specialIpProblems,
} from './ip-validation.ts'
import {
  clusterIpsOf,
  headless,
  ipFamiliesOf,
  isExternallyAccessible,
  isHeadless,
  needsClusterIp,
  needsHealthCheck,
} from './service-spec.ts'

const supported = {
  type: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
  sessionAffinity: ['ClientIP', 'None'],
  externalTrafficPolicy: ['Cluster', 'Local'],
  internalTrafficPolicy: ['Cluster', 'Local'],
  trafficDistribution: ['PreferClose', 'PreferSameZone', 'PreferSameNode'],
  ipFamilyPolicy: ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
} as const

const protocols = ['SCTP', 'TCP', 'UDP']
const families = ['IPv4', 'IPv6']
const maxAffinitySeconds = 86_400

function oneOf(spec: JsonObject, field: keyof typeof supported): FieldProblems {
  const value = spec[field]
  return value === undefined ? [] : enumProblems(`spec.${field}`, value, supported[field])
}

function syncProblems(spec: JsonObject, ips: readonly string[]): FieldProblems {
  const clusterIP = textAt(spec, 'clusterIP')
  const field = 'spec.clusterIPs'
  if (clusterIP === '') {
    if (ips.length === 0) return []
    return [invalidField(field, ips, 'must be empty when `clusterIP` is not specified')]
  }
  if (ips.length === 0) return [requiredField(field)]
  return ips[0] === clusterIP
    ? []
    : [invalidField(field, ips, 'first value must match `clusterIP`')]
}

function familyProblems(spec: JsonObject): FieldProblems {
  const given = ipFamiliesOf(spec)
  return given.flatMap((family, index) => {
    const field = `spec.ipFamilies[${index}]`
    return [
      ...enumProblems(field, family, families),
      ...problemIf(given.indexOf(family) < index, duplicateField(field, family)),
    ]
  })
}

function addressProblems(ips: readonly string[]): FieldProblems {
  return ips.flatMap((ip, index) => {
    if (index > 0 || ip !== headless) {
      return invalidEach(`spec.clusterIPs[${index}]`, ip, ipProblems(ip))
    }
    if (ips.length === 1) return []
    return [invalidField('spec.clusterIPs', ips, "'None' must be the first and only value")]
  })
}

function stackProblems(spec: JsonObject, ips: readonly string[]): FieldProblems {
  const given = ipFamiliesOf(spec)
  const isDual = new Set(ips.map(ipFamilyOf)).size === ips.length
  const oneOfEach = 'may specify no more than one IP for each IP family'
  const mismatches = isHeadless(spec)
    ? []
    : ips.flatMap((ip, index) => {
        const family = given[index]
        if (family === undefined || family === ipFamilyOf(ip)) return []
        const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``
        return [invalidField(`spec.clusterIPs[${index}]`, ip, detail)]
      })
  return [
    ...problemIf(ips.length > 1 && !isDual, invalidField('spec.clusterIPs', ips, oneOfEach)),
    ...mismatches,
  ]
}

/** Source: pkg/apis/core/validation ValidateServiceClusterIPsRelatedFields. */
export function clusterIpsProblems(spec: JsonObject): FieldProblems {
  if (!needsClusterIp(spec)) return []
  const ips = clusterIpsOf(spec)
  const ofAddresses = addressProblems(ips)
  return [
    ...syncProblems(spec, ips),
    ...familyProblems(spec),
    ...oneOf(spec, 'ipFamilyPolicy'),
    ...ofAddresses,
    ...problemIf(
      ips.length > 2,
      invalidField('spec.clusterIPs', ips, 'may only hold up to 2 values'),
    ),
    ...(ofAddresses.length > 0 ? [] : stackProblems(spec, ips)),
  ]
}

function externalNameProblems(spec: JsonObject): FieldProblems {
  const set = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter(
    (field) => spec[field] !== undefined,
  )
  const name = textAt(spec, 'externalName').replace(/\.$/, '')
  const field = 'spec.externalName'
  return [
    ...set.map((own) => forbiddenField(`spec.${own}`, 'may not be set for ExternalName services')),
    ...(name === ''
      ? [requiredField(field)]
      : invalidEach(field, name, dnsSubdomainProblems(name))),
  ]
}

function typeProblems(spec: JsonObject): FieldProblems {
  const { type } = spec
  if (type === 'ExternalName') return externalNameProblems(spec)
  const isOpen = type === 'LoadBalancer' || type === 'NodePort'
  if (!isOpen || !isHeadless(spec)) return []
  const detail = `may not be set to 'None' for ${type} services`
  return [invalidField('spec.clusterIPs[0]', headless, detail)]
}

function targetProblems(target: unknown, field: string): FieldProblems {
  if (typeof target === 'number') return invalidEach(field, target, portNumberProblems(target))
  return invalidEach(field, target, portNameProblems(String(target)))
}

function portNameOf(
  port: JsonObject,
  field: string,
  options: { readonly isRequired: boolean; readonly isRepeated: boolean },
): FieldProblems {
  const name = textAt(port, 'name')
  if (name === '') return options.isRequired ? [requiredField(field)] : []
  return [
    ...invalidEach(field, name, dnsLabelProblems(name)),
    ...problemIf(options.isRepeated, duplicateField(field, name)),
  ]
}

function portProblems(spec: JsonObject): FieldProblems {
  const ports = objectsAt(spec, 'ports')
  const names = ports.map((port) => textAt(port, 'name'))
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`
    const number = numberAt(port, 'port') ?? 0
    const protocol = textAt(port, 'protocol')
    const appProtocol = textAt(port, 'appProtocol')
    const isRepeated = names.indexOf(names[index] ?? '') < index
    return [
      ...portNameOf(port, `${field}.name`, { isRequired: ports.length > 1, isRepeated }),
      ...invalidEach(`${field}.port`, number, portNumberProblems(number)),
      ...enumProblems(`${field}.protocol`, protocol, protocols),
      ...targetProblems(port['targetPort'], `${field}.targetPort`),
      ...(appProtocol === ''
        ? []
        : invalidEach(`${field}.appProtocol`, appProtocol, qualifiedNameProblems(appProtocol))),
    ]
  })
}

function affinityProblems(spec: JsonObject): FieldProblems {
  const config = spec['sessionAffinityConfig']
  if (spec['sessionAffinity'] !== 'ClientIP' || !isJsonObject(config)) return []
  const seconds = numberAt(objectAt(config, 'clientIP'), 'timeoutSeconds') ?? 0
  if (seconds > 0 && seconds <= maxAffinitySeconds) return []
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds'
  return [
    invalidField(field, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`),
  ]
}

function externalIpProblems(spec: JsonObject): FieldProblems {
  return listAt(spec, 'externalIPs').flatMap((value, index) => {
    const ip = String(value)
    const messages = isIpAddress(ip) ? specialIpProblems(ip) : ipProblems(ip)
    return invalidEach(`spec.externalIPs[${index}]`, ip, messages)
  })
}

/** The internal ServicePort of a protocol and a number, as Go prints it. */
function portKey(port: JsonObject): JsonObject {
  return {
    Name: '',
    Protocol: port['protocol'],
    AppProtocol: null,
    Port: port['port'],
    TargetPort: 0,
    NodePort: 0,
  }
}

function repeated(
  ports: readonly JsonObject[],
  number: 'port' | 'nodePort',
  problem: (port: JsonObject, index: number) => FieldProblem,
): FieldProblems {
  const seen = new Set<string>()
  return ports.flatMap((port, index) => {
    if (port[number] === undefined) return []
    const key = `${textAt(port, 'protocol')} ${numberAt(port, number)}`
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated ? [problem(port, index)] : []
  })
}

function portSetProblems(spec: JsonObject): FieldProblems {
  const ports = objectsAt(spec, 'ports')
  const notUsed = "may not be used when `type` is 'ClusterIP'"
  const unused =
    spec['type'] === 'ClusterIP'
      ? ports.flatMap((port, index) =>
          numberAt(port, 'nodePort')
            ? [forbiddenField(`spec.ports[${index}].nodePort`, notUsed)]
            : [],
        )
      : []
  return [
    ...unused,
    ...repeated(ports, 'nodePort', (port, index) =>
      duplicateField(`spec.ports[${index}].nodePort`, port['nodePort']),
    ),
    ...repeated(ports, 'port', (port, index) =>
      duplicateField(`spec.ports[${index}]`, portKey(port)),
    ),
  ]
}

const balancerOnly = "may only be used when `type` is 'LoadBalancer'"

function balancerProblems(spec: JsonObject): FieldProblems {
  const isBalancer = spec['type'] === 'LoadBalancer'
  // Upstream capitalizes this field.
  const field = 'spec.LoadBalancerSourceRanges'
  const ranges = listAt(spec, 'loadBalancerSourceRanges').map((range) => String(range).trim())
  const balancerClass = textAt(spec, 'loadBalancerClass')
  return [
    ...problemIf(ranges.length > 0 && !isBalancer, forbiddenField(field, balancerOnly)),
    ...ranges.flatMap((range, index) =>
      isBalancer ? invalidEach(`${field}[${index}]`, range, cidrProblems(range)) : [],
    ),
    ...problemIf(
      spec['allocateLoadBalancerNodePorts'] !== undefined && !isBalancer,
      forbiddenField('spec.allocateLoadBalancerNodePorts', balancerOnly),
    ),
    ...(spec['loadBalancerClass'] === undefined
      ? []
      : isBalancer
        ? invalidEach('spec.loadBalancerClass', balancerClass, qualifiedNameProblems(balancerClass))
        : [forbiddenField('spec.loadBalancerClass', balancerOnly)]),
  ]
}

function trafficProblems(spec: JsonObject): FieldProblems {
  const { externalTrafficPolicy: policy, healthCheckNodePort: health } = spec
  const external = 'may only be set for externally-accessible services'
  const local =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
  return [
    ...(isExternallyAccessible(spec)
      ? oneOf(spec, 'externalTrafficPolicy')
      : policy === undefined
        ? []
        : [invalidField('spec.externalTrafficPolicy', policy, external)]),
    ...problemUnless(
      health === undefined || needsHealthCheck(spec),
      invalidField('spec.healthCheckNodePort', health, local),
    ),
    ...oneOf(spec, 'internalTrafficPolicy'),
    ...oneOf(spec, 'trafficDistribution'),
  ]
}

/** FieldProblems of a service beyond its metadata. Source: pkg/apis/core/validation validateService (v1.34). */
export function serviceProblems(service: KubeObject): FieldProblems {
  const spec = objectAt(service, 'spec')
  const needsPorts = !isHeadless(spec) && needsClusterIp(spec)
  const hasPorts = objectsAt(spec, 'ports').length > 0
  return [
    ...problemIf(needsPorts && !hasPorts, requiredField('spec.ports')),
    ...typeProblems(spec),
    ...portProblems(spec),
    ...labelProblems(objectAt(spec, 'selector'), 'spec.selector'),
    ...oneOf(spec, 'sessionAffinity'),
    ...affinityProblems(spec),
    ...clusterIpsProblems(spec),
    ...externalIpProblems(spec),
    ...oneOf(spec, 'type'),
    ...portSetProblems(spec),
    ...balancerProblems(spec),
    ...trafficProblems(spec),
  ]
}

/** A list that may change only when a service gets or loses its addresses. */
function fixedListProblems(
  field: 'clusterIPs' | 'ipFamilies',
  next: JsonObject,
  old: JsonObject,
): FieldProblems {
  if (!needsClusterIp(next) || !needsClusterIp(old)) return []
  const values = listAt(next, field)
  const before = listAt(old, field)
  if (values.length !== before.length) return []
  return before.flatMap((value, index) => {
    if (value === values[index]) return []
    const at = field === 'clusterIPs' ? index : 0
    return [invalidField(`spec.${field}[${at}]`, values, 'may not change once set')]
  })
}

function balancerUpdateProblems(next: JsonObject, old: JsonObject): FieldProblems {
  const areBalancers = next['type'] === 'LoadBalancer' && old['type'] === 'LoadBalancer'
  const isSame = (field: string): boolean => equalJson(next[field], old[field])
  return [
    ...problemIf(
      areBalancers && !isSame('loadBalancerClass'),
      invalidField('spec.loadBalancerClass', next['loadBalancerClass'], 'may not change once set'),
    ),
    ...problemIf(
      needsHealthCheck(next) && needsHealthCheck(old) && !isSame('healthCheckNodePort'),
      forbiddenField('spec.healthCheckNodePort', 'field is immutable'),
    ),
  ]
}

/** Source: pkg/apis/core/validation ValidateServiceUpdate (v1.34). */
export function serviceUpdateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const spec = objectAt(next, 'spec')
  const oldSpec = objectAt(old, 'spec')
  const wereAndAreHeadless = isHeadless(spec) && isHeadless(oldSpec)
  const changesHeadless = isHeadless(spec) !== isHeadless(oldSpec)
  return [
    ...(wereAndAreHeadless ? [] : fixedListProblems('clusterIPs', spec, oldSpec)),
    ...(wereAndAreHeadless || changesHeadless
      ? []
      : fixedListProblems('ipFamilies', spec, oldSpec)),
    ...balancerUpdateProblems(spec, oldSpec),
    ...serviceProblems(next),
  ]
}

function ingressProblems(point: JsonObject, field: string): FieldProblems {
  const ip = textAt(point, 'ip')
  const hostname = textAt(point, 'hostname')
  const dnsName = 'must be a DNS name, not an IP address'
  return [
    ...(ip === '' ? [] : invalidEach(`${field}.ip`, ip, ipProblems(ip))),
    ...problemIf(
      ip === '' && point['ipMode'] !== undefined,
      forbiddenField(`${field}.ipMode`, 'may not be specified when `ip` is not set'),
    ),
    ...(hostname === ''
      ? []
      : invalidEach(`${field}.hostname`, hostname, dnsSubdomainProblems(hostname))),
    ...problemIf(
      hostname !== '' && isIpAddress(hostname),
      invalidField(`${field}.hostname`, hostname, dnsName),
    ),
  ]
}

/** Source: pkg/apis/core/validation ValidateLoadBalancerStatus (v1.34). */
export function serviceStatusProblems(service: KubeObject): FieldProblems {
  const field = 'status.loadBalancer.ingress'
  const ingress = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress')
  if (ingress.length > 0 && objectAt(service, 'spec')['type'] !== 'LoadBalancer') {
    return [forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  return ingress.flatMap((point, index) => ingressProblems(point, `${field}[${index}]`))
}
