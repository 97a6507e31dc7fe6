import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { LogPart, LogPlace } from '../../../../shared/model/pod-logs.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'

/** One line of a log, or the place where the next container begins. */
export interface LogLine {
  readonly kind: 'line' | 'restart'
  /** ms since the epoch. */
  readonly at: number
  readonly text: string
}

export interface LogKey {
  readonly pod: PodKey
  readonly container: string
  readonly previous: boolean
  readonly sinceSeconds: number | null
}

/** What is known of a log; `lines` is the same list until another log is read. */
export interface LogView {
  readonly lines: readonly LogLine[]
  readonly count: number
  /** How many of the first lines are no longer kept. */
  readonly dropped: number
  /** Why there is no log now; else empty. */
  readonly error: string
}

/** How many lines are kept. */
export const maxLines = 100_000
/** Of one line. */
export const maxLineLength = 16_384

function lineOf(text: string): LogLine {
  const space = text.indexOf(' ')
  const at = Math.floor(Date.parse(text.slice(0, Math.max(0, space))))
  const said = text.slice(space + 1)
  return { kind: 'line', at, text: said.slice(0, maxLineLength) }
}

function linesOf(text: string): readonly LogLine[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map(lineOf)
}

/**
 * The lines of one log: the first request reads all, each later one what has come since. Lines of the last known
 * millisecond come again and are left out; a restarted container continues below a mark.
 */
export class LogFollower {
  #key: LogKey | null = null
  #lines: LogLine[] = []
  #dropped = 0
  #place: LogPlace | null = null

  readonly ask = async (bridge: Bridge, key: LogKey): Promise<LogView | null> => {
    if (key !== this.#key) {
      this.#key = key
      this.#lines = []
      this.#dropped = 0
      this.#place = null
    }
    const { pod, container, previous, sinceSeconds } = key
    const after = this.#place
    const logs = await bridge.request('pod.logs', {
      key: pod,
      container,
      previous,
      sinceSeconds,
      after,
    })
    if (logs === null || key !== this.#key) return null
    for (const part of logs.parts) this.#add(part)
    const extra = this.#lines.length - maxLines
    if (extra > 0) {
      this.#lines.splice(0, extra)
      this.#dropped += extra
    }
    const { length: count } = this.#lines
    return { lines: this.#lines, count, dropped: this.#dropped, error: logs.error }
  }

  #add({ containerId, text }: LogPart): void {
    const place = this.#place
    const isSame = place?.containerId === containerId
    const read = linesOf(text)
    if (!isSame && place !== null)
      this.#lines.push({ kind: 'restart', at: read[0]?.at ?? place.at, text: '' })
    const known = isSame ? this.#knownOf(place.at) : 0
    for (const [index, line] of read.entries())
      // A runtime that no longer keeps those lines begins with later ones.
      if (index >= known || line.at !== place?.at) this.#lines.push(line)
    const last = this.#lines.at(-1)
    this.#place = { containerId, at: read.at(-1)?.at ?? (isSame ? place.at : (last?.at ?? 0)) }
  }

  /** How many of the last lines are of that millisecond. */
  #knownOf(at: number): number {
    let index = this.#lines.length
    while (
      index > 0 &&
      this.#lines[index - 1]?.at === at &&
      this.#lines[index - 1]?.kind === 'line'
    )
      index--
    return this.#lines.length - index
  }
}
