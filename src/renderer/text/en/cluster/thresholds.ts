import type { ThresholdField } from '../../../../shared/model/pressure/threshold-texts.ts'

/** What the page says of the settings of thresholds. */
export const thresholds = {
  request: 'thresholds of the node',
  title: 'Thresholds',
  meaning:
    'A kubelet reads these fields when it starts. Set restarts it with them: containers keep running, and what the eviction manager has measured is forgotten. They hold until Nodescope ends.',
  loading: 'Asking the kubelet for its configuration…',
  signal: 'Signal',
  fields: {
    evictionHard: 'Hard',
    evictionSoft: 'Soft',
    evictionSoftGracePeriod: 'Grace of soft',
    evictionMinimumReclaim: 'Minimum reclaim',
  } satisfies Readonly<Record<ThresholdField, string>>,
  examples: {
    evictionHard: '100Mi or 10%',
    evictionSoft: '1Gi or 15%',
    evictionSoftGracePeriod: '1m30s',
    evictionMinimumReclaim: '200Mi or 5%',
  } satisfies Readonly<Record<ThresholdField, string>>,
  of: (field: string, signal: string) => `${field}, ${signal}`,
  period: 'evictionPressureTransitionPeriod',
  maxGrace: 'evictionMaxPodGracePeriod, seconds',
  set: 'Set and restart the kubelet',
  setting: 'Restarting…',
  reset: 'Reset',
  file: 'The same in a file for --config',
  keys: [{ keys: ['H'], does: 'handbook' }],
  foot: 'kubelets of a sandbox only',
}
