import type { Theme } from '../../store/theme.ts'
import type { Act } from '../../../shared/model/act.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import { counted } from './plural.ts'

const acts: Readonly<Record<Act, string>> = {
  kill: 'Kill',
  evictByKubelet: 'Evict by the kubelet',
  evictThroughApi: 'Evict through the API',
  delete: 'Delete',
  forceDelete: 'Delete by force',
  deleteMirror: 'Delete mirror',
  restartContainer: 'Restart container',
}

/** The kubelet's words where it has one, plain English where it has none. */
const workerStates: Readonly<Record<WorkerStateWord, string>> = {
  waiting: 'waiting to start',
  none: 'no worker',
  noKubelet: 'no kubelet yet',
  SyncPod: 'SyncPod',
  TerminatingPod: 'TerminatingPod',
  TerminatedPod: 'TerminatedPod',
  TerminatedAndRecreatedPod: 'TerminatedAndRecreatedPod',
  finished: 'finished',
}

export const common = {
  cancel: 'Cancel',
  clear: 'Clear',
  close: 'Close',
  copied: 'Copied',
  copyFailed: 'Could not copy',
  counted,
  noMatches: 'No matches',
  pageLost: 'The page lost its connection to Nodescope.',
  pods: (count: number) => counted(count, 'pod'),
  searchOrRun: 'Search or run',
  keys: 'Keys',
  settings: 'Settings',
  themes: {
    system: 'System',
    dark: 'Dark',
    light: 'Light',
    contrast: 'High contrast',
  } satisfies Readonly<Record<Theme, string>>,
  views: {
    flow: 'Flow',
    nodes: 'Nodes',
    inspect: 'Inspect node',
    pods: 'Pods',
    workloads: 'Workloads',
    pressure: 'Pressure',
    mirrors: 'Mirror pods',
    timeline: 'Timeline',
    events: 'Events',
    manifests: 'Manifests',
    gotchas: 'Gotchas',
    handbook: 'Handbook',
    log: 'Kubelet log',
    start: 'kubectl access',
    rights: 'Rights',
    clusters: 'Open…',
  },
  copy: {
    kubectlLine: 'Copy the kubectl line',
    link: 'Copy link',
    podLine: 'Copy the line that opens this pod',
    failedSelect: 'Could not copy; select the text instead',
    uid: (what: string, uid: string) => `Copy the ${what} ${uid}`,
    uidTitle: (what: string, uid: string) => `${what} ${uid}\nClick to copy`,
    uidCopied: 'copied',
    uidFailed: 'not copied',
  },
  filter: {
    clear: 'Clear the filter',
    shown: (shown: number, total: number) => `${shown} of ${total}`,
  },
  editor: {
    problems: 'Problems in the text',
    goTo: 'Go to it',
    place: (line: number | null, column: number | null) =>
      line === null
        ? 'Somewhere'
        : column === null
          ? `Line ${line}`
          : `Line ${line}, column ${column}`,
    tabIndents: 'Tab indents. Ctrl+M, or Esc then Tab, makes Tab move focus.',
    tabMoves: 'Tab moves focus; Ctrl+M makes Tab indent.',
    search: (label: string) => `Search of ${label}`,
    findIn: (label: string) => `Find in ${label}`,
    find: 'Find',
    noneFound: 'none',
    match: (at: number, count: number) => `${at} of ${count}`,
    previous: 'Previous match',
    previousTitle: 'Previous match (Shift+Enter)',
    next: 'Next match',
    nextTitle: 'Next match (Enter)',
    closeSearch: 'Close the search',
    closeTitle: 'Close (Esc)',
  },
  signs: {
    containers: {
      running: 'ready',
      notready: 'running, not ready',
      up: 'running',
      down: 'failed',
      exited: 'Completed (exit 0)',
      waiting: 'waiting',
    },
    mirrors: {
      matched:
        'The API shows this version: the mirror’s config.mirror is the static pod’s config.hash.',
      missing: 'The API has no mirror of this static pod, so kubectl does not show it.',
      stale:
        'The mirror belongs to another version: its config.mirror is not the static pod’s config.hash.',
      deleting: 'The mirror has a deletionTimestamp; the kubelet deletes and recreates it.',
    },
    notSimulated: (count: number) => ` ${count === 1 ? 'field' : 'fields'} not simulated`,
    notSimulatedTitle: (count: number) =>
      `${counted(count, 'field')} not simulated: no effect here, or less than on a real node. The pod's summary lists them.`,
    openHandbook: (section: string) => `Open the handbook: ${section}`,
    handbookSection: (title: string) => `${title}, handbook`,
    noStatus: 'none yet',
    static: 'static',
    mirror: 'mirror',
  },
  acts,
  workerStates,
  again: 'Again',
  conditions: 'Conditions',
  containers: 'Containers',
  copyThe: (what: string) => `Copy the ${what}`,
  copyManifestsPath: 'Copy the path of the manifest folder',
  events: 'Events',
  loading: 'Loading…',
  no: 'no',
  none: 'none',
  notYet: 'not yet',
  readOnly: 'Nodescope was started with --read-only.',
  readOnlyActs: 'Nodescope was started with --read-only: actions are disabled.',
  refused: 'Refused',
  seconds: (count: number) => `${count} s`,
  sigkill: 'SIGKILL',
  sigterm: 'SIGTERM',
  sortBy: (column: string) => `Sort by ${column}`,
  /** What a step of the clock did; `first` is its first event, empty while that is not known. */
  stepped: (events: number, at: string, first: string) =>
    `${counted(events, 'event')} at ${at}${first === '' ? '' : `${events === 1 ? '' : ', first'} ${first}`}`,
  stepNothing: 'No event: no timer is due.',
  uids: { api: 'UID', static: 'static UID', mirror: 'mirror UID' },
  yes: 'yes',
}
