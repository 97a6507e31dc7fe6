import { formatDuration, parseDuration } from '../../../shared/go/duration.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { schemaProblem } from '../../../shared/json-schema.ts'
import { toMicroTime } from '../../../shared/kubernetes/timestamps.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { VirtualClock } from '../../clock/virtual-clock.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { SandboxApiServer } from '../../sandbox/api-server.ts'
import type { ControlledObject, ControlProblem } from '../../sandbox/control/control-requests.ts'
import { runUntil, stepToEvent } from './clock-runs.ts'
import schema from './control.schema.json'
import { waitingFor } from './wait-condition.ts'
import type { WaitCondition } from './wait-condition.ts'

/** As the schema `clock` has it. The last three are carried out once and are not part of the spec that is read. */
interface ClockSpec {
  readonly paused?: boolean
  readonly speed?: number
  readonly step?: number
  readonly runFor?: string
  readonly runUntil?: WaitCondition
}

const once = ['step', 'runFor', 'runUntil'] as const

/** Of one run, on the sandbox's clock. */
const longestRunMs = 1000 * 3_600_000

function invalid(field: string, message: string): Result<never, ControlProblem> {
  return err({ kind: 'invalid', field, message })
}

/** The clock of the sandbox in its API: paused, stepped, and run for a time or until a condition holds. */
export class ClockControl implements ControlledObject {
  readonly #deps: {
    readonly clock: VirtualClock
    readonly trace: Pick<ClusterTrace, 'listen'>
    readonly server: () => Pick<SandboxApiServer, 'handle' | 'registry'>
  }
  readonly #listeners: (() => void)[] = []
  #lastRun: JsonObject = {}
  /** Counts the commands: a new one ends a run. */
  #commands = 0

  constructor(deps: {
    readonly clock: VirtualClock
    readonly trace: Pick<ClusterTrace, 'listen'>
    readonly server: () => Pick<SandboxApiServer, 'handle' | 'registry'>
  }) {
    this.#deps = deps
  }

  /** Calls back after every command. */
  listen(listener: () => void): void {
    this.#listeners.push(listener)
  }

  readonly read: ControlledObject['read'] = () => {
    const { isPaused, speed, present, nextDue } = this.#deps.clock
    return {
      spec: { paused: isPaused, speed },
      status: {
        now: toMicroTime(present),
        ...(nextDue === undefined ? {} : { nextTimer: toMicroTime(nextDue) }),
        ...this.#lastRun,
      },
    }
  }

  readonly write: ControlledObject['write'] = async (given) => {
    const problem = schemaProblem(schema, given, schema.$defs.clock, 'spec')
    if (problem !== undefined) return invalid(problem.field, problem.message)
    const spec = given as ClockSpec
    const asked = once.filter((field) => spec[field] !== undefined)
    if (asked.length > 1)
      return invalid(
        'spec',
        `spec has ${asked.join(' and ')}: only one can be carried out at a time.`,
      )
    this.#commands++
    const { clock } = this.#deps
    if (spec.speed !== undefined) clock.setSpeed(spec.speed)
    const done = asked.length === 0 ? this.#setPaused(spec.paused) : await this.#runOnce(spec)
    for (const listener of this.#listeners) listener()
    return done
  }

  #setPaused(paused: boolean | undefined): Result<undefined, ControlProblem> {
    if (paused === true) this.#deps.clock.pause()
    else if (paused === false) this.#deps.clock.run()
    return ok(undefined)
  }

  async #runOnce(spec: ClockSpec): Promise<Result<undefined, ControlProblem>> {
    const { clock, trace, server } = this.#deps
    if (spec.step !== undefined) {
      let events = 0
      for (let step = 0; step < spec.step; step++)
        events += (await stepToEvent(clock, trace))?.events ?? 0
      this.#lastRun = { lastRun: { events } }
      return ok(undefined)
    }
    if (spec.runFor !== undefined) return this.#run({ timeoutMs: parseDuration(spec.runFor) ?? 0 })
    if (spec.runUntil === undefined) return ok(undefined)
    const waiting = waitingFor(spec.runUntil, server())
    if (waiting.ok) return this.#run(waiting.value)
    const field = `spec.runUntil.${waiting.error.field}`
    return invalid(field, `spec.runUntil.${waiting.error.message}`)
  }

  /** Without a condition the end of the time is what it waits for. */
  async #run(run: {
    readonly timeoutMs: number
    readonly holds?: () => Promise<boolean>
    readonly words?: string
  }): Promise<Result<undefined, ControlProblem>> {
    const { clock } = this.#deps
    const { timeoutMs, holds = () => Promise.resolve(false), words } = run
    if (timeoutMs > longestRunMs) return invalid('spec', 'spec runs for at most 1000h.')
    const command = this.#commands
    const from = clock.now()
    const end = await runUntil(clock, { holds, timeoutMs }, () => this.#commands !== command)
    const isReached = end === 'reached' || (words === undefined && end === 'timeout')
    this.#lastRun = {
      lastRun: { reached: isReached, elapsed: formatDuration(clock.now() - from) },
    }
    if (isReached) return ok(undefined)
    const at = toMicroTime(clock.now())
    const message =
      end === 'timeout'
        ? `${words ?? ''} did not come within ${formatDuration(timeoutMs)}; the clock is paused at ${at}.`
        : `The run was ended at ${at} by another command for the clock.`
    return err({ kind: 'timeout', field: '', message })
  }
}
