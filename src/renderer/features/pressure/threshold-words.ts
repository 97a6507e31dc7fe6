import type { SignalView, ThresholdView } from '../../../shared/model/pressure/pressure-view.ts'
import { text } from '../../text/text.ts'
import { lastingText } from '../../words/time.ts'

const words = text.pressure.signals

/** `hard 100Mi`, `soft 1Gi, 90 s`; of containerfs with the file system whose threshold it is. */
export function thresholdWords({ follows }: SignalView, threshold: ThresholdView): string {
  const { isHard, value, gracePeriodMs } = threshold
  const own = isHard ? words.hard(value) : words.soft(value, lastingText(gracePeriodMs))
  return follows === null ? own : words.from(follows, own)
}
