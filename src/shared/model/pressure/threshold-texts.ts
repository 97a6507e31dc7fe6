/** The eviction settings of a kubelet as a file for --config has them. */
import type { Signal } from './signals.ts'

/** The signals whose thresholds can be set: those of containerfs and of allocatable memory follow others. */
export const settableSignals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
] as const satisfies readonly Signal[]

/** The fields that have a value for each signal. */
export const thresholdFields = [
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMinimumReclaim',
] as const

export type ThresholdField = (typeof thresholdFields)[number]

/** A signal without a value is not set. */
export interface ThresholdTexts extends Readonly<
  Record<ThresholdField, Readonly<Record<string, string>>>
> {
  /** `5m0s`. */
  readonly evictionPressureTransitionPeriod: string
  /** Whole seconds. */
  readonly evictionMaxPodGracePeriod: string
}

/** In the kubelet's words. `signal` is empty for the two fields that have one value, and for what is about several. */
export interface ThresholdProblem {
  readonly field: keyof ThresholdTexts
  readonly signal: string
  readonly message: string
}

function mapLines(field: string, values: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.entries(values)
  // An empty map of hard thresholds is not the same as none: it sets no defaults.
  if (entries.length === 0) return field === 'evictionHard' ? [`${field}: {}`] : []
  return [`${field}:`, ...entries.map(([signal, value]) => `  ${signal}: ${JSON.stringify(value)}`)]
}

/** The file for --config that sets the same. Pure. */
export function thresholdsYaml(texts: ThresholdTexts): string {
  return [
    'apiVersion: kubelet.config.k8s.io/v1beta1',
    'kind: KubeletConfiguration',
    ...thresholdFields.flatMap((field) => mapLines(field, texts[field])),
    `evictionPressureTransitionPeriod: ${JSON.stringify(texts.evictionPressureTransitionPeriod)}`,
    `evictionMaxPodGracePeriod: ${texts.evictionMaxPodGracePeriod}`,
    '',
  ].join('\n')
}
