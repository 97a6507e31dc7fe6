import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { ResizeConditions } from './resize-conditions.ts'
import type { StatusManagerApi } from './status-manager-api.ts'

/** Resize conditions at time 0. */
export function fakeResizeConditions(): ResizeConditions {
  return new ResizeConditions({ clock: { now: () => 0, after: () => () => undefined } })
}

/** A status manager that keeps what it is given and sends nothing. */
export class FakeStatusManager implements StatusManagerApi {
  readonly set: {
    readonly uid: string
    readonly status: PodStatus
    readonly causes: readonly number[]
  }[] = []
  readonly terminated: string[] = []
  readonly resizeConditions = fakeResizeConditions()
  readonly #statuses = new Map<string, PodStatus>()

  readonly getPodStatus = (uid: string): PodStatus | undefined => this.#statuses.get(uid)

  readonly setPodStatus: StatusManagerApi['setPodStatus'] = (pod, status, causes) => {
    this.#statuses.set(pod.metadata.uid, status)
    this.set.push({ uid: pod.metadata.uid, status, causes })
    return false
  }

  readonly setContainerReadiness = (): void => undefined
  readonly setContainerStartup = (): void => undefined

  readonly terminatePod = (pod: Pod): void => {
    this.terminated.push(pod.metadata.uid)
  }

  readonly removeOrphanedStatuses = (uids: ReadonlySet<string>): void => {
    for (const uid of this.#statuses.keys()) if (!uids.has(uid)) this.#statuses.delete(uid)
  }

  readonly versions = (): undefined => undefined
}
