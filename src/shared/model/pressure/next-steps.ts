/** What the eviction manager does next, and when, if nothing else changes (eviction#eviction-loop). Pure. */
import { formatDuration } from '../../go/duration.ts'
import type { PressureView, SignalView, ThresholdView } from './pressure-view.ts'
import { conditionOf, isMemorySignal, resourceOf } from './signals.ts'
import type { Signal } from './signals.ts'

export interface NextStep {
  readonly kind: 'met' | 'now' | 'round' | 'reclaim' | 'eviction' | 'kill' | 'condition'
  /** ms on the cluster's clock; null: at once, when what is under way has ended. */
  readonly at: number | null
  readonly sentence: string
  /** One more sentence; empty: none. */
  readonly detail: string
}

const roundMs = 10_000

interface MetThreshold {
  readonly signal: SignalView
  readonly threshold: ThresholdView
  readonly metSince: number
  /** When its grace period is over. */
  readonly dueAt: number
}

function metThresholds(view: PressureView): readonly MetThreshold[] {
  return view.signals.flatMap((signal) =>
    signal.thresholds.flatMap((threshold) => {
      const { metSince, gracePeriodMs } = threshold
      if (metSince === null) return []
      return [{ signal, threshold, metSince, dueAt: metSince + gracePeriodMs }]
    }),
  )
}

/** The round in which a threshold that is due then is acted on. */
function roundAt({ now, nextRoundAt }: PressureView, dueAt: number): number | null {
  if (nextRoundAt === null) return dueAt <= now ? null : dueAt
  const rounds = Math.max(0, Math.ceil((dueAt - nextRoundAt) / roundMs))
  return nextRoundAt + rounds * roundMs
}

/** Memory first, then what is due first. */
function mostUrgent(met: readonly MetThreshold[], now: number): MetThreshold | undefined {
  const urgency = ({ signal, dueAt }: MetThreshold): number =>
    dueAt <= now && isMemorySignal(signal.signal) ? -1 : Math.max(dueAt, now)
  return met.toSorted((a, b) => urgency(a) - urgency(b))[0]
}

function rankingOf(
  { rankings }: PressureView,
  signal: Signal,
): PressureView['rankings'][number] | undefined {
  const same = signal === 'allocatableMemory.available' ? 'memory.available' : signal
  return rankings.find((ranking) => ranking.signal === same)
}

/** In the order of their times. Empty: the eviction manager watches nothing. */
export function nextSteps(view: PressureView): readonly NextStep[] {
  if (!view.isOn) return []
  const { now } = view
  const met = metThresholds(view)
  const past = met
    .toSorted((a, b) => a.metSince - b.metSince)
    .map(({ signal, threshold, metSince }): NextStep => ({
      kind: 'met',
      at: metSince,
      sentence: `${signal.signal} is below ${threshold.value}`,
      detail: threshold.isHard
        ? `${conditionOf(signal.signal)} is True; a hard threshold has no grace period.`
        : `${conditionOf(signal.signal)} is True; the grace period of ${formatDuration(threshold.gracePeriodMs)} begins.`,
    }))
  const urgent = mostUrgent(met, now)
  const coming = urgent === undefined ? calmSteps(view) : urgentSteps(view, urgent)
  const nowStep: NextStep = { kind: 'now', at: now, sentence: 'Now', detail: '' }
  return [...past, nowStep, ...coming, ...conditionSteps(view, met)]
}

function calmSteps({ nextRoundAt }: PressureView): readonly NextStep[] {
  if (nextRoundAt === null) return []
  return [
    {
      kind: 'round',
      at: nextRoundAt,
      sentence: 'The eviction manager compares the signals with the thresholds',
      detail: 'It does so every 10 s.',
    },
  ]
}

function urgentSteps(view: PressureView, urgent: MetThreshold): readonly NextStep[] {
  const { signal, threshold, dueAt } = urgent
  const at = roundAt(view, dueAt)
  const reclaim: readonly NextStep[] =
    signal.reclaims.length === 0
      ? []
      : [
          {
            kind: 'reclaim',
            at,
            sentence: `The kubelet removes ${signal.reclaims.join(', then ')}`,
            detail: 'If no threshold is met after that, no pod is evicted.',
          },
        ]
  const evictable = rankingOf(view, signal.signal)?.pods.filter(({ never }) => never === '') ?? []
  const [first, second] = evictable
  if (first === undefined)
    return [
      ...reclaim,
      {
        kind: 'eviction',
        at,
        sentence: 'No pod can be evicted',
        detail: 'Critical and static pods stay.',
      },
    ]
  const grace = threshold.isHard ? 1 : view.maxPodGracePeriodSeconds
  const after = threshold.at + threshold.minReclaim
  const isMore = threshold.minReclaim > 0
  const again =
    second === undefined
      ? ''
      : ` Still below ${isMore ? 'the threshold and its minimum reclaim' : 'the threshold'}? Then ${second.name}.`
  return [
    ...reclaim,
    {
      kind: 'eviction',
      at,
      sentence: `${first.name} is evicted`,
      detail: threshold.isHard
        ? 'A hard threshold grants a grace period of 1 s.'
        : `Its grace period is at most ${Math.max(1, grace)} s (evictionMaxPodGracePeriod).`,
    },
    {
      kind: 'kill',
      // The container runtime waits for at least 2 s.
      at: at === null ? null : at + Math.max(2, grace) * 1000,
      sentence: 'SIGKILL at the latest',
      detail: `${first.name} has to be cleaned up before the next round, which waits for it at most 30 s.${Number.isFinite(after) ? again : ''}`,
    },
  ]
}

function conditionSteps(
  { conditions, pressureTransitionPeriodMs, now, nextRoundAt }: PressureView,
  met: readonly MetThreshold[],
): readonly NextStep[] {
  return conditions.flatMap(({ condition, isTrue, lastObservedAt }): readonly NextStep[] => {
    if (!isTrue) return []
    const isMet = met.some(({ signal }) => conditionOf(signal.signal) === condition)
    const since = isMet ? (nextRoundAt ?? now) : (lastObservedAt ?? now)
    const period = formatDuration(pressureTransitionPeriodMs)
    return [
      {
        kind: 'condition',
        at: since + pressureTransitionPeriodMs,
        sentence: `${condition} becomes False at the earliest`,
        detail: isMet
          ? `${period} (evictionPressureTransitionPeriod) after the last round that finds too little ${resourceWords(met, condition)}.`
          : `${period} (evictionPressureTransitionPeriod) after its threshold was last met.`,
      },
    ]
  })
}

function resourceWords(met: readonly MetThreshold[], condition: string): string {
  const found = met.find(({ signal }) => conditionOf(signal.signal) === condition)
  return found === undefined ? '' : resourceOf(found.signal.signal)
}
