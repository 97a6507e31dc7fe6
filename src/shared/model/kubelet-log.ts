/** What a kubelet's log tells of its pods. Times are ms since 1970; lines count from 1 through all parts of the log. */

import type { TimelineCertainty, TimelineView } from './timeline/timeline.ts'

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
  /** Of the kubelet's Node; empty: no entry has it. */
  readonly node: string
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

/** A log with its pods. `from`, `to` and `podCount` are those of its facts. */
export interface KubeletLogView extends LogFacts, TimelineView {}

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
    | 'events'
    | 'probes'
    | 'containers'
    | 'mirrors'
    | 'evictions'
  readonly at2: TimelineCertainty | 'missing'
  readonly at3: TimelineCertainty | 'missing'
  readonly at4: TimelineCertainty | 'missing'
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
  { subject: 'events', at2: 'missing', at3: 'seen', at4: 'seen' },
  { subject: 'probes', at2: 'seen', at3: 'seen', at4: 'seen' },
  { subject: 'containers', at2: 'seen', at3: 'seen', at4: 'seen' },
  { subject: 'mirrors', at2: 'seen', at3: 'seen', at4: 'seen' },
  { subject: 'evictions', at2: 'seen', at3: 'seen', at4: 'seen' },
]

/** How a log of the level tells a subject. */
export function certaintyAt(fact: LevelFact, level: number): TimelineCertainty | 'missing' {
  if (level >= 4) return fact.at4
  return level === 3 ? fact.at3 : fact.at2
}
