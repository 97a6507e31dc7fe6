import { err, ok } from '../../shared/result.ts'
import { emptyPodRuntimeStatus } from './container/pod-cache.ts'
import type { PodRuntimeStatus, PodSyncResult, Runtime, RuntimePod } from './container/runtime.ts'

/** What was asked of the runtime that changes something. */
export interface RuntimeCall {
  readonly verb: 'syncPod' | 'killPod' | 'deleteContainersInPod'
  readonly uid: string
  readonly gracePeriodSeconds?: number | undefined
  readonly causes: readonly number[]
}

/**
 * A Runtime that holds what the test puts there: a sync does nothing but answer `syncResult`, a kill makes
 * every running container of the pod exit with `exitCode`.
 */
export class FakeRuntime implements Runtime {
  readonly calls: RuntimeCall[] = []
  readonly statuses = new Map<string, PodRuntimeStatus>()
  syncResult: PodSyncResult = { results: [] }
  killResult: PodSyncResult = { results: [] }
  exitCode = 137
  /** Kills that leave the containers running. */
  ignoresKills = false
  /** Why it cannot say what it has of a pod. */
  statusProblem: string | undefined
  network: string | undefined
  health: string | undefined

  readonly getPods: Runtime['getPods'] = (all) =>
    Promise.resolve(
      ok(
        [...this.statuses.values()]
          .filter((status) => all || status.containers.some((one) => one.state === 'running'))
          .map((status): RuntimePod => ({ ...status, createdAt: 0 })),
      ),
    )

  readonly getPodStatus: Runtime['getPodStatus'] = (uid, name, namespace) =>
    Promise.resolve(
      this.statusProblem === undefined
        ? ok(this.statuses.get(uid) ?? emptyPodRuntimeStatus(uid, name, namespace))
        : err({ kind: 'failed', message: this.statusProblem }),
    )

  readonly syncPod: Runtime['syncPod'] = (pod, _status, causes) => {
    this.calls.push({ verb: 'syncPod', uid: pod.metadata.uid, causes })
    return Promise.resolve(this.syncResult)
  }

  readonly killPod: Runtime['killPod'] = (_pod, runningPod, gracePeriodSeconds, causes) => {
    this.calls.push({ verb: 'killPod', uid: runningPod.uid, gracePeriodSeconds, causes })
    const status = this.statuses.get(runningPod.uid)
    if (status !== undefined && !this.ignoresKills)
      this.statuses.set(runningPod.uid, this.#stopped(status))
    return Promise.resolve(this.killResult)
  }

  readonly deleteContainersInPod: Runtime['deleteContainersInPod'] = (status, _died, causes) => {
    this.calls.push({ verb: 'deleteContainersInPod', uid: status.uid, causes })
    return Promise.resolve()
  }

  readonly runtimeErrors = (): readonly string[] => (this.health === undefined ? [] : [this.health])
  readonly networkError = (): string | undefined => this.network

  #stopped(status: PodRuntimeStatus): PodRuntimeStatus {
    return {
      ...status,
      ips: [],
      sandboxes: status.sandboxes.map((sandbox) => ({ ...sandbox, state: 'notready' })),
      containers: status.containers.map((container) =>
        container.state === 'running'
          ? {
              ...container,
              state: 'exited',
              exitCode: this.exitCode,
              reason: this.exitCode === 0 ? 'Completed' : 'Error',
              finishedAt: 5000,
            }
          : container,
      ),
    }
  }
}
