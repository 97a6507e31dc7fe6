import type { RuntimeCondition, RuntimeStatus } from '../cri-types.ts'
import type { CancelTimer, Clock, Log, RuntimeService } from '../ports.ts'

/** How often the runtime status is read, and after how long without success it counts as down, in ms (containers#pleg). */
const runtimeStateDefaults = { periodMs: 5000, downAfterMs: 30_000 } as const

interface RuntimeStateDeps {
  readonly runtimeService: Pick<RuntimeService, 'status'>
  readonly clock: Clock
  readonly log: Log
  /** Why the PLEG is not healthy (kubelet addHealthCheck); undefined: it is. */
  readonly healthError?: () => string | undefined
}

/** Whether the container runtime answers, and whether its network is ready, asked every five seconds (kubelet runtime.go). */
export class RuntimeState {
  readonly #deps: RuntimeStateDeps
  #syncedAt: number | undefined
  #runtimeError: string | undefined
  #networkError: string | undefined = 'network state unknown'
  #handlers: RuntimeStatus['runtimeHandlers'] = []
  #features: RuntimeStatus['features']
  #cancelTimer: CancelTimer | undefined
  #isRunning = false

  constructor(deps: RuntimeStateDeps) {
    this.#deps = deps
  }

  /** Asks at once, then one period after each answer. Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#refreshAndGoOn()
  }

  stop(): void {
    this.#isRunning = false
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  /** Why the runtime counts as unusable, in the kubelet's order (runtimeErrors); empty while it is well. */
  runtimeErrors(): readonly string[] {
    return [this.#staleness(), this.#deps.healthError?.(), this.#runtimeError].filter(
      (error) => error !== undefined,
    )
  }

  /** Why the pod network counts as not ready; undefined while it is. */
  networkError(): string | undefined {
    return this.#networkError
  }

  /** What the runtime said that it has besides; nothing while it has not answered. */
  capabilities(): Pick<RuntimeStatus, 'runtimeHandlers' | 'features'> {
    const features = this.#features
    return {
      runtimeHandlers: this.#handlers ?? [],
      ...(features === undefined ? {} : { features }),
    }
  }

  /** Asks once, for the fast status updates after a start (node#status-updates). A runtime that does not answer changes nothing. */
  async refresh(): Promise<void> {
    const { runtimeService, clock, log } = this.#deps
    const status = await runtimeService.status()
    if (!status.ok) {
      log.error('container runtime sanity check failed', { error: status.error.message })
      return
    }
    const { conditions, runtimeHandlers = [], features } = status.value
    this.#handlers = runtimeHandlers
    this.#features = features
    const network = notReady(conditions, 'NetworkReady')
    this.#networkError =
      network === undefined ? undefined : `container runtime network not ready: ${network}`
    const runtime = notReady(conditions, 'RuntimeReady')
    this.#runtimeError =
      runtime === undefined ? undefined : `container runtime not ready: ${runtime}`
    if (runtime === undefined) this.#syncedAt = clock.now()
  }

  #staleness(): string | undefined {
    if (this.#syncedAt === undefined) {
      return 'container runtime status check may not have completed yet'
    }
    const isFresh = this.#deps.clock.now() - this.#syncedAt < runtimeStateDefaults.downAfterMs
    return isFresh ? undefined : 'container runtime is down'
  }

  async #refreshAndGoOn(): Promise<void> {
    await this.refresh()
    if (!this.#isRunning) return
    this.#cancelTimer = this.#deps.clock.after(runtimeStateDefaults.periodMs, () => {
      void this.#refreshAndGoOn()
    })
  }
}

/** The condition as Go prints it (kubecontainer.RuntimeCondition); undefined when it is true. One that is missing is not. */
function notReady(conditions: readonly RuntimeCondition[], type: string): string | undefined {
  const condition = conditions.find((one) => one.type === type)
  if (condition === undefined) return '<nil>'
  const { status, reason, message } = condition
  return status ? undefined : `${type}=false reason:${reason} message:${message}`
}
