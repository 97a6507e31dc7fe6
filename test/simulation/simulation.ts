import { createHash } from 'node:crypto'
import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import type { Log, LogFields, Random } from '../../src/main/kubelet/ports.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import { ApiHistory } from './api-history.ts'
import { SchedulerChecks } from './scheduler/checks.ts'
import { SteadyStateChecks } from './steady-state-checks.ts'
import { RandomPicker } from '../random-picker.ts'
import type { Violation, InvariantNumber } from './invariants.ts'
import { manifestSteps } from './manifest-steps.ts'
import { createSettings, failuresOfRuntime, nodeSteps } from './node-steps.ts'
import { disruptionSteps, setTaint } from './owners/disruption-steps.ts'
import { OwnerChecks } from './owners/owner-checks.ts'
import { endRejectedSurges } from './owners/rejected-surge.ts'
import { ownerSteps, suspendAll } from './owners/owner-steps.ts'
import { lowClass } from './owners/owner-templates.ts'
import { planOf } from './plan.ts'
import type { PlannedRound, PlannedStep } from './plan.ts'
import { podSteps } from './pod-steps.ts'
import { StepContext } from './step-context.ts'
import type { Step } from './step-context.ts'
import { checkNode } from './state-checks.ts'
import { PressureWatch } from './pressure-watch.ts'
import { TraceWatch } from './trace-watch.ts'

export interface SimulationOptions {
  readonly seed: number
  /** Virtual hours, rounded to rounds of twenty minutes, at least one. */
  readonly hours: number
  /** 1 or more. */
  readonly nodes: number
  /** Takes steps with owners too, and checks what they and the control plane do. */
  readonly withOwners?: boolean
  /** Ends with an hour without steps, after the longest time for which controllers wait to try again. */
  readonly endsQuietly?: boolean
  /** Numbers of the only steps to take; default: all. */
  readonly only?: readonly number[]
  /** Called for every event of the trace. */
  readonly onEvent?: (event: TraceEvent) => void
}

/** A step that was taken, in words. */
export interface TakenStep {
  readonly number: number
  /** ms since the start of the run. */
  readonly atMs: number
  readonly words: string
}

export interface SimulationResult {
  readonly options: SimulationOptions
  readonly steps: readonly TakenStep[]
  /** How often each kind of step was taken. */
  readonly counts: ReadonlyMap<string, number>
  readonly events: number
  /** Virtual ms that passed. */
  readonly passedMs: number
  /** Of every step and every event of the trace: equal for equal runs. */
  readonly digest: string
  /** The run ends at the first look that finds any. */
  readonly violations: readonly Violation[]
}

/** When the time of a simulation begins, ms since 1970. */
export const simulationStartAt = Date.UTC(2026, 0, 1)
const startAt = simulationStartAt
const secondMs = 1000
/** The time after the last fault before the steady state is checked, and the time between checks. */
const settledMs = 240 * secondMs
const lookEveryMs = secondMs
/** How often the simulation ends the surges of DaemonSets whose pods are rejected. */
const adminEveryMs = 5 * secondMs
/** The longest back-off of a controller is 1,000 s (client-go's DefaultTypedControllerRateLimiter). */
const longestWaitMs = 1200 * secondMs
const quietMs = 3600 * secondMs

const stepsOfNodes = { ...podSteps, ...manifestSteps, ...nodeSteps }
const stepsOfOwners = { ...ownerSteps, ...disruptionSteps }

const size = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' } as const
const maxPods = 24

/** One run: a cluster, what happens to it, and all who look. */
class Run {
  readonly #options: SimulationOptions
  readonly #allSteps: ReadonlyMap<string, Step>
  readonly #random: Random
  readonly #hash = createHash('sha256')
  readonly #violations: Violation[] = []
  readonly #cluster: MemorySandbox
  readonly #api: ApiHistory
  readonly #scheduler: SchedulerChecks
  readonly #owners: OwnerChecks
  readonly #trace: TraceWatch
  readonly #pressure: PressureWatch
  readonly #context: StepContext
  readonly #steadyState: SteadyStateChecks
  readonly #steps: TakenStep[] = []
  readonly #counts = new Map<string, number>()
  #events = 0

  constructor(options: SimulationOptions) {
    this.#options = options
    const steps = options.withOwners === true ? { ...stepsOfNodes, ...stepsOfOwners } : stepsOfNodes
    this.#allSteps = new Map<string, Step>(Object.entries(steps))
    this.#random = seededRandom(options.seed)
    const nodeNames = Array.from({ length: options.nodes }, (_, index) => `n${index + 1}`)
    const log = this.#log()
    const { seed } = options
    this.#cluster = new MemorySandbox({
      seed,
      startAt,
      nodeNames,
      log,
      size,
      maxPods,
    })
    const cluster = this.#cluster
    const report = this.#report
    const query = { watch: 'true', timeoutSeconds: '100000000' }
    this.#api = new ApiHistory({
      runs: (uid) => this.#trace.running.some(({ podUid }) => podUid === uid),
      watch: () => cluster.send({ method: 'GET', path: '/api/v1/pods', query }),
      report,
    })
    this.#scheduler = new SchedulerChecks({
      watch: (resource) => cluster.send({ method: 'GET', path: `/api/v1/${resource}`, query }),
      now: () => cluster.clock.now(),
      report,
    })
    const api = this.#api
    this.#trace = new TraceWatch({ cluster, api, report })
    this.#pressure = new PressureWatch({ cluster, report })
    this.#owners = new OwnerChecks({ cluster, report })
    const { history: owners, onEvicted } = this.#owners
    this.#context = new StepContext({ cluster, api, owners, onEvicted })
    const { killedByHand } = this.#context
    this.#steadyState = new SteadyStateChecks({ cluster, api, trace: this.#trace, killedByHand })
    cluster.trace.listen((event) => {
      this.#events++
      this.#hash.update(JSON.stringify(event))
      this.#trace.take(event)
      this.#pressure.take(event)
      this.#owners.takeEvent(event)
      options.onEvent?.(event)
    })
  }

  async run(): Promise<SimulationResult> {
    const cluster = this.#cluster
    const kinds = [...this.#allSteps].map(([kind, { weight }]) => ({ kind, weight }))
    const { hours } = this.#options
    await this.#api.start()
    await this.#scheduler.start()
    if (this.#options.withOwners === true) await this.#startOwners()
    cluster.start()
    for (const round of planOf(this.#random, { hours, kinds })) {
      if (!(await this.#runRound(round))) break
    }
    const isWhole = this.#violations.length === 0
    if (isWhole && this.#options.endsQuietly === true) await this.#endQuietly()
    const passedMs = this.#nowMs
    this.#api.stop()
    this.#scheduler.stop()
    this.#owners.history.stop()
    cluster.stop()
    return {
      options: this.#options,
      steps: this.#steps,
      counts: this.#counts,
      events: this.#events,
      passedMs,
      digest: this.#hash.digest('hex'),
      violations: this.#violations,
    }
  }

  async #startOwners(): Promise<void> {
    await this.#owners.history.start()
    await this.#context.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', lowClass)
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
    await this.#context.send('POST', '/api/v1/namespaces', team)
  }

  get #nowMs(): number {
    return this.#cluster.clock.now() - startAt
  }

  readonly #report = (invariant: InvariantNumber, what: string): void => {
    this.#violations.push({ invariant, what })
  }

  /** False: something did not hold. */
  async #runRound(round: PlannedRound): Promise<boolean> {
    const { only } = this.#options
    for (const step of round.steps) {
      if (only !== undefined && !only.includes(step.number)) continue
      await this.#advanceTo(step.atMs)
      if (!this.#invariantsHold()) return false
      await this.#take(step)
      if (!this.#invariantsHold()) return false
    }
    await this.#advanceTo(round.settleAtMs)
    return await this.#settle(round.endAtMs)
  }

  async #advanceTo(ms: number): Promise<void> {
    await this.#advance(Math.max(0, ms - this.#nowMs))
  }

  async #advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms
    do {
      await this.#cluster.clock.advance(Math.min(adminEveryMs, endMs - this.#nowMs))
      await endRejectedSurges(this.#context)
    } while (this.#nowMs < endMs)
  }

  async #take({ number, kind }: PlannedStep): Promise<void> {
    const pick = new RandomPicker(this.#random.fork(`step ${number}`))
    const atMs = this.#nowMs
    const words = (await this.#allSteps.get(kind)?.act(this.#context, pick)) ?? ''
    await this.#cluster.clock.advance(0)
    this.#steps.push({ number, atMs, words })
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    this.#hash.update(`${number} ${atMs} ${words}`)
  }

  #invariantsHold(): boolean {
    for (const node of this.#cluster.nodes) {
      if (!node.isRunning) continue
      this.#trace.lookAt(node)
      this.#trace.checkReadiness(node)
      checkNode(node, this.#report)
    }
    return this.#violations.length === 0
  }

  /** Ends all faults and waits until the cluster has settled; reports violations that last until the end. */
  async #settle(endAtMs: number): Promise<boolean> {
    await this.#heal()
    const beganMs = this.#nowMs
    while (this.#nowMs < beganMs + settledMs) {
      await this.#advance(5 * secondMs)
      if (!this.#invariantsHold()) return false
      await this.#bringNodesBack()
    }
    await this.#awaitSteadyState(endAtMs, true)
    if (this.#violations.length === 0) await this.#advanceTo(endAtMs)
    return this.#invariantsHold()
  }

  /** Looks until each invariant of the settled cluster has held once. */
  async #awaitSteadyState(endAtMs: number, mayWait: boolean): Promise<void> {
    let left: readonly Violation[] | undefined
    while (this.#nowMs < endAtMs && left?.length !== 0) {
      const found: Violation[] = []
      const report = (invariant: InvariantNumber, what: string): void => {
        found.push({ invariant, what })
      }
      await this.#steadyState.look(report)
      this.#owners.look(report, mayWait)
      const whats = new Set(found.map(({ what }) => what))
      left = left === undefined ? found : left.filter(({ what }) => whats.has(what))
      await this.#advance(lookEveryMs)
      if (!this.#invariantsHold()) return
    }
    this.#violations.push(...(left ?? []))
  }

  async #endQuietly(): Promise<void> {
    await this.#heal()
    await this.#context.send('DELETE', '/api/v1/namespaces/team/resourcequotas/limit')
    await suspendAll(this.#context)
    const beganMs = this.#nowMs
    while (this.#nowMs < beganMs + longestWaitMs) {
      await this.#advance(30 * secondMs)
      if (!this.#invariantsHold()) return
    }
    await this.#awaitSteadyState(this.#nowMs + settledMs, false)
    if (this.#violations.length > 0) return
    this.#owners.quiet.start()
    const quietSinceMs = this.#nowMs
    while (this.#nowMs < quietSinceMs + quietMs) {
      await this.#advance(60 * secondMs)
      if (!this.#invariantsHold()) return
    }
    this.#owners.quiet.stop(this.#report)
  }

  async #heal(): Promise<void> {
    for (const namespace of ['default', 'team']) await createSettings(this.#context, 0, namespace)
    for (const { nodeName, runtime, faults, kubelet } of this.#cluster.nodes) {
      this.#cluster.outage(nodeName).restore()
      runtime.faults?.clear()
      faults.takeBack()
      this.#cluster.slowRuntime(nodeName).clear()
      if (kubelet.shutdownManager.view().phase !== 'off') this.#cluster.powerOff(nodeName)
      this.#cluster.bringUp(nodeName)
      const path = `/api/v1/nodes/${nodeName}`
      await this.#context.patch(path, { spec: { unschedulable: null } })
      await setTaint(this.#context, nodeName, undefined)
    }
  }

  /** A kubelet registers its node once: one whose node was deleted has to be started again (node#registration). */
  async #bringNodesBack(): Promise<void> {
    for (const node of this.#cluster.nodes) {
      const answer = await this.#context.send('GET', `/api/v1/nodes/${node.nodeName}`)
      if (!answer.startsWith('404') || !node.kubelet.nodeController.view().registered) continue
      node.stopKubelet()
      node.startKubelet()
    }
  }

  /** Complaints about failures that the steps bring about, and one that a real kubelet makes too. */
  #isExpected(message: string, fields: LogFields = {}): boolean {
    // A new static pod starts with the status of the previous one's mirror (status#cache-updates).
    const isOfStaticPod = this.#api.nodeOf(String(fields['podUid'])) === undefined
    if (message === 'status update aborted' && isOfStaticPod) return true
    const text = JSON.stringify(fields, errorText)
    return failuresOfRuntime.some((failure) => text.includes(failure))
  }

  #log(): Log {
    const silent = (): void => undefined
    return {
      debug: silent,
      info: silent,
      warn: silent,
      error: (message, fields) => {
        if (!this.#isExpected(message, fields))
          this.#report(14, `${message} ${JSON.stringify(fields ?? {}, errorText)}`)
      },
    }
  }
}

function errorText(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value
}

/**
 * A cluster of nodes to which everything happens that can happen, on a virtual clock, from one seed: the same options give the same run.
 * Ends at the first invariant that does not hold.
 */
export function simulate(options: SimulationOptions): Promise<SimulationResult> {
  return new Run(options).run()
}
