import type { Certainty } from '../../../../shared/model/inspect/evidence.ts'
import { counted } from '../plural.ts'

const certainties: Readonly<Record<Certainty, string>> = {
  certain: 'only one state fits the facts',
  likely: 'the usual one of several states that fit',
  possible: 'from the API alone',
}

/** What the page says of a node that is inspected. */
export const inspect = {
  request: 'inspection of the node',
  choose: 'Choose a node',
  chooseMeaning:
    'Choose a node in the Nodes view, then press 6 to compare its kubelet with the API.',
  toNodes: 'To the nodes',
  loading: 'Asking the API server and the kubelet…',
  gone: (node: string) => `${node} is no longer in the API.`,
  summary: (pods: number, marked: number) =>
    `${counted(pods, 'pod')}, ${marked === 0 ? 'no disagreement' : counted(marked, 'disagreement')}`,
  origins: { api: 'seen in the API', kubelet: 'seen in the kubelet', inferred: 'inferred' },
  heads: {
    pod: 'POD',
    status: 'STATUS',
    ready: 'READY',
    told: '/pods',
    running: 'RUNNING',
    worker: 'WORKER',
    sure: 'SURE',
    disagreement: 'DISAGREEMENT',
  },
  notThere: 'not there',
  notAsked: 'not asked',
  none: 'none',
  notKnown: 'not known',
  certainties,
  staticPod: 'static pod',
  chosen: 'Chosen pod',
  facts: 'Facts',
  because: 'Why this state',
  contact: {
    answers: (way: string, address: string) =>
      way === 'direct' ? `kubelet answers at ${address}` : 'kubelet answers through the API server',
    refused: 'kubelet refuses',
    away: 'kubelet does not answer',
    'not asked': 'kubelet not asked',
  },
  certificate: {
    title: 'The certificate of this kubelet is not signed by the CA of the cluster.',
    facts: (subject: string, fingerprint: string) => `${subject}, SHA-256 ${fingerprint}`,
    accept: 'Accept this certificate',
  },
  course: {
    title: (span: string) => `Last ${span}`,
    relist: 'PLEG relist p99',
    interval: 'PLEG interval p99',
    syncLoop: 'healthz/syncloop answers in',
    worker: 'worker sync p99',
    running: 'running pods',
    evictions: 'evictions since its start',
    describe: (now: string, least: string, most: string, span: string) =>
      `${now} now, ${least} to ${most} in the last ${span}`,
  },
  stop: {
    title: 'Steps of the stop',
    steps: {
      told: 'told',
      preStop: 'preStop',
      grace: 'grace',
      unmount: 'unmount',
      finalStatus: 'final status',
    },
    since: (time: string) => `for ${time}`,
    over: (time: string) => `${time} longer than usual.`,
    unknown: 'The step is not known: the kubelet does not answer.',
    preStop: (containers: string) => `The preStop hook of ${containers} may still run.`,
    killAt: (time: string) => `The grace period ends at ${time}.`,
    blockers: {
      finalizer: 'Held by a finalizer: its owner has to remove it.',
      container: 'Held by a container that does not stop.',
      volume: 'Held by a volume that is not unmounted.',
      'kubelet away': 'Held by the kubelet: it does not answer, or was not told.',
      'API server away': 'Held by the API server: it does not respond.',
    },
  },
  node: {
    label: 'Node',
    missing: 'Missing rights',
    get: (resource: string) => `get ${resource}`,
    broad: 'also allows commands on the node: prefer the narrow rights',
    copyRule: 'Copy the role',
    lease: 'Lease',
    conditions: 'Conditions',
    kubelet: 'Kubelet',
    workers: 'workers',
    running: 'running pods',
    containers: 'running containers',
    pleg: 'PLEG relist p50, p99',
    healthz: 'healthz',
    syncLoop: 'healthz/syncloop',
    noFigures: '/metrics was not read.',
    differs: 'Differs from the defaults',
    initial: (value: string | null) => (value === null ? 'unset by default' : `default ${value}`),
    renewed: (age: string) => `renewed ${age} ago`,
    never: 'no renewal seen',
    leaseChart: (age: string, longest: string, span: string, limit: string) =>
      `Age of the lease: ${age} now, at most ${longest} in the last ${span}; it expires at ${limit}.`,
    limit: (limit: string) => `expires at ${limit}`,
    accepted: 'Accepted certificate',
    revoke: 'No longer accept',
  },
  keys: [
    { keys: ['J', 'K'], does: 'move' },
    { keys: ['N'], does: 'next disagreement' },
    { keys: ['5'], does: 'nodes' },
    { keys: ['?'], does: 'all keys' },
  ],
}
