import { assertNever } from '../../../shared/assert-never.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { toApiPod } from '../container/runtime.ts'
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts'
import { resourceMetricsText } from '../metrics/resource-metrics.ts'
import { isStaticPod } from '../pod/identity.ts'
import type { PodManager } from '../pod/pod-manager.ts'
import { summaryJson } from '../stats/summary.ts'
import type { SummaryProvider } from '../stats/summary.ts'
import { ContainerCommands } from './container-commands.ts'
import type { ContainerCommandsDeps } from './container-commands.ts'
import { ContainerLogs } from './container-logs.ts'
import type { ContainerLogsDeps } from './container-logs.ts'
import { healthz } from './healthz.ts'
import { httpError, textAnswer } from './kubelet-request.ts'
import type {
  KubeletRequest,
  KubeletResponse,
  KubeletStreamRequest,
  KubeletText,
} from './kubelet-request.ts'
import { pageNotFound, refusalOf } from './request-authorization.ts'
import type { RequestAuth } from './request-authorization.ts'
import { counted } from './request-count.ts'
import { routeOf } from './routes.ts'
import type { Route } from './routes.ts'

interface KubeletServerDeps extends ContainerLogsDeps, ContainerCommandsDeps {
  readonly nodeName: string
  readonly podManager: Pick<PodManager, 'getPodByName' | 'getPods'>
  readonly summary: Pick<SummaryProvider, 'get'>
  /** Why the sync loop does not go round; undefined: it does. */
  readonly syncLoopError: () => string | undefined
  readonly metrics: KubeletMetrics
  /** What /metrics/cadvisor answers; absent: containers run on no machine. */
  readonly cadvisorText?: (() => Promise<string>) | undefined
  /** The KubeletConfiguration with its defaults, as /configz shows it. */
  readonly configuration: JsonObject
}

type EndpointRoute = Route & { readonly kind: 'endpoint' }

const json = 'application/json'
const metricsText = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'

/**
 * A kubelet's own server (kubelet pkg/kubelet/server/server.go), without connections. Its refusals are plain text in the kubelet's
 * words. api-server#kubelet-endpoints
 */
export class KubeletServer {
  readonly #deps: KubeletServerDeps
  readonly #logs: ContainerLogs
  readonly #commands: ContainerCommands

  constructor(deps: KubeletServerDeps) {
    this.#deps = deps
    this.#logs = new ContainerLogs(deps)
    this.#commands = new ContainerCommands(deps)
  }

  /** Without `auth` the request is the API server's, which has authorized it. */
  handle(request: KubeletRequest, auth?: RequestAuth): Promise<KubeletResponse> {
    return counted(request, this.#deps, async () => {
      const route = routeOf(request)
      return (await this.#refusal(request, route, auth)) ?? this.#answer(route, request)
    })
  }

  /** The URL of the streams, which the runtime serves; or what the kubelet answers instead. */
  stream(request: KubeletStreamRequest): Promise<Result<string, KubeletText>> {
    return this.#commands.stream(request)
  }

  /** The same for a client that asks the kubelet itself to upgrade its connection. */
  upgrade(request: KubeletRequest, auth: RequestAuth): Promise<Result<string, KubeletResponse>> {
    return counted(request, this.#deps, async () => {
      const route = routeOf(request)
      const refusal = await this.#refusal(request, route, auth)
      if (refusal !== undefined) return err(refusal)
      const wanted = route.kind === 'endpoint' ? streamRequestOf(route, request) : undefined
      return wanted === undefined ? err(await this.#answer(route, request)) : this.stream(wanted)
    })
  }

  /** Unknown paths are answered before authentication. */
  async #refusal(
    request: KubeletRequest,
    route: Route,
    auth: RequestAuth | undefined,
  ): Promise<KubeletText | undefined> {
    if (auth === undefined || route.kind === 'unknown' || route.kind === 'redirect')
      return undefined
    return refusalOf(request, this.#deps.nodeName, auth)
  }

  async #answer(route: Route, request: KubeletRequest): Promise<KubeletResponse> {
    switch (route.kind) {
      case 'unknown':
        return pageNotFound
      case 'redirect':
        return redirect(route.path, request)
      case 'none':
        return textAnswer(404, '404: Page Not Found')
      case 'method': {
        const headers = { allow: route.allowed.join(', ') }
        return { ...textAnswer(405, '405: Method Not Allowed'), headers }
      }
      case 'endpoint':
        return this.#endpoint(route, request)
      default:
        return assertNever(route, 'route')
    }
  }

  async #endpoint(route: EndpointRoute, request: KubeletRequest): Promise<KubeletResponse> {
    const { endpoint, parameters } = route
    switch (endpoint) {
      case 'pods':
        return podList(this.#deps.podManager.getPods().map((pod) => this.#withStatus(pod)))
      case 'runningPods':
        return this.#runningPods()
      case 'stats':
        return this.#summary()
      case 'metrics':
        return this.#metricsAnswer(this.#deps.metrics.registry.text())
      case 'resourceMetrics':
        return this.#resourceMetrics()
      case 'probeMetrics':
        return this.#metricsAnswer(this.#deps.metrics.probes.registry.text())
      case 'sliMetrics':
        return this.#metricsAnswer(this.#deps.metrics.slis.text())
      case 'cadvisorMetrics':
        return this.#metricsAnswer((await this.#deps.cadvisorText?.()) ?? '')
      case 'configz':
        return withNoSniff(
          textAnswer(200, JSON.stringify({ kubeletconfig: this.#deps.configuration }), json),
        )
      case 'healthz':
        return healthz(parameters['check'], request, this.#deps.syncLoopError())
      case 'containerLogs':
        return this.#logs.handle(parameters, request)
      case 'run':
        return this.#commands.run(parameters, request.query['cmd'] ?? '')
      case 'exec':
      case 'attach':
      case 'portForward':
        return this.#notUpgraded(route, request)
      case 'checkpoint':
        return this.#checkpoint(parameters)
      case 'logs':
        return httpError(405, 'logs endpoint is disabled.')
      case 'profiling':
        return httpError(405, 'profiling endpoint is disabled.')
      case 'flags':
        return httpError(405, 'flags endpoint is disabled.')
      default:
        return assertNever(endpoint, 'endpoint')
    }
  }

  /** The pod manager has the status of a static pod from its file: none. */
  #withStatus(pod: Pod): Pod {
    const status = isStaticPod(pod)
      ? this.#deps.statusManager.getPodStatus(pod.metadata.uid)
      : undefined
    return status === undefined ? pod : { ...pod, status }
  }

  async #runningPods(): Promise<KubeletResponse> {
    const pods = await this.#deps.runningPods()
    if (!pods.ok) return textAnswer(500, pods.error.message)
    return podList(pods.value.map(toApiPod).map(withResources))
  }

  /** `only_cpu_and_memory` leaves nothing out here: what it would leave out is not there. */
  async #summary(): Promise<KubeletResponse> {
    const summary = await this.#deps.summary.get()
    return summary.ok
      ? textAnswer(200, summaryJson(summary.value), json)
      : textAnswer(500, `Internal Error: failed to list pod stats: ${summary.error}`)
  }

  async #resourceMetrics(): Promise<KubeletResponse> {
    const summary = await this.#deps.summary.get()
    return this.#metricsAnswer(resourceMetricsText(summary.ok ? summary.value : undefined))
  }

  #metricsAnswer(text: string): KubeletText {
    const startedAt = String(Math.trunc(this.#deps.metrics.startedAt))
    return {
      ...textAnswer(200, text, metricsText),
      headers: { 'process-start-time-unix': startedAt },
    }
  }

  async #notUpgraded(route: EndpointRoute, request: KubeletRequest): Promise<KubeletResponse> {
    const wanted = streamRequestOf(route, request)
    const url = wanted === undefined ? undefined : await this.stream(wanted)
    return url?.ok === false ? url.error : httpError(500, 'Upgrade request required')
  }

  #checkpoint({
    namespace = '',
    pod: name = '',
    container = '',
  }: EndpointRoute['parameters']): KubeletText {
    const pod = this.#deps.podManager.getPodByName(namespace, name)
    if (pod === undefined) return textAnswer(404, 'pod does not exist')
    if (!allContainers(pod).some((one) => one.name === container))
      return textAnswer(404, `container ${container} does not exist`)
    const why = 'Nodescope does not checkpoint containers'
    return textAnswer(500, `checkpointing of ${namespace}/${name}/${container} failed (${why})`)
  }
}

function withNoSniff(answer: KubeletText): KubeletText {
  return { ...answer, headers: { 'x-content-type-options': 'nosniff' } }
}

function redirect(path: string, { method, query }: KubeletRequest): KubeletText {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  const location = encodeURI(path) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`)
  const link = location.replaceAll('&', '&amp;').replaceAll('"', '&#34;')
  const body = method === 'GET' ? `<a href="${link}">Temporary Redirect</a>.\n\n` : ''
  const contentType = method === 'GET' || method === 'HEAD' ? 'text/html; charset=utf-8' : ''
  return { ...textAnswer(307, body, contentType), headers: { location } }
}

function podList(pods: readonly Pod[]): KubeletResponse {
  const items = pods.map(({ metadata, spec, status = {} }) => ({ metadata, spec, status }))
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items }
  return textAnswer(200, `${JSON.stringify(list)}\n`, json)
}

/** As a kubelet writes containers that ask for nothing. */
function withResources({ metadata, spec }: Pod): Pod {
  const containers = spec.containers.map((container) => ({ ...container, resources: {} }))
  return { metadata, spec: { ...spec, containers } }
}

/** Undefined for an endpoint without streams. */
function streamRequestOf(
  { endpoint, parameters }: EndpointRoute,
  { query, command = [] }: KubeletRequest,
): KubeletStreamRequest | undefined {
  if (endpoint !== 'exec' && endpoint !== 'attach' && endpoint !== 'portForward') return undefined
  const { namespace = '', pod: name = '', container = '' } = parameters
  const isOn = (field: string): boolean => query[field] === '1'
  return {
    kind: endpoint,
    namespace,
    name,
    container,
    command,
    stdin: isOn('input'),
    stdout: isOn('output'),
    stderr: isOn('error'),
    tty: isOn('tty'),
  }
}
