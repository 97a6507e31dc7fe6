import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { clusterIpsOf } from '../../registry/service/service-spec.ts'
import { ageColumn, column, formatLabels, nameColumn, tableOf, wide } from './columns.ts'

const none = '<none>'
const balancerWidth = 16

function balancerAddresses(service: KubeObject): readonly string[] {
  const ingress = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress')
  const names = ingress.map((point) => textAt(point, 'ip') || textAt(point, 'hostname'))
  return [...new Set(names.filter((name) => name !== ''))].toSorted()
}

/** Long lists are always cut: the server does not know whether the table is for `-o wide`. */
function cut(addresses: readonly string[]): readonly string[] {
  const text = addresses.join(',')
  const shown = text.length > balancerWidth ? `${text.slice(0, balancerWidth - 3)}...` : text
  return shown === '' ? [] : shown.split(',')
}

function externalIp(service: KubeObject, spec: JsonObject): string {
  const external = listAt(spec, 'externalIPs').map(String)
  switch (spec['type']) {
    case 'ExternalName':
      return textAt(spec, 'externalName')
    case 'LoadBalancer':
      return [...cut(balancerAddresses(service)), ...external].join(',') || '<pending>'
    default:
      return external.join(',') || none
  }
}

function portText(port: JsonObject): string {
  const nodePort = numberAt(port, 'nodePort')
  const number = numberAt(port, 'port') ?? 0
  const numbers = nodePort === undefined ? `${number}` : `${number}:${nodePort}`
  return `${numbers}/${textAt(port, 'protocol')}`
}

/** Source: pkg/printers/internalversion printService (v1.34). */
export const serviceTable = tableOf(
  [
    nameColumn,
    column('Type', 'type', 'How the service is exposed.'),
    column('Cluster-IP', 'clusterIp', 'Its address inside the cluster.'),
    column('External-IP', 'externalIp', 'Its addresses or its name outside the cluster.'),
    column('Port(s)', 'ports', 'Its ports, with the ports on the nodes.'),
    ageColumn,
    column('Selector', 'selector', 'The labels that select its pods.', wide),
  ],
  (service) => {
    const spec = objectAt(service, 'spec')
    return {
      type: textAt(spec, 'type'),
      clusterIp: clusterIpsOf(spec)[0] ?? none,
      externalIp: externalIp(service, spec),
      ports: objectsAt(spec, 'ports').map(portText).join(',') || none,
      selector: formatLabels(objectAt(spec, 'selector')),
    }
  },
)
