import type { WorkerStateWord } from '../../../src/shared/model/pod-row.ts'

/** A change of a worker that a kubelet's own log tells. `at`: ms. */
export interface LoggedState {
  readonly uid: string
  readonly at: number
  readonly state: WorkerStateWord
}

// At -v=4. Lines of the worker that carry only the UID or the name as well.
const patterns: readonly (readonly [RegExp, WorkerStateWord])[] = [
  [/"Pod is being synced for the first time"/, 'SyncPod'],
  [/"Pod cannot start yet"/, 'waiting'],
  [/"SyncPod enter"/, 'SyncPod'],
  [/"Pod is [^"]*begin teardown"/, 'TerminatingPod'],
  [/"Pod is orphaned and must be torn down"/, 'TerminatingPod'],
  [/"Pod indicated lifecycle completed naturally and should now terminate"/, 'TerminatingPod'],
  [/"Pod terminated all containers successfully"/, 'TerminatedPod'],
  [/"Pod is complete and the worker can now stop"/, 'finished'],
  [/"Pod has been terminated and is no longer known to the kubelet, remove all history"/, 'none'],
]

const head = /^[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{6}) /

/** klog's text has local time, and no year. */
export function timeOf(line: string, year: number): number | undefined {
  const match = head.exec(line)
  if (match === null) return undefined
  const [, month, day, hours, minutes, seconds, micros] = match
  const whole = new Date(
    year,
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  )
  return whole.getTime() + Number(micros) / 1000
}

/** What the log of a kubelet at -v=4 says of its workers, in order. A kubelet that stopped has none, `stops` in ms. */
export function loggedStates(
  text: string,
  year: number,
  stops: readonly number[],
): readonly LoggedState[] {
  const states: LoggedState[] = []
  const known = new Set<string>()
  for (const line of text.split('\n')) {
    const at = timeOf(line, year)
    if (at === undefined) continue
    const found = patterns.find(([pattern]) => pattern.test(line))
    const [, uid] = /podUID="([^"]+)"/.exec(line) ?? []
    if (found === undefined || uid === undefined) continue
    known.add(uid)
    states.push({ uid, at, state: found[1] })
  }
  for (const at of stops) for (const uid of known) states.push({ uid, at, state: 'none' })
  return states.toSorted((a, b) => a.at - b.at)
}

/** The states that a worker had from one time to another: the one before it, and all that came within. */
export function statesBetween(
  states: readonly LoggedState[],
  uid: string,
  from: number,
  to: number,
): ReadonlySet<WorkerStateWord> {
  const own = states.filter((state) => state.uid === uid && state.at <= to)
  const before = own.findLast(({ at }) => at <= from)?.state ?? 'none'
  return new Set([before, ...own.filter(({ at }) => at > from).map(({ state }) => state)])
}
