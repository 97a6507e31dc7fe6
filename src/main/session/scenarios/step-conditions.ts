import { formatDuration, parseDuration } from '../../../shared/go/duration.ts'
import { waitingFor } from '../../nodes/control/wait-condition.ts'
import { runUntil } from '../../nodes/control/clock-runs.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { isPodCondition } from './scenario-step.ts'
import type { StepCondition } from './scenario-step.ts'
import { fittingRows, nodeFits } from './shown-pods.ts'

/** On the sandbox's clock: a condition that does not hold by then never will. */
const defaultTimeoutMs = 10 * 60_000

type Cluster = Pick<OpenSandbox, 'session' | 'queries' | 'virtualClock' | 'sandbox'>

function holdsNow(cluster: Cluster, condition: StepCondition): () => Promise<boolean> {
  if (isPodCondition(condition))
    return async () => {
      const { length } = await fittingRows(cluster, condition)
      return condition.count === undefined ? length > 0 : length === condition.count
    }
  if (!('resource' in condition)) return () => Promise.resolve(nodeFits(cluster, condition))
  const waiting = waitingFor(condition, cluster.sandbox.server)
  // The scenario was checked; a path that is not understood holds never.
  return waiting.ok ? waiting.value.holds : () => Promise.resolve(false)
}

/** `{pod: web, status: Running}`. */
function wordsOf(conditions: readonly StepCondition[]): string {
  return conditions
    .map((condition) => {
      const fields = Object.entries(condition).map(([name, value]) => `${name}: ${String(value)}`)
      return `{${fields.join(', ')}}`
    })
    .join(' and ')
}

/** Runs the clock until all hold at once; then it stands. Returns a sentence if they do not in time; else empty. */
export async function untilAllHold(
  cluster: Cluster,
  conditions: readonly StepCondition[],
): Promise<string> {
  const each = conditions.map((condition) => holdsNow(cluster, condition))
  const timeouts = conditions.flatMap(({ timeout }) => parseDuration(timeout ?? '') ?? [])
  const timeoutMs = timeouts.length === 0 ? defaultTimeoutMs : Math.max(...timeouts)
  const holds = async (): Promise<boolean> => {
    for (const one of each) if (!(await one())) return false
    return true
  }
  const end = await runUntil(cluster.virtualClock, { holds, timeoutMs })
  if (end === 'reached') return ''
  return end === 'timeout'
    ? `${wordsOf(conditions)} did not come within ${formatDuration(timeoutMs)}.`
    : 'the clock was started meanwhile.'
}
