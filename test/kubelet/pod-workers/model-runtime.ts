import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { ok } from '../../../src/shared/result.ts'
import {
  containerStatusOf,
  runtimeStatusOf,
  sandboxOf,
} from '../../../src/main/kubelet/container/fake-pods.ts'
import { emptyPodRuntimeStatus } from '../../../src/main/kubelet/container/pod-cache.ts'
import type {
  PodRuntimeStatus,
  PodSyncResult,
  RuntimePod,
} from '../../../src/main/kubelet/container/runtime.ts'

interface RunningPod {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly isRunning: boolean
  readonly attempt: number
}

const done: PodSyncResult = { results: [] }

/** Containers as facts: each pod has one, which runs or has been killed. What a kubelet finds again after its restart. */
export class ModelRuntime {
  readonly #pods = new Map<string, RunningPod>()

  /** Uids of which a container runs. */
  get running(): readonly string[] {
    return [...this.#pods.values()].filter(({ isRunning }) => isRunning).map(({ uid }) => uid)
  }

  start(pod: Pod): PodSyncResult {
    const { uid, name, namespace = 'default' } = pod.metadata
    const before = this.#pods.get(uid)
    if (before?.isRunning !== true)
      this.#pods.set(uid, {
        uid,
        name,
        namespace,
        isRunning: true,
        attempt: (before?.attempt ?? -1) + 1,
      })
    return done
  }

  kill(uid: string): PodSyncResult {
    const pod = this.#pods.get(uid)
    if (pod !== undefined) this.#pods.set(uid, { ...pod, isRunning: false })
    return done
  }

  list(): readonly RuntimePod[] {
    return [...this.#pods.values()]
      .filter(({ isRunning }) => isRunning)
      .map(({ uid, name, namespace }) => ({
        uid,
        name,
        namespace,
        createdAt: 0,
        ...this.#parts(uid),
      }))
  }

  status(uid: string): PodRuntimeStatus {
    const pod = this.#pods.get(uid)
    if (pod === undefined) return emptyPodRuntimeStatus(uid)
    const { name, namespace } = pod
    return { ...runtimeStatusOf([], []), uid, name, namespace, ips: [], ...this.#parts(uid) }
  }

  readonly getPodStatus = (uid: string) => ok(this.status(uid))

  #parts(uid: string): Pick<PodRuntimeStatus, 'containers' | 'sandboxes'> {
    const { isRunning, attempt } = this.#pods.get(uid) ?? { isRunning: false, attempt: 0 }
    const container = isRunning
      ? containerStatusOf('c', 'running', { attempt })
      : containerStatusOf('c', 'exited', { attempt, exitCode: 137 })
    const sandbox = sandboxOf({ attempt, state: isRunning ? 'ready' : 'notready' })
    return { containers: [container], sandboxes: [sandbox] }
  }
}
