import type { PodCgroups } from '../../../shared/model/inside-pod/pod-cgroups.ts'
import { counted } from './plural.ts'

const kinds = { memory: 'Memory', cpu: 'CPU' } as const

/** Use of CPU and memory, and cgroups, in the drawer of a pod. */
export const resources = {
  /** Names the requests if they fail. */
  asked: 'use of CPU and memory',
  askedCgroups: 'cgroups',
  kinds,
  fold: 'CPU and memory',
  label: (container: string) => `CPU and memory of ${container}`,
  of: (use: string, limit: string) => `${use} of ${limit}`,
  both: (memory: string, cpu: string) => `${memory}, ${cpu}`,
  throttled: (percent: number) => `${percent}\u00a0% throttled`,
  last: (minutes: number) => `last ${minutes} min`,
  oomAt: (limit: string) => `OOM at ${limit}`,
  limit: (limit: string) => `limit ${limit}`,
  request: (request: string) => `request ${request}`,
  noLimit: 'no limit',
  notRunning: 'not running',
  pending: (kind: keyof typeof kinds) => `${kinds[kind]}: known from the next measurement on.`,
  none: 'Not run in the last 10 minutes.',
  unknown: 'No running kubelet measures this pod.',
  failed: (error: string) => `The container runtime did not answer: ${error}`,
  chart: (
    kind: keyof typeof kinds,
    facts: {
      readonly minutes: number
      readonly now: string
      readonly least: string
      readonly most: string
      readonly lines: readonly string[]
      readonly restarts: number
    },
  ) =>
    [
      `${kinds[kind]}, last ${facts.minutes} min: ${facts.now}`,
      `from ${facts.least} to ${facts.most}`,
      ...facts.lines,
      ...(facts.restarts === 0 ? [] : [counted(facts.restarts, 'restart')]),
    ].join(', '),
  lastTermination: 'Last termination',
  exit: (code: number) => `exit ${code}`,
  itsLog: 'Its log',
  itsLogTitle: (container: string) => `Show the log of the previous run of ${container}`,
  steps: 'Steps of the back-off',
  step: (seconds: number) => `${seconds} s`,
  cgroup: {
    ofPod: 'Cgroup of the pod',
    ofContainer: 'Cgroup',
    label: (name: string) => `Cgroup of ${name}`,
    podLabel: 'Files of the pod’s cgroup',
    qosClass: (qosClass: string) => `QoS class ${qosClass}`,
    path: 'path',
    noPath: 'none of its own: cgroupsPerQOS is false',
    shares: (shares: string) => `from ${shares} CPU shares`,
    unset: 'not set',
    none: 'No kubelet has this pod.',
    /** What sets the values of a pod's cgroup. */
    podNote: ({ isSimulated }: Pick<PodCgroups, 'isSimulated'>) =>
      isSimulated
        ? 'A kubelet sets these values. Nothing enforces them here: simulated pods have no cgroup.'
        : 'A kubelet sets these values. Nodescope does not: the runtime creates this cgroup without limits.',
    containerNote: ({ isSimulated }: Pick<PodCgroups, 'isSimulated'>) =>
      isSimulated
        ? 'Asked of the runtime. The simulated runtime applies the limits of CPU and memory to the use that it reports, kills at the memory limit, and enforces nothing else.'
        : 'Asked of the runtime, which sets and enforces them.',
    memoryQos:
      'memory.min and memory.high are not set: the feature gate MemoryQoS is off by default.',
    weight:
      'The runtime derives cpu.weight from the CPU shares; newer ones may use another formula.',
  },
}
