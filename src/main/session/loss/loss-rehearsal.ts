import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { forecastLoss } from '../../../shared/model/loss/forecast-loss.ts'
import type {
  LossFacts,
  LossForecast,
  LossResult,
  LossWay,
} from '../../../shared/model/loss/loss.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../../kubelet/ports.ts'
import { runUntil } from '../../nodes/control/clock-runs.ts'
import type { PresentSandbox } from '../cluster/open-cluster.ts'
import { createObject, patchObject } from '../scenarios/send-objects.ts'
import { untilAllHold } from '../scenarios/step-conditions.ts'
import { copiedObjects } from './copied-objects.ts'
import type { CopiedObjects } from './copied-objects.ts'
import { losePod } from './loss-acts.ts'
import { lossFacts } from './loss-facts.ts'
import { LossRecord } from './loss-record.ts'
import { openLossSandbox } from './loss-sandbox.ts'
import type { LossSandbox } from './loss-sandbox.ts'

/** How long the copy may take to run, and then to be ready. ms on the sandbox's clock. */
const startMs = 120_000
const readyMs = 30_000
/** How long controllers have for what follows at once, and the owner for another pod. */
const settleMs = 5000
const afterMs = 60_000
/** How long a way is given that loses no pod, and any way on top of grace and toleration: PodGC waits for 40 to 80 s. */
const lossMs = 120_000

export interface LossRehearsal {
  readonly present: PresentSandbox
  readonly podUid: string
  /** Of the pod. */
  readonly node: string
  readonly way: LossWay
  readonly log: Log
}

function copyOn({ cluster, node }: LossSandbox): Pod | undefined {
  return [...cluster.sandbox.server.pods.list()].find(({ spec }) => spec.nodeName === node)
}

function isReady(pod: Pod | undefined): boolean {
  return (pod?.status?.conditions ?? []).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )
}

/** Why the copy does not run, as far as its object says. */
function whyNot(pod: Pod | undefined, pods: Iterable<Pod>): string {
  const [first] = pods
  const shown = pod ?? first
  const {
    phase = 'Pending',
    message = '',
    containerStatuses = [],
    conditions = [],
  } = shown?.status ?? {}
  const waiting = containerStatuses.map(({ state }) => state?.waiting?.reason ?? '')
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled')?.message ?? ''
  const why = [...waiting, message, scheduled].find((text) => text !== '')
  return why === undefined ? phase : `${phase} (${why})`
}

async function until(
  sandbox: LossSandbox,
  timeoutMs: number,
  holds: () => boolean,
): Promise<boolean> {
  const clock = sandbox.cluster.virtualClock
  const waiting = { holds: () => Promise.resolve(holds()), timeoutMs }
  return (await runUntil(clock, waiting)) === 'reached'
}

/** The copy runs on its node, and its siblings on the other one. */
async function makeCopy(
  sandbox: LossSandbox,
  { objects, scale }: CopiedObjects,
): Promise<Result<Pod, string>> {
  const { cluster, node, otherNode } = sandbox
  const notReady = await untilAllHold(
    cluster,
    [node, otherNode].map((name) => ({ node: name, status: 'Ready' })),
  )
  if (notReady !== '') return err(`The sandbox of the copy did not start: ${notReady}`)
  await cluster.cordon('cordon', otherNode)
  for (const object of objects) {
    const refused = await createObject(cluster, object)
    if (refused !== '') return err(`The copy was not created: ${refused}`)
  }
  const { pods } = cluster.sandbox.server
  const isRunning = (): boolean => copyOn(sandbox)?.status?.phase === 'Running'
  if (!(await until(sandbox, startMs, isRunning)))
    return err(
      `The copy did not start within ${startMs / 1000} s: ${whyNot(copyOn(sandbox), pods.list())}.`,
    )
  await until(sandbox, readyMs, () => isReady(copyOn(sandbox)))
  await cluster.cordon('uncordon', otherNode)
  if (scale !== null) {
    await cluster.cordon('cordon', node)
    await cluster.virtualClock.advance(settleMs)
    const refused = await patchObject(cluster, { ...scale, type: 'merge' })
    if (refused !== '') return err(`The owner of the copy was not scaled: ${refused}`)
    await cluster.virtualClock.advance(settleMs)
    await until(sandbox, startMs, () => [...pods.list()].every(isReady))
    await cluster.cordon('uncordon', node)
  }
  await cluster.virtualClock.advance(settleMs)
  const copy = copyOn(sandbox)
  return copy === undefined ? err('The copy ended before it could be lost.') : ok(copy)
}

/** Loses the copy and answers what the API showed. */
async function lose(
  sandbox: LossSandbox,
  copy: Pod,
  way: LossWay,
  about: LossFacts,
): Promise<Omit<LossResult, 'forecast'>> {
  const { cluster, trace, node } = sandbox
  const { virtualClock: clock, session } = cluster
  const { pods } = cluster.sandbox.server
  const record = new LossRecord(copy, { pods, trace, now: () => clock.now() })
  const { tolerationMs, facts } = about
  const hasBudget = facts.budget.kind !== 'none'
  const timeoutMs = lossMs + 2000 * facts.specGraceSeconds + (tolerationMs ?? 0)
  const key = `${session.id}/${node}/${copy.metadata.uid}`
  const refusal = await losePod(way, { cluster, node, key, timeoutMs })
  if (refusal === '') await until(sandbox, timeoutMs, () => record.hasEnded)
  const { seconds } = record.result(clock.now())
  await clock.advance(settleMs)
  const { budgetCounted, ...seen } = record.result(clock.now())
  await clock.advance(afterMs)
  const isRefused = hasBudget && refusal !== ''
  return {
    way,
    refusal,
    ...seen,
    seconds,
    budget: !hasBudget ? 'none' : isRefused ? 'refused' : budgetCounted ? 'counted' : 'notCounted',
    replacement: record.replacement,
  }
}

/** Makes a copy of the pod in a sandbox of its own, loses it, and throws the sandbox away. Error: a sentence. */
export async function rehearseLoss(rehearsal: LossRehearsal): Promise<Result<LossResult, string>> {
  const { present, podUid, node, way, log } = rehearsal
  const copied = copiedObjects(present.objects, podUid)
  if (copied === undefined) return err('The API server no longer has this pod.')
  const isFull = way === 'schedulerPreemption' || way === 'kubeletPreemption'
  const sandbox = openLossSandbox(present, node, isFull, log)
  try {
    const copy = await makeCopy(sandbox, copied)
    if (!copy.ok) return copy
    const { session } = sandbox.cluster
    const about = lossFacts(session, `${session.id}/${node}/${copy.value.metadata.uid}`)
    if (about === undefined) return err('No kubelet has the copy.')
    const forecast: LossForecast = forecastLoss(way, about)
    return ok({ forecast, ...(await lose(sandbox, copy.value, way, about)) })
  } finally {
    sandbox.stop()
  }
}
