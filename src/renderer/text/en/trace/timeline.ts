import type {
  TimelineMarkKind,
  TimelineSpan,
  TimelineState,
  TimelineView,
} from '../../../../shared/model/timeline/timeline.ts'
import { countText } from '../../../words/time.ts'
import { counted } from '../plural.ts'

const states: Readonly<Record<TimelineState, string>> = {
  waiting: 'waiting',
  sync: 'SyncPod',
  terminating: 'TerminatingPod',
  terminated: 'TerminatedPod',
  finished: 'finished',
}

const marks: Readonly<Record<TimelineMarkKind, string>> = {
  loop: 'SyncLoop',
  started: 'ContainerStarted',
  died: 'ContainerDied',
  kill: 'kill',
  status: 'status',
  statusFailed: 'status failed',
  probe: 'probe',
  mirror: 'mirror',
  evict: 'eviction',
  error: 'sync error',
  rejected: 'rejected',
}

const record: Readonly<Record<TimelineView['records'], (number: number) => string>> = {
  line: (line) => `line ${countText(line)}`,
  event: (seq) => `event #${seq}`,
}

const recordNames = { line: 'line', event: 'event' } as const

/** What a state rests on. */
function stateFrom(
  { certainty, evidence, because }: TimelineSpan,
  records: TimelineView['records'],
): string {
  if (because !== '') return `state ${certainty}. ${because}`
  return evidence.length === 0
    ? 'state assumed: the log begins later'
    : `state ${certainty} from ${recordNames[records]} ${evidence.map(countText).join(', ')}`
}

/** The pod workers over time, in every view that draws them; and the views Timeline and Events. */
export const timeline = {
  states,
  marks,
  assumed: 'assumed',
  lanes: 'Pod workers',
  podCount: (shown: number, total: number) => `${shown} of ${counted(total, 'pod')}`,
  filter: 'Filter pods by name, namespace or UID',
  filterExample: 'name, namespace or UID',
  record,
  seenIn: (where: string) => `seen in ${where}`,
  stateFrom,
  hidden: (count: number) => `and ${counted(count, 'more mark')} here`,
  noWorker: (pod: string) => `${pod}: no worker in this time`,
  row: (pod: string, state: string, since: string) => `${pod}: ${state} since ${since}`,
  nodeMarks: { start: 'kubelet start', stall: 'stall', gap: 'gap', pressure: 'pressure' },
  node: 'Kubelet',
  title: 'Timeline',
  request: 'timeline',
  follow: 'Follow now',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  none: 'No worker in this time',
  noneMeaning:
    'A worker is drawn from its first event on. Show the whole time, or clear the filter.',
  nothingSelected:
    'Choose a worker or a mark to read what it rests on. Inferred states are outlined, and assumed ones dashed.',
  open: 'Open its history',
  range: (from: string, to: string) => `${from} to ${to}`,
  keys: {
    pod: 'pod',
    mark: 'previous, next mark',
    history: 'its history',
    move: 'earlier, later',
    whole: 'follow now',
    filter: 'filter',
  },
}
