import { defaultEvictionSettings } from './eviction/eviction-settings.ts'
import type { EvictionSettings } from './eviction/eviction-settings.ts'

/** The fields of a KubeletConfiguration that the core and the file source act on, with the kubelet's defaults (docs/kubelet-configuration.md). */
export interface KubeletSettings {
  readonly syncFrequencyMs: number
  readonly fileCheckFrequencyMs: number
  readonly nodeStatusUpdateFrequencyMs: number
  readonly nodeStatusReportFrequencyMs: number
  readonly nodeLeaseDurationSeconds: number
  /** How many images the Node's status lists; -1: all. */
  readonly nodeStatusMaxImages: number
  /** 0: client-go's default, five a second. */
  readonly eventRecordQPS: number
  readonly eventBurst: number
  /** 0: no limit. */
  readonly registryPullQPS: number
  readonly registryBurst: number
  readonly serializeImagePulls: boolean
  /** Undefined: no limit. */
  readonly maxParallelImagePulls: number | undefined
  readonly imageMinimumGCAgeMs: number
  /** 0: images are not removed for their age. */
  readonly imageMaximumGCAgeMs: number
  readonly imageGCHighThresholdPercent: number
  readonly imageGCLowThresholdPercent: number
  readonly registerNode: boolean
  /** False: pods have no cgroups of their own. */
  readonly cgroupsPerQOS: boolean
  /** Addresses; absent: not set. */
  readonly clusterDNS?: readonly string[] | undefined
  /** Absent: not set. */
  readonly clusterDomain?: string | undefined
  /** crashLoopBackOff.maxContainerRestartPeriod. */
  readonly maxContainerRestartPeriodMs: number
  /** 0: not set. */
  readonly shutdownGracePeriodMs: number
  readonly shutdownGracePeriodCriticalPodsMs: number
  readonly eviction: EvictionSettings
}

/** pkg/kubelet/apis/config/v1beta1/defaults.go: SetDefaults_KubeletConfiguration. */
export const defaultKubeletSettings: KubeletSettings = {
  syncFrequencyMs: 60_000,
  fileCheckFrequencyMs: 20_000,
  nodeStatusUpdateFrequencyMs: 10_000,
  nodeStatusReportFrequencyMs: 300_000,
  nodeLeaseDurationSeconds: 40,
  nodeStatusMaxImages: 50,
  eventRecordQPS: 50,
  eventBurst: 100,
  registryPullQPS: 5,
  registryBurst: 10,
  serializeImagePulls: true,
  maxParallelImagePulls: undefined,
  imageMinimumGCAgeMs: 120_000,
  imageMaximumGCAgeMs: 0,
  imageGCHighThresholdPercent: 85,
  imageGCLowThresholdPercent: 80,
  registerNode: true,
  cgroupsPerQOS: true,
  maxContainerRestartPeriodMs: 300_000,
  shutdownGracePeriodMs: 0,
  shutdownGracePeriodCriticalPodsMs: 0,
  eviction: defaultEvictionSettings,
}

/** A part of the kubelet that acts on settings. Absent: the defaults. */
export interface WithKubeletSettings {
  readonly settings?: KubeletSettings | undefined
}

/** The timeout of a heartbeat call: cmd/kubelet/app/server.go, heartbeatClientConfig. */
export function heartbeatTimeoutMs(settings: KubeletSettings): number {
  return Math.min(settings.nodeStatusUpdateFrequencyMs, settings.nodeLeaseDurationSeconds * 1000)
}
