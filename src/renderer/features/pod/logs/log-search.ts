import type { LogLine } from './log-follower.ts'

/** The lines as a file has them, each with its time if wanted; a restart is a line of its own. Pure. */
export function logFile(
  { lines, count }: { readonly lines: readonly LogLine[]; readonly count: number },
  { hasTimes, restarted }: { readonly hasTimes: boolean; readonly restarted: string },
): readonly string[] {
  return lines.slice(0, count).map(({ kind, at, text }) => {
    const time = hasTimes ? `${new Date(at).toISOString()} ` : ''
    return kind === 'restart' ? `--- ${restarted}\n` : `${time}${text}\n`
  })
}

/** The indexes of the lines that contain the text, in any case; none for an empty text. Pure. */
export function matchingLines(
  lines: readonly LogLine[],
  count: number,
  wanted: string,
): readonly number[] {
  if (wanted === '') return []
  const lower = wanted.toLowerCase()
  const found: number[] = []
  for (let index = 0; index < count; index++)
    if (lines[index]?.text.toLowerCase().includes(lower) === true) found.push(index)
  return found
}

/** The line in pieces: every second one contains the text. Pure. */
export function piecesOf(line: string, wanted: string): readonly string[] {
  if (wanted === '') return [line]
  const [lower, found] = [line.toLowerCase(), wanted.toLowerCase()]
  // A letter whose lower case is longer would move the places.
  if (lower.length !== line.length) return [line]
  const pieces: string[] = []
  let from = 0
  for (let at = lower.indexOf(found); at >= 0; at = lower.indexOf(found, from)) {
    pieces.push(line.slice(from, at), line.slice(at, at + found.length))
    from = at + found.length
  }
  return [...pieces, line.slice(from)]
}

/** `kubectl logs` for the same lines. Pure. */
export function kubectlLogs(of: {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  readonly previous: boolean
  readonly sinceSeconds: number | null
  readonly isFollowing: boolean
  readonly hasTimes: boolean
}): string {
  return [
    `kubectl logs -n ${of.namespace} ${of.pod} -c ${of.container}`,
    ...(of.previous ? ['--previous'] : []),
    ...(of.sinceSeconds === null ? [] : [`--since=${of.sinceSeconds / 60}m`]),
    ...(of.hasTimes ? ['--timestamps'] : []),
    ...(of.isFollowing && !of.previous ? ['--follow'] : []),
  ].join(' ')
}
