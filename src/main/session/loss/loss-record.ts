import type { Pod, PodCondition } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import type { LossResult, LossWrite, LossWriter } from '../../../shared/model/loss/loss.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { apiServerCaller } from '../../sandbox/auth/caller.ts'
import { controllerOf } from '../../sandbox/control-plane/workloads/controller-ref.ts'
import type { StoredPods } from '../../sandbox/stored-pods.ts'

function writerOf(user: string): LossWriter {
  if (user.startsWith('system:node:')) return 'kubelet'
  if (user === 'system:kube-scheduler') return 'kube-scheduler'
  return user === 'system:kube-controller-manager' ? 'kube-controller-manager' : 'caller'
}

function disruption(pod: Pod): PodCondition | undefined {
  return pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
}

function isDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** All writes of one pod's object from now on, with who wrote, and what its kubelet did. */
export class LossRecord {
  readonly #pod: Pod
  readonly #startedAt: number
  readonly #writes: LossWrite[] = []
  readonly #exits: { readonly container: string; readonly code: number }[] = []
  #last: Pod
  #isGone = false
  #user = ''
  #grace: number | null = null
  #budgetCounted = false
  #condition: LossResult['condition'] = null
  #deletedBy: LossWriter | null = null
  #removedBy: LossWriter | null = null
  #replacement = ''

  constructor(
    pod: Pod,
    deps: {
      readonly pods: StoredPods
      readonly trace: Pick<ClusterTrace, 'listen'>
      readonly now: () => number
    },
  ) {
    this.#pod = pod
    this.#last = pod
    this.#startedAt = deps.now()
    deps.trace.listen((event) => {
      this.#take(event)
    })
    const owner = controllerOf(pod)?.uid
    deps.pods.listen(({ before, after }) => {
      if ((after ?? before)?.metadata.uid === pod.metadata.uid) this.#written(after, deps.now())
      else if (before === undefined && after !== undefined && owner === controllerOf(after)?.uid)
        this.#replacement ||= owner === undefined ? '' : after.metadata.name
    })
  }

  /** Whether nothing more happens to it, its finalizers aside. */
  get hasEnded(): boolean {
    const phase = this.#last.status?.phase
    const isOver = phase === 'Succeeded' || phase === 'Failed'
    const isHeld = (this.#last.metadata.finalizers ?? []).length > 0
    return this.#isGone || (isOver && (!isDeleted(this.#last) || isHeld))
  }

  /** The first pod that its owner has made since; empty: none. */
  get replacement(): string {
    return this.#replacement
  }

  /** What has happened until now. */
  result(
    now: number,
  ): Pick<
    LossResult,
    | 'isLost'
    | 'graceSeconds'
    | 'end'
    | 'message'
    | 'condition'
    | 'object'
    | 'deletedBy'
    | 'removedBy'
    | 'haveAllExitedZero'
    | 'seconds'
    | 'writes'
  > & { readonly budgetCounted: boolean } {
    const { phase = 'Pending', reason = '', message = '' } = this.#last.status ?? {}
    const wasDeleted = this.#isGone || isDeleted(this.#last)
    const sidecars = (this.#pod.spec.initContainers ?? []).filter(isSidecar)
    const names = new Set(sidecars.map(({ name }) => name))
    return {
      isLost: wasDeleted || phase === 'Failed' || phase === 'Succeeded',
      graceSeconds: this.#grace,
      end: { phase, reason },
      message,
      condition: this.#condition,
      object: this.#isGone ? 'goes' : wasDeleted ? 'held' : 'stays',
      deletedBy: this.#deletedBy,
      removedBy: this.#removedBy,
      haveAllExitedZero: this.#exits.every(
        ({ container, code }) => code === 0 || names.has(container),
      ),
      seconds: (now - this.#startedAt) / 1000,
      writes: this.#writes,
      budgetCounted: this.#budgetCounted,
    }
  }

  #take({ kind, subject, data }: TraceEvent): void {
    if (kind === 'object.written' && subject.kind === 'object') {
      // It is stored next.
      if (subject.uid === this.#pod.metadata.uid) this.#user = data.user
      if (subject.resource === 'poddisruptionbudgets' && data.user === apiServerCaller.user)
        this.#budgetCounted = true
    }
    if (subject.kind !== 'pod' || subject.uid !== this.#pod.metadata.uid) return
    if (kind === 'worker.syncStarted' && data.workType === 'terminating')
      this.#grace ??= data.gracePeriodSeconds
    if (kind === 'container.exited')
      this.#exits.push({ container: data.container, code: data.exitCode })
  }

  #written(after: Pod | undefined, now: number): void {
    const writer = writerOf(this.#user)
    const atSeconds = (now - this.#startedAt) / 1000
    const add = (what: LossWrite['what']): void => {
      this.#writes.push({ atSeconds, writer, what })
    }
    if (after === undefined) {
      this.#isGone = true
      this.#removedBy = writer
      this.#deletedBy ??= writer
      add('removed')
      return
    }
    if (isDeleted(after) && !isDeleted(this.#last)) {
      this.#deletedBy = writer
      add('deletionTimestamp')
    } else add(after.status === this.#last.status ? 'object' : 'status')
    const condition = disruption(after)
    const { reason = '', message = '' } = condition ?? {}
    if (condition?.status === 'True' && this.#condition?.reason !== reason)
      this.#condition = { reason, message, writer }
    this.#last = after
  }
}
