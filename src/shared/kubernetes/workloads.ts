import type { LabelSelector } from './disruption-budget.ts'
import type { KubeObject, PodSpec } from './objects.ts'

/** The kinds whose controllers create pods, as the API server stores them. Numbers that are 0 may be absent in a status. */

export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  }
  readonly spec: PodSpec
  readonly [field: string]: unknown
}

/** A condition of a workload. `lastUpdateTime`: only of Deployments, `lastProbeTime`: only of Jobs. */
export interface WorkloadCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string | null
  readonly lastUpdateTime?: string | null
  readonly lastProbeTime?: string | null
}

export interface ReplicaSetStatus {
  readonly replicas?: number
  readonly fullyLabeledReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly observedGeneration?: number
  readonly conditions?: readonly WorkloadCondition[]
}

export interface ReplicaSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly selector?: LabelSelector
    readonly template: PodTemplate
  }
  readonly status?: ReplicaSetStatus
}

export interface ReplicationController extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly selector?: Readonly<Record<string, string>>
    readonly template?: PodTemplate
  }
  readonly status?: ReplicaSetStatus
}

export interface DeploymentStatus {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly updatedReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly unavailableReplicas?: number
  readonly collisionCount?: number
  readonly conditions?: readonly WorkloadCondition[]
}

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly selector?: LabelSelector
    readonly template: PodTemplate
    readonly paused?: boolean
    readonly revisionHistoryLimit?: number
    readonly progressDeadlineSeconds?: number
    readonly strategy?: {
      readonly type?: string
      readonly rollingUpdate?: {
        readonly maxSurge?: number | string
        readonly maxUnavailable?: number | string
      }
    }
  }
  readonly status?: DeploymentStatus
}

export interface PodFailurePolicyRule {
  readonly action: string
  readonly onExitCodes?: {
    readonly containerName?: string
    readonly operator: string
    readonly values?: readonly number[]
  }
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[]
}

export interface JobStatus {
  readonly conditions?: readonly WorkloadCondition[]
  readonly startTime?: string
  readonly completionTime?: string
  readonly active?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly ready?: number
  readonly terminating?: number
  readonly completedIndexes?: string
  readonly failedIndexes?: string
  /** UIDs of pods that have ended and whose finalizer is not removed yet. */
  readonly uncountedTerminatedPods?: {
    readonly succeeded?: readonly string[]
    readonly failed?: readonly string[]
  }
}

export interface Job extends KubeObject {
  readonly spec: {
    readonly parallelism?: number
    readonly completions?: number
    readonly completionMode?: string
    readonly activeDeadlineSeconds?: number
    readonly backoffLimit?: number
    readonly backoffLimitPerIndex?: number
    readonly maxFailedIndexes?: number
    readonly suspend?: boolean
    readonly selector?: LabelSelector
    readonly template: PodTemplate
    readonly ttlSecondsAfterFinished?: number
    readonly podReplacementPolicy?: string
    readonly managedBy?: string
    readonly podFailurePolicy?: { readonly rules: readonly PodFailurePolicyRule[] }
    readonly successPolicy?: {
      readonly rules: readonly {
        readonly succeededIndexes?: string
        readonly succeededCount?: number
      }[]
    }
  }
  readonly status?: JobStatus
}

/** A reference in the status of a CronJob to a Job that runs. */
interface ActiveJob {
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly apiVersion?: string
  readonly resourceVersion?: string
}

export interface CronJobStatus {
  readonly active?: readonly ActiveJob[]
  readonly lastScheduleTime?: string
  readonly lastSuccessfulTime?: string
}

export interface CronJob extends KubeObject {
  readonly spec: {
    readonly schedule: string
    readonly timeZone?: string
    readonly startingDeadlineSeconds?: number
    readonly concurrencyPolicy?: string
    readonly suspend?: boolean
    readonly successfulJobsHistoryLimit?: number
    readonly failedJobsHistoryLimit?: number
    readonly jobTemplate: {
      readonly metadata?: PodTemplate['metadata']
      readonly spec: Job['spec']
    }
  }
  readonly status?: CronJobStatus
}

/** A template of an earlier time. `data`: the part of the set's spec that it was. */
export interface ControllerRevision extends KubeObject {
  readonly revision: number
  readonly data?: unknown
}

export interface DaemonSetStatus {
  readonly currentNumberScheduled?: number
  readonly numberMisscheduled?: number
  readonly desiredNumberScheduled?: number
  readonly numberReady?: number
  readonly observedGeneration?: number
  readonly updatedNumberScheduled?: number
  readonly numberAvailable?: number
  readonly numberUnavailable?: number
  readonly collisionCount?: number
  readonly conditions?: readonly WorkloadCondition[]
}

export interface DaemonSet extends KubeObject {
  readonly spec: {
    readonly selector?: LabelSelector
    readonly template: PodTemplate
    readonly minReadySeconds?: number
    readonly revisionHistoryLimit?: number
    readonly updateStrategy?: {
      readonly type?: string
      readonly rollingUpdate?: {
        readonly maxUnavailable?: number | string
        readonly maxSurge?: number | string
      }
    }
  }
  readonly status?: DaemonSetStatus
}

export interface StatefulSetStatus {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly currentReplicas?: number
  readonly updatedReplicas?: number
  readonly currentRevision?: string
  readonly updateRevision?: string
  readonly collisionCount?: number
}

export interface StatefulSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector?: LabelSelector
    readonly template: PodTemplate
    readonly serviceName?: string
    readonly minReadySeconds?: number
    readonly revisionHistoryLimit?: number
    readonly podManagementPolicy?: string
    readonly ordinals?: { readonly start?: number }
    readonly updateStrategy?: {
      readonly type?: string
      readonly rollingUpdate?: { readonly partition?: number }
    }
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenScaled?: string
      readonly whenDeleted?: string
    }
    readonly volumeClaimTemplates?: readonly KubeObject[]
  }
  readonly status?: StatefulSetStatus
}
