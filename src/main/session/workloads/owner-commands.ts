import { objectAt } from '../../../shared/json.ts'
import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { suspends } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerActArgs, OwnerForecast } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerView } from '../../../shared/model/workloads/workloads.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { quoted } from '../../../shared/shell-words.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import { refusedWords } from '../cluster/refused-words.ts'
import { ownerOutcome } from './owner-forecast.ts'
import { noUndo, undoOf } from './owner-revisions.ts'
import type { Undo } from './owner-revisions.ts'
import { ownerView } from './owner-view.ts'
import { ownerResourceKinds } from './workloads.ts'
import type { OwnerResource, Workloads } from './workloads.ts'

interface OwnerCommandsDeps {
  readonly workloads: Pick<Workloads, 'find' | 'podsOf'>
  readonly api: TransportApiClient
  /** The cluster's time, ms. */
  readonly now: () => number
  /** Why nothing may be changed, in one sentence; empty if it may. */
  readonly readOnly: () => string
  /** Of the kubeconfig, for kubectl lines and buttons; empty in a sandbox. */
  readonly context: string
}

interface Found {
  readonly resource: OwnerResource
  readonly object: KubeObject
  readonly view: OwnerView
}

type Patch = Parameters<TransportApiClient['patch']>[1]

const verbs: Readonly<Record<OwnerActArgs['act'], string>> = {
  scale: 'Scale',
  restart: 'Restart',
  undo: 'Undo rollout of',
  run: 'Run',
  pause: 'Pause',
  resume: 'Resume',
  delete: 'Delete',
}

/** Source: kubectl's pkg/cmd/create/create_job.go createJobFromCronJob. */
export function manualJob(
  { metadata: { name, uid }, ...cronJob }: KubeObject,
  jobName: string,
): object {
  const jobTemplate = objectAt(objectAt(cronJob, 'spec'), 'jobTemplate')
  const { labels, annotations } = objectAt(jobTemplate, 'metadata')
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name, uid, controller: true }
  return {
    metadata: {
      name: jobName,
      labels,
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...Object(annotations) },
      ownerReferences: [owner],
    },
    spec: jobTemplate['spec'],
  }
}

function kubectlLine(
  args: OwnerActArgs,
  { chosen }: Undo,
  { kind, namespace, name }: OwnerView,
  jobName: string,
): string {
  const target = `${kind.toLowerCase()}/${name} -n ${namespace}`
  const suspend = (isOn: boolean): string =>
    `patch ${target} -p ${quoted(JSON.stringify({ spec: { suspend: isOn } }))}`
  switch (args.act) {
    case 'scale':
      return `scale ${target} --replicas=${args.replicas}`
    case 'restart':
      return `rollout restart ${target}`
    case 'undo':
      return `rollout undo ${target}${chosen === undefined ? '' : ` --to-revision=${chosen.revision}`}`
    case 'run':
      return `create job ${jobName} --from=cronjob/${name} -n ${namespace}`
    case 'pause':
      return suspends(kind) ? suspend(true) : `rollout pause ${target}`
    case 'resume':
      return suspends(kind) ? suspend(false) : `rollout resume ${target}`
    case 'delete':
      return `delete ${target}${args.cascade === 'background' ? '' : ` --cascade=${args.cascade}`}`
  }
}

/** Acts on owners of pods, each as kubectl does it, forecast before. */
export class OwnerCommands {
  readonly #deps: OwnerCommandsDeps
  /** By the UID of a CronJob: the second in the name of the Job of its last forecast, which the act then creates. */
  readonly #jobSeconds = new Map<string, number>()
  /** The last one that a Job was created with: a clock can stand still between two of them. */
  #lastJobSecond = 0

  constructor(deps: OwnerCommandsDeps) {
    this.#deps = deps
  }

  async forecast(args: OwnerActArgs): Promise<Result<OwnerForecast, ActError>> {
    const found = this.#find(args.owner)
    if (found === undefined) return notFound
    this.#jobSeconds.delete(args.owner)
    const undo = await this.#undo(args, found)
    return undo.ok ? ok(this.#forecast(args, found, undo.value)) : undo
  }

  async #undo(args: OwnerActArgs, { resource, object }: Found): Promise<Result<Undo, ActError>> {
    if (args.act !== 'undo') return ok(noUndo)
    const undo = await undoOf(this.#deps.api, resource, object, args.revision)
    if (undo.ok) return undo
    return err({ kind: 'failed', message: refusedWords('Reading the revisions', undo.error) })
  }

  #forecast(args: OwnerActArgs, { view, object }: Found, undo: Undo): OwnerForecast {
    const { context, readOnly, workloads } = this.#deps
    const owned = workloads.podsOf(args.owner)
    const { summary, steps, refusal } = ownerOutcome(view, object, { ...args, owned, undo })
    const why = refusal === '' ? readOnly() : refusal
    const isSuspended = args.act === 'pause' && suspends(view.kind)
    const title = `${isSuspended ? 'Suspend' : verbs[args.act]} ${view.name}`
    const at = context === '' ? '' : `--context ${quoted(context)} `
    return {
      title,
      summary,
      steps,
      kubectl: `kubectl ${at}${kubectlLine(args, undo, view, this.#jobName(args, view))}`,
      revisions: undo.revisions,
      revision: undo.chosen?.revision ?? 0,
      diff: undo.diff,
      confirm: context === '' ? title : `${title} on ${context}`,
      isAllowed: why === '',
      refusal: why,
    }
  }

  async act(args: OwnerActArgs): Promise<Result<Receipt, ActError>> {
    const found = this.#find(args.owner)
    if (found === undefined) return notFound
    const undo = await this.#undo(args, found)
    if (!undo.ok) return undo
    const { isAllowed, refusal, title } = this.#forecast(args, found, undo.value)
    if (!isAllowed)
      return err({ kind: this.#deps.readOnly() === '' ? 'refused' : 'read-only', message: refusal })
    const done = await this.#send(args, found, undo.value)
    if (done.ok && args.act === 'run')
      this.#lastJobSecond = this.#jobSeconds.get(args.owner) ?? this.#lastJobSecond
    this.#jobSeconds.delete(args.owner)
    if (done.ok) return ok({ message: `${title}: the API server has accepted it` })
    return err({ kind: 'failed', message: refusedWords(title, done.error) })
  }

  /** No Job that its controller creates has this name: theirs end in minutes since the epoch. */
  #jobName({ act, owner }: OwnerActArgs, { name }: OwnerView): string {
    if (act !== 'run') return ''
    const next = Math.max(Math.floor(this.#deps.now() / 1000), this.#lastJobSecond + 1)
    const second = this.#jobSeconds.get(owner) ?? next
    this.#jobSeconds.set(owner, second)
    return `${name}-${second}`
  }

  #find(uid: string): Found | undefined {
    const found = this.#deps.workloads.find(uid)
    if (found === undefined) return undefined
    return { ...found, view: ownerView(ownerResourceKinds[found.resource], found.object) }
  }

  #send(args: OwnerActArgs, { resource, object, view }: Found, { chosen }: Undo) {
    const { api } = this.#deps
    const { namespace = '', name, uid } = object.metadata
    const address = { resource, namespace, name }
    if (args.act === 'run')
      return api.create(
        { resource: 'batch/v1/jobs', namespace },
        manualJob(object, this.#jobName(args, view)),
      )
    if (chosen !== undefined) return api.patch(address, chosen.patch)
    if (args.act !== 'delete') return api.patch(address, this.#patch(args, uid, view))
    const propagationPolicy = cascadePolicies[args.cascade]
    return api.delete(address, { preconditions: { uid }, propagationPolicy })
  }

  /** Its UID makes the server refuse it for an object that took the name since. */
  #patch(args: OwnerActArgs, uid: string, { kind }: OwnerView): Patch {
    const body = (spec: object): Patch => ({ type: 'merge', body: { metadata: { uid }, spec } })
    const isPaused = args.act === 'pause'
    switch (args.act) {
      case 'scale':
        return body({ replicas: args.replicas })
      case 'restart': {
        const restartedAt = toTimestamp(this.#deps.now())
        const annotations = { 'kubectl.kubernetes.io/restartedAt': restartedAt }
        return body({ template: { metadata: { annotations } } })
      }
      default:
        return body(suspends(kind) ? { suspend: isPaused } : { paused: isPaused })
    }
  }
}

const cascadePolicies = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
} as const

const notFound = err({
  kind: 'not-found',
  message: 'The API server no longer has this owner.',
} as const)
