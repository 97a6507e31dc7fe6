import { equalJson, listAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, Pod, Service } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { isReady } from '../workloads/active-pods.ts'
import { newControllerRef } from '../workloads/controller-ref.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import {
  endpointLabels,
  endpointPorts,
  hasManagedEndpoints,
  hostnameOf,
  podsOf,
  watchServices,
} from './service-pods.ts'

const manager = 'endpointslice-controller.k8s.io'
const serviceNameLabel = 'kubernetes.io/service-name'
const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
const mostEndpoints = 100
const resource = 'discovery.k8s.io/v1/endpointslices'

/** What one slice shall hold. */
interface Wanted {
  readonly existing: KubeObject | undefined
  readonly addressType: string
  readonly ports: readonly JsonObject[]
  readonly endpoints: readonly JsonObject[]
}

interface Group {
  readonly ports: readonly JsonObject[]
  readonly endpoints: JsonObject[]
}

function isOf(slice: KubeObject, { metadata }: Service): boolean {
  return slice.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true
}

function uidOf(endpoint: JsonObject): string {
  const target = endpoint['targetRef']
  return typeof target === 'object' && target !== null ? textAt({ ...target }, 'uid') : ''
}

/**
 * Keeps the EndpointSlices of Services with a selector. Source: k8s.io/endpointslice reconciler.go (v1.34), without topology
 * hints.
 */
export class EndpointSliceController extends WorkloadController {
  constructor(context: ControllerContext) {
    const { services, pods, endpointSlices, nodes } = context
    super(context, {
      component: 'endpoint-slice-controller',
      caches: [services, pods, endpointSlices, nodes],
      maxRetries: 15,
      backOff: { baseMs: 1000, maxMs: 1_000_000 },
    })
    watchServices(context, ({ metadata }, causes) => {
      this.queue.add(objectKey(metadata), causes)
    })
    const onSlice = (slice: KubeObject, causes: TraceCauses): void => {
      const { namespace = '', labels = {} } = slice.metadata
      const service = labels[serviceNameLabel]
      if (labels[managedByLabel] !== manager || service === undefined) return
      this.queue.add(`${namespace}/${service}`, causes)
    }
    endpointSlices.addEventHandler({ onUpdate: onSlice, onDelete: onSlice })
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { services, pods } = this.context
    const service = services.get(namespace, name)
    // The slices of a deleted Service go with their owner.
    if (service === undefined || !hasManagedEndpoints(service)) return undefined
    if (service.metadata.deletionTimestamp !== undefined) return undefined
    const existing = this.context.endpointSlices
      .byIndex('service', `${namespace}/${name}`)
      .filter(({ metadata }) => metadata.labels?.[managedByLabel] === manager)
    const selected = podsOf(service, pods.list())
    const missingNode = selected.find((pod) => !this.#hasNode(pod, service))
    const wanted = listAt({ ...service.spec }, 'ipFamilies').flatMap((family) =>
      this.#wantedOf(service, selected, existing, String(family)),
    )
    const kept = new Set(wanted.map((one) => one.existing))
    for (const one of wanted) {
      const error = await this.#write(service, one, causes)
      if (error !== undefined) return error
    }
    for (const slice of existing) {
      if (kept.has(slice)) continue
      const deleted = await this.context.client.delete(addressOf(resource, slice), {}, causes)
      if (!deleted.ok && deleted.error.kind !== 'not-found') return deleted.error
    }
    if (missingNode === undefined) return undefined
    const { name: pod } = missingNode.metadata
    const node = missingNode.spec.nodeName ?? ''
    const message = `skipping Pod ${pod} for Service ${namespace}/${name}: Node ${node} Not Found`
    return { kind: 'unknown', message }
  }

  #hasNode({ spec }: Pod, service: Service): boolean {
    const isKnown = this.context.nodes.get('', spec.nodeName ?? '') !== undefined
    return isKnown || service.spec?.['publishNotReadyAddresses'] === true
  }

  /** The slices of one address family. */
  #wantedOf(
    service: Service,
    pods: readonly Pod[],
    existing: readonly KubeObject[],
    family: string,
  ): readonly Wanted[] {
    const byPorts = new Map<string, Group>()
    for (const pod of pods) {
      if (!this.#hasNode(pod, service)) continue
      const addresses = addressesOf(pod, family)
      const ports = endpointPorts(service, pod).map((port) => ({ ...port }))
      const key = JSON.stringify(ports)
      const group: Group = byPorts.get(key) ?? { ports, endpoints: [] }
      byPorts.set(key, group)
      if (addresses.length > 0) group.endpoints.push(this.#endpointOf(service, pod, addresses))
    }
    const own = existing.filter((slice) => slice['addressType'] === family && isOf(slice, service))
    const slices = [...byPorts.values()].flatMap(({ ports, endpoints }) =>
      filled(
        own.filter((slice) => equalJson(objectsAt(slice, 'ports'), ports)),
        { addressType: family, ports, endpoints },
      ),
    )
    if (slices.length > 0) return slices
    const [placeholder] = own.filter(
      (slice) => objectsAt(slice, 'endpoints').length + objectsAt(slice, 'ports').length === 0,
    )
    return [{ existing: placeholder, addressType: family, ports: [], endpoints: [] }]
  }

  #endpointOf(service: Service, pod: Pod, addresses: readonly string[]): JsonObject {
    const { namespace, name, uid, deletionTimestamp } = pod.metadata
    const { nodeName = '' } = pod.spec
    const serving = isReady(pod)
    const terminating = deletionTimestamp !== undefined
    const publishes = service.spec?.['publishNotReadyAddresses'] === true
    const zone = this.context.nodes.get('', nodeName)?.metadata.labels?.[
      'topology.kubernetes.io/zone'
    ]
    return {
      addresses,
      conditions: { ready: publishes || (serving && !terminating), serving, terminating },
      targetRef: { kind: 'Pod', namespace, name, uid },
      ...(nodeName === '' ? {} : { nodeName }),
      ...(zone === undefined ? {} : { zone }),
      ...hostnameOf(pod, service),
    }
  }

  async #write(service: Service, wanted: Wanted, causes: TraceCauses): Promise<Outcome> {
    const { client } = this.context
    const { name, namespace = '' } = service.metadata
    const { existing, addressType, ports, endpoints } = wanted
    const labels = endpointLabels(service, { [serviceNameLabel]: name, [managedByLabel]: manager })
    if (existing === undefined) {
      const metadata = {
        generateName: name.length < 253 ? `${name}-` : name,
        namespace,
        labels,
        ownerReferences: [newControllerRef('services', service)],
      }
      const slice = { metadata, addressType, ports, endpoints }
      const created = await client.create({ resource, namespace }, slice, causes)
      if (created.ok || created.error.kind === 'forbidden') return undefined
      return this.#failed(service, 'FailedToCreateEndpointSlices', created.error, causes)
    }
    const isSame =
      equalJson(objectsAt(existing, 'endpoints'), endpoints) &&
      equalJson(existing.metadata.labels ?? {}, labels)
    if (isSame) return undefined
    const slice = { ...existing, metadata: { ...existing.metadata, labels }, ports, endpoints }
    const updated = await client.update(addressOf(resource, existing), slice, causes)
    if (updated.ok) return undefined
    return this.#failed(service, 'FailedToUpdateEndpointSlices', updated.error, causes)
  }

  #failed(service: Service, reason: string, error: Outcome & object, causes: TraceCauses): Outcome {
    const { name, namespace = '' } = service.metadata
    const message = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${error.message}`
    void this.events.write('services', service, { type: 'Warning', reason, message }, causes)
    return error
  }
}

function addressesOf({ status }: Pod, family: string): readonly string[] {
  const ips = status?.podIPs?.map(({ ip }) => ip) ?? [status?.podIP ?? '']
  return ips.filter((ip) => ip.includes(':') === (family === 'IPv6') && ip !== '')
}

/** Endpoints stay in their slice; new ones fill slices with room, then new slices. */
function filled(
  slices: readonly KubeObject[],
  { addressType, ports, endpoints }: Omit<Wanted, 'existing'>,
): readonly Wanted[] {
  const left = new Map(endpoints.map((endpoint) => [uidOf(endpoint), endpoint]))
  const kept = slices.map((existing) => {
    const own = objectsAt(existing, 'endpoints').flatMap((endpoint) => {
      const uid = uidOf(endpoint)
      const now = left.get(uid)
      left.delete(uid)
      return now === undefined ? [] : [now]
    })
    return { existing, endpoints: own }
  })
  const rest = [...left.values()]
  for (const slice of kept) {
    slice.endpoints.push(...rest.splice(0, Math.max(0, mostEndpoints - slice.endpoints.length)))
  }
  const made: Wanted[] = kept
    .filter((slice) => slice.endpoints.length > 0)
    .map((slice) => ({ ...slice, addressType, ports }))
  while (rest.length > 0) {
    const some = rest.splice(0, mostEndpoints)
    made.push({ existing: undefined, addressType, ports, endpoints: some })
  }
  return made
}
