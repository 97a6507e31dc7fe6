import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import type { CordonFacts, NodeRowsAct } from '../../../shared/model/forecast/rows-forecast.ts'
import { cordonForecast } from '../../../shared/model/forecast/rows-forecast.ts'
import type {
  DrainOptions,
  DrainProgress,
  SeenNodeAct,
  SeenNodeForecast,
} from '../../../shared/model/seen/drain.ts'
import { quoted } from '../../../shared/shell-words.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiClient, Clock, Log } from '../../kubelet/ports.ts'
import { cordonNode, setUnschedulable } from '../cluster/cordon.ts'
import type { ClusterWatch } from './cluster-watch.ts'
import { rehearseDrain } from './drain/drain-rehearsal.ts'
import type { SeenNodeActArgs } from './seen-commands.ts'
import { NodeDrain } from './drain/node-drain.ts'

interface SeenNodeCommandsDeps {
  readonly cluster: string
  /** Its label, for sentences and lines. */
  readonly context: string
  readonly watch: Pick<ClusterWatch, 'node' | 'podsOf' | 'arePodsListed' | 'budgets' | 'apiPods'>
  readonly api: ApiClient
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Log
  /** Why nothing may be changed, in one sentence; empty if it may. */
  readonly readOnly: () => string
  readonly onChange: () => void
}

const unknownOfProcesses = [
  'Whether the processes handle SIGTERM is not known: those that do not end with SIGKILL after their grace period.',
  'Whether the pods find room on other nodes is not known: the scheduler decides when they are recreated.',
]

function drainLine(node: string, options: DrainOptions): string {
  const { ignoreDaemonSets, deleteEmptyDirData, force, gracePeriodSeconds } = options
  return [
    `drain ${node}`,
    ...(ignoreDaemonSets ? ['--ignore-daemonsets'] : []),
    ...(deleteEmptyDirData ? ['--delete-emptydir-data'] : []),
    ...(force ? ['--force'] : []),
    ...(gracePeriodSeconds === null ? [] : [`--grace-period=${gracePeriodSeconds}`]),
  ].join(' ')
}

function count(pods: SeenNodeForecast['pods'], fate: SeenNodeForecast['pods'][number]['fate']) {
  return pods.filter((pod) => pod.fate === fate).length
}

function podCount(number: number): string {
  return number === 1 ? '1 pod' : `${number} pods`
}

/** `isReadOnly`: changes are not allowed yet. */
function drainSummary(node: string, pods: SeenNodeForecast['pods'], isReadOnly: boolean): string {
  const refusing = count(pods, 'refuses')
  if (refusing > 0)
    return `Does not cordon ${node} and evicts no pod: ${podCount(refusing)} ${refusing === 1 ? 'refuses' : 'refuse'} the drain.`
  const [cordons, evicts] = isReadOnly ? ['Would cordon', 'evict'] : ['Cordons', 'evicts']
  const blocked = count(pods, 'blocks')
  const waits =
    blocked === 0
      ? ''
      : ` The eviction of ${podCount(blocked)} would be refused now; the drain asks again every 5 s.`
  return `${cordons} ${node} and ${evicts} ${podCount(count(pods, 'evicts') + blocked)}; ${podCount(count(pods, 'skips'))} stay.${waits}`
}

const titles: Readonly<Record<SeenNodeAct, string>> = {
  cordon: 'Cordon',
  uncordon: 'Uncordon',
  drain: 'Drain',
}

/** Cordon, uncordon and drain of nodes whose kubelets are not this program. */
export class SeenNodeCommands {
  readonly #deps: SeenNodeCommandsDeps
  readonly #drains = new Map<string, NodeDrain>()

  constructor(deps: SeenNodeCommandsDeps) {
    this.#deps = deps
  }

  drains(): readonly DrainProgress[] {
    return [...this.#drains.values()].map((drain) => drain.view())
  }

  async forecast({
    node,
    act,
    drain,
  }: SeenNodeActArgs): Promise<Result<SeenNodeForecast, ActError>> {
    const found = this.#deps.watch.node(node)
    if (found === undefined) return noNode(node)
    const { context } = this.#deps
    const line = act === 'drain' ? drainLine(node, drain) : `${act} ${node}`
    const common = {
      act,
      title: `${titles[act]} ${node}`,
      kubectl: `kubectl --context ${quoted(context)} ${line}`,
      confirm: `${titles[act]} ${node} on ${context}`,
    }
    if (act === 'drain') return ok({ ...common, ...(await this.#rehearsal(node, drain)) })
    const { refusal, outcome } = cordonForecast(act, this.#cordonFacts(found))
    return ok({
      ...common,
      isAllowed: refusal === '',
      refusal,
      summary: outcome,
      unknown: [],
      pods: [],
      isRehearsed: false,
      note: '',
    })
  }

  async cordon(act: NodeRowsAct, node: string): Promise<Result<Receipt, ActError>> {
    const found = this.#deps.watch.node(node)
    if (found === undefined) return noNode(node)
    const { api, context } = this.#deps
    return cordonNode(api, act, this.#cordonFacts(found), ` on ${context}`)
  }

  async act(args: SeenNodeActArgs): Promise<Result<Receipt, ActError>> {
    const { node, act, drain } = args
    if (act !== 'drain') return this.cordon(act, node)
    const forecast = await this.forecast(args)
    if (!forecast.ok) return forecast
    const { isAllowed, refusal } = forecast.value
    if (!isAllowed)
      return err({ kind: this.#isReadOnly() ? 'read-only' : 'refused', message: refusal })
    const { api, context } = this.#deps
    const cordoned = await setUnschedulable(api, node, true)
    if (!cordoned.ok) return cordoned
    const uids = new Set(
      forecast.value.pods
        .filter(({ fate }) => fate === 'evicts' || fate === 'blocks')
        .map(({ key }) => key.split('/').at(-1)),
    )
    const pods = this.#deps.watch.podsOf(node).filter(({ metadata }) => uids.has(metadata.uid))
    this.#begin(node, drain, pods)
    return ok({ message: `Draining ${node} on ${context}: ${podCount(pods.length)} to evict` })
  }

  stopDrain(node: string): Result<Receipt, ActError> {
    const drain = this.#drains.get(node)
    if (drain?.isRunning !== true)
      return err({ kind: 'not-found', message: `No drain of ${node} is under way.` })
    drain.stop('It was stopped. The node stays cordoned.')
    return ok({ message: `Stopped the drain of ${node}` })
  }

  /** The cluster closes. */
  stop(): void {
    for (const drain of this.#drains.values()) drain.stop('The cluster was closed.')
  }

  #cordonFacts({ metadata, spec }: Node): CordonFacts {
    const isUnschedulable = spec?.unschedulable === true
    return { name: metadata.name, isUnschedulable, readOnly: this.#deps.readOnly() }
  }

  #isReadOnly(): boolean {
    return this.#deps.readOnly() !== ''
  }

  async #rehearsal(
    node: string,
    options: DrainOptions,
  ): Promise<Omit<SeenNodeForecast, 'act' | 'title' | 'kubectl' | 'confirm'>> {
    const { cluster, watch, api, readOnly } = this.#deps
    const isAsked = !this.#isReadOnly()
    const budgets = watch.budgets()
    const { pods, unanswered } = await rehearseDrain(watch.podsOf(node), options, {
      cluster,
      node,
      api,
      budgets,
      isAsked,
    })
    const refusing = pods.filter(({ fate }) => fate === 'refuses')
    const why = [...new Set(refusing.map((pod) => pod.why))].join('; ')
    const running = this.#drains.get(node)?.isRunning === true
    const notNow =
      (watch.arePodsListed() ? '' : 'The pods of the cluster are not all listed yet: try again.') ||
      (running ? `${node} is being drained already.` : '')
    const refusal =
      readOnly() ||
      notNow ||
      (refusing.length === 0 ? '' : `kubectl drain would not begin: ${why}.`)
    return {
      isAllowed: refusal === '',
      refusal,
      summary: notNow === '' ? drainSummary(node, pods, !isAsked) : 'Does nothing now.',
      unknown: unknownOfProcesses,
      pods,
      isRehearsed: isAsked && unanswered === '',
      note: rehearsalNote(isAsked, budgets !== undefined, unanswered),
    }
  }

  #begin(node: string, options: DrainOptions, pods: readonly Pod[]): void {
    const { api, clock, log, watch, onChange } = this.#deps
    const drain = new NodeDrain({
      node,
      pods,
      options,
      api,
      clock,
      onChange,
      isThere: (uid) => watch.apiPods.get(uid) !== undefined,
      mayChange: () => !this.#isReadOnly(),
    })
    this.#drains.set(node, drain)
    onChange()
    drain.run().catch((error: unknown) => {
      drain.stop(`It broke: ${String(error)}.`)
      log.error('drain broke', { node, error: String(error) })
    })
  }
}

function rehearsalNote(isAsked: boolean, hasBudgets: boolean, unanswered: string): string {
  if (isAsked)
    return unanswered === ''
      ? ''
      : `The server did not answer the dry run, so that who would be blocked is not known: ${unanswered}`
  return hasBudgets
    ? 'Computed from the budgets: the server is asked for a dry run only while changes are allowed.'
    : 'The budgets cannot be read, and the server is asked for a dry run only while changes are allowed: who would be blocked is not known.'
}

function noNode(node: string): Result<never, ActError> {
  return err({ kind: 'not-found', message: `The API server has no node ${node}.` })
}
