import type { BehaviorName } from '../../../shared/simulated-behavior.ts'

interface Words {
  readonly label: string
  readonly example: string
  readonly does: string
}

const names: Readonly<Record<BehaviorName, Words>> = {
  probes: {
    label: 'Probes and hooks',
    example: 'fail, succeed after 30s, flaky 20%',
    does: 'They fail from then on, until then, or at random. Otherwise the outcome is the real one.',
  },
  memory: {
    label: 'Memory',
    example: '64Mi, 64Mi to 1Gi over 60s',
    does: 'In the statistics. Where it reaches the limit, the container ends: 137, OOMKilled.',
  },
  cpu: {
    label: 'CPU',
    example: '250m, 100m to 1 every 60s',
    does: 'Processor time in the statistics.',
  },
  'out-of-memory': {
    label: 'Out of memory',
    example: '45s',
    does: 'The container ends so long after its start, as if it had no memory left.',
  },
  'start-delay': {
    label: 'Start delay',
    example: '20s',
    does: 'Its ports open so long after its start.',
  },
  'run-time': {
    label: 'Run time',
    example: '30s',
    does: 'The container exits after this time; its command does not run.',
  },
  'exit-code': {
    label: 'Exit code',
    example: '3',
    does: 'After the run time or on SIGTERM; its command does not run.',
  },
  'ignore-sigterm': {
    label: 'Ignore SIGTERM',
    example: 'true',
    does: 'Only SIGKILL ends the container; its command does not run.',
  },
  'log-size': {
    label: 'Log size',
    example: '100Mi, 0 to 2Gi over 60s',
    does: 'Bytes of the log in addition to what the container prints.',
  },
  disk: {
    label: 'Disk',
    example: '100Mi, 0 to 2Gi over 60s',
    does: 'Bytes of the writable layer of the container.',
  },
  inodes: {
    label: 'Inodes',
    example: '20k, 1k to 3M over 60s',
    does: 'Files in the writable layer of the container.',
  },
  processes: {
    label: 'Processes',
    example: '20, 1 to 5k over 60s',
    does: 'Processes of the container in the statistics.',
  },
  'log-rate': {
    label: 'Log rate',
    example: '2.5',
    does: 'Lines a second in the log, at most 100; its command does not run.',
  },
}

export const behavior = {
  title: 'Behavior',
  of: (container: string, pod: string) => `${container} of ${pod}`,
  what: 'Annotations of the pod that the simulated container follows. They count from its start.',
  groups: { atOnce: 'At once', atNextStart: 'At the next start', inAnotherPod: 'In a new pod' },
  names,
  set: 'Set',
  setOf: (name: string) => `Set ${name}`,
  takeBack: 'Take back',
  takeBackOf: (name: string) => `Take back ${name}`,
  notSet: 'not set',
  isSet: (value: string) => `now: ${value}`,
  isSetForAll: (value: string) => `now, for all containers: ${value}`,
  same: 'the same with kubectl',
  sameInManifest: 'the same in the manifest',
  done: 'Close',
}
