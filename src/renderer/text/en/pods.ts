import type { StatusAside } from '../../../shared/model/pod-row.ts'
import { common } from './common.ts'

/** What is shown next to a STATUS that says only part of it, and the same as a sentence. */
const statusAside: Readonly<
  Record<StatusAside['from'], (word: string) => { readonly short: string; readonly title: string }>
> = {
  kubelet: (word) => ({
    short: `kubelet: ${word}`,
    title: `STATUS is the API object’s; the kubelet’s own status is ${word}.`,
  }),
  api: (word) => ({
    short: `API: ${word}`,
    title:
      word === 'gone'
        ? 'The API object is gone; the kubelet still has the pod.'
        : `The mirror in the API is still the old pod’s, with STATUS ${word}.`,
  }),
  reason: (word) => ({
    short: word,
    title: `status.reason is ${word}; kubectl shows the reason of a container instead.`,
  }),
}

export const pods = {
  title: 'Pods',
  count: (total: number, withoutKubelet: number) =>
    `${common.pods(total)} (one worker per UID)${withoutKubelet === 0 ? '' : `, ${withoutKubelet} without a kubelet`}`,
  scope: 'Pods of',
  thisNode: 'This node',
  thisNodeTitle: (node: string) => `Pods on ${node}`,
  allNodes: 'All nodes',
  allNodesTitle: (nodes: number) => `Pods on all ${nodes} nodes`,
  segment: 'Pod filter',
  all: 'All',
  static: 'Static',
  staticTitle: 'Static pods and their mirrors',
  attention: 'Needs attention',
  attentionTitle:
    'A failing STATUS, a worker that waits to start, a mirror missing, stale or orphaned, a finalizer that holds the object',
  namespace: 'Namespace',
  allNamespaces: 'All namespaces',
  filter: 'Filter pods',
  filterHint: 'name, status, worker, source or either UID; node:name; !word hides',
  keys: [
    { keys: ['J', 'K'], does: 'move' },
    { keys: ['Enter'], does: 'open' },
    { keys: ['X'], does: 'kill…' },
    { keys: ['E'], does: 'evict through the API…' },
    { keys: ['Shift E'], does: 'by the kubelet…' },
    { keys: ['?'], does: 'all keys' },
  ],
  keysWithoutActs: [
    { keys: ['J', 'K'], does: 'move' },
    { keys: ['Enter'], does: 'open' },
    { keys: ['/'], does: 'filter' },
    { keys: ['?'], does: 'all keys' },
  ],
  empty: {
    showAll: (total: number) => `Show all ${total}`,
    cluster: {
      title: 'No pods yet',
      meaning:
        'A manifest in the folder becomes a static pod within a second and gets a mirror soon after. A pod bound to this node appears here at once.',
    },
    attention: {
      title: 'No pod needs attention',
      meaning:
        'No pod here has a failing STATUS, waits to start, lacks its mirror, or is held by a finalizer.',
    },
    filter: {
      title: 'No pod matches',
      meaning:
        'Every word must match namespace, name, status, worker, source or a UID; a word after ! must not. Selectors and the namespace must match too.',
    },
  },
  statusAside,
  notKnown: 'not known',
  created: (time: string) => `created ${time}`,
  graceTitle: (killAt: string, seconds: number) => `SIGKILL due ${killAt}, grace ${seconds} s`,
  noNode: 'No node yet',
  orphan: 'orphan',
  regular: 'regular',
  apiUid: 'API UID',
  apiUidTitle: 'Created through the API: one object, one UID, no mirror',
  noMirror: 'no mirror',
  noStaticUid: 'not here',
}
