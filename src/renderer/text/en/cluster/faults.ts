import type { FaultField, FaultType } from '../../../../shared/model/node/fault.ts'

/** Of each type: what it is, and what happens. */
const types: Readonly<Record<FaultType, readonly [name: string, effect: string]>> = {
  Latency: [
    'Slow API server',
    'Matching requests wait: those of nodes and controllers on the sandbox’s clock, kubectl’s in real time.',
  ],
  Error: ['Failing requests', 'Matching requests are answered with this code.'],
  WatchDrops: [
    'Dropped watches',
    'Open watches are closed again and again, so that clients watch or list again.',
  ],
  Gone: [
    'Storm of 410',
    'Matching watches are answered with 410, so that their clients list again.',
  ],
  Outage: [
    'API server down',
    'Nodes, controllers, the scheduler and kubectl cannot reach the API server; this page still does.',
  ],
  CutOff: ['Node cut off', 'One node cannot reach the API server.'],
  ClockSkew: [
    'Wrong clock',
    'The clock of the machine is ahead, or behind if the value is negative: leases, probes and times of events follow it.',
  ],
  Runtime: ['Runtime away', 'Calls of the container runtime fail at once, or are never answered.'],
  RuntimeCall: ['Failing runtime call', 'One CRI call fails or hangs, for one pod or for all.'],
  FullDisk: ['Full disk', 'Other data fills the disk of the images.'],
  SlowMounts: ['Slow volumes', 'Volumes take minutes to be set up.'],
}

const fields: Readonly<Record<FaultField, string>> = {
  verbs: 'Verbs, with commas',
  path: 'Path (* is any text)',
  user: 'User (* is any text)',
  latency: 'Latency',
  code: 'Code',
  message: 'Message',
  share: 'Share, 0 to 1',
  every: 'Every',
  node: 'Node',
  skew: 'Skew',
  state: 'State',
  call: 'Call',
  how: 'How',
  pod: 'Pod (NAMESPACE/NAME)',
}

const examples: Readonly<Partial<Record<FaultField, string>>> = {
  verbs: 'create,update',
  path: '/api/v1/*',
  user: 'system:node:*',
  share: '0.5',
}

/** What the page says of faults of a sandbox. */
export const faults = {
  title: 'Faults',
  open: 'Faults…',
  request: 'faults of the sandbox',
  meaning: 'What is made to fail on purpose, until it is taken back.',
  inEffect: 'In effect',
  none: 'Nothing is made to fail.',
  takeBack: 'Take back',
  takeBackOf: (fault: string) => `Take back ${fault}`,
  takeAllBack: 'Take all back',
  add: 'Add fault',
  new: 'New fault',
  type: 'Type',
  typeName: (type: FaultType) => `${type}: ${types[type][0]}`,
  effect: (type: FaultType) => types[type][1],
  fields,
  examples,
  any: 'any',
}
