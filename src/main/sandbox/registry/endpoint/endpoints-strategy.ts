import { equalJson, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  enumProblems,
  invalidEach,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  portNumberProblems,
  qualifiedNameProblems,
} from '../../../../shared/kubernetes/validation/name-rules.ts'
import { ipProblems, specialIpProblems } from '../service/ip-validation.ts'
import { plainStrategy } from '../strategy.ts'

const protocols = ['SCTP', 'TCP', 'UDP']
const lists = ['addresses', 'notReadyAddresses'] as const

function addressProblems(address: JsonObject, field: string): FieldProblems {
  const ip = textAt(address, 'ip')
  const hostname = textAt(address, 'hostname')
  const { nodeName } = address
  return [
    ...invalidEach(`${field}.ip`, ip, ipProblems(ip)),
    ...(hostname === ''
      ? []
      : invalidEach(`${field}.hostname`, hostname, dnsLabelProblems(hostname))),
    ...(typeof nodeName === 'string'
      ? invalidEach(`${field}.nodeName`, nodeName, dnsSubdomainProblems(nodeName))
      : []),
    ...invalidEach(
      `${field}.ip`,
      ip,
      ipProblems(ip).length > 0 ? ['must be a valid IP address'] : specialIpProblems(ip),
    ),
  ]
}

function portProblems(port: JsonObject, isOneOfMany: boolean, field: string): FieldProblems {
  const name = textAt(port, 'name')
  const number = Number(port['port'] ?? 0)
  const protocol = textAt(port, 'protocol')
  const { appProtocol } = port
  return [
    ...(name === ''
      ? problemIf(isOneOfMany, requiredField(`${field}.name`))
      : invalidEach(`${field}.name`, name, dnsLabelProblems(name))),
    ...invalidEach(`${field}.port`, number, portNumberProblems(number)),
    ...(protocol === ''
      ? [requiredField(`${field}.protocol`)]
      : enumProblems(`${field}.protocol`, protocol, protocols)),
    ...(typeof appProtocol === 'string'
      ? invalidEach(`${field}.appProtocol`, appProtocol, qualifiedNameProblems(appProtocol))
      : []),
  ]
}

function subsetProblems(subset: JsonObject, field: string): FieldProblems {
  const ports = objectsAt(subset, 'ports')
  const isEmpty = lists.every((list) => objectsAt(subset, list).length === 0)
  return [
    ...problemIf(isEmpty, requiredField(field, 'must specify `addresses` or `notReadyAddresses`')),
    ...lists.flatMap((list) =>
      objectsAt(subset, list).flatMap((address, index) =>
        addressProblems(address, `${field}.${list}[${index}]`),
      ),
    ),
    ...ports.flatMap((port, index) =>
      portProblems(port, ports.length > 1, `${field}.ports[${index}]`),
    ),
  ]
}

function endpointsProblems(endpoints: KubeObject): FieldProblems {
  return objectsAt(endpoints, 'subsets').flatMap((subset, index) =>
    subsetProblems(subset, `subsets[${index}]`),
  )
}

function withDefaults(endpoints: KubeObject): KubeObject {
  const subsets = objectsAt(endpoints, 'subsets').map((subset) =>
    Array.isArray(subset['ports'])
      ? {
          ...subset,
          ports: objectsAt(subset, 'ports').map((port) => ({
            ...port,
            protocol: textAt(port, 'protocol') || 'TCP',
          })),
        }
      : subset,
  )
  const { subsets: _, ...rest } = endpoints
  const metadata = objectAt(endpoints, 'metadata') as unknown as KubeObject['metadata']
  return { ...rest, metadata, ...(subsets.length === 0 ? {} : { subsets }) }
}

/** Endpoints. Source: pkg/registry/core/endpoint/strategy.go, pkg/apis/core/validation ValidateEndpoints (v1.34). */
export const endpointsStrategy = plainStrategy({
  withDefaults,
  createProblems: endpointsProblems,
  updateProblems: (next, old) =>
    equalJson(next['subsets'], old['subsets']) ? [] : endpointsProblems(next),
  createsOnUpdate: true,
})
