import type { ContainerState, Pod, PodCondition } from '../../kubernetes/objects.ts'
import type { PodEvidence, RunningPod } from './evidence.ts'
import { toTimestamp } from '../../kubernetes/timestamps.ts'

/** The time at which all facts were read. */
export const readAt = Date.UTC(2026, 10, 24, 14, 2, 31)

export interface PodOptions {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly phase?: NonNullable<Pod['status']>['phase']
  readonly reason?: string
  readonly state?: ContainerState
  /** The kubelet has written a status. Default: true. */
  readonly isWritten?: boolean
  /** Seconds before `readAt` at which its grace period ends. */
  readonly deletedAgo?: number
  readonly grace?: number
  readonly finalizers?: readonly string[]
  readonly spec?: Partial<Pod['spec']>
  readonly conditions?: readonly PodCondition[]
}

const running: ContainerState = { running: { startedAt: toTimestamp(readAt - 60_000) } }

export function ended(secondsAgo: number, exitCode = 0): ContainerState {
  return { terminated: { exitCode, finishedAt: toTimestamp(readAt - secondsAgo * 1000) } }
}

/** A pod of one container, which runs unless told otherwise. */
export function fakePodOf(options: PodOptions = {}): Pod {
  const {
    uid = 'uid-1',
    annotations,
    phase = 'Running',
    state = running,
    isWritten = true,
  } = options
  const { deletedAgo, grace = 30, finalizers } = options
  const status = { name: 'c', state, ready: true, restartCount: 0, image: '', imageID: '' }
  return {
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid,
      ...(options.resourceVersion === undefined
        ? {}
        : { resourceVersion: options.resourceVersion }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(deletedAgo === undefined
        ? {}
        : {
            deletionTimestamp: toTimestamp(readAt - deletedAgo * 1000),
            deletionGracePeriodSeconds: grace,
          }),
    },
    spec: { containers: [{ name: 'c' }], ...options.spec },
    status: {
      phase,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(isWritten
        ? { startTime: toTimestamp(readAt - 60_000), containerStatuses: [status] }
        : {}),
      conditions: options.conditions ?? [],
    },
  }
}

export const runs: RunningPod = { uid: 'uid-1', namespace: 'shop', name: 'web', containers: ['c'] }

/** What is known of a pod that runs, and that everybody has. */
export function fakeEvidence(
  facts: {
    readonly api?: Pod | null
    /** Undefined: as the API's. */
    readonly told?: Pod | null
    readonly running?: RunningPod | null
  } = {},
  more: Partial<PodEvidence> = {},
): PodEvidence {
  const { api = fakePodOf(), told = api, running: listed = runs } = facts
  return {
    uid: 'uid-1',
    isStatic: false,
    api: { value: api, at: readAt },
    told: { value: told, at: readAt },
    running: { value: listed, at: readAt },
    sameName: [],
    kubelet: 'answers',
    apiAwaySince: null,
    lease: { value: readAt - 3000, at: readAt },
    leaseDurationMs: 40_000,
    events: [],
    sightings: {
      firstInApiAt: readAt - 60_000,
      goneFromApiAt: null,
      goneFromPodsAt: null,
      goneFromRunningAt: null,
      hadFinalPhase: false,
      differsSince: null,
      unreportedSince: null,
    },
    ...more,
  }
}

/** The same pod with a kubelet that was not asked. */
export function fakeEvidenceOfApi(api: Pod | null, more: Partial<PodEvidence> = {}): PodEvidence {
  return fakeEvidence({ api }, { told: null, running: null, kubelet: 'not asked', ...more })
}
