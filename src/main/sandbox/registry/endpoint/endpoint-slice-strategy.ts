import { equalJson, listAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  duplicateField,
  enumProblems,
  immutableProblems,
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
  tooManyProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '../../../../shared/kubernetes/validation/name-rules.ts'
import { ipFamilyOf, ipProblems, specialIpProblems } from '../service/ip-validation.ts'
import { plainStrategy } from '../strategy.ts'

const addressTypes = ['FQDN', 'IPv4', 'IPv6']
const protocols = ['SCTP', 'TCP', 'UDP']
const maxPorts = 20_000
const maxEndpoints = 1000
const maxAddresses = 100
const maxHints = 8

function typeProblems(type: string): FieldProblems {
  return type === ''
    ? [requiredField('addressType')]
    : enumProblems('addressType', type, addressTypes)
}

function portProblems(ports: readonly JsonObject[]): FieldProblems {
  const tooMany = tooManyProblems('ports', ports.length, maxPorts)
  if (tooMany.length > 0) return tooMany
  const names = ports.map((port) => textAt(port, 'name'))
  return ports.flatMap((port, index) => {
    const field = `ports[${index}]`
    const name = names[index] ?? ''
    const { appProtocol } = port
    return [
      ...(name === '' ? [] : invalidEach(`${field}.name`, name, dnsLabelProblems(name))),
      ...problemIf(names.indexOf(name) < index, duplicateField(`${field}.name`, name)),
      ...enumProblems(`${field}.protocol`, port['protocol'], protocols),
      ...(typeof appProtocol === 'string'
        ? invalidEach(`${field}.appProtocol`, appProtocol, qualifiedNameProblems(appProtocol))
        : []),
    ]
  })
}

/** Source: apimachinery pkg/util/validation IsFullyQualifiedDomainName. */
function domainProblems(address: string, field: string): FieldProblems {
  const name = address.endsWith('.') ? address.slice(0, -1) : address
  if (name === '') return [requiredField(field)]
  const malformed = dnsSubdomainProblems(name)
  if (malformed.length > 0) return [invalidField(field, name, malformed.join(','))]
  const parts = name.split('.')
  if (parts.length < 2)
    return [
      invalidField(
        field,
        address,
        'should be a domain with at least two segments separated by dots',
      ),
    ]
  return parts.flatMap((part) => invalidEach(field, part, dnsLabelProblems(part)))
}

function addressProblems(
  address: string,
  type: string,
  field: string,
  index: number,
): FieldProblems {
  const at = `${field}[${index}]`
  if (type === 'FQDN') return domainProblems(address, at)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const malformed = ipProblems(address)
  if (malformed.length > 0) return invalidEach(at, address, malformed)
  const isOther = ipFamilyOf(address) !== type
  return [
    ...problemIf(isOther, invalidField(field, address, `must be an ${type} address`)),
    ...invalidEach(at, address, specialIpProblems(address)),
  ]
}

function hintListProblems(
  hints: JsonObject,
  list: 'forZones' | 'forNodes',
  field: string,
  rule: (name: string) => readonly string[],
): FieldProblems {
  const names = objectsAt(hints, list).map((one) => textAt(one, 'name'))
  const tooMany = tooManyProblems(`${field}.${list}`, names.length, maxHints)
  if (tooMany.length > 0) return tooMany
  return names.flatMap((name, index) => {
    const at = `${field}.${list}[${index}].name`
    return [
      ...problemIf(names.indexOf(name) < index, duplicateField(at, name)),
      ...invalidEach(at, name, rule(name)),
    ]
  })
}

function endpointProblems(endpoint: JsonObject, type: string, field: string): FieldProblems {
  const addresses = listAt(endpoint, 'addresses').map(String)
  const { nodeName, hostname } = endpoint
  const at = `${field}.addresses`
  const hints = objectAt(endpoint, 'hints')
  return [
    ...problemIf(addresses.length === 0, requiredField(at, 'must contain at least 1 address')),
    ...tooManyProblems(at, addresses.length, maxAddresses),
    ...addresses.flatMap((address, index) => addressProblems(address, type, at, index)),
    ...(typeof nodeName === 'string'
      ? invalidEach(`${field}.nodeName`, nodeName, dnsSubdomainProblems(nodeName))
      : []),
    ...(typeof hostname === 'string'
      ? invalidEach(`${field}.hostname`, hostname, dnsLabelProblems(hostname))
      : []),
    ...hintListProblems(hints, 'forZones', `${field}.hints`, labelValueProblems),
    ...hintListProblems(hints, 'forNodes', `${field}.hints`, dnsSubdomainProblems),
  ]
}

function endpointsProblems(slice: KubeObject): FieldProblems {
  const endpoints = objectsAt(slice, 'endpoints')
  const tooMany = tooManyProblems('endpoints', endpoints.length, maxEndpoints)
  if (tooMany.length > 0) return tooMany
  const type = textAt(slice, 'addressType')
  return endpoints.flatMap((one, index) => endpointProblems(one, type, `endpoints[${index}]`))
}

function ownProblems(slice: KubeObject): FieldProblems {
  return [...typeProblems(textAt(slice, 'addressType')), ...portProblems(objectsAt(slice, 'ports'))]
}

/** Its name and protocol have defaults; without ports and endpoints, both are null. */
function withDefaults(slice: KubeObject): KubeObject {
  const ports = objectsAt(slice, 'ports').map((port) => ({ name: '', protocol: 'TCP', ...port }))
  const endpoints = objectsAt(slice, 'endpoints').map((endpoint) => ({
    addresses: null,
    conditions: {},
    ...endpoint,
  }))
  return {
    ...slice,
    addressType: textAt(slice, 'addressType'),
    endpoints: endpoints.length > 0 ? endpoints : null,
    ports: ports.length > 0 ? ports : null,
  }
}

/** The v1 API drops topologies. */
function withoutTopology(slice: KubeObject): KubeObject {
  if (!Array.isArray(slice['endpoints'])) return slice
  const endpoints = objectsAt(slice, 'endpoints').map((endpoint) => {
    const { deprecatedTopology: _, ...rest } = endpoint
    return rest
  })
  return { ...slice, endpoints }
}

const content = ['addressType', 'endpoints', 'ports']

function prepareForUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const isChanged =
    content.some((field) => !equalJson(next[field], old[field])) ||
    !equalJson(next.metadata.labels ?? {}, old.metadata.labels ?? {})
  const prepared = withoutTopology(next)
  if (!isChanged) return prepared
  const generation = (old.metadata.generation ?? 0) + 1
  return { ...prepared, metadata: { ...prepared.metadata, generation } }
}

/** Endpoint slices. Source: pkg/registry/discovery/endpointslice/strategy.go, pkg/apis/discovery/validation (v1.34). */
export const endpointSliceStrategy = plainStrategy({
  withDefaults,
  prepareForCreate: (slice) => ({
    ...withoutTopology(slice),
    metadata: { ...slice.metadata, generation: 1 },
  }),
  createProblems: (slice) => [...ownProblems(slice), ...endpointsProblems(slice)],
  prepareForUpdate,
  updateProblems: (next, old) => [
    ...ownProblems(next),
    ...(equalJson(next['endpoints'], old['endpoints']) ? [] : endpointsProblems(next)),
    ...immutableProblems('addressType', next['addressType'], old['addressType']),
  ],
})
