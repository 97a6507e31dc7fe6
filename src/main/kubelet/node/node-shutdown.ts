/** Graceful node shutdown (pkg/kubelet/nodeshutdown; node#graceful-shutdown): what a kubelet does between the order to shut down and the end. */
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { NodeView } from '../../../shared/model/cluster-view.ts'
import { noShutdown } from '../../../shared/model/node/node-shutdown-view.ts'
import type {
  NodeShutdownView,
  ShutdownGroupView,
} from '../../../shared/model/node/node-shutdown-view.ts'
import type { TraceCauses, TraceSeq, TraceSubject } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { AdmissionRefusal, PodAdmitter } from '../admission/pod-admitter.ts'
import { podNamespace, traceAbout, tracePod } from '../pod/identity.ts'
import { defaultKubeletSettings } from '../kubelet-settings.ts'
import type { WithKubeletSettings } from '../kubelet-settings.ts'
import type { CancelTimer, Clock, EventRecorder, Trace } from '../ports.ts'
import { withDisruptionTarget } from '../status/disruption-target.ts'
import type { KillPodFunc } from '../workers/kill-pod.ts'
import {
  groupByPriority,
  nodeShutdownConfigProblems,
  shutdownGraceSeconds,
  shutdownGroups,
} from './node-shutdown-groups.ts'
import type { NodeShutdownConfig, PodShutdownGroup } from './node-shutdown-groups.ts'

const subject: TraceSubject = { kind: 'node' }

const shutdownMessage = 'Pod was terminated in response to imminent node shutdown.'

const kubeletStopped = 'The kubelet has stopped.'

const refusal: AdmissionRefusal = {
  reason: 'NodeShutdown',
  message: 'Pod was rejected as the node is shutting down.',
}

export interface NodeShutdownDeps extends WithKubeletSettings {
  /** The pods that count against the node, when the shutdown begins. */
  readonly activePods: () => readonly Pod[]
  readonly kill: KillPodFunc
  /** Computes the node's status now: it is not Ready from here on. */
  readonly syncNodeStatus: () => void
  readonly recorder: EventRecorder
  readonly clock: Clock
  readonly trace: Trace
}

/** A group under way: its pods, and how it stands. */
interface RunningGroup {
  readonly group: PodShutdownGroup
  state: ShutdownGroupView['state']
  stopped: number
  startedAt: number | null
  endedAt: number | null
}

/**
 * The shutdown manager. While the node shuts down, and after that until it is cancelled, it is not Ready and
 * takes no pod. The state is gone with the kubelet: after a boot there is no shutdown.
 */
export class NodeShutdown implements PodAdmitter {
  readonly #deps: NodeShutdownDeps
  #phase: NodeShutdownView['phase'] = 'off'
  #startedAt = 0
  #endedAt: number | null = null
  #groups: readonly RunningGroup[] = []
  /** The trace event of a cancellation that waits for the groups. */
  #cancelling: TraceSeq | undefined
  #cancelTimer: CancelTimer | undefined
  #isStopped = false

  constructor(deps: NodeShutdownDeps) {
    this.#deps = deps
  }

  /** Why the node is not ready (kubelet ShutdownStatus); undefined when it does not shut down. */
  readonly error = (): string | undefined =>
    this.#phase === 'off' ? undefined : 'node is shutting down'

  /** The last of the admission handlers: refuses every pod while the node shuts down. */
  readonly admit = (): AdmissionRefusal | undefined => (this.#phase === 'off' ? undefined : refusal)

  /**
   * PrepareForShutdown(true): group after group, from low priority to high, all pods of a group are killed at once
   * and waited for, at most as long as the group has. Error: a sentence saying why it does not begin. Begun, it goes
   * on by itself; see `view`.
   */
  shutDown(config: NodeShutdownConfig, causes: TraceCauses): Result<undefined, string> {
    if (this.#isStopped) return err(kubeletStopped)
    const [problem] = nodeShutdownConfigProblems(config)
    if (problem !== undefined) return err(problem)
    const groups = shutdownGroups(config)
    if (groups.length === 0)
      return err('Graceful node shutdown is off: its grace periods are zero.')
    if (this.#phase === 'running') return err('The node is shutting down already.')
    void this.#run(groupByPriority(groups, this.#deps.activePods()), causes)
    return ok(undefined)
  }

  /**
   * PrepareForShutdown(false): the node takes pods again. The groups that are left are ended before that, as the
   * kubelet does, and what was killed is not started again. Error: nothing to cancel.
   */
  cancel(causes: TraceCauses): Result<undefined, string> {
    if (this.#isStopped) return err(kubeletStopped)
    if (this.#phase === 'off') return err('The node is not shutting down.')
    if (this.#cancelling !== undefined) return err('The shutdown is to be cancelled already.')
    const waits = this.#phase === 'running'
    const cancelled = this.#emitCancelled(waits, causes)
    if (waits) this.#cancelling = cancelled
    else this.#cancelled([cancelled])
    return ok(undefined)
  }

  /** No timer is left; killed pods continue to stop in the runtime. */
  stop(): void {
    this.#isStopped = true
    this.#cancelTimer?.()
  }

  /** The two grace periods of the kubelet's configuration, in whole seconds; null: not set. */
  get configuredGrace(): NodeView['shutdownGrace'] {
    const { shutdownGracePeriodMs, shutdownGracePeriodCriticalPodsMs } =
      this.#deps.settings ?? defaultKubeletSettings
    if (shutdownGracePeriodMs === 0) return null
    const seconds = (ms: number): number => Math.trunc(ms / 1000)
    return {
      total: seconds(shutdownGracePeriodMs),
      critical: seconds(shutdownGracePeriodCriticalPodsMs),
    }
  }

  /** How it stands; `off` before a shutdown, and after one that was cancelled. */
  view(): NodeShutdownView {
    if (this.#phase === 'off') return noShutdown
    return {
      phase: this.#phase,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      cancelRequested: this.#cancelling !== undefined,
      groups: this.#groups.map(({ group, ...state }) => ({
        ...state,
        priority: group.priority,
        seconds: group.shutdownGracePeriodSeconds,
        pods: group.pods.map((pod) => `${podNamespace(pod)}/${pod.metadata.name}`),
      })),
    }
  }

  async #run(groups: readonly PodShutdownGroup[], causes: TraceCauses): Promise<void> {
    const { clock, recorder, syncNodeStatus } = this.#deps
    this.#phase = 'running'
    this.#startedAt = clock.now()
    this.#endedAt = null
    this.#groups = groups.map((group) => ({
      group,
      state: 'waiting',
      stopped: 0,
      startedAt: null,
      endedAt: null,
    }))
    const started = this.#emitStarted(groups, causes)
    const message = 'Shutdown manager detected shutdown event'
    recorder.event({ kind: 'node' }, 'Normal', 'Shutdown', message, [started])
    syncNodeStatus()
    for (const running of this.#groups) {
      if (this.#isStopped) return
      await this.#endGroup(running, started)
    }
    this.#finish(started)
  }

  #finish(started: TraceSeq): void {
    if (this.#isStopped) return
    this.#phase = 'done'
    this.#endedAt = this.#deps.clock.now()
    const finished = traceAbout(this.#deps.trace, subject, 'shutdown.finished', [started], {})
    const waiting = this.#cancelling
    this.#cancelling = undefined
    if (waiting !== undefined) this.#cancelled([this.#emitCancelled(false, [waiting, finished])])
  }

  async #endGroup(running: RunningGroup, started: TraceSeq): Promise<void> {
    const { clock, trace } = this.#deps
    const { group } = running
    if (group.pods.length === 0) {
      running.state = 'empty'
      return
    }
    running.state = 'running'
    running.startedAt = clock.now()
    const { priority, shutdownGracePeriodSeconds: seconds } = group
    const begun = traceAbout(trace, subject, 'shutdown.groupStarted', [started], {
      priority,
      seconds,
      pods: group.pods.length,
    })
    const kills = group.pods.map((pod) => this.#kill(pod, running, begun))
    const areStopped = await this.#inTime(Promise.all(kills), seconds)
    running.state = areStopped ? 'done' : 'timedOut'
    running.endedAt = clock.now()
    if (this.#isStopped) return
    traceAbout(trace, subject, 'shutdown.groupEnded', [begun], {
      priority,
      left: group.pods.length - running.stopped,
    })
  }

  async #kill(pod: Pod, running: RunningGroup, begun: TraceSeq): Promise<void> {
    const { trace, kill, clock } = this.#deps
    const grace = shutdownGraceSeconds(pod, running.group)
    const killing = tracePod(trace, pod, 'shutdown.podKilled', [begun], {
      priority: running.group.priority,
      gracePeriodSeconds: grace,
    })
    const killed = await kill(pod, {
      evict: false,
      gracePeriodSecondsOverride: grace,
      podStatusFunc: (status) => terminatedStatus(pod, status, clock.now()),
      causes: [killing],
    })
    if (this.#isStopped) return
    if (killed.ok) running.stopped++
    tracePod(trace, pod, 'shutdown.podStopped', [killing], { timedOut: !killed.ok })
  }

  /** Whether it settles within so many seconds. */
  #inTime(settled: Promise<unknown>, seconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancelTimer = this.#deps.clock.after(seconds * 1000, () => {
        resolve(false)
      })
      this.#cancelTimer = cancelTimer
      void settled.then(() => {
        cancelTimer()
        resolve(true)
      })
    })
  }

  #emitStarted(groups: readonly PodShutdownGroup[], causes: TraceCauses): TraceSeq {
    const pods = groups.reduce((sum, group) => sum + group.pods.length, 0)
    const seconds = groups.reduce((sum, group) => sum + group.shutdownGracePeriodSeconds, 0)
    return traceAbout(this.#deps.trace, subject, 'shutdown.started', causes, { pods, seconds })
  }

  #emitCancelled(waits: boolean, causes: TraceCauses): TraceSeq {
    return this.#deps.trace.emit({ kind: 'shutdown.cancelled', subject, causes, data: { waits } })
  }

  #cancelled(causes: TraceCauses): void {
    this.#phase = 'off'
    const message = 'Shutdown manager detected shutdown cancellation'
    this.#deps.recorder.event({ kind: 'node' }, 'Normal', 'Shutdown', message, causes)
  }
}

/** The phase is Failed unless it was Succeeded; reason, message and the condition DisruptionTarget are set in any case. */
function terminatedStatus(pod: Pod, status: PodStatus, now: number): PodStatus {
  const phase = status.phase === 'Succeeded' ? 'Succeeded' : 'Failed'
  const ended: PodStatus = { ...status, phase, reason: 'Terminated', message: shutdownMessage }
  return withDisruptionTarget(pod, ended, shutdownMessage, now)
}
