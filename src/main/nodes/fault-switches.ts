import type { CallFault, NodeFaults } from '../../shared/model/node/node-faults.ts'
import { filledDiskShare, noFaults, slowMountMs } from '../../shared/model/node/node-faults.ts'
import { err } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { aroundCalls, isForPages } from '../kubelet/around-calls.ts'
import type {
  CancelTimer,
  Clock,
  ImageService,
  RuntimeError,
  RuntimeService,
} from '../kubelet/ports.ts'
import { isFaultyCall } from './faulty-call.ts'
import type { SimulatedRuntime } from '../runtimes/simulated/simulated-runtime.ts'

type Service = RuntimeService & ImageService

/** The kubelet's runtimeRequestTimeout, ms. */
const timeoutMs = 120_000

const seconds = (value: unknown): number => (typeof value === 'number' ? value * 1000 : 0)

/**
 * After how many ms the kubelet gives a call up; the others after `timeoutMs`. Source: cri-client remote_runtime.go
 * RunPodSandbox, StopContainer, ExecSync, remote_image.go PullImage.
 */
const deadlines: Readonly<Partial<Record<string, (given: readonly unknown[]) => number>>> = {
  runPodSandbox: () => 2 * timeoutMs,
  stopContainer: ([, grace]) => timeoutMs + seconds(grace),
  execSync: ([, , limit]) => (seconds(limit) > 0 ? timeoutMs + seconds(limit) : Infinity),
  pullImage: () => Infinity,
}

const gone: Result<never, RuntimeError> = err({
  kind: 'unavailable',
  message:
    'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"',
})

const failed: Result<never, RuntimeError> = err({
  kind: 'failed',
  message: 'rpc error: code = Unknown desc = this call was made to fail in Nodescope',
})

const tooLate: Result<never, RuntimeError> = err({
  kind: 'deadline-exceeded',
  message: 'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
})

/** What can be made to fail between a kubelet and its machine, by hand and until it is taken back. */
export class FaultSwitches {
  /** The runtime as the kubelet calls it. */
  readonly runtime: Service
  readonly #service: Service
  readonly #clock: Clock
  readonly #fillDisk: SimulatedRuntime['fillDisk'] | undefined
  /** Ends each wait that is under way. */
  readonly #calls = new Set<() => void>()
  readonly #mounts = new Set<() => void>()
  readonly #timers = new Set<CancelTimer>()
  #state: NodeFaults

  /** `fillDisk`: absent if the disk is a real one. */
  constructor(deps: {
    readonly runtime: Service
    readonly clock: Clock
    readonly fillDisk: SimulatedRuntime['fillDisk'] | undefined
  }) {
    this.#service = deps.runtime
    this.#clock = deps.clock
    this.#fillDisk = deps.fillDisk
    this.#state = { ...noFaults, isDiskFull: deps.fillDisk === undefined ? null : false }
    this.runtime = aroundCalls(
      deps.runtime,
      (call, make, given) => this.#fail(call, make, given),
      (call) => this.#areAllAnswered || isForPages(call),
    )
  }

  get state(): NodeFaults {
    return this.#state
  }

  /** Calls that hang are made now, or fail now. */
  setRuntime(runtime: NodeFaults['runtime']): void {
    this.#state = { ...this.#state, runtime }
    for (const end of this.#calls) end()
  }

  /** Makes one call fail, instead of the one before; null: none. */
  setCall(call: CallFault | null): void {
    this.#state = { ...this.#state, call }
    for (const end of this.#calls) end()
  }

  setDiskFull(isDiskFull: boolean): void {
    if (this.#fillDisk === undefined) return
    this.#fillDisk(isDiskFull ? filledDiskShare : 0)
    this.#state = { ...this.#state, isDiskFull }
  }

  /** Volumes that wait are set up now. */
  setSlowMounts(hasSlowMounts: boolean): void {
    this.#state = { ...this.#state, hasSlowMounts }
    if (!hasSlowMounts) for (const end of this.#mounts) end()
  }

  /** Resolves when a volume may be set up. */
  readonly beforeMount = (): Promise<void> =>
    this.#state.hasSlowMounts ? this.#wait(this.#mounts, slowMountMs).then(() => undefined) : done

  /** The kubelet that waits is gone: its calls are never made, and its volumes never set up. */
  forget(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#calls.clear()
    this.#mounts.clear()
  }

  /** After a power failure nothing fails any more. */
  clear(): void {
    this.forget()
    this.takeBack()
  }

  /** All of them. */
  takeBack(): void {
    this.setRuntime('answers')
    this.setCall(null)
    this.setDiskFull(false)
    this.setSlowMounts(false)
  }

  async #fail(call: string, make: () => unknown, given: readonly unknown[]): Promise<unknown> {
    const deadline = this.#clock.now() + (deadlines[call]?.(given) ?? timeoutMs)
    let answer = await this.#answerOf(call, given)
    // What ends a wait may leave the call hanging for another reason.
    while (answer === 'hangs') {
      if (await this.#wait(this.#calls, deadline - this.#clock.now())) return tooLate
      answer = await this.#answerOf(call, given)
    }
    return answer === 'down' ? gone : answer === 'fails' ? failed : await make()
  }

  get #areAllAnswered(): boolean {
    return this.#state.runtime === 'answers' && this.#state.call === null
  }

  async #answerOf(
    call: string,
    given: readonly unknown[],
  ): Promise<NodeFaults['runtime'] | CallFault['how']> {
    const { runtime, call: fault } = this.#state
    if (runtime !== 'answers' || fault === null) return runtime
    return (await isFaultyCall(this.#service, fault, call, given)) ? fault.how : 'answers'
  }

  /** Whether the time ran out before the wait was ended. */
  #wait(waits: Set<() => void>, limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isTooLate: boolean): void => {
        waits.delete(end)
        if (cancel !== undefined) this.#timers.delete(cancel)
        resolve(isTooLate)
      }
      const end = (): void => {
        cancel?.()
        settle(false)
      }
      const cancel =
        limitMs === Infinity
          ? undefined
          : this.#clock.after(limitMs, () => {
              settle(true)
            })
      if (cancel !== undefined) this.#timers.add(cancel)
      waits.add(end)
    })
  }
}

const done = Promise.resolve()
