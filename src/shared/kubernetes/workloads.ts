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
