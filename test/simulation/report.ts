import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import { invariants } from './invariants.ts'
import { simulationStartAt } from './simulation.ts'
import type { SimulationOptions, SimulationResult } from './simulation.ts'

const hourMs = 3_600_000
/** Steps before the failure that are shown. */
const shownSteps = 15

/** `1:02:03.004` since the start. */
function timeText(ms: number): string {
  const hours = Math.floor(ms / hourMs)
  return `${hours}:${new Date(ms % hourMs).toISOString().slice(14, 23)}`
}

function hoursText(ms: number): string {
  return (ms / hourMs).toFixed(2)
}

/** One line: an event of the trace. */
export function eventText({ seq, at, kind, node, subject, data, causes }: TraceEvent): string {
  const uid = 'uid' in subject ? subject.uid : ''
  const time = timeText(at - simulationStartAt)
  return `${seq} ${time} ${node} ${kind} ${uid} ${JSON.stringify(data)} <- ${causes.join(' ')}`
}

/** The command that does the same again. */
function replayCommand(options: SimulationOptions): string {
  const { seed, hours, nodes, only } = options
  const [owners, quiet] = [options.withOwners, options.endsQuietly].map((is) =>
    is === true ? 'yes' : 'no',
  )
  const steps = only === undefined ? '' : ` --only ${only.join(',')}`
  return `npm run simulate -- --seed ${seed} --hours ${hours} --nodes ${nodes} --owners ${owners} --quiet ${quiet}${steps}`
}

/** One line: what was simulated. */
export function resultText(result: SimulationResult, seconds: number): string {
  const { options, steps, events, passedMs, digest, violations } = result
  return [
    `seed ${options.seed}: ${hoursText(passedMs)} virtual hours of ${options.nodes} nodes in ${seconds.toFixed(1)} s,`,
    `${steps.length} steps, ${events} events, digest ${digest.slice(0, 16)},`,
    violations.length === 0
      ? 'all invariants held'
      : `${violations.length} invariants did not hold`,
  ].join(' ')
}

/** What did not hold, after which steps, and how to see it again. */
export function failureText(result: SimulationResult): string {
  const { options, steps, passedMs, violations } = result
  const last = steps.at(-1)
  const lines = violations.map(
    ({ invariant, what }) => `  ${invariant}. ${invariants[invariant]}\n     ${what}`,
  )
  const taken = steps
    .slice(-shownSteps)
    .map(({ number, atMs, words }) => `  ${number} at ${timeText(atMs)}: ${words}`)
  return [
    `seed ${options.seed}, step ${last?.number ?? 0}, ${timeText(passedMs)} after the start: these invariants did not hold:`,
    ...lines,
    'The last steps:',
    ...taken,
    `Again: ${replayCommand(options)}`,
  ].join('\n')
}

const rollouts = ['edit a template', 'set an image', 'restart a rollout', 'undo a rollout']

/** One line over several runs: how long they were, and what happened in them. */
export function totalText(results: readonly SimulationResult[]): string {
  const sum = (of: (result: SimulationResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const taken = (...kinds: readonly string[]): number =>
    sum(({ counts }) => kinds.reduce((total, kind) => total + (counts.get(kind) ?? 0), 0))
  return [
    `simulation: ${hoursText(sum(({ passedMs }) => passedMs))} virtual hours in ${results.length} runs,`,
    `${sum(({ steps }) => steps.length)} steps, ${sum(({ events }) => events)} events:`,
    `${taken('restart an agent', 'cut the power of a node')} restarts,`,
    `${taken('cut a node off', 'API server unreachable')} outages,`,
    `${taken('drop watches', 'lose what is on its way')} lost connections,`,
    `${taken('fail a runtime call', 'slow a runtime call')} kinds of bad runtime calls,`,
    `${taken('create an owner')} creations of owners, ${taken(...rollouts)} rollouts, ${taken('evict an owned pod', 'drain')} evictions;`,
    `${sum(({ violations }) => violations.length)} invariants did not hold`,
  ].join(' ')
}
