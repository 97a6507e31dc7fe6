import { defaultEvictionHard, parseThresholdConfig } from './parse-thresholds.ts'
import type { Threshold } from './thresholds.ts'

/** eviction.Config, and whether pods are held to their limits of local storage. */
export interface EvictionSettings {
  readonly thresholds: readonly Threshold[]
  /** How long a condition stays after it was last observed. */
  readonly pressureTransitionPeriodMs: number
  /** evictionMaxPodGracePeriod: of soft thresholds, in seconds. */
  readonly maxPodGracePeriodSeconds: number
  readonly kernelMemcgNotification: boolean
  readonly localStorageCapacityIsolation: boolean
  /** Whether any threshold is set; else all are the kubelet's defaults. */
  readonly isConfigured: boolean
}

const parsedDefaults = parseThresholdConfig({
  evictionHard: defaultEvictionHard,
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  enforcesPods: true,
})

/** Of a kubelet without a configuration. */
export const defaultEvictionSettings: EvictionSettings = {
  thresholds: parsedDefaults.ok ? parsedDefaults.value : [],
  pressureTransitionPeriodMs: 300_000,
  maxPodGracePeriodSeconds: 0,
  kernelMemcgNotification: false,
  localStorageCapacityIsolation: true,
  isConfigured: false,
}

/** Nothing is watched: no pod is ever evicted, and the node is never under pressure. */
export const noEviction: EvictionSettings = {
  ...defaultEvictionSettings,
  thresholds: [],
  localStorageCapacityIsolation: false,
}
