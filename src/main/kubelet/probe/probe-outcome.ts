/** pkg/probe Result. */
export type ProbeState = 'success' | 'warning' | 'failure' | 'unknown'

/** One run of a probe: its result with what it printed, or an error, after which it is tried again. */
export interface ProbeOutcome {
  readonly state: ProbeState
  readonly output: string
  readonly error?: string
}

export function probed(state: ProbeState, output: string): ProbeOutcome {
  return { state, output }
}

export function probeError(state: ProbeState, error: string): ProbeOutcome {
  return { state, output: '', error }
}
