/** The volumes and the environment of a pod, as the drawer's tab shows them. Times are ms on the cluster's clock. */

export type ReferredKind = 'ConfigMap' | 'Secret'

/** `unread`: the kubelet has not read it, or does not watch it for this pod. */
export type ReferredState = 'found' | 'missing' | 'unread'

/** A ConfigMap or Secret that a volume or a variable is made of, as the kubelet last read it. */
export interface ReferredObject {
  readonly kind: ReferredKind
  readonly name: string
  readonly state: ReferredState
  readonly isOptional: boolean
  /** The keys that are taken; empty: all. */
  readonly keys: readonly string[]
  /** Those of them that it does not have. */
  readonly missingKeys: readonly string[]
  /** How many keys it has; null unless it was found. */
  readonly keyCount: number | null
  /** When the kubelet ended its watch, so that changes since are not known; null while it watches. */
  readonly asOf: number | null
}

/** One source of a projected volume. */
export type VolumePart =
  | { readonly kind: 'object'; readonly object: ReferredObject }
  | { readonly kind: 'token'; readonly audience: string; readonly expirationSeconds: number }
  | { readonly kind: 'downwardAPI'; readonly items: readonly string[] }
  /** The field's name: `clusterTrustBundle`. */
  | { readonly kind: 'other'; readonly type: string }

export type VolumeSource =
  | { readonly kind: 'object'; readonly object: ReferredObject }
  | { readonly kind: 'emptyDir'; readonly medium: string; readonly sizeLimit: string }
  | { readonly kind: 'hostPath'; readonly path: string; readonly type: string }
  | { readonly kind: 'downwardAPI'; readonly items: readonly string[] }
  | { readonly kind: 'projected'; readonly parts: readonly VolumePart[] }
  | { readonly kind: 'claim'; readonly name: string }
  /** The field's name: `nfs`. */
  | { readonly kind: 'storage'; readonly type: string }

export interface VolumeMountView {
  readonly container: string
  readonly path: string
  readonly isReadOnly: boolean
  /** `subPath` or `subPathExpr`; empty: the whole volume. */
  readonly subPath: string
}

/**
 * `unused`: no container mounts it, so that the kubelet does not either; `waiting`: it is to be mounted; `mounting`: that is
 * under way; `uncertain`: found on the node when the kubelet started, or its unmounting failed; `unmounting`: no container may
 * use it any more; `absent`: the node does not have it and is not to have it.
 */
export type VolumeState =
  'unused' | 'waiting' | 'mounting' | 'mounted' | 'uncertain' | 'unmounting' | 'absent'

/** An operation on a volume that has failed, and not succeeded since. */
export interface VolumeFailure {
  readonly firstAt: number
  readonly lastAt: number
  readonly count: number
  readonly message: string
  /** Null while it is tried. */
  readonly nextTryAt: number | null
}

export interface VolumeProgress {
  readonly state: VolumeState
  /** Since when the state is `mounting`, `mounted` or `unmounting`, where that is known. */
  readonly since: number | null
  /** When files of a mounted volume changed last. */
  readonly updatedAt: number | null
  readonly failure: VolumeFailure | null
}

export interface VolumeView extends VolumeProgress {
  readonly name: string
  readonly source: VolumeSource
  readonly mounts: readonly VolumeMountView[]
  /** When a token in it is replaced at the earliest; null without one. */
  readonly renewsAt: number | null
}

/** A variable's whole value, on request. */
export interface VariableValue {
  readonly value: string
}

export type VariableSource =
  | { readonly kind: 'spec' }
  | {
      readonly kind: 'key'
      readonly of: ReferredKind
      readonly name: string
      readonly key: string
    }
  /** `key` empty: the object itself, because it is not there. */
  | {
      readonly kind: 'envFrom'
      readonly of: ReferredKind
      readonly name: string
      readonly key: string
    }
  | { readonly kind: 'field'; readonly path: string }
  /** `container` empty: its own. */
  | { readonly kind: 'resource'; readonly resource: string; readonly container: string }
  | { readonly kind: 'service' }
  /** The running container has it; nothing in the spec gives it now. */
  | { readonly kind: 'former' }

/**
 * `keyMissing`, `objectMissing`: the container does not start without it; `absent`: the same, but optional; `unread`: the kubelet
 * does not know; `pending`: it is known when the sandbox has its address; `refused`: it has no value, for the reason in `message`.
 */
export type VariableState =
  'found' | 'keyMissing' | 'objectMissing' | 'absent' | 'unread' | 'pending' | 'refused'

export interface VariableView {
  /** Empty for an object in `envFrom` that is not there. */
  readonly name: string
  readonly source: VariableSource
  readonly state: VariableState
  /** Empty if it is hidden or there is none; cut if it is long. */
  readonly value: string
  /** Made of a Secret: it is sent on request only. */
  readonly isHidden: boolean
  /** The running container has another value than the next one will get. */
  readonly isOutdated: boolean
  /** Why there is no value, in the kubelet's words; else empty. */
  readonly message: string
  /** See `ReferredObject`. */
  readonly asOf: number | null
}

export interface ContainerEnvironment {
  readonly container: string
  /** Whether the values are those of the running container; otherwise those that it would get. */
  readonly isGiven: boolean
  /** Why no environment can be made at all, in the kubelet's words; else empty. */
  readonly refusal: string
  readonly variables: readonly VariableView[]
  /** How many more there are than are sent. */
  readonly left: number
}

/** Everything that the tab shows. Bounded. */
export interface PodVolumes {
  readonly volumes: readonly VolumeView[]
  /** How many more there are than are sent. */
  readonly volumesLeft: number
  readonly environments: readonly ContainerEnvironment[]
  /** False: no kubelet has the pod, so that only its spec is known. */
  readonly isKnown: boolean
}
