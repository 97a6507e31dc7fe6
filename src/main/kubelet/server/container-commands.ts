import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { RuntimePod } from '../container/runtime.ts'
import type { PodManager } from '../pod/pod-manager.ts'
import type { RuntimeError, RuntimeService } from '../ports.ts'
import { runInContainer } from '../probe/exec-command.ts'
import { textAnswer } from './kubelet-request.ts'
import type { KubeletStreamRequest, KubeletText } from './kubelet-request.ts'

export interface ContainerCommandsDeps {
  readonly podManager: Pick<PodManager, 'getPodByName'>
  readonly runtimeService: Pick<RuntimeService, 'exec' | 'attach' | 'portForward' | 'execSync'>
  readonly runningPods: () => Promise<Result<readonly RuntimePod[], RuntimeError>>
}

/** Commands in containers, their streams, and ports of pods. */
export class ContainerCommands {
  readonly #deps: ContainerCommandsDeps

  constructor(deps: ContainerCommandsDeps) {
    this.#deps = deps
  }

  /** The URL of the streams, which the runtime serves; or what the kubelet answers instead. */
  async stream(request: KubeletStreamRequest): Promise<Result<string, KubeletText>> {
    const { kind, namespace, name, container, stdin, stdout, stderr, tty } = request
    if (kind !== 'portForward' && !stdin && !stdout && !stderr)
      return err(textAnswer(400, 'you must specify at least 1 of stdin, stdout, stderr'))
    const pod = this.#deps.podManager.getPodByName(namespace, name)
    if (pod === undefined) return err(textAnswer(404, 'pod does not exist'))
    const found = await this.#runningPod(namespace, name)
    if (!found.ok) return err(textAnswer(500, found.error.message))
    const fullName = `${name}_${namespace}`
    // A terminal has one stream for both.
    const streams = { stdin, stdout, stderr: stderr && !tty }
    const { runtimeService } = this.#deps
    if (kind === 'portForward') {
      const podSandboxId = found.value?.sandboxes.find(({ state }) => state === 'ready')?.id
      if (podSandboxId === undefined)
        return err(textAnswer(500, `pod not found (${JSON.stringify(fullName)})`))
      return urlOf(await runtimeService.portForward({ podSandboxId, ports: [] }))
    }
    const containerId = idOf(found.value, container)
    const spec = allContainers(pod).find((one) => one.name === container)
    if (kind === 'attach')
      return containerId === undefined
        ? err(textAnswer(500, `container ${container} not found in pod ${fullName}`))
        : urlOf(
            await runtimeService.attach({ containerId, ...streams, tty: spec?.['tty'] === true }),
          )
    return containerId === undefined
      ? err(containerNotFound(container))
      : urlOf(await runtimeService.exec({ containerId, cmd: request.command, ...streams, tty }))
  }

  /** Runs a command to its end (kubelet getRun). The words of the command are separated by spaces. */
  async run(
    { namespace = '', pod: name = '', container = '' }: Readonly<Record<string, string>>,
    command: string,
  ): Promise<KubeletText> {
    const pod = this.#deps.podManager.getPodByName(namespace, name)
    if (pod === undefined) return textAnswer(404, 'pod does not exist')
    const found = await this.#runningPod(namespace, name)
    if (!found.ok) return textAnswer(500, found.error.message)
    const id = idOf(found.value, container)
    if (id === undefined) return containerNotFound(container)
    const words = command.split(' ')
    const result = await runInContainer(this.#deps.runtimeService, id, words, 0, [])
    const { failure, output } = result
    if (failure !== undefined) return textAnswer(500, failure.message)
    return textAnswer(200, output, output === '' ? '' : 'application/json')
  }

  /** By its name, like the kubelet: of a static pod that was edited, the one that still runs. */
  async #runningPod(
    namespace: string,
    name: string,
  ): Promise<Result<RuntimePod | undefined, RuntimeError>> {
    const running = await this.#deps.runningPods()
    if (!running.ok) return running
    const value = running.value.find((one) => one.name === name && one.namespace === namespace)
    return { ok: true, value }
  }
}

function idOf(pod: RuntimePod | undefined, container: string): string | undefined {
  return pod?.containers.find(({ name }) => name === container)?.id
}

function containerNotFound(container: string): KubeletText {
  return textAnswer(500, `container not found (${JSON.stringify(container)})`)
}

/** Source: k8s.io/kubelet pkg/cri/streaming/errors.go WriteError. */
function urlOf(answer: Result<string, RuntimeError>): Result<string, KubeletText> {
  if (answer.ok) return answer
  const { kind, message } = answer.error
  return err(textAnswer(kind === 'not-found' ? 404 : 500, message))
}
