import type { ProbeResult, ProbeType } from './trace-event.ts'

/** `error`: it could not be run, so that the result does not count. */
export type ProbeRun = 'success' | 'failure' | 'error'

/** Why a probe does not run with each tick of its period (kubelet pkg/kubelet/prober/worker.go doProbe). */
export type ProbeSkip =
  /** The pod or the container has no status yet. */
  | 'noContainer'
  | 'notRunning'
  /** `initialDelaySeconds` is not over. */
  | 'initialDelay'
  /** A liveness or readiness probe: the startup probe has not succeeded yet. */
  | 'notStarted'
  /** A startup probe that has succeeded. */
  | 'started'
  /** A probe whose result ends the container, until there is another container. */
  | 'onHold'

/** One probe of one container, as the page shows it. */
export interface ProbeView {
  readonly container: string
  readonly type: ProbeType
  /** What it does, as `kubectl describe` writes it: `http-get http://:8080/healthz`. */
  readonly handler: string
  readonly periodSeconds: number
  readonly successThreshold: number
  readonly failureThreshold: number
  /** What the probe says of the container; null before there is one. */
  readonly result: ProbeResult | null
  /** Its newest runs in the container that it probes now, oldest first; at most 24. */
  readonly runs: readonly ProbeRun[]
  /** How often the last counted result has come in a row. */
  readonly resultRun: number
  /** Null: it runs with every tick. */
  readonly skip: ProbeSkip | null
  /** When the next tick is, ms on the cluster's clock; null while it runs and after its end. */
  readonly nextTick: number | null
}
