/**
 * Who validates a pod. An API server accepts more than a kubelet that reads a manifest, which validates with none
 * of the relaxations that came later. Source: pkg/apis/core/validation PodValidationOptions (v1.34); names are its own.
 */
export interface PodRules {
  /** Any printable ASCII but `=` in the name of an environment variable; else what a shell would take. */
  readonly allowRelaxedEnvironmentVariableValidation: boolean
  /** A hook may sleep for no time at all. */
  readonly allowPodLifecycleSleepActionZeroValue: boolean
  /** Whether an image volume without a pull policy is let through: for the API server its field is switched off. */
  readonly requiresImageVolumePullPolicy: boolean
}

/** How an API server validates. */
export const apiServerRules: PodRules = {
  allowRelaxedEnvironmentVariableValidation: true,
  allowPodLifecycleSleepActionZeroValue: true,
  requiresImageVolumePullPolicy: false,
}

/** How a kubelet validates manifests (pkg/kubelet/config/common.go). */
export const manifestRules: PodRules = {
  allowRelaxedEnvironmentVariableValidation: false,
  allowPodLifecycleSleepActionZeroValue: false,
  requiresImageVolumePullPolicy: true,
}
