import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { podLogOptions, podLogOptionsProblems } from '../../../shared/kubernetes/pod-log-options.ts'
import type { PodLogOptions } from '../../../shared/kubernetes/pod-log-options.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { toApiPod } from '../container/runtime.ts'
import type { RuntimePod } from '../container/runtime.ts'
import type { ContainerLogCursor } from '../host/container-log-reader.ts'
import type { PodManager } from '../pod/pod-manager.ts'
import type { Clock, ContainerHost, RuntimeError, RuntimeService } from '../ports.ts'
import { summaryJson } from '../stats/summary.ts'
import type { SummaryProvider } from '../stats/summary.ts'
import type { StatusManager } from '../status/status-manager.ts'
import { containerOfLog } from './container-log-status.ts'
import type {
  KubeletRequest,
  KubeletResponse,
  KubeletStreamRequest,
  KubeletText,
} from './kubelet-request.ts'
import { readLogs } from './read-logs.ts'

interface KubeletServerDeps {
  readonly clock: Clock
  readonly podManager: Pick<PodManager, 'getPodByName' | 'getPods'>
  readonly statusManager: Pick<StatusManager, 'getPodStatus'>
  /** Absent: logs cannot be read. */
  readonly openLog: ContainerHost['openLog']
  readonly runtimeService: Pick<RuntimeService, 'exec' | 'attach' | 'portForward'>
  readonly runningPods: () => Promise<Result<readonly RuntimePod[], RuntimeError>>
  readonly summary: Pick<SummaryProvider, 'get'>
  /** Why the sync loop does not go round; undefined: it does. */
  readonly syncLoopError: () => string | undefined
}

const plainText = 'text/plain; charset=utf-8'

function text(status: number, body: string, contentType = plainText): KubeletText {
  return { kind: 'text', status, contentType, body }
}

const pageNotFound = text(404, '404: Page Not Found')

/**
 * A kubelet's own server (kubelet pkg/kubelet/server/server.go), without the connections, authentication and authorization
 * that an adapter gives it. Its refusals are plain text in the kubelet's words.
 */
export class KubeletServer {
  readonly #deps: KubeletServerDeps

  constructor(deps: KubeletServerDeps) {
    this.#deps = deps
  }

  async handle(request: KubeletRequest): Promise<KubeletResponse> {
    const [, root = '', ...rest] = request.path.split('/')
    switch (root) {
      case 'containerLogs':
        return request.method === 'GET' && rest.length === 3
          ? this.#containerLogs(rest, request)
          : pageNotFound
      case 'pods':
        return this.#podList(this.#deps.podManager.getPods())
      case 'runningpods':
        return rest[0] === '' ? this.#runningPods() : pageNotFound
      case 'stats':
        return rest.join('/') === 'summary' ? this.#summary() : pageNotFound
      case 'healthz':
        return this.#healthz(rest, request)
      default:
        return pageNotFound
    }
  }

  /** The URL of the streams, which the runtime serves; or what the kubelet answers instead. */
  async stream(request: KubeletStreamRequest): Promise<Result<string, KubeletText>> {
    const { kind, namespace, name, container, stdin, stdout, stderr, tty } = request
    if (kind !== 'portForward' && !stdin && !stdout && !stderr)
      return err(text(400, 'you must specify at least 1 of stdin, stdout, stderr'))
    const pod = this.#deps.podManager.getPodByName(namespace, name)
    if (pod === undefined) return err(text(404, 'pod does not exist'))
    const running = await this.#deps.runningPods()
    if (!running.ok) return err(text(500, running.error.message))
    const found = running.value.find(({ uid }) => uid === pod.metadata.uid)
    const fullName = `${name}_${namespace}`
    // A terminal has one stream for both.
    const streams = { stdin, stdout, stderr: stderr && !tty }
    const { runtimeService } = this.#deps
    if (kind === 'portForward') {
      const podSandboxId = found?.sandboxes.find(({ state }) => state === 'ready')?.id
      if (podSandboxId === undefined)
        return err(text(500, `pod not found (${JSON.stringify(fullName)})`))
      return urlOf(await runtimeService.portForward({ podSandboxId, ports: [] }))
    }
    const containerId = found?.containers.find((one) => one.name === container)?.id
    const spec = allContainers(pod).find((one) => one.name === container)
    if (kind === 'attach')
      return containerId === undefined
        ? err(text(500, `container ${container} not found in pod ${fullName}`))
        : urlOf(
            await runtimeService.attach({ containerId, ...streams, tty: spec?.['tty'] === true }),
          )
    return containerId === undefined
      ? err(text(500, `container not found (${JSON.stringify(container)})`))
      : urlOf(await runtimeService.exec({ containerId, cmd: request.command, ...streams, tty }))
  }

  async #containerLogs(
    [namespace = '', name = '', container = '']: readonly string[],
    { query }: KubeletRequest,
  ): Promise<KubeletResponse> {
    const read = podLogOptions(logQuery(query))
    if (!read.ok) return text(400, '{"message": "Unable to decode query."}')
    if (podLogOptionsProblems(read.value).length > 0)
      return text(422, '{"message": "Invalid request."}')
    const pod = this.#deps.podManager.getPodByName(namespace, name)
    if (pod === undefined) return text(404, `pod ${JSON.stringify(name)} does not exist`)
    if (!allContainers(pod).some((one) => one.name === container))
      return text(
        404,
        `container ${JSON.stringify(container)} not found in pod ${JSON.stringify(name)}`,
      )
    const { stream } = query
    if (stream !== undefined && stream !== 'All')
      return text(
        400,
        `unable to return the given log stream: ${JSON.stringify(stream)}. Please enable PodLogsQuerySplitStreams feature gate in kubelet`,
      )
    return this.#log(pod, container, read.value)
  }

  async #log(pod: Pod, container: string, options: PodLogOptions): Promise<KubeletResponse> {
    const { statusManager, clock } = this.#deps
    // A kubelet that has just started takes the status that the API server has.
    const status = statusManager.getPodStatus(pod.metadata.uid) ?? pod.status ?? {}
    const containerId = containerOfLog(pod.metadata.name, status, container, options)
    if (!containerId.ok) return text(400, containerId.error)
    const cursor = await this.#cursor(containerId.value, options)
    // The kubelet has begun its answer before it asks the runtime.
    if (!cursor.ok) return text(200, cursor.error)
    const chunks = readLogs(cursor.value, options, clock.now())
    const { close } = cursor.value
    return { kind: 'stream', status: 200, contentType: plainText, stream: { chunks, stop: close } }
  }

  async #cursor(
    containerId: string,
    { tailLines = Infinity }: PodLogOptions,
  ): Promise<Result<ContainerLogCursor, string>> {
    const id = containerId.replace(/^.*:\/\//, '')
    const cursor = await this.#deps.openLog?.(id, tailLines)
    return cursor === undefined
      ? err(`unable to retrieve container logs for ${containerId}`)
      : ok(cursor)
  }

  async #runningPods(): Promise<KubeletResponse> {
    const pods = await this.#deps.runningPods()
    return pods.ok ? this.#podList(pods.value.map(toApiPod)) : text(500, pods.error.message)
  }

  /** `only_cpu_and_memory` leaves nothing out here: what it would leave out is not there. */
  async #summary(): Promise<KubeletResponse> {
    const summary = await this.#deps.summary.get()
    return summary.ok
      ? text(200, summaryJson(summary.value), 'application/json')
      : text(500, `Internal Error: failed to list pod stats: ${summary.error}`)
  }

  #podList(pods: readonly Pod[]): KubeletResponse {
    const items = pods.map(({ metadata, spec, status }) => ({ metadata, spec, status }))
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items }
    return text(200, JSON.stringify(list), 'application/json')
  }

  #healthz([check = '']: readonly string[], { query }: KubeletRequest): KubeletResponse {
    const syncLoop = this.#deps.syncLoopError()
    const checks = new Map<string, string | undefined>([
      ['ping', undefined],
      ['log', undefined],
      ['syncloop', syncLoop],
    ])
    if (check !== '') {
      if (!checks.has(check)) return pageNotFound
      const problem = checks.get(check)
      return problem === undefined
        ? text(200, 'ok')
        : text(500, `internal server error: ${problem}\n`)
    }
    const lines = [...checks].map(([name, problem]) =>
      problem === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`,
    )
    if (syncLoop !== undefined) return text(500, `${lines.join('\n')}\nhealthz check failed\n`)
    return 'verbose' in query
      ? text(200, `${lines.join('\n')}\nhealthz check passed\n`)
      : text(200, 'ok')
  }
}

/** Source: k8s.io/kubelet pkg/cri/streaming/errors.go WriteError. */
function urlOf(answer: Result<string, RuntimeError>): Result<string, KubeletText> {
  if (answer.ok) return answer
  const { kind, message } = answer.error
  return err(text(kind === 'not-found' ? 404 : 500, message))
}

/** `tail` is an old name of `tailLines`; `all` is the same as none. */
function logQuery(query: KubeletRequest['query']): KubeletRequest['query'] {
  const { tail, tailLines, ...others } = query
  const lines = tail === undefined || tail === '' ? tailLines : tail === 'all' ? undefined : tail
  return lines === undefined ? others : { ...others, tailLines: lines }
}
