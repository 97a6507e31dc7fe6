import { isJsonObject, numberAt, objectAt } from '../../../shared/json.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { isOn } from '../../../shared/go/query.ts'
import type { KubeStatus, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { podLogOptions, podLogOptionsProblems } from '../../../shared/kubernetes/pod-log-options.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type {
  KubeletResponse,
  KubeletStreamRequest,
  KubeletText,
} from '../../kubelet/server/kubelet-request.ts'
import type { KubeletServer } from '../../kubelet/server/kubelet-server.ts'
import {
  badRequest,
  invalid,
  logNotFound,
  notFound,
  serverError,
  serviceUnavailable,
  statusResponse,
} from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import type { ObjectStore } from '../object-store.ts'
import { typeOfKind } from '../registry/resource-types.ts'

/** The answer to a request that the kubelet of a node answers. */
export type ConnectResponse = KubeResponse | KubeletResponse

/** What a request that is passed on to a node asks for. */
export type ConnectTarget =
  | { readonly kind: 'log'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'proxy'; readonly node: string; readonly path: string }

/** Reaches the kubelet of a node. The error is why there is no connection: `connect: connection refused`. */
export type ReachKubelet = (
  nodeName: string,
) => Result<Pick<KubeletServer, 'handle' | 'stream'>, string>

/** Streams that a client asks for: exec, attach or port-forward. */
export interface StreamTarget {
  readonly kind: KubeletStreamRequest['kind']
  readonly namespace: string
  readonly name: string
}

const noContent: KubeResponse = { kind: 'text', status: 204, body: '', contentType: 'text/plain' }
const podPath = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log\/?$/
const proxyPath = /^\/api\/v1\/nodes\/(?:https:)?([^/:]+)(?::\d*)?\/proxy(\/.*)?$/

/** Undefined for a request that the API server answers itself. */
export function connectTarget({
  method,
  path,
}: Pick<KubeRequest, 'method' | 'path'>): ConnectTarget | undefined {
  const [, namespace = '', name = ''] = podPath.exec(path) ?? []
  if (name !== '' && method === 'GET') return { kind: 'log', namespace, name }
  const [, node = '', rest = '/'] = proxyPath.exec(path) ?? []
  return node === '' ? undefined : { kind: 'proxy', node, path: rest }
}

const streamPath = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/(exec|attach|portforward)\/?$/

/** Undefined for a request that is not for streams. */
export function streamTarget(path: string): StreamTarget | undefined {
  const [, namespace = '', name = '', part] = streamPath.exec(path) ?? []
  const kind = part === 'portforward' ? 'portForward' : part
  return kind === 'exec' || kind === 'attach' || kind === 'portForward'
    ? { kind, namespace, name }
    : undefined
}

/** A Status as a whole answer. */
export function statusText(status: KubeStatus): KubeletText {
  const body = `${JSON.stringify(status)}\n`
  return { kind: 'text', status: status.code, contentType: 'application/json', body }
}

/** Requests that a real API server passes on to a kubelet: the logs of pods, and the node proxy. */
export class ConnectRequests {
  readonly #store: ObjectStore
  readonly #reach: ReachKubelet

  constructor(deps: { readonly store: ObjectStore; readonly reachKubelet: ReachKubelet }) {
    this.#store = deps.store
    this.#reach = deps.reachKubelet
  }

  async handle(target: ConnectTarget, request: KubeRequest): Promise<ConnectResponse> {
    const answer =
      target.kind === 'log' ? await this.#log(target, request) : await this.#proxy(target, request)
    return answer.ok ? answer.value : statusResponse(answer.error)
  }

  /** Source: pkg/registry/core/pod/rest/log.go Get, strategy.go LogLocation. */
  async #log(
    { namespace, name }: ConnectTarget & { readonly kind: 'log' },
    { query = {} }: KubeRequest,
  ): Promise<ApiResult<ConnectResponse>> {
    const options = podLogOptions(query)
    if (!options.ok) return err(badRequest(options.error))
    const problems = podLogOptionsProblems(options.value, query['stream'])
    const kind = { group: '', plural: '', kind: 'PodLogOptions' }
    if (problems.length > 0) return err(invalid(kind, name, problems))
    const pod = this.#pod(namespace, name)
    if (!pod.ok) return pod
    const container = containerOf(pod.value, query['container'] ?? '')
    if (!container.ok) return err(badRequest(container.error))
    const { nodeName = '' } = pod.value.spec
    if (nodeName === '') return ok(noContent)
    const node = this.#node(nodeName)
    if (!node.ok) return node
    const { url, address } = node.value
    const { container: _, insecureSkipTLSVerifyBackend: __, ...asked } = query
    const path = `/containerLogs/${namespace}/${name}/${container.value}`
    const kubelet = this.#reach(nodeName)
    if (!kubelet.ok)
      return err(
        serverError(`Get "${url}${path}${searchOf(asked)}": dial tcp ${address}: ${kubelet.error}`),
      )
    return logAnswer(name, await kubelet.value.handle({ method: 'GET', path, query: asked }))
  }

  /**
   * The URL of the streams, or what is answered instead. Source: pkg/registry/core/pod/strategy.go streamLocation,
   * PortForwardLocation.
   */
  async stream(
    { kind, namespace, name }: StreamTarget,
    parameters: URLSearchParams,
  ): Promise<Result<string, KubeletText>> {
    const pod = this.#pod(namespace, name)
    if (!pod.ok) return err(statusText(pod.error))
    const container =
      kind === 'portForward' ? ok('') : containerOf(pod.value, parameters.get('container') ?? '')
    if (!container.ok) return err(statusText(badRequest(container.error)))
    const { nodeName = '' } = pod.value.spec
    if (nodeName === '')
      return err(statusText(badRequest(`pod ${name} does not have a host assigned`)))
    const node = this.#node(nodeName)
    if (!node.ok) return err(statusText(node.error))
    const kubelet = this.#reach(nodeName)
    if (!kubelet.ok) {
      const dial = `dial tcp ${node.value.address}: ${kubelet.error}`
      return err(statusText(serverError(`error dialing backend: ${dial}`)))
    }
    const on = (parameter: string): boolean => isOn(parameters.get(parameter) ?? undefined)
    return kubelet.value.stream({
      kind,
      namespace,
      name,
      container: container.value,
      command: parameters.getAll('command'),
      stdin: on('stdin'),
      stdout: on('stdout'),
      stderr: on('stderr'),
      tty: on('tty'),
    })
  }

  #pod(namespace: string, name: string): ApiResult<Pod> {
    const pods = typeOfKind('Pod')
    const pod = this.#store.of(pods).get({ namespace, name }) as Pod | undefined
    return pod === undefined ? err(notFound(pods, name)) : ok(pod)
  }

  async #proxy(
    { node, path }: ConnectTarget & { readonly kind: 'proxy' },
    { method, query = {} }: KubeRequest,
  ): Promise<ApiResult<ConnectResponse>> {
    const found = this.#node(node)
    if (!found.ok) return found
    const kubelet = this.#reach(node)
    if (kubelet.ok) return ok(await kubelet.value.handle({ method, path, query }))
    const dial = `dial tcp ${found.value.address}: ${kubelet.error}`
    return err(serviceUnavailable(`error trying to reach service: ${dial}`))
  }

  /** The node's kubelet: its URL has the node's name, to which the node's address belongs. */
  #node(name: string): ApiResult<{ readonly url: string; readonly address: string }> {
    const nodes = typeOfKind('Node')
    const node = this.#store.of(nodes).get({ namespace: '', name }) as Node | undefined
    if (node === undefined) return err(notFound(nodes, name))
    const { addresses = [], daemonEndpoints } = node.status ?? {}
    const address = addresses.find(({ type }) => type === 'InternalIP')?.address ?? name
    const endpoints = isJsonObject(daemonEndpoints) ? daemonEndpoints : {}
    const port = numberAt(objectAt(endpoints, 'kubeletEndpoint'), 'Port') || kubeletPort
    return ok({ url: `https://${name}:${port}`, address: `${address}:${port}` })
  }
}

/** Where a kubelet listens if nothing else is configured. */
const kubeletPort = 10_250

function searchOf(query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return search.size === 0 ? '' : `?${search.toString()}`
}

/** The container that is meant (strategy.go validateContainer). */
function containerOf(pod: Pod, asked: string): Result<string, string> {
  const { name } = pod.metadata
  const names = allContainers(pod).map((one) => one.name)
  if (asked !== '')
    return names.includes(asked)
      ? ok(asked)
      : err(`container ${asked} is not valid for pod ${name}`)
  const [only, ...others] = pod.spec.containers
  if (only !== undefined && others.length === 0) return ok(only.name)
  return err(
    `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`,
  )
}

/** Source: apiserver pkg/registry/generic/rest/response_checker.go Check. */
function logAnswer(name: string, answer: KubeletResponse): ApiResult<ConnectResponse> {
  if (answer.kind === 'stream' || answer.status === 200)
    return ok({ ...answer, contentType: 'text/plain' })
  return err(answer.status === 404 ? logNotFound(name) : badRequest(answer.body))
}
