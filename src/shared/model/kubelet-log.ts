/** What a kubelet's log tells of its pods. Times are ms since 1970; lines count from 1 through all parts of the log. */

/** `seen`: the log says so; `inferred`: from other lines; `assumed`: before the first line about the pod. */
export type LogCertainty = 'seen' | 'inferred' | 'assumed'

/** `waiting`: added, but its worker has not started; `finished`: the worker has nothing left to do. */
export type LogWorkerState = 'waiting' | 'sync' | 'terminating' | 'terminated' | 'finished'

/** A time in one state. */
export interface LogSegment {
  readonly state: LogWorkerState
  readonly certainty: LogCertainty
  readonly from: number
  readonly to: number
  readonly fromLine: number
  /** The line that ended it; 0: nothing has. */
  readonly toLine: number
  /** The lines that say so, at most four. */
  readonly evidence: readonly number[]
}

export const logMarkKinds = [
  'loop',
  'started',
  'died',
  'kill',
  'status',
  'statusFailed',
  'probe',
  'mirror',
  'evict',
  'error',
  'rejected',
] as const
export type LogMarkKind = (typeof logMarkKinds)[number]

export interface LogMark {
  readonly kind: LogMarkKind
  readonly at: number
  readonly line: number
  /** The message with what matters of its values. */
  readonly text: string
  /** How many marks of its kind were left out because they are as close as a pixel. */
  readonly hidden: number
}

/** One pod worker: a pod UID. */
export interface LogPod {
  readonly id: number
  readonly namespace: string
  readonly name: string
  /** Null: no line says it. */
  readonly uid: string | null
  readonly source: 'api' | 'file' | 'http' | 'unknown'
  readonly state: LogWorkerState
  readonly firstLine: number
  readonly lastLine: number
  readonly lastAt: number
  readonly segments: readonly LogSegment[]
  readonly marks: readonly LogMark[]
}

/** Something about the whole kubelet. */
export interface LogNodeMark {
  /** `start`: a kubelet started; `stall`: its sync loop waited; `gap`: no line for a minute; `pressure`: a resource ran short. */
  readonly kind: 'start' | 'stall' | 'gap' | 'pressure'
  readonly at: number
  readonly line: number
  readonly text: string
}

export type LogFormat = 'text' | 'json' | 'journal' | 'journal-json'

export interface LogPart {
  readonly name: string
  readonly bytes: number
  readonly firstLine: number
}

/** What is known of a log without its pods. */
export interface LogFacts {
  readonly id: string
  readonly name: string
  readonly parts: readonly LogPart[]
  readonly format: LogFormat | null
  /** Of -v. `isStated`: the log says it; otherwise it is the highest level that a line has. Null: no line. */
  readonly verbosity: { readonly level: number; readonly isStated: boolean } | null
  /** Text has no zone: its times are the node's. */
  readonly zone: 'utc' | 'node'
  readonly from: number
  readonly to: number
  readonly lines: number
  /** Lines that belong to an entry of a kubelet. */
  readonly understood: number
  /** The numbers of the first lines that do not. */
  readonly notUnderstood: readonly number[]
  readonly gaps: number
  readonly bytesRead: number
  readonly bytes: number
  readonly isRead: boolean
  readonly isFollowed: boolean
  /** Why it cannot be read further; empty: it can. */
  readonly problem: string
  readonly podCount: number
}

export interface KubeletLogView extends LogFacts {
  readonly pods: readonly LogPod[]
  readonly nodeMarks: readonly LogNodeMark[]
  /** Marks that were not kept because there are too many. */
  readonly marksLeftOut: number
}

export interface LogLine {
  readonly line: number
  readonly at: number | null
  /** `kubelet.go:2515`; empty: it is no entry. */
  readonly file: string
  readonly severity: 'I' | 'W' | 'E' | 'F' | ''
  /** The entry's message; empty: none was found. */
  readonly message: string
  /** What follows the message, or the whole line; long ones are cut. */
  readonly rest: string
}

/** Lines in their order. `next`, `previous`: where to ask for more; null: there is none. */
export interface LogLines {
  readonly lines: readonly LogLine[]
  readonly next: number | null
  readonly previous: number | null
}

export interface LogHits {
  readonly hits: readonly LogLine[]
  /** The line to go on from; null: all was searched. */
  readonly next: number | null
}

/** The most pods of a log at a time. */
export const maxLogPods = 1000

/** What a log of a level tells of each subject. */
export interface LevelFact {
  readonly subject:
    | 'worker'
    | 'start'
    | 'terminating'
    | 'terminated'
    | 'finished'
    | 'waiting'
    | 'restart'
    | 'status'
    | 'probes'
    | 'containers'
    | 'mirrors'
    | 'evictions'
  readonly at2: LogCertainty | 'missing'
  readonly at3: LogCertainty | 'missing'
  readonly at4: LogCertainty | 'missing'
}

/** Of a kubelet v1.34. */
export const levelFacts: readonly LevelFact[] = [
  { subject: 'worker', at2: 'inferred', at3: 'inferred', at4: 'seen' },
  { subject: 'start', at2: 'inferred', at3: 'inferred', at4: 'seen' },
  { subject: 'terminating', at2: 'inferred', at3: 'inferred', at4: 'seen' },
  { subject: 'terminated', at2: 'inferred', at3: 'inferred', at4: 'seen' },
  { subject: 'finished', at2: 'inferred', at3: 'seen', at4: 'seen' },
  { subject: 'waiting', at2: 'inferred', at3: 'inferred', at4: 'seen' },
  { subject: 'restart', at2: 'missing', at3: 'missing', at4: 'seen' },
  { subject: 'status', at2: 'missing', at3: 'seen', at4: 'seen' },
  { subject: 'probes', at2: 'seen', at3: 'seen', at4: 'seen' },
  { subject: 'containers', at2: 'seen', at3: 'seen', at4: 'seen' },
  { subject: 'mirrors', at2: 'seen', at3: 'seen', at4: 'seen' },
  { subject: 'evictions', at2: 'seen', at3: 'seen', at4: 'seen' },
]

/** How a log of the level tells a subject. */
export function certaintyAt(fact: LevelFact, level: number): LogCertainty | 'missing' {
  if (level >= 4) return fact.at4
  return level === 3 ? fact.at3 : fact.at2
}
