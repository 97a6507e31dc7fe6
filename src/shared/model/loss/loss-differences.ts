import type { LossBudget, LossEnd, LossField, LossForecast, LossResult } from './loss.ts'

/** Whether a text is the one that was forecast, of which perhaps only the beginning was known. */
function isText(forecast: string, text: string): boolean {
  return forecast.endsWith('…') ? text.startsWith(forecast.slice(0, -1)) : text === forecast
}

/** The ends that the forecast has for how the containers ended. */
function expectedEnds(
  { ends, isSure }: LossForecast,
  { haveAllExitedZero }: LossResult,
): readonly LossEnd[] {
  if (!haveAllExitedZero) return ends.slice(0, 1)
  return isSure ? ends.slice(-1) : ends
}

function endDiffers(forecast: LossForecast, result: LossResult): boolean {
  if (forecast.ends.length === 0) return false
  const { phase, reason } = result.end
  return !expectedEnds(forecast, result).some((end) => end.phase === phase && end.reason === reason)
}

function messageDiffers({ message }: LossForecast, { end, message: text }: LossResult): boolean {
  return end.phase === 'Failed' && !isText(message, text)
}

function conditionDiffers({ condition }: LossForecast, { condition: seen }: LossResult): boolean {
  return (
    seen === null ||
    seen.reason !== condition.reason ||
    !isText(condition.message, seen.message) ||
    seen.writer !== condition.writer
  )
}

const budgetSeen: Readonly<Record<LossBudget, LossResult['budget']>> = {
  obeyed: 'counted',
  preferred: 'notCounted',
  notAsked: 'notCounted',
}

function replacementDiffers({ replacement }: LossForecast, { replacement: made }: LossResult) {
  return replacement === 'yes' ? made === '' : replacement === 'no' && made !== ''
}

/** The fields in which a forecast and what happened are not the same. Pure. */
export function lossDifferences(forecast: LossForecast, result: LossResult): readonly LossField[] {
  const isKept = forecast.kept !== ''
  if (isKept === result.isLost) return ['lost']
  if (isKept) return []
  const fields: Readonly<Record<Exclude<LossField, 'lost'>, boolean>> = {
    grace: forecast.graceSeconds !== result.graceSeconds,
    end: endDiffers(forecast, result),
    message: messageDiffers(forecast, result),
    condition: conditionDiffers(forecast, result),
    object: forecast.object !== result.object,
    writers: forecast.deletedBy !== result.deletedBy || forecast.removedBy !== result.removedBy,
    budget: result.budget !== 'none' && result.budget !== budgetSeen[forecast.budget],
    replacement: replacementDiffers(forecast, result),
  }
  // The names of a record are its keys.
  return (Object.keys(fields) as Exclude<LossField, 'lost'>[]).filter((field) => fields[field])
}
