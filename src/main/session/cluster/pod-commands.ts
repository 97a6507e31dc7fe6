import type { ActError, ActReceipt } from '../../../shared/ipc/contract.ts'
import type { Act, ActFacts } from '../../../shared/model/act.ts'
import { forecastAct } from '../../../shared/model/forecast/forecast.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { defined } from '../../../shared/json.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiClient, Log } from '../../kubelet/ports.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { ActTarget, ClusterSession } from './cluster-session.ts'
import { refusedWords } from './refused-words.ts'

type ActResult = Result<ActReceipt, ActError>

type Deletion = 'delete' | 'forceDelete' | 'deleteMirror'

interface Target extends ActTarget {
  readonly causes: TraceCauses
}

interface PodCommandsDeps {
  readonly session: ClusterSession
  readonly trace: ClusterTrace
  /** Answers at once, even while the cluster's clock is paused. */
  readonly api: ApiClient
  readonly log: Log
}

/**
 * Kill, the two evictions and the deletions of one cluster. Each asks the forecast that the dialog showed, leaves a root
 * event in the trace, and answers when the action has begun; the rows show the rest.
 */
export class PodCommands {
  readonly #deps: PodCommandsDeps

  constructor(deps: PodCommandsDeps) {
    this.#deps = deps
  }

  kill(key: PodKey, gracePeriodSeconds: number | null): ActResult {
    const target = this.#admit('kill', key, gracePeriodSeconds)
    if (!target.ok) return target
    const { kubelet, uid, facts, causes } = target.value
    if (kubelet === undefined) return noKubelet
    const killed = kubelet.manualActions.kill(uid, gracePeriodSeconds ?? undefined, causes)
    this.#logOutcome(killed, 'kill', facts)
    const { graceSeconds } = forecastAct('kill', facts, gracePeriodSeconds)
    return ok({ act: 'kill', message: `Killing ${podName(facts)}, ${graceSeconds} s grace` })
  }

  evictByKubelet(key: PodKey): ActResult {
    const target = this.#admit('evictByKubelet', key, null)
    if (!target.ok) return target
    const { kubelet, uid, facts, causes } = target.value
    if (kubelet === undefined) return noKubelet
    this.#logOutcome(kubelet.manualActions.evict(uid, causes), 'evictByKubelet', facts)
    return ok({ act: 'evictByKubelet', message: `The kubelet evicts ${podName(facts)}` })
  }

  async evictThroughApi(key: PodKey, gracePeriodSeconds: number | null): Promise<ActResult> {
    const target = this.#admit('evictThroughApi', key, gracePeriodSeconds)
    if (!target.ok) return target
    const { uid, facts, causes } = target.value
    const answer = await this.#deps.api.evict(
      { namespace: facts.namespace, name: facts.name },
      {
        preconditions: { uid },
        ...defined({ gracePeriodSeconds: gracePeriodSeconds ?? undefined }),
      },
      causes,
    )
    if (!answer.ok) return err({ kind: 'failed', message: refusedWords('Eviction', answer.error) })
    return ok({ act: 'evictThroughApi', message: `The API server evicts ${podName(facts)}` })
  }

  /** Deletes the object, or a static pod's mirror, through the API server. */
  async delete(act: Deletion, key: PodKey, gracePeriodSeconds: number | null): Promise<ActResult> {
    // As in kubectl: 0 requires --force.
    const grace =
      act === 'delete' && gracePeriodSeconds !== null
        ? Math.max(1, gracePeriodSeconds)
        : gracePeriodSeconds
    const target = this.#admit(act, key, grace)
    if (!target.ok) return target
    const { facts, apiUid, causes } = target.value
    const { namespace, name } = facts
    const gracePeriod = defined({ gracePeriodSeconds: grace ?? undefined })
    const answer = await this.#deps.api.delete(
      { resource: 'pods', namespace, name },
      { preconditions: { uid: apiUid }, ...gracePeriod },
      causes,
    )
    if (!answer.ok) return err({ kind: 'failed', message: refusedWords('Deletion', answer.error) })
    return ok({ act, message: deletionBegun(act, facts, grace) })
  }

  /** StopContainer of the container runtime, like crictl stop; the kubelet does the rest. */
  async restartContainer(
    key: PodKey,
    container: string,
    gracePeriodSeconds: number | null,
  ): Promise<ActResult> {
    const act = 'restartContainer'
    const target = this.#admit(act, key, gracePeriodSeconds, container)
    if (!target.ok) return target
    const { facts, runtime, causes } = target.value
    const id = facts.containers.find(({ name }) => name === container)?.id
    if (runtime === undefined || id === undefined) return noKubelet
    // What a stopped kubelet knows may be old.
    const found = await runtime.containerStatus(id)
    if (!found.ok)
      return err({ kind: 'failed', message: `StopContainer failed: ${found.error.message}.` })
    if (found.value.state !== 'running')
      return err({
        kind: 'refused',
        message: `Container ${container} is ${found.value.state} in the runtime, so there is nothing to stop.`,
      })
    const { graceSeconds } = forecastAct(act, facts, gracePeriodSeconds, container)
    const stopped = runtime
      .stopContainer(id, graceSeconds, causes)
      .then((answer) => (answer.ok ? answer : err(answer.error.message)))
    this.#logOutcome(stopped, act, facts)
    return ok({
      act,
      message: `Stopping ${container} of ${podName(facts)}, ${graceSeconds} s grace`,
    })
  }

  #admit(
    act: Act,
    key: PodKey,
    gracePeriodSeconds: number | null,
    container = '',
  ): Result<Target, ActError> {
    const target = this.#deps.session.actTarget(key)
    if (target === undefined)
      return err({ kind: 'not-found', message: 'This pod is no longer on the node.' })
    const { node, uid, facts } = target
    const forecast = forecastAct(act, facts, gracePeriodSeconds, container)
    const subject = { kind: 'pod', uid, namespace: facts.namespace, name: facts.name } as const
    const received = this.#deps.trace.emit(node, {
      kind: 'command.received',
      subject,
      causes: [],
      data: { act, gracePeriodSeconds, ...(container === '' ? {} : { container }) },
    })
    if (forecast.isAllowed) return ok({ ...target, causes: [received] })
    this.#deps.trace.emit(node, {
      kind: 'command.refused',
      subject,
      causes: [received],
      data: { act, message: forecast.refusal },
    })
    return err({
      kind: facts.readOnly === forecast.refusal ? 'read-only' : 'refused',
      message: forecast.refusal,
    })
  }

  #logOutcome(action: Promise<Result<undefined, string>>, act: Act, facts: ActFacts): void {
    const pod = podName(facts)
    action.then(
      (result) => {
        if (!result.ok) this.#deps.log.warn('act not completed', { act, pod, error: result.error })
      },
      (error: unknown) => {
        this.#deps.log.error('act failed', { act, pod, error: String(error) })
      },
    )
  }
}

const noKubelet: ActResult = err({ kind: 'refused', message: 'No kubelet has this pod.' })

function podName(facts: ActFacts): string {
  return `${facts.namespace}/${facts.name}`
}

function deletionBegun(act: Deletion, facts: ActFacts, grace: number | null): string {
  switch (act) {
    case 'delete': {
      const { graceSeconds } = forecastAct('delete', facts, grace)
      return `Deleting ${podName(facts)}, ${graceSeconds} s grace`
    }
    case 'forceDelete':
      return `Deleted ${podName(facts)} by force`
    case 'deleteMirror':
      return `Deleted the mirror of ${podName(facts)}${grace === 0 ? ' by force' : ''}`
    default:
      return assertNever(act, 'deletion')
  }
}
