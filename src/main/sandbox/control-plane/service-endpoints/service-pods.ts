import { numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, ObjectMeta, Pod, Service } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { hasLabels } from '../../../kubelet/container/listing-filter.ts'
import { isHeadless } from '../../registry/service/service-spec.ts'
import type { ControllerContext } from '../controller.ts'
import { isReady, isTerminal } from '../workloads/active-pods.ts'

/** What the controllers of Endpoints and EndpointSlices read of Services and their pods. */

const headlessLabel = 'service.kubernetes.io/headless'

/** A port of a Service as its endpoints have it. */
export interface EndpointPort {
  readonly name: string
  readonly port: number
  readonly protocol: string
  readonly appProtocol?: string
}

function selectorOf({ spec }: Service): Readonly<Record<string, string>> | undefined {
  const selector = spec?.['selector']
  if (typeof selector !== 'object' || selector === null) return undefined
  const labels = Object.entries(objectAt({ ...spec }, 'selector'))
  return Object.fromEntries(labels.map(([name, value]) => [name, String(value)]))
}

/** Whether controllers maintain the endpoints of a Service: it has a selector, and its name is no external one. */
export function hasManagedEndpoints(service: Service): boolean {
  return selectorOf(service) !== undefined && service.spec?.['type'] !== 'ExternalName'
}

function selects(service: Service, { metadata }: { readonly metadata: ObjectMeta }): boolean {
  const selector = selectorOf(service)
  return (
    selector !== undefined &&
    service.metadata.namespace === metadata.namespace &&
    hasLabels(selector, metadata.labels ?? {})
  )
}

/** The pods of a Service that have an address and have not ended. */
export function podsOf(service: Service, pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(
    (pod) =>
      selects(service, pod) && !isTerminal(pod.status?.phase) && (pod.status?.podIP ?? '') !== '',
  )
}

/** Source: endpointslice FindPort: a number, or the name of a container's port. */
function portOf(pod: Pod, servicePort: JsonObject): number | undefined {
  const target = servicePort['targetPort']
  if (typeof target === 'number' && target > 0) return target
  if (typeof target !== 'string' || target === '') return numberAt(servicePort, 'port')
  const protocol = textAt(servicePort, 'protocol') || 'TCP'
  const { containers, initContainers = [] } = pod.spec
  const sidecars = initContainers.filter((one) => one.restartPolicy === 'Always')
  const ports = [...containers, ...sidecars].flatMap((container) => container.ports ?? [])
  return ports.find((one) => one.name === target && (one.protocol ?? 'TCP') === protocol)
    ?.containerPort
}

/** The ports at which a pod serves a Service; a named port that the pod lacks is left out. */
export function endpointPorts({ spec }: Service, pod: Pod): readonly EndpointPort[] {
  return objectsAt({ ...spec }, 'ports').flatMap((one): EndpointPort[] => {
    const port = portOf(pod, one)
    const appProtocol = textAt(one, 'appProtocol')
    if (port === undefined) return []
    const protocol = textAt(one, 'protocol') || 'TCP'
    const more = appProtocol === '' ? {} : { appProtocol }
    return [{ name: textAt(one, 'name'), port, protocol, ...more }]
  })
}

export function isHeadlessService({ spec }: Service): boolean {
  return isHeadless({ ...spec })
}

/** The labels of a Service's endpoints. */
export function endpointLabels(
  service: Service,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {}
  return { ...labels, ...(isHeadlessService(service) ? { [headlessLabel]: '' } : {}), ...own }
}

/** The name of a pod's host in a Service's domain, if it has one. */
export function hostnameOf(
  { metadata, spec }: Pod,
  service: Pick<KubeObject, 'metadata'>,
): { hostname?: string } {
  const { hostname, subdomain } = spec
  const isOwn =
    typeof hostname === 'string' &&
    hostname !== '' &&
    subdomain === service.metadata.name &&
    metadata.namespace === service.metadata.namespace
  return isOwn ? { hostname } : {}
}

function changesEndpoints(pod: Pod, before: Pod): boolean {
  const facts = ({ metadata, spec, status }: Pod): string =>
    JSON.stringify([
      metadata.labels,
      metadata.deletionTimestamp === undefined,
      isTerminal(status?.phase),
      status?.podIPs ?? status?.podIP,
      spec.nodeName,
      spec['hostname'],
    ])
  return isReady(pod) !== isReady(before) || facts(pod) !== facts(before)
}

/** Calls back for each Service whose endpoints may have changed. */
export function watchServices(
  { services, pods }: Pick<ControllerContext, 'services' | 'pods'>,
  onService: (service: { readonly metadata: ObjectMeta }, causes: TraceCauses) => void,
): void {
  services.addEventHandler({ onAdd: onService, onUpdate: onService, onDelete: onService })
  const onPod = (pod: Pod, causes: TraceCauses): void => {
    for (const service of services.byIndex('namespace', pod.metadata.namespace ?? '')) {
      if (selects(service, pod)) onService(service, causes)
    }
  }
  pods.addEventHandler({
    onAdd: onPod,
    onUpdate: (pod, causes, before) => {
      if (!changesEndpoints(pod, before)) return
      onPod(pod, causes)
      if (pod.metadata.labels !== before.metadata.labels) onPod(before, causes)
    },
    onDelete: onPod,
  })
}
