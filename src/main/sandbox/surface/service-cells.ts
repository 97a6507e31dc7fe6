import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { clusterIpsOf } from '../registry/service-spec.ts'

const none = '<none>'
const balancerWidth = 16

function balancerAddresses(service: KubeObject): readonly string[] {
  const ingress = objectsAt(objectAt(objectAt({ ...service }, 'status'), 'loadBalancer'), 'ingress')
  const names = ingress.map((point) => textAt(point, 'ip') || textAt(point, 'hostname'))
  return [...new Set(names.filter((name) => name !== ''))].toSorted()
}

/** The server does not know that the table is for `-o wide`, so long lists are always cut. */
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

function selectorText(spec: JsonObject): string {
  const labels = Object.entries(objectAt(spec, 'selector')).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return labels.map(([key, value]) => `${key}=${String(value)}`).join(',') || none
}

/** As `kubectl get services` has them. Source: pkg/printers/internalversion printService (v1.34). */
export function serviceCells(service: KubeObject, age: string): readonly string[] {
  const spec = objectAt({ ...service }, 'spec')
  return [
    service.metadata.name,
    textAt(spec, 'type'),
    clusterIpsOf(spec)[0] ?? none,
    externalIp(service, spec),
    objectsAt(spec, 'ports').map(portText).join(',') || none,
    age,
    selectorText(spec),
  ]
}
