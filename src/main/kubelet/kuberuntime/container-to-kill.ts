import type { RuntimeContainerStatus } from '../ports.ts'

/**
 * Why a container is killed; the two probes may bring a grace period of their own (termination#stopping-containers). A
 * changed definition has no name of its own.
 */
export type ContainerKillReason =
  'StartupProbe' | 'LivenessProbe' | 'FailedPostStartHook' | 'Unknown' | ''

/** A container to kill, and what the `Killing` event says. */
export interface ContainerToKill {
  readonly status: RuntimeContainerStatus
  readonly message: string
  readonly reason: ContainerKillReason
}
