import { numberAt, objectAt, objectsAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { KubeObject, Pod } from '../../shared/kubernetes/objects.ts'
import { hasLabels } from '../kubelet/container/listing-filter.ts'
import type { Endpoint, ServiceDirectory } from '../runtimes/simulated/network/simulated-network.ts'
import type { SandboxApiServer } from '../sandbox/api-server.ts'
import { clusterIpsOf, isHeadless } from '../sandbox/registry/service/service-spec.ts'

/**
 * The services of the sandbox as a cluster's DNS and kube-proxy have them: a connection goes to the next ready pod.
 */
export class SandboxServices implements ServiceDirectory {
  readonly #server: Pick<SandboxApiServer, 'pods' | 'services'>
  #connections = 0

  constructor(server: Pick<SandboxApiServer, 'pods' | 'services'>) {
    this.#server = server
  }

  lookUp(name: string, namespace: string): readonly string[] {
    const [serviceName = '', inNamespace = namespace, ...rest] = name
      .replace(/\.$/, '')
      .replace(/\.cluster\.local$/, '')
      .replace(/(?<=\..*)\.svc$/, '')
      .split('.')
    const service = this.#server.services
      .list()
      .find(({ metadata }) => metadata.name === serviceName && metadata.namespace === inNamespace)
    if (service === undefined || rest.length > 0) return []
    const spec = objectAt(service, 'spec')
    if (!isHeadless(spec)) return clusterIpsOf(spec)
    return this.#readyPods(service).flatMap(({ status }) => status?.podIP ?? [])
  }

  endpointsOf(address: string, port: number): readonly Endpoint[] | undefined {
    const service = this.#server.services
      .list()
      .find((one) => clusterIpsOf(objectAt(one, 'spec')).includes(address))
    if (service === undefined) return undefined
    const entry = objectsAt(objectAt(service, 'spec'), 'ports').find(
      (one) => numberAt(one, 'port') === port,
    )
    if (entry === undefined) return undefined
    const endpoints = this.#readyPods(service).flatMap((pod) => {
      const target = targetOf(entry, pod)
      const ip = pod.status?.podIP
      return target === undefined || ip === undefined ? [] : [{ address: ip, port: target }]
    })
    const first = endpoints.length === 0 ? 0 : this.#connections++ % endpoints.length
    return [...endpoints.slice(first), ...endpoints.slice(0, first)]
  }

  #readyPods(service: KubeObject): readonly Pod[] {
    const selector = objectAt(objectAt(service, 'spec'), 'selector')
    const labels = Object.entries(selector).map(([key, value]) => [key, String(value)] as const)
    if (labels.length === 0) return []
    return [...this.#server.pods.list()].filter(
      ({ metadata, status }) =>
        metadata.namespace === service.metadata.namespace &&
        metadata.deletionTimestamp === undefined &&
        hasLabels(Object.fromEntries(labels), metadata.labels ?? {}) &&
        status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true,
    )
  }
}

/** `targetPort`: a number, the name of a container's port, or by default the service's own port. */
function targetOf(entry: JsonObject, pod: Pod): number | undefined {
  const name = textAt(entry, 'targetPort')
  if (name === '') return numberAt(entry, 'targetPort') ?? numberAt(entry, 'port')
  const ports = pod.spec.containers.flatMap((container) => container.ports ?? [])
  return ports.find((port) => port.name === name)?.containerPort
}
