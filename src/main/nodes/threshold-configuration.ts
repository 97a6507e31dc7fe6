import type { JsonObject } from '../../shared/json.ts'
import { numberAt, objectAt, textAt } from '../../shared/json.ts'
import { thresholdFields } from '../../shared/model/pressure/threshold-texts.ts'
import type { ThresholdTexts } from '../../shared/model/pressure/threshold-texts.ts'

/** What a kubelet's /configz says of its thresholds. */
export function thresholdTextsOf(configuration: JsonObject): ThresholdTexts {
  const [hard, soft, graces, reclaims] = thresholdFields.map((field) =>
    Object.fromEntries(
      Object.entries(objectAt(configuration, field)).map(([signal, value]) => [
        signal,
        String(value),
      ]),
    ),
  )
  return {
    evictionHard: hard ?? {},
    evictionSoft: soft ?? {},
    evictionSoftGracePeriod: graces ?? {},
    evictionMinimumReclaim: reclaims ?? {},
    evictionPressureTransitionPeriod:
      textAt(configuration, 'evictionPressureTransitionPeriod') || '5m0s',
    evictionMaxPodGracePeriod: String(numberAt(configuration, 'evictionMaxPodGracePeriod') ?? 0),
  }
}

/** The configuration with other thresholds. */
export function withThresholds(configuration: JsonObject, texts: ThresholdTexts): JsonObject {
  return {
    ...configuration,
    ...texts,
    evictionMaxPodGracePeriod: Number(texts.evictionMaxPodGracePeriod),
  }
}
