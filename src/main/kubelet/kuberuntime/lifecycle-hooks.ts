import { assertNever } from '../../../shared/assert-never.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'
import { sleep } from '../container/deferred.ts'
import { podDescription, tracePod } from '../pod/identity.ts'
import type { CorePorts, EventRecorder, RuntimeService } from '../ports.ts'
import { runInContainer } from '../probe/exec-command.ts'
import { handlerSpecOf } from '../probe/handler-spec.ts'
import type { HandlerSpec, HttpGetAction, PortReference } from '../probe/handler-spec.ts'
import { joinHostPort } from '../probe/host-port.ts'
import { httpGet } from '../probe/http-client.ts'
import { httpRequestOf } from '../probe/http-request.ts'
import type { PodNetwork } from '../probe/pod-network.ts'

export type LifecycleHookName = 'postStart' | 'preStop'

/** The hook of that name; undefined when the container has none. */
export function lifecycleHookOf(
  container: Container,
  name: LifecycleHookName,
): HandlerSpec | undefined {
  const { lifecycle } = container
  if (!isJsonObject(lifecycle) || !isJsonObject(lifecycle[name])) return undefined
  return handlerSpecOf(objectAt(lifecycle, name))
}

/** One hook to run, and in which container. */
interface HookRequest {
  readonly pod: Pod
  readonly container: Container
  readonly containerId: string
  readonly name: LifecycleHookName
  /** Sleeping ends after so many ms at the latest. */
  readonly maxMs: number
  readonly causes: TraceCauses
}

interface HandlerRunnerDeps extends CorePorts {
  readonly runtimeService: Pick<RuntimeService, 'execSync'>
  readonly recorder: EventRecorder
  readonly network: PodNetwork
  /** As the runtime has them now; the error says why it does not answer. */
  readonly podIPs: (pod: Pod) => Promise<Result<readonly string[], string>>
}

/** Runs the hooks of containers (pkg/kubelet/lifecycle/handlers.go handlerRunner; seed: HandlerRunner). */
export class HandlerRunner {
  readonly #deps: HandlerRunnerDeps

  constructor(deps: HandlerRunnerDeps) {
    this.#deps = deps
  }

  /** Undefined when it ended well, or the container has none; else why it failed. */
  async run(request: HookRequest): Promise<string | undefined> {
    const { pod, container, name, causes } = request
    const hook = lifecycleHookOf(container, name)
    if (hook === undefined) return undefined
    const { clock, trace, log } = this.#deps
    const about = { container: container.name, hook: name }
    const started: TraceSeq = tracePod(trace, pod, 'hook.started', causes, {
      ...about,
      handler: hook.kind,
    })
    const startedAt = clock.now()
    const message = await this.#run({ ...request, causes: [started] }, hook)
    const durationMs = clock.now() - startedAt
    // Without the message, which may hold secrets.
    const data = { ...about, failed: message !== undefined, durationMs }
    tracePod(trace, pod, 'hook.ended', [started], data)
    if (message !== undefined)
      log.warn(`${name} hook failed`, { podUid: pod.metadata.uid, container: container.name })
    return message
  }

  async #run(request: HookRequest, hook: HandlerSpec): Promise<string | undefined> {
    switch (hook.kind) {
      case 'exec':
        return this.#exec(request, hook.command)
      case 'httpGet': {
        const error = await this.#httpGet(request, hook.action)
        return error === undefined
          ? undefined
          : `HTTP lifecycle hook (${hook.action.path}) for ${failedIn(request)} - error: ${error}`
      }
      case 'sleep':
        await sleep(this.#deps.clock, Math.min(hook.seconds * 1000, request.maxMs))
        return undefined
      case 'tcpSocket':
      case 'grpc':
      case 'none':
        return `Cannot run handler: invalid handler: ${invalidHandler(hook)}`
      default:
        return assertNever(hook, 'handler of a hook')
    }
  }

  async #exec(request: HookRequest, command: readonly string[]): Promise<string | undefined> {
    const { containerId, causes } = request
    const { runtimeService } = this.#deps
    const { output, failure } = await runInContainer(
      runtimeService,
      containerId,
      command,
      0,
      causes,
    )
    if (failure === undefined) return undefined
    return `Exec lifecycle hook ([${command.join(' ')}]) for ${failedIn(request)} - error: ${failure.message}, message: ${goQuote(output)}`
  }

  /** Any answer is a success. Why there is none; undefined when there is one. */
  async #httpGet(
    { pod, container, causes }: HookRequest,
    action: HttpGetAction,
  ): Promise<string | undefined> {
    let podIP = action.host
    if (podIP === '') {
      const ips = await this.#deps.podIPs(pod)
      if (!ips.ok) return ips.error
      const [first] = ips.value
      if (first === undefined) return 'failed to find networking container'
      podIP = first
    }
    const request = httpRequestOf(action, container, podIP, 'lifecycle')
    if (!request.ok) return request.error
    const noTimeout = Number.POSITIVE_INFINITY
    const answer = await httpGet(this.#deps, request.value, noTimeout, causes)
    if (answer.ok) return undefined
    if (!answer.error.reason.includes('server gave HTTP response to HTTPS client'))
      return answer.error.message
    const { url, headers } = request.value
    const text = url.text.replace(/^https:/, 'http:')
    const plain = {
      url: { ...url, scheme: 'http', text },
      headers: headers.filter(([name]) => name !== 'Authorization'),
    }
    const retried = await httpGet(this.#deps, plain, noTimeout, causes)
    if (!retried.ok) return answer.error.message
    const message = `request to HTTPS lifecycle hook ${joinHostPort(url.host, url.port)} got HTTP response, retry with HTTP succeeded`
    const subject = { kind: 'pod', pod } as const
    this.#deps.recorder.event(subject, 'Warning', 'LifecycleHTTPFallback', message, causes)
    return undefined
  }
}

function failedIn({ pod, container }: HookRequest): string {
  return `Container ${goQuote(container.name)} in Pod ${goQuote(podDescription(pod))} failed`
}

/** As Go prints a LifecycleHandler that has nothing that the kubelet runs. */
function invalidHandler(
  hook: Extract<HandlerSpec, { kind: 'tcpSocket' | 'grpc' | 'none' }>,
): string {
  const tcp =
    hook.kind === 'tcpSocket'
      ? `&TCPSocketAction{Port:${goPort(hook.port)},Host:${hook.host},}`
      : 'nil'
  return `&LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:${tcp},Sleep:nil,}`
}

/** An intstr.IntOrString as a struct. */
function goPort(port: PortReference): string {
  return typeof port === 'string' ? `{1 0 ${port}}` : `{0 ${port} }`
}
