import { suspends } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerAct } from '../../../shared/model/workloads/owner-act.ts'
import type { OwnerKind } from '../../../shared/model/workloads/workloads.ts'
import { counted } from './plural.ts'

/** kubectl's short names, as far as it has one. */
const kinds: Readonly<Record<OwnerKind, string>> = {
  CronJob: 'CronJob',
  DaemonSet: 'DS',
  Deployment: 'Deploy',
  Job: 'Job',
  ReplicaSet: 'RS',
  ReplicationController: 'RC',
  StatefulSet: 'STS',
}

const names = {
  scale: 'Scale',
  restart: 'Restart',
  undo: 'Undo rollout',
  run: 'Run now',
  pause: 'Pause',
  resume: 'Resume',
  delete: 'Delete',
} satisfies Readonly<Record<OwnerAct, string>>

/** What is done with a Job or CronJob is setting its field `suspend`. */
function nameOf(act: OwnerAct, kind: OwnerKind): string {
  return act === 'pause' && suspends(kind) ? 'Suspend' : names[act]
}

/** What the page says of the owners of pods. */
export const workloads = {
  request: 'owners of the pods',
  title: 'Workloads',
  summary: 'who owns the pods, and which pods have no node',
  loading: 'Asking the API server for the owners…',
  nothing: 'No owners are known',
  kinds,
  segment: 'Which owners',
  all: 'All',
  notReady: 'Not ready',
  filter: 'Filter the owners by name or namespace',
  filterHint: 'Filter',
  ready: (kind: OwnerKind, ready: number, wanted: number | null) => {
    if (kind === 'CronJob') return `${counted(ready, 'job')} active`
    const done = kind === 'Job' ? 'succeeded' : kind === 'DaemonSet' ? 'nodes' : 'ready'
    return `${ready} of ${wanted ?? '?'} ${done}`
  },
  deleting: 'being deleted',
  noNode: 'no node',
  noOwner: 'No owner',
  noOwnerMeaning: 'not made again when gone',
  ofNode: 'Owned by a node',
  ofNodeMeaning: (count: number) =>
    `${counted(count, 'static or mirror pod')}; static pods come from the node’s manifests`,
  toMirrors: 'Mirror pods',
  oldSets: (count: number) => `${counted(count, 'old ReplicaSet')} without pods, kept for undo`,
  more: (count: number) => `${counted(count, 'more pod')}`,
  fewer: 'Fewer pods',
  pods: (name: string) => `Pods of ${name}`,
  replaced: {
    gone: (name: string, how: string, at: string) => `${name} ${how} ${at}`,
    made: (name: string, at: string) => `${name} created ${at}`,
    later: (text: string) => `${text} later`,
    axis: (gone: string, made: string) => `${made} took the place of ${gone}`,
  },
  unbound: {
    title: 'No node yet',
    meaning: 'nodeName is empty',
    none: 'Every pod has a node.',
    held: (gates: readonly string[]) => `held: ${gates.join(', ')}`,
    why: 'Why not',
    gates: (gates: readonly string[]) =>
      `The scheduler does not look at it before these scheduling gates are removed: ${gates.join(', ')}.`,
    notTried: 'The scheduler has not tried it yet.',
    seen: 'seen in PodScheduled',
    request: 'what keeps the pod from each node',
    nodes: 'Node by node',
    nodesMeaning: 'Nodescope asks the filters of its scheduler now',
    node: 'Node',
    filter: 'Filter',
    reason: 'Reason',
    passes: 'All filters pass.',
    mayPreempt: 'Preemption may help.',
    nominated: (node: string) =>
      `${node} is nominated: pods are preempted there for it. It is not bound before they have ended.`,
    again: 'Tried again',
    againMeaning:
      'when a node or a pod changes that may let it fit, after a back-off of 1 s to 10 s, and at the latest after 5 min.',
  },
  acts: {
    of: (name: string) => `Acts on ${name}`,
    name: nameOf,
    title: (act: OwnerAct, { kind, name }: { readonly kind: OwnerKind; readonly name: string }) => {
      if (act === 'run') return `Run ${name} now`
      if (act === 'undo') return `${names.undo} of ${name}`
      return `${nameOf(act, kind)} ${name}`
    },
    replicas: 'Replicas',
    revision: 'Back to',
    revisionName: (revision: number, changeCause: string, isCurrent: boolean) =>
      `revision ${revision}${isCurrent ? ', the present one' : ''}${changeCause === '' ? '' : `: ${changeCause}`}`,
    diff: 'Changes of the template',
    cascade: 'Cascade: what happens to the objects that it owns',
    loading: 'Asking what it would do…',
  },
  problem: (resource: string) => `Not shown: ${resource}.`,
  none: 'No owners',
  noneMeaning:
    'No Deployment, StatefulSet, DaemonSet or Job makes pods here. Pods without an owner are not made again when they are gone.',
  noMatch: 'No owner has this name.',
  counts: (owners: number, pods: number) => `${counted(owners, 'owner')}, ${counted(pods, 'pod')}`,
  keys: [
    { keys: ['J', 'K'], does: 'pod' },
    { keys: ['Shift J', 'Shift K'], does: 'owner' },
    { keys: ['Enter'], does: 'open pod' },
    { keys: ['/'], does: 'filter' },
  ],
}
