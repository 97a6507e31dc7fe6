import type { LevelFact } from '../../../../shared/model/kubelet-log.ts'
import type { TimelineCertainty } from '../../../../shared/model/timeline/timeline.ts'
import { countText } from '../../../words/time.ts'
import { counted } from '../plural.ts'

function lineCount(count: number): string {
  return counted(count, 'line').replace(String(count), countText(count))
}

const certainties: Readonly<Record<TimelineCertainty | 'missing', string>> = {
  seen: 'seen',
  inferred: 'inferred',
  assumed: 'assumed',
  missing: 'not visible',
}

const subjects: Readonly<Record<LevelFact['subject'], string>> = {
  worker: 'State of each pod worker',
  start: 'Start of the first sync',
  terminating: 'TerminatingPod: begin and cause',
  terminated: 'TerminatedPod: all containers stopped',
  finished: 'finished: the worker stops',
  waiting: 'Waiting for an older pod of the same name',
  restart: 'Restart with the same UID',
  status: 'Status writes, with STATUS and RESTARTS (failures are always visible)',
  events: 'Events of the kubelet',
  probes: 'Probe failures and changes',
  containers: 'ContainerStarted, ContainerDied, exit codes, kills',
  mirrors: 'Mirror pods created and deleted',
  evictions: 'Evictions and rejections',
}

export const kubeletLog = {
  title: 'Kubelet log',
  open: 'Read a kubelet log…',
  emptyFile: 'The file is empty. Choose a log with entries of a kubelet.',
  opener: {
    title: 'Read a kubelet log',
    intro:
      'Shows each pod worker, the PLEG, probes, status writes, mirrors and evictions from the log or the journal of a kubelet: text or JSON, levels 2 to 5, plain or gzip. Rotated parts can be chosen together. The log stays on this computer; no cluster is needed.',
    choose: 'Choose files',
    chooseButton: 'Choose files…',
    drop: 'or drop them anywhere in this window',
    path: 'Path on the machine that runs Nodescope',
    pathExample: '/var/log/kubelet.log',
    openPath: 'Open path',
    paste: 'Paste log lines',
    openPaste: 'Read pasted lines',
    pasted: 'pasted lines',
    journal: 'Follow this machine’s journal',
    journalTitle: 'journalctl --unit=kubelet --follow on the machine that runs Nodescope',
    logs: 'Open logs',
    opening: 'Reading…',
  },
  file: 'file',
  notLive: 'from a file, not live',
  followed: 'followed',
  facts: (lines: number, verbosity: string, pods: number) =>
    `${lineCount(lines)} ${verbosity}, ${counted(pods, 'pod')}`,
  verbosity: (level: number, isStated: boolean) =>
    isStated ? `at -v=${level}` : `at -v=${level} or more`,
  noVerbosity: 'without an entry of a kubelet',
  reading: (share: number) => `Reading, ${Math.floor(share * 100)}%`,
  follow: 'Follow',
  stopFollowing: 'Stop following',
  other: 'Other log',
  close: 'Close log',
  levelButton: 'What this level shows',
  certainties,
  subjects,
  level: {
    title: (level: number | null) =>
      level === null ? 'What a log level shows' : `What -v=${level} shows`,
    caption:
      'Seen: an entry says it. Inferred: it follows from other entries. Not visible: the log cannot show it; run the kubelet with -v=4.',
    subject: 'Subject',
    v2: '-v=2',
    v3: '-v=3',
    v4: '-v=4',
    here: 'this log',
  },
  noPods: 'No entry names a pod.',
  noPodsAdvice:
    'The log may be of another program, or end before the kubelet has pods. Lines that are not understood can be read below.',
  segment: (state: string, certainty: string, from: string, to: string) =>
    `${state}, ${certainty}, ${from} to ${to}`,
  axis: 'Time',
  log: 'Log',
  linesOf: (pod: string) => `lines of ${pod}`,
  whichLines: 'Which lines',
  thisPod: 'This pod',
  all: 'All',
  notUnderstood: (count: number) => `${lineCount(count)} not understood`,
  notUnderstoodWhich: 'Not understood',
  search: 'Search the log',
  searchExample: 'text in any line',
  hits: (count: number, isMore: boolean) => `${count}${isMore ? '+' : ''} lines`,
  earlier: 'Earlier lines',
  later: 'Later lines',
  noLines: 'No lines.',
  noMore: (seconds: string) => `No line about this pod in the last ${seconds} of the log.`,
  strip: {
    title: 'Read',
    understood: 'lines understood',
    not: 'not',
    gaps: (count: number) => (count === 1 ? 'gap over 60 s' : 'gaps over 60 s'),
    seen: '-v=4: worker states are seen.',
    inferred: (level: number) =>
      `-v=${level}: worker states are inferred; run the kubelet with -v=4 to see them.`,
    local: 'Nothing is sent anywhere.',
    leftOut: (count: number) => `${countText(count)} marks left out`,
  },
  keys: {
    pod: 'pod',
    mark: 'previous, next mark',
    line: 'its log line',
    zoom: 'zoom',
    whole: 'whole log',
    move: 'earlier, later',
    filter: 'filter',
    search: 'search',
  },
  range: (from: string, to: string) => `${from} to ${to}`,
  zone: { utc: 'UTC', node: 'time of the node' },
}
