/**
 * The Kubernetes API objects that Nodescope reads and writes, as raw JSON: times are RFC 3339
 * strings, unknown fields stay where they are. Names and spelling are the API's.
 */

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly generateName?: string
  readonly uid: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly unknown[]
}

/** What every stored object has. Kinds that the core does not model travel as this. */
export interface KubeObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ObjectMeta
  readonly [field: string]: unknown
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never'
export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never'
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
export type ConditionStatus = 'True' | 'False' | 'Unknown'

export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: unknown
}

export interface ResourceRequirements {
  readonly requests?: Readonly<Record<string, string>>
  readonly limits?: Readonly<Record<string, string>>
}

export interface ContainerPort {
  readonly name?: string
  readonly containerPort: number
  readonly hostPort?: number
  readonly hostIP?: string
  readonly protocol?: string
}

export interface Container {
  readonly name: string
  readonly image?: string
  readonly imagePullPolicy?: PullPolicy
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly EnvVar[]
  readonly envFrom?: readonly unknown[]
  readonly ports?: readonly ContainerPort[]
  readonly resources?: ResourceRequirements
  readonly lifecycle?: unknown
  readonly livenessProbe?: unknown
  readonly readinessProbe?: unknown
  readonly startupProbe?: unknown
  readonly restartPolicy?: 'Always'
  readonly terminationMessagePath?: string
  readonly terminationMessagePolicy?: string
  readonly securityContext?: unknown
  readonly volumeMounts?: readonly unknown[]
  readonly [field: string]: unknown
}

export interface Toleration {
  readonly key?: string
  readonly operator?: 'Exists' | 'Equal'
  readonly value?: string
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
  readonly tolerationSeconds?: number
}

export interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly ephemeralContainers?: readonly Container[]
  readonly restartPolicy?: RestartPolicy
  readonly terminationGracePeriodSeconds?: number
  readonly activeDeadlineSeconds?: number
  readonly nodeName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly hostNetwork?: boolean
  readonly priority?: number
  readonly priorityClassName?: string
  readonly serviceAccountName?: string
  readonly serviceAccount?: string
  readonly tolerations?: readonly Toleration[]
  readonly readinessGates?: readonly { readonly conditionType: string }[]
  readonly volumes?: readonly { readonly name: string; readonly [source: string]: unknown }[]
  readonly dnsPolicy?: string
  readonly schedulerName?: string
  readonly schedulingGates?: readonly { readonly name: string }[]
  readonly securityContext?: unknown
  readonly enableServiceLinks?: boolean
  readonly imagePullSecrets?: readonly { readonly name: string }[]
  readonly [field: string]: unknown
}

export interface ContainerStateWaiting {
  readonly reason?: string
  readonly message?: string
}

export interface ContainerStateRunning {
  readonly startedAt?: string
}

export interface ContainerStateTerminated {
  readonly exitCode: number
  readonly signal?: number
  readonly reason?: string
  readonly message?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly containerID?: string
}

/** At most one of the three is set; none means waiting without a reason. */
export interface ContainerState {
  readonly waiting?: ContainerStateWaiting
  readonly running?: ContainerStateRunning
  readonly terminated?: ContainerStateTerminated
}

export interface ContainerStatus {
  readonly name: string
  readonly state?: ContainerState
  readonly lastState?: ContainerState
  readonly ready: boolean
  readonly started?: boolean
  readonly restartCount: number
  readonly image: string
  readonly imageID: string
  readonly containerID?: string
  /** What the runtime enforces while the container runs. */
  readonly resources?: ResourceRequirements
  readonly allocatedResources?: Readonly<Record<string, string>>
  readonly volumeMounts?: readonly unknown[]
  readonly [field: string]: unknown
}

export interface PodCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly observedGeneration?: number
  readonly lastProbeTime?: string | null
  readonly lastTransitionTime?: string | null
  readonly reason?: string
  readonly message?: string
}

export interface PodStatus {
  readonly observedGeneration?: number
  readonly phase?: PodPhase
  readonly conditions?: readonly PodCondition[]
  readonly message?: string
  readonly reason?: string
  readonly nominatedNodeName?: string
  readonly hostIP?: string
  readonly hostIPs?: readonly { readonly ip: string }[]
  readonly podIP?: string
  readonly podIPs?: readonly { readonly ip: string }[]
  readonly startTime?: string
  readonly initContainerStatuses?: readonly ContainerStatus[]
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[]
  readonly qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort'
  readonly [field: string]: unknown
}

export interface Pod {
  readonly apiVersion?: 'v1'
  readonly kind?: 'Pod'
  readonly metadata: ObjectMeta
  readonly spec: PodSpec
  readonly status?: PodStatus
}

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
  readonly timeAdded?: string
}

export interface NodeCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly lastHeartbeatTime?: string
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
}

export interface NodeStatus {
  readonly capacity?: Readonly<Record<string, string>>
  readonly allocatable?: Readonly<Record<string, string>>
  readonly conditions?: readonly NodeCondition[]
  readonly addresses?: readonly { readonly type: string; readonly address: string }[]
  readonly daemonEndpoints?: unknown
  readonly nodeInfo?: Readonly<Record<string, string>>
  readonly images?: readonly unknown[]
  readonly [field: string]: unknown
}

export interface Node {
  readonly apiVersion?: 'v1'
  readonly kind?: 'Node'
  readonly metadata: ObjectMeta
  readonly spec?: {
    readonly taints?: readonly Taint[]
    readonly unschedulable?: boolean
    readonly providerID?: string
    readonly podCIDR?: string
    readonly [field: string]: unknown
  }
  readonly status?: NodeStatus
}

export interface Lease {
  readonly apiVersion?: 'coordination.k8s.io/v1'
  readonly kind?: 'Lease'
  readonly metadata: ObjectMeta
  readonly spec?: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly renewTime?: string
    readonly acquireTime?: string
    readonly leaseTransitions?: number
  }
}

export interface ConfigMap {
  readonly apiVersion?: 'v1'
  readonly kind?: 'ConfigMap'
  readonly metadata: ObjectMeta
  readonly data?: Readonly<Record<string, string>>
  /** Base64. */
  readonly binaryData?: Readonly<Record<string, string>>
  readonly immutable?: boolean
}

export interface Secret {
  readonly apiVersion?: 'v1'
  readonly kind?: 'Secret'
  readonly metadata: ObjectMeta
  readonly type?: string
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>
  readonly immutable?: boolean
}

export interface ServicePort {
  readonly name?: string
  readonly protocol?: string
  readonly port: number
}

export interface Service {
  readonly apiVersion?: 'v1'
  readonly kind?: 'Service'
  readonly metadata: ObjectMeta
  readonly spec?: {
    readonly clusterIP?: string
    readonly ports?: readonly ServicePort[]
    readonly [field: string]: unknown
  }
}

export interface ObjectReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}

/** core/v1 Event. `Event` alone would shadow the DOM's. */
export interface KubeEvent {
  readonly apiVersion?: 'v1'
  readonly kind?: 'Event'
  readonly metadata: ObjectMeta
  readonly involvedObject: ObjectReference
  readonly reason?: string
  readonly message?: string
  readonly source?: { readonly component?: string; readonly host?: string }
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly count?: number
  readonly type?: 'Normal' | 'Warning'
  readonly reportingComponent?: string
  readonly reportingInstance?: string
}

export interface Namespace {
  readonly apiVersion?: 'v1'
  readonly kind?: 'Namespace'
  readonly metadata: ObjectMeta
  readonly spec?: { readonly finalizers?: readonly string[] }
  readonly status?: { readonly phase?: 'Active' | 'Terminating' }
}

/** metav1.Status: the body of every refusal, and of a few successes. */
export interface KubeStatus {
  readonly apiVersion: 'v1'
  readonly kind: 'Status'
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: {
    readonly name?: string
    readonly group?: string
    readonly kind?: string
    readonly uid?: string
    readonly causes?: readonly {
      readonly reason?: string
      readonly message?: string
      readonly field?: string
    }[]
    readonly retryAfterSeconds?: number
  }
  readonly code: number
}
