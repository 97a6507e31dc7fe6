import { durationNs } from '../../../shared/go/duration.ts'
import { thresholdFields } from '../../../shared/model/pressure/threshold-texts.ts'
import type {
  ThresholdField,
  ThresholdProblem,
  ThresholdTexts,
} from '../../../shared/model/pressure/threshold-texts.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { defaultEvictionSettings } from './eviction-settings.ts'
import type { EvictionSettings } from './eviction-settings.ts'
import { parseThresholdConfig } from './parse-thresholds.ts'
import type { ThresholdConfig } from './parse-thresholds.ts'

const none: ThresholdConfig = {
  evictionHard: {},
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  enforcesPods: false,
}

/** One value alone: a soft threshold has a grace period then, so that only the value itself can be wrong. */
function problemOf(field: ThresholdField, signal: string, value: string): string {
  const graces = field === 'evictionSoft' ? { evictionSoftGracePeriod: { [signal]: '1s' } } : {}
  const parsed = parseThresholdConfig({ ...none, ...graces, [field]: { [signal]: value } })
  return parsed.ok ? '' : parsed.error
}

function periodProblem(text: string): string {
  const period = durationNs(text)
  return period.ok ? '' : period.error
}

/** A negative one is an int32 that a kubelet takes too. */
const wholeSeconds = /^-?\d{1,9}$/

/** What a kubelet would not take, each where it stands. */
function problemsOf(texts: ThresholdTexts): readonly ThresholdProblem[] {
  const found: ThresholdProblem[] = thresholdFields.flatMap((field) =>
    Object.entries(texts[field]).map(([signal, value]) => ({
      field,
      signal,
      message: problemOf(field, signal, value),
    })),
  )
  const { evictionPressureTransitionPeriod: period, evictionMaxPodGracePeriod: seconds } = texts
  found.push(
    {
      field: 'evictionPressureTransitionPeriod',
      signal: '',
      message: periodProblem(period),
    },
    {
      field: 'evictionMaxPodGracePeriod',
      signal: '',
      message: wholeSeconds.test(seconds) ? '' : 'must be a whole number of seconds',
    },
  )
  return found.filter(({ message }) => message !== '')
}

function ungraced(texts: ThresholdTexts, message: string): ThresholdProblem {
  const signal =
    Object.keys(texts.evictionSoft).find((one) => !(one in texts.evictionSoftGracePeriod)) ?? ''
  return { field: 'evictionSoftGracePeriod', signal, message }
}

/** The settings that a kubelet makes of the texts, with `before` for all others; error: what is wrong, in its words. */
export function readThresholdTexts(
  texts: ThresholdTexts,
  before: EvictionSettings,
): Result<EvictionSettings, readonly ThresholdProblem[]> {
  const problems = problemsOf(texts)
  if (problems.length > 0) return err(problems)
  const thresholds = parseThresholdConfig({ ...texts, enforcesPods: true })
  if (!thresholds.ok) return err([ungraced(texts, thresholds.error)])
  const period = durationNs(texts.evictionPressureTransitionPeriod)
  return ok({
    ...before,
    thresholds: thresholds.value,
    // 0 is as good as not set.
    pressureTransitionPeriodMs:
      (period.ok ? period.value / 1e6 : 0) || defaultEvictionSettings.pressureTransitionPeriodMs,
    maxPodGracePeriodSeconds: Number(texts.evictionMaxPodGracePeriod),
    isConfigured: true,
  })
}
