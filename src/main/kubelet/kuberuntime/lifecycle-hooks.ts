import { isJsonObject } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { podDescription } from '../pod/identity.ts'
import type { Clock, Log, RuntimeService } from '../ports.ts'
import { sleep } from '../container/deferred.ts'

export type LifecycleHookName = 'postStart' | 'preStop'

/** A container's hook. HTTP and TCP hooks are not run, and commands where `runsExecHooks` says so. */
export type LifecycleHook =
  | { readonly kind: 'sleep'; readonly seconds: number }
  | { readonly kind: 'exec'; readonly command: readonly string[] }
  | { readonly kind: 'notRun'; readonly handler: string }

function property(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** The hook of that name; undefined when the container has none. */
export function lifecycleHookOf(
  container: Container,
  name: LifecycleHookName,
): LifecycleHook | undefined {
  const handler = property(container.lifecycle, name)
  if (!isJsonObject(handler)) return undefined
  const seconds = property(property(handler, 'sleep'), 'seconds')
  if (typeof seconds === 'number') return { kind: 'sleep', seconds }
  const command = property(property(handler, 'exec'), 'command')
  if (Array.isArray(command)) return { kind: 'exec', command: command.map(String) }
  return { kind: 'notRun', handler: Object.keys(handler).join(', ') }
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

interface LifecycleHookRunnerDeps {
  readonly runtimeService: Pick<RuntimeService, 'execSync'>
  readonly clock: Clock
  readonly log: Log
  readonly runsExecHooks?: boolean
}

/** Runs hooks (kubelet lifecycle.handlerRunner). One that is not run here takes no time, does not fail, and is logged. */
export class LifecycleHookRunner {
  readonly #deps: LifecycleHookRunnerDeps

  constructor(deps: LifecycleHookRunnerDeps) {
    this.#deps = deps
  }

  /** Undefined when it ended well, or the container has none; else why it failed. */
  async run(request: HookRequest): Promise<string | undefined> {
    const { clock, runsExecHooks = false } = this.#deps
    const hook = lifecycleHookOf(request.container, request.name)
    if (hook === undefined) return undefined
    if (hook.kind === 'sleep') {
      await sleep(clock, Math.min(hook.seconds * 1000, request.maxMs))
      return undefined
    }
    if (hook.kind === 'exec' && runsExecHooks) return this.#exec(request, hook.command)
    const { pod, container, containerId, name } = request
    this.#deps.log.warn(`${name} hook is not run`, {
      podUid: pod.metadata.uid,
      container: container.name,
      containerId,
      handler: hook.kind === 'exec' ? 'exec' : hook.handler,
    })
    return undefined
  }

  async #exec(
    { pod, container, containerId, causes }: HookRequest,
    command: readonly string[],
  ): Promise<string | undefined> {
    const result = await this.#deps.runtimeService.execSync(containerId, command, 0, causes)
    if (result.ok && result.value.exitCode === 0) return undefined
    const [error, output] = result.ok
      ? [
          `command '${command.join(' ')}' exited with ${result.value.exitCode}: ${result.value.stderr}`,
          result.value.stdout + result.value.stderr,
        ]
      : [result.error.message, '']
    return `Exec lifecycle hook ([${command.join(' ')}]) for Container ${goQuote(container.name)} in Pod ${goQuote(podDescription(pod))} failed - error: ${error}, message: ${goQuote(output)}`
  }
}
