import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { podLogOptions, podLogOptionsProblems } from '../../../shared/kubernetes/pod-log-options.ts'
import type { PodLogOptions } from '../../../shared/kubernetes/pod-log-options.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ContainerLogCursor } from '../host/container-log-reader.ts'
import type { PodManager } from '../pod/pod-manager.ts'
import type { Clock, ContainerHost } from '../ports.ts'
import type { StatusManager } from '../status/status-manager.ts'
import { containerOfLog } from './container-log-status.ts'
import { textAnswer } from './kubelet-request.ts'
import type { KubeletRequest, KubeletResponse } from './kubelet-request.ts'
import { readLogs } from './read-logs.ts'

export interface ContainerLogsDeps {
  readonly clock: Clock
  readonly podManager: Pick<PodManager, 'getPodByName'>
  readonly statusManager: Pick<StatusManager, 'getPodStatus'>
  /** Absent: logs cannot be read. */
  readonly openLog: ContainerHost['openLog']
}

/** Answers /containerLogs (kubelet getContainerLogs). */
export class ContainerLogs {
  readonly #deps: ContainerLogsDeps

  constructor(deps: ContainerLogsDeps) {
    this.#deps = deps
  }

  async handle(
    { namespace = '', pod: name = '', container = '' }: Readonly<Record<string, string>>,
    { query }: KubeletRequest,
  ): Promise<KubeletResponse> {
    const read = podLogOptions(logQuery(query))
    if (!read.ok) return textAnswer(400, '{"message": "Unable to decode query."}')
    if (podLogOptionsProblems(read.value).length > 0)
      return textAnswer(422, '{"message": "Invalid request."}')
    const pod = this.#deps.podManager.getPodByName(namespace, name)
    if (pod === undefined) return textAnswer(404, `pod ${JSON.stringify(name)} does not exist`)
    if (!allContainers(pod).some((one) => one.name === container))
      return textAnswer(
        404,
        `container ${JSON.stringify(container)} not found in pod ${JSON.stringify(name)}`,
      )
    const { stream } = query
    if (stream !== undefined && stream !== 'All')
      return textAnswer(
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
    if (!containerId.ok) return textAnswer(400, containerId.error)
    const cursor = await this.#cursor(containerId.value, options)
    // The kubelet has begun its answer before it asks the runtime.
    if (!cursor.ok) return textAnswer(200, cursor.error)
    const chunks = readLogs(cursor.value, options, clock.now())
    const { close } = cursor.value
    const contentType = 'text/plain; charset=utf-8'
    return { kind: 'stream', status: 200, contentType, stream: { chunks, stop: close } }
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
}

/** `tail` is an old name of `tailLines`; `all` is the same as none. */
function logQuery(query: KubeletRequest['query']): KubeletRequest['query'] {
  const { tail, tailLines, ...others } = query
  const lines = tail === undefined || tail === '' ? tailLines : tail === 'all' ? undefined : tail
  return lines === undefined ? others : { ...others, tailLines: lines }
}
