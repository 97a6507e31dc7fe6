import { clockText, lastingText } from '../../words/time.ts'
import { counted } from './plural.ts'

const createsNext = 'The next sync of the static pod creates one.'
const equal = 'The mirror is of this version: its config.mirror is the static pod’s config.hash.'
const differs =
  'Its hash belongs to another version. The next SyncPod deletes it by UID and creates a new one.'

export const mirrors = {
  title: 'Mirror pods',
  counts: (statics: number, mirrorPods: number) =>
    `${counted(statics, 'static pod')}, ${counted(mirrorPods, 'mirror')}`,
  broken: (count: number) => `, ${count} not a pair`,
  filter: {
    label: 'Pair filter',
    all: (count: number) => `All ${count}`,
    broken: (count: number) => `Not a pair ${count}`,
    brokenTitle: 'Mirror missing, orphaned, being deleted, or of another version',
  },
  list: 'Static pods and their mirrors',
  columns: [
    'Static pod, what the kubelet runs',
    'config.mirror',
    'Mirror pod, what the API server shows',
  ],
  noPairs: {
    title: 'No static pods yet',
    act: 'Open Manifests',
    explanation:
      'A manifest in the kubelet’s folder defines a static pod, which the kubelet runs without the API server. To make it visible to kubectl, the kubelet creates a mirror pod in the API. The two have different UIDs. The mirror is current while its config.mirror annotation equals the static pod’s config.hash.',
  },
  noBrokenPairs: {
    title: 'Every static pod has a mirror',
    act: (count: number) => `Show all ${count}`,
    explanation:
      'All hashes are equal: the API shows the running pods. If you delete a mirror or edit a manifest, the pair is listed here until the kubelet recreates the mirror.',
  },
  isRegular: (name: string) => `${name} is a regular pod without a mirror.`,
  /** Between the two sides of a pair. */
  states: {
    equal: 'hash equal',
    differs: 'hash differs',
    missing: 'missing',
    deleting: 'deleting',
    orphaned: 'orphaned',
  },
  /** Why a pair is in its state: with a SyncPod to come, and without one. */
  reasons: {
    whenSynced: {
      equal,
      differs,
      missing: createsNext,
      deleting:
        'It has a deletionTimestamp: the next SyncPod deletes it with grace period 0 and creates a new one.',
    },
    notSynced: {
      equal,
      differs,
      missing: 'Only SyncPod creates a mirror, and this pod is terminating or terminated.',
      deleting: 'It has a deletionTimestamp; only SyncPod would create a new one.',
    },
  },
  row: {
    noStaticPod: 'no static pod of this name in any source',
    noMirror: 'No mirror pod in the API server',
    noStatus: 'no status yet',
    kept: (seconds: number) => `, kept while its static pod stops, ${seconds} s left`,
    restarts: ', static pod restarts',
  },
  compare: {
    title: 'Comparison of the two objects',
    against: 'against',
    openPod: 'Open the pod',
    details: 'Pair details',
    diff: { label: 'Diff' },
    history: { label: 'History', title: 'When its mirrors were created and deleted' },
    deleteMirror: {
      label: 'Delete mirror…',
      disconnected: 'The page lost its connection to Nodescope.',
      missing: 'This pod has no mirror to delete.',
      title:
        'The containers keep running; the kubelet recreates the mirror. Opens a forecast first.',
    },
    gone: 'The kubelet no longer has this pod.',
    noStaticPod: 'This mirror has no static pod to compare with.',
    noMirror: 'This static pod has no mirror to compare with.',
    differencesOf: (name: string) => `Differences of ${name}`,
    historyOf: (name: string) => `History of the mirror of ${name}`,
  },
  diff: {
    columns: ['Static pod', 'Why they differ', 'Mirror pod'],
    noLine: '(no line)',
    note: 'Keys are in the order that kubectl prints. Status is omitted: the kubelet keeps the mirror’s status up to date.',
    reasons: {
      always: {
        word: 'always differ',
        meaning: 'The API server assigns the mirror its own; the two always differ.',
      },
      mirrorOnly: {
        word: 'mirror only',
        meaning: 'The mirror client adds it when it creates the mirror.',
      },
      stale: {
        word: 'stale',
        meaning: 'The mirror was created from another version of the manifest.',
      },
      kubeletAnnotation: {
        word: 'kubelet annotation',
        meaning:
          'The kubelet annotates each pod with its source and the time it was first seen. This one came from the API; the API server has the static pod’s values.',
      },
      seenAgain: {
        word: 'seen again',
        meaning:
          'When the kubelet first saw the pod. The kubelet restarted after it created the mirror; only the hash decides.',
      },
      added: {
        word: 'added by the API',
        meaning: 'Added by a default or an admission plugin of the API server.',
      },
      absent: { word: 'not in the mirror', meaning: 'Missing in the API object.' },
      changed: {
        word: 'changed in the API',
        meaning:
          'The mirror was changed through the API. The kubelet ignores this: the hash is equal.',
      },
    },
  },
  history: {
    none: 'No mirror of this name was created, deleted or linked since Nodescope started.',
    caption: (count: number, start: number, missing: number) =>
      `${counted(count, 'mirror')} since ${clockText(start)}, ${missing === 0 ? 'never missing' : `missing for ${lastingText(missing)}`}`,
    span: (uid: string, from: number, to: number | null, now: number) =>
      `mirror ${uid}\n${clockText(from)} to ${to === null ? 'now' : clockText(to)}, ${lastingText((to ?? now) - from)}`,
    now: (now: number) => `now, ${clockText(now)}`,
  },
  translator: {
    title: 'UID translator',
    field: 'Paste a UID',
    placeholder: 'full UID, or its first eight characters',
    clear: 'Clear the UID',
    fullName: 'full name',
    events: 'events are under',
    eventsUnder: {
      static: 'the static UID',
      mirror: 'the static UID',
      regular: 'the same UID',
      orphan: 'the UID in its config.mirror',
    },
    logs: 'logs',
    copyLogs: 'Copy the log folder',
    mirrorOf: { label: 'mirror of', copyLabel: 'Copy the static UID' },
    itsMirror: { label: 'its mirror is', copyLabel: 'Copy the mirror UID' },
    noMirror: { label: 'static UID; its mirror', value: 'is not in the API server' },
    regular: { label: 'it is', value: 'a regular pod with one UID' },
    orphan: { label: 'it is', value: 'an orphaned mirror without a static pod' },
    notes: {
      empty:
        'A static pod has two UIDs: the kubelet’s, a hash of its manifest, and the API’s, of its mirror. Enter either to find the other.',
      short: 'The first eight characters find a UID.',
      unknown: 'No pod of this node has this UID, and no mirror.',
    },
    ambiguous: (count: number) =>
      `${count} UIDs begin with this: one more character tells them apart.`,
  },
}
