import { withFields } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceSeq } from '../../../shared/model/trace-event.ts'
import type { PodCache, PodRuntimeStatus } from '../container/runtime.ts'
import { isStaticPod, isTerminalPhase, podNamespace, traceAbout } from '../pod/identity.ts'
import type { CorePorts } from '../ports.ts'
import { UpdateSignal } from './update-signal.ts'
import { calculateEffectiveGracePeriod } from './grace-period.ts'
import { applyTrigger, terminationReason, terminationTrigger } from './termination-request.ts'
import type { TerminationTrigger } from './termination-request.ts'
import type { UpdatePodOptions } from './update-pod-options.ts'
import { newWorkerRecord, replacePending } from './worker-record.ts'
import type { WorkerRecord } from './worker-record.ts'
import type { WorkerTable } from './worker-table.ts'

interface Target {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly isRuntimePod: boolean
}

/** Replaces a pod that only the runtime knows: it has no grace period. */
const syntheticPod: Pod = { metadata: { name: '', uid: '' }, spec: { containers: [] } }

interface PodUpdaterDeps extends CorePorts {
  readonly table: WorkerTable
  readonly podCache: PodCache
  readonly startWorker: (uid: string, signal: UpdateSignal) => void
  /** The pod with the resources that it was given on this node. Absent: as its spec asks. */
  readonly allocated?: ((pod: Pod) => Pod) | undefined
}

/** Takes updates for workers in the decision order of pod-workers#updatepod. Synchronous. */
export class PodUpdater {
  readonly #deps: PodUpdaterDeps

  constructor(deps: PodUpdaterDeps) {
    this.#deps = deps
  }

  updatePod(given: UpdatePodOptions): void {
    const target = targetOf(given)
    if (target === undefined) {
      const { runningPod, updateType } = given
      const podUid = runningPod?.uid
      this.#deps.log.warn('update ignored: a runtime pod can only be killed', {
        podUid,
        updateType,
      })
      return
    }
    const existing = this.#deps.table.records.get(target.uid)
    const record = existing ?? this.#firstSeen(target, given)
    const options = withKnownPod(record, target, given)
    // D: the content is dropped, and CompletedCh is left alone.
    const isTerminating = existing?.terminatingAt !== undefined
    if (isTerminating && options.updateType === 'create') {
      this.#deps.table.requestRestart(record)
      this.#updated(record, options, { outcome: 'restartRequested' })
      return
    }
    // E: CompletedCh is never called here.
    if (record.finished) {
      this.#updated(record, options, { outcome: 'ignored', message: 'the worker has finished' })
      return
    }
    if (record.terminatedAt !== undefined && target.isRuntimePod) {
      const message = 'its containers have stopped; the list of the runtime was old'
      this.#updated(record, options, { outcome: 'ignored', message })
      return
    }
    this.#accept(record, options, target)
  }

  // B: a pod that is terminal in the API and in the runtime (after a restart of the kubelet) only has to be
  // cleaned up. A cache that knows nothing of the uid also counts as nothing alive; an error does not.
  #firstSeen(target: Target, options: UpdatePodOptions): WorkerRecord {
    const record = newWorkerRecord({ ...target, now: this.#deps.clock.now() })
    this.#deps.table.add(record)
    const phase = options.pod?.status?.phase
    if (!isTerminalPhase(phase)) return record
    const status = this.#deps.podCache.get(target.uid)
    if (!status.ok || !isRuntimeTerminal(status.value)) return record
    record.startedTerminating = true
    const seq = this.#deps.table.markTerminating(record, 'terminal phase', options.causes)
    const why = `phase ${phase ?? ''} when first seen, and nothing of it runs`
    this.#deps.table.markTerminated(record, why, [seq])
    return record
  }

  // F to L.
  #accept(record: WorkerRecord, options: UpdatePodOptions, target: Target): void {
    const trigger =
      record.terminatingAt === undefined
        ? terminationTrigger(options, options.pod, target.isRuntimePod)
        : ''
    applyTrigger(record, trigger)
    const isTerminating = record.terminatingAt !== undefined || trigger !== ''
    const { killPodOptions, isGraceChanged } = takeKillOptions(record, options, isTerminating)
    const isCancelling = trigger !== '' || isGraceChanged
    const cause = this.#accepted(record, options, { transition: trigger, isCancelling })
    const signal = this.#signalOf(record, options.pod)
    const { allocated = (pod) => pod } = this.#deps
    const pod = options.pod === undefined ? undefined : allocated(options.pod)
    replacePending(record, withFields(options, { pod, killPodOptions, causes: [cause] }))
    signal.send()
    if (isCancelling) record.cancellation?.cancel()
  }

  #accepted(
    record: WorkerRecord,
    options: UpdatePodOptions,
    {
      transition,
      isCancelling,
    }: { readonly transition: TerminationTrigger; readonly isCancelling: boolean },
  ): TraceSeq {
    // Between two syncs there is none to cancel.
    const isBrokenOff =
      isCancelling &&
      record.currentSync !== undefined &&
      record.cancellation?.isCancelled() === false
    const seq = this.#updated(record, options, {
      outcome: 'pending',
      transition,
      ...(isBrokenOff ? { cancels: true } : {}),
    })
    return transition === ''
      ? seq
      : this.#deps.table.markTerminating(record, terminationReason(transition), [seq])
  }

  /** H: the worker's signal; without one, the worker is started and a static pod is queued for its name. */
  #signalOf(record: WorkerRecord, pod: Pod | undefined): UpdateSignal {
    const existing = this.#deps.table.podUpdates.get(record.uid)
    if (existing !== undefined) return existing
    const signal = new UpdateSignal(record.uid, this.#deps.startWorker)
    this.#deps.table.podUpdates.set(record.uid, signal)
    if (pod !== undefined && isStaticPod(pod))
      this.#deps.table.staticPodStart.waitToStart(record.fullName, record.uid)
    return signal
  }

  #updated(
    record: WorkerRecord,
    options: UpdatePodOptions,
    result: {
      readonly outcome: 'pending' | 'ignored' | 'restartRequested'
      readonly transition?: TerminationTrigger
      readonly message?: string
      readonly cancels?: true
    },
  ): TraceSeq {
    return traceAbout(this.#deps.trace, record.subject, 'worker.updated', options.causes, {
      updateType: options.updateType,
      outcome: result.outcome,
      transition: result.transition ?? '',
      gracePeriodSeconds: record.gracePeriodSeconds === 0 ? null : record.gracePeriodSeconds,
      message: result.message ?? '',
      ...(result.cancels === undefined ? {} : { cancels: result.cancels }),
    })
  }
}

/** A: which pod an update is for; undefined: what only the runtime knows can only be killed. */
function targetOf(options: UpdatePodOptions): Target | undefined {
  const { pod, runningPod } = options
  if (pod !== undefined) {
    const { uid, name } = pod.metadata
    return { uid, name, namespace: podNamespace(pod), isRuntimePod: false }
  }
  if (runningPod === undefined || options.updateType !== 'kill') return undefined
  const { uid, name, namespace } = runningPod
  return { uid, name, namespace, isRuntimePod: true }
}

/** A and C: a runtime pod that was seen is driven to its end; a spec that is known is used instead of the list. */
function withKnownPod(
  record: WorkerRecord,
  target: Target,
  options: UpdatePodOptions,
): UpdatePodOptions {
  if (!target.isRuntimePod) {
    if (options.runningPod === undefined) return options
    return { ...options, runningPod: undefined }
  }
  record.observedRuntime = true
  const pod = record.pendingUpdate?.pod ?? record.activeUpdate?.pod
  return pod === undefined ? options : { ...options, runningPod: undefined, pod }
}

/** G: the kill options that go with the update, and their effect on the record. */
function takeKillOptions(
  record: WorkerRecord,
  { killPodOptions, pod }: UpdatePodOptions,
  isTerminating: boolean,
): {
  readonly killPodOptions: UpdatePodOptions['killPodOptions']
  readonly isGraceChanged: boolean
} {
  if (record.terminatedAt !== undefined || !isTerminating) {
    // Stopped already, or an update that stops nothing: the caller need not wait.
    killPodOptions?.onCompleted?.()
    return { killPodOptions: undefined, isGraceChanged: false }
  }
  const { onCompleted, podStatusFunc, evict, gracePeriodSecondsOverride } = killPodOptions ?? {}
  if (onCompleted !== undefined)
    record.notifyPostTerminating = [...record.notifyPostTerminating, onCompleted]
  if (podStatusFunc !== undefined)
    record.statusPostTerminating = [...record.statusPostTerminating, podStatusFunc]
  const grace = calculateEffectiveGracePeriod(
    record.gracePeriodSeconds,
    pod ?? syntheticPod,
    gracePeriodSecondsOverride,
  )
  record.gracePeriodSeconds = grace.seconds
  return {
    killPodOptions: { evict, gracePeriodSecondsOverride: grace.seconds },
    isGraceChanged: grace.isChanged,
  }
}

function isRuntimeTerminal(status: PodRuntimeStatus): boolean {
  return (
    !status.containers.some((container) => container.state === 'running') &&
    !status.sandboxes.some((sandbox) => sandbox.state === 'ready')
  )
}
