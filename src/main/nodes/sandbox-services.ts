import { numberAt, objectAt, objectsAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { KubeObject, Pod } from '../../shared/kubernetes/objects.ts'
import { hasLabels } from '../kubelet/container/listing-filter.ts'
import type { Endpoint, ServiceDirectory } from '../runtimes/simulated/network/simulated-network.ts'
import type { SandboxApiServer } from '../sandbox/api-server.ts'
import { hostnameOf } from '../sandbox/control-plane/service-endpoints/service-pods.ts'
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

  /** As CoreDNS's kubernetes plugin with the search domains of a pod: services, their pods by host name, and `1-2-3-4.NAMESPACE.pod`. */
  lookUp(name: string, namespace: string): readonly string[] {
    const labels = name
      .replace(/\.$/, '')
      .replace(/\.cluster\.local$/, '')
      .split('.')
    const last = labels.at(-1)
    if (labels.length === 3 && last === 'pod') return addressIn(labels[0])
    const isWhole = labels.length > 2 && last === 'svc'
    const [first = '', second, third, ...rest] = isWhole ? labels.slice(0, -1) : labels
    if (rest.length > 0) return []
    if (second === undefined) return this.#addressesOf(first, namespace)
    if (third !== undefined) return this.#addressesOf(second, third, first)
    // The search domain of the own namespace comes first.
    const ofPod = isWhole ? [] : this.#addressesOf(second, namespace, first)
    return ofPod.length > 0 ? ofPod : this.#addressesOf(first, second)
  }

  /** `hostname`: of those of its pods whose subdomain is the service. */
  #addressesOf(name: string, namespace: string, hostname?: string): readonly string[] {
    const service = this.#server.services
      .list()
      .find(({ metadata }) => metadata.name === name && metadata.namespace === namespace)
    if (service === undefined) return []
    const spec = objectAt(service, 'spec')
    if (hostname === undefined && !isHeadless(spec)) return clusterIpsOf(spec)
    return this.#readyPods(service)
      .filter((pod) => hostname === undefined || hostnameOfEndpoint(pod, service) === hostname)
      .flatMap(({ status }) => status?.podIP ?? [])
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
    const spec = objectAt(service, 'spec')
    const selector = objectAt(spec, 'selector')
    const isReady = ({ status }: Pod): boolean =>
      spec['publishNotReadyAddresses'] === true ||
      status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true
    const labels = Object.entries(selector).map(([key, value]) => [key, String(value)] as const)
    if (labels.length === 0) return []
    return [...this.#server.pods.list()].filter(
      (pod) =>
        pod.metadata.namespace === service.metadata.namespace &&
        pod.metadata.deletionTimestamp === undefined &&
        hasLabels(Object.fromEntries(labels), pod.metadata.labels ?? {}) &&
        isReady(pod),
    )
  }
}

/** `10-244-0-5` is an address whether a pod has it or not (CoreDNS, `pods insecure`). */
function addressIn(label = ''): readonly string[] {
  return /^\d+(-\d+){3}$/.test(label) ? [label.replaceAll('-', '.')] : []
}

/** The name of a pod below that of a service: its host name if it has one there, else its address with dashes. */
function hostnameOfEndpoint(pod: Pod, service: KubeObject): string | undefined {
  return hostnameOf(pod, service).hostname ?? pod.status?.podIP?.replaceAll('.', '-')
}

/** `targetPort`: a number, the name of a container's port, or by default the service's own port. */
function targetOf(entry: JsonObject, pod: Pod): number | undefined {
  const name = textAt(entry, 'targetPort')
  if (name === '') return numberAt(entry, 'targetPort') ?? numberAt(entry, 'port')
  const ports = pod.spec.containers.flatMap((container) => container.ports ?? [])
  return ports.find((port) => port.name === name)?.containerPort
}
