import { formatDuration, parseDuration } from '../../../shared/go/duration.ts'
import { runUntil } from '../../nodes/control/clock-runs.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { drainVerdict } from '../seen/drain/drain-filters.ts'
import { NodeDrain } from '../seen/drain/node-drain.ts'
import type { StepActs } from './scenario-step.ts'

const defaultTimeoutMs = 10 * 60_000

/**
 * `kubectl drain --ignore-daemonsets --delete-emptydir-data --force`: cordons the node and evicts its pods until all are gone,
 * on the sandbox's clock. Returns why it does not end; else empty.
 */
export async function drainNode(
  cluster: Pick<OpenSandbox, 'cordon' | 'admin' | 'sandbox' | 'virtualClock'>,
  { node, gracePeriodSeconds, timeout = '' }: StepActs['drain'],
): Promise<string> {
  const cordoned = await cluster.cordon('cordon', node)
  if (!cordoned.ok && cordoned.error.kind !== 'refused') return cordoned.error.message
  const options = { ignoreDaemonSets: true, deleteEmptyDirData: true, force: true }
  const rules = { ...options, gracePeriodSeconds: gracePeriodSeconds ?? null }
  const { pods } = cluster.sandbox.server
  const drain = new NodeDrain({
    node,
    pods: [...pods.list()].filter(
      (pod) =>
        pod.spec.nodeName === node &&
        drainVerdict(pod, rules, { kind: 'exists' }).fate === 'evicts',
    ),
    options: rules,
    api: cluster.admin,
    clock: cluster.virtualClock,
    isThere: (uid) => pods.get(uid) !== undefined,
    mayChange: () => true,
    onChange: () => undefined,
  })
  const done = drain.run()
  const timeoutMs = parseDuration(timeout) ?? defaultTimeoutMs
  const holds = (): Promise<boolean> => Promise.resolve(!drain.isRunning)
  const end = await runUntil(cluster.virtualClock, { holds, timeoutMs })
  const { waiting, problem } = drain.view()
  const left = waiting.map(({ pod, why }) => `${pod} (${why})`).join(', ')
  drain.stop('The scenario has ended it.')
  await done
  if (end === 'reached') return problem
  return `the drain of ${node} did not end within ${formatDuration(timeoutMs)}: ${left}.`
}
