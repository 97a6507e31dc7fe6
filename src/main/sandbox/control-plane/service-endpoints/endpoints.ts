import { equalJson, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, Pod, Service } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { isReady } from '../workloads/active-pods.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import {
  endpointLabels,
  endpointPorts,
  hasManagedEndpoints,
  hostnameOf,
  isHeadlessService,
  podsOf,
  watchServices,
} from './service-pods.ts'

const managedByLabel = 'endpoints.kubernetes.io/managed-by'
const manager = 'endpoint-controller'

interface Address {
  readonly address: JsonObject
  readonly isReady: boolean
}

function addressOfPod(pod: Pod, service: Service): Address {
  const { namespace, name, uid } = pod.metadata
  const { nodeName } = pod.spec
  return {
    address: {
      ip: pod.status?.podIP,
      ...(nodeName === undefined ? {} : { nodeName }),
      targetRef: { kind: 'Pod', namespace, name, uid },
      ...hostnameOf(pod, service),
    },
    isReady: service.spec?.['publishNotReadyAddresses'] === true || isReady(pod),
  }
}

/** Ports with the same pods behind them share a subset. Source: pkg/api/v1/endpoints RepackSubsets (v1.34). */
function subsetsOf(service: Service, pods: readonly Pod[]): readonly JsonObject[] {
  const byPort = new Map<string, { port: JsonObject | undefined; addresses: Address[] }>()
  for (const pod of pods) {
    const address = addressOfPod(pod, service)
    const ports: readonly (JsonObject | undefined)[] = endpointPorts(service, pod).map(
      ({ name, ...port }) => ({ ...(name === '' ? {} : { name }), ...port }),
    )
    const isPortless =
      isHeadlessService(service) && objectsAt({ ...service.spec }, 'ports').length === 0
    for (const port of isPortless ? [undefined] : ports) {
      const key = JSON.stringify(port)
      const entry = byPort.get(key) ?? { port, addresses: [] }
      entry.addresses.push(address)
      byPort.set(key, entry)
    }
  }
  const byAddresses = new Map<string, { addresses: readonly Address[]; ports: JsonObject[] }>()
  for (const { port, addresses } of byPort.values()) {
    const key = JSON.stringify(addresses)
    const entry = byAddresses.get(key) ?? { addresses, ports: [] }
    if (port !== undefined) entry.ports.push(port)
    byAddresses.set(key, entry)
  }
  return [...byAddresses.values()].map(({ addresses, ports }) => {
    const ready = addresses.filter((one) => one.isReady).map(({ address }) => address)
    const notReady = addresses.filter((one) => !one.isReady).map(({ address }) => address)
    return {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...(ports.length === 0 ? {} : { ports }),
    }
  })
}

/** Keeps the Endpoints of Services with a selector. Source: pkg/controller/endpoint/endpoints_controller.go (v1.34). */
export class EndpointsController extends WorkloadController {
  constructor(context: ControllerContext) {
    const { services, pods, endpoints } = context
    super(context, {
      component: 'endpoint-controller',
      caches: [services, pods, endpoints],
      maxRetries: 15,
    })
    watchServices(context, ({ metadata }, causes) => {
      this.queue.add(objectKey(metadata), causes)
    })
    endpoints.addEventHandler({
      onDelete: ({ metadata }, causes) => {
        this.queue.add(objectKey(metadata), causes)
      },
    })
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { services, pods, endpoints, client } = this.context
    const service = services.get(namespace, name)
    const current = endpoints.get(namespace, name)
    if (service === undefined) {
      if (current === undefined) return undefined
      const deleted = await client.delete(addressOf('v1/endpoints', current), {}, causes)
      return deleted.ok || deleted.error.kind === 'not-found' ? undefined : deleted.error
    }
    if (!hasManagedEndpoints(service)) return undefined
    const publishes = service.spec?.['publishNotReadyAddresses'] === true
    const selected = podsOf(service, pods.list())
      .filter(({ metadata }) => publishes || metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => ((a.status?.podIP ?? '') < (b.status?.podIP ?? '') ? -1 : 1))
    return await this.#write(service, current, subsetsOf(service, selected), causes)
  }

  async #write(
    service: Service,
    current: KubeObject | undefined,
    subsets: readonly JsonObject[],
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { client } = this.context
    const { name, namespace = '' } = service.metadata
    const labels = endpointLabels(service, { [managedByLabel]: manager })
    const body = subsets.length === 0 ? {} : { subsets }
    if (current === undefined) {
      const made = { metadata: { name, namespace, labels }, ...body }
      const created = await client.create({ resource: 'v1/endpoints', namespace }, made, causes)
      return created.ok || created.error.kind === 'forbidden' ? undefined : created.error
    }
    const isSame =
      equalJson(objectsAt(current, 'subsets'), subsets) &&
      equalJson(current.metadata.labels ?? {}, labels)
    if (isSame) return undefined
    const { subsets: _, ...rest } = current
    const next = { ...rest, metadata: { ...current.metadata, labels }, ...body }
    const updated = await client.update(addressOf('v1/endpoints', current), next, causes)
    return updated.ok ? undefined : updated.error
  }
}
