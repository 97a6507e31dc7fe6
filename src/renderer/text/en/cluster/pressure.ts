import type { PressurePreset } from '../../../../shared/model/pressure/presets.ts'
import type { StarvedResource } from '../../../../shared/model/pressure/signals.ts'
import { counted } from '../plural.ts'
import { losses } from './losses.ts'
import { thresholds } from './thresholds.ts'

const resources: Readonly<Record<StarvedResource, string>> = {
  memory: 'memory',
  'ephemeral-storage': 'disk',
  inodes: 'inodes',
  pids: 'PIDs',
}

/** What the page says of a node under pressure. */
export const pressure = {
  request: 'pressure of the node',
  title: 'Pressure',
  summary: 'what the eviction manager measures, and which pod it would evict',
  loading: 'Asking the kubelet for its signals…',
  gone: 'No kubelet runs on this node',
  goneMeaning:
    'The eviction manager is a part of the kubelet. Start the kubelet to see its signals.',
  off: 'The eviction manager is off',
  offMeaning:
    'No thresholds are set on this node. Set evictionHard or evictionSoft, on the page Thresholds or in the kubelet’s configuration (--config).',
  trouble: 'The container runtime does not answer, so these numbers are old.',
  scale: 'Node',
  parts: {
    label: 'Part of the view',
    signals: 'Signals',
    losses: losses.title,
    thresholds: thresholds.title,
  },
  losses,
  thresholds,
  signals: {
    title: 'Signals',
    meaning: 'compared every 10 s',
    of: (amount: string) => `of ${amount}`,
    unknown: 'not known',
    hard: (value: string) => `hard ${value}`,
    soft: (value: string, grace: string) => `soft ${value}, ${grace}`,
    from: (filesystem: string, words: string) => `${words}, as ${filesystem}`,
    noThreshold: 'no threshold',
    met: (value: string) => `below ${value}`,
    reached: (value: string, at: string) => `${value} at about ${at}`,
    reclaims: (what: readonly string[]) => `first removes ${what.join(', ')}`,
    slider: (signal: string) => `${signal}: other use of the node`,
    chart: (signal: string, words: string) => `${signal}: ${words}`,
    use: (amount: string) => `${amount} used besides pods`,
  },
  ranking: {
    title: 'Eviction order',
    segment: 'Signal that ranks the pods',
    none: 'No pod on this node can be evicted.',
    pod: 'Pod, use; tick: request',
    over: 'Over',
    priority: 'Prio',
    above: 'Use − req',
    processes: 'Processes',
    table: (signal: string) => `Eviction order for ${signal}`,
    yes: 'yes',
    no: 'no',
    unknown: 'not known',
    why: (name: string) => `Why ${name} has this place`,
    slider: (resource: StarvedResource, name: string) => `${resources[resource]} of ${name}`,
    up: (places: number) => `▲${places}`,
    down: (places: number) => `▼${places}`,
    moved: (places: number) =>
      `${counted(Math.abs(places), 'place')} ${places > 0 ? 'earlier' : 'later'} than now`,
    never: 'never',
    neverMeaning: (sentence: string) => `Never evicted. ${sentence}`,
  },
  next: {
    title: 'What happens next',
    grace: 'Soft threshold, grace',
    left: (seconds: number) => `${seconds} s`,
    atOnce: 'at once',
    off: 'Nothing: the eviction manager watches nothing.',
  },
  conditions: {
    title: 'Conditions and taints',
    isTrue: 'True',
    isFalse: 'False',
    api: (status: string) => `${status} in the API, until the next status update`,
    observed: (age: string) => `threshold last met ${age} ago`,
    never: 'no threshold met so far',
    noTaints: 'No pressure taint on the Node object.',
    refuses: 'Admission refuses BestEffort pods that do not tolerate the taint:',
    refusesAll: 'Admission refuses every pod that is not critical:',
    message: (condition: string) => `The node had condition: [${condition}].`,
  },
  evicted: {
    title: 'Evicted',
    none: 'This kubelet has evicted no pod.',
    count: (count: number) => counted(count, 'pod'),
    line: (at: string, signal: string, grace: number) => `${at}, ${signal}, grace ${grace} s`,
    gone: 'The API object is gone.',
    succeeded:
      'All containers exited with 0, so the phase in the API is Succeeded although the kubelet evicted the pod.',
    seen: 'seen in status.message',
  },
  presets: {
    label: 'Try',
    names: {
      'memory-leak': 'Memory leak',
      'log-flood': 'Log flood',
      'image-disk-full': 'Image disk full',
      'fork-bomb': 'Fork bomb',
      'burstable-against-guaranteed': 'QoS classes',
      'priority-against-overuse': 'Priority',
    } satisfies Readonly<Record<PressurePreset, string>>,
    meaning: {
      'memory-leak': 'Opens a sandbox in which a pod leaks memory',
      'log-flood': 'Opens a sandbox in which a log fills the disk',
      'image-disk-full': 'Opens a sandbox in which data of no pod fills the disk of the images',
      'fork-bomb': 'Opens a sandbox in which a pod uses up the process IDs',
      'burstable-against-guaranteed': 'Opens a sandbox with a Burstable and a Guaranteed pod',
      'priority-against-overuse':
        'Opens a sandbox in which the pod with the lower priority uses less memory',
    } satisfies Readonly<Record<PressurePreset, string>>,
  },
  whatIf: {
    title: 'What if',
    meaning: 'Nothing is changed yet. The order and the forecast show these uses.',
    apply: 'Apply',
    reset: 'Reset',
    paused: 'The clock is paused: the change shows when it runs.',
    failed: (name: string, reason: string) => `${name}: ${reason}`,
  },
  keys: [
    { keys: ['Tab'], does: 'next slider' },
    { keys: ['←', '→'], does: 'change use' },
    { keys: ['Shift ←', 'Shift →'], does: 'to the threshold' },
    { keys: ['A'], does: 'apply' },
    { keys: ['R'], does: 'reset' },
    { keys: ['H'], does: 'handbook' },
  ],
  slidersOnly: 'sliders exist for simulated machines only',
}
