import type { EndpointReading, KubeletEndpoint } from '../../shared/model/inspect/kubelet-facts.ts'
import type { Clock } from '../kubelet/ports.ts'

/** Endpoints that are read together, how often at most, and which share of the time reading them may take. */
interface Round {
  readonly paths: readonly KubeletEndpoint[]
  readonly everyMs: number
  /** Per mille of one core: an answer costs its kubelet at most the time that it takes. */
  readonly budget: number
}

const rounds: readonly Round[] = [
  { paths: ['/pods', '/runningpods/'], everyMs: 2000, budget: 5 },
  { paths: ['/healthz', '/healthz/syncloop'], everyMs: 10_000, budget: 1 },
  { paths: ['/metrics'], everyMs: 15_000, budget: 2 },
  { paths: ['/stats/summary'], everyMs: 30_000, budget: 0.5 },
  { paths: ['/configz'], everyMs: 60_000, budget: 0.5 },
]

/** After a refusal: rights and certificates change seldom. */
const refusedEveryMs = 30_000
const awayEveryMs = 5000
/** Nothing was sent: the API server has no such Node yet, or it names no address. */
const unreadEveryMs = 2000

export interface PollDeps {
  /** Reads endpoints one after the other. */
  readonly read: (paths: readonly KubeletEndpoint[]) => Promise<void>
  readonly reading: (path: KubeletEndpoint) => EndpointReading | undefined
  readonly clock: Clock
}

/** How long until a round is read again, ms. */
export function pauseAfter(
  { paths, everyMs, budget }: Round,
  readings: readonly (EndpointReading | undefined)[],
): number {
  if (readings.every((reading) => reading === undefined)) return unreadEveryMs
  const problems = readings.flatMap((reading) => reading?.problem?.kind ?? [])
  if (problems.length === paths.length)
    return problems.every((kind) => kind === 'away' || kind === 'refused' || kind === 'unhealthy')
      ? Math.max(everyMs, awayEveryMs)
      : Math.max(everyMs, refusedEveryMs)
  const took = readings.reduce((sum, reading) => sum + (reading?.tookMs ?? 0), 0)
  return Math.max(everyMs, (took * 1000) / budget)
}

/** Reads a kubelet's endpoints while a page looks at its node, /pods first. Returns what ends it. */
export function pollKubelet({ read, reading, clock }: PollDeps): () => void {
  let isStopped = false
  const cancels = new Map<Round, () => void>()
  let busy: Promise<void> = Promise.resolve()
  const run = async (round: Round): Promise<void> => {
    // One request at a time: a round that is due waits for the one before it.
    busy = busy.then(() => (isStopped ? undefined : read(round.paths)))
    await busy
    if (isStopped) return
    const pause = pauseAfter(round, round.paths.map(reading))
    cancels.set(
      round,
      clock.after(pause, () => void run(round)),
    )
  }
  for (const round of rounds) void run(round)
  return () => {
    isStopped = true
    for (const cancel of cancels.values()) cancel()
  }
}
