/** The thresholds of a KubeletConfiguration, with the kubelet's errors (eviction ParseThresholdConfig; eviction#thresholds). */
import { durationNs } from '../../../shared/go/duration.ts'
import { parseFloat32 } from '../../../shared/go/float.ts'
import { formatQuantity, parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import { quantityProblem } from '../../../shared/kubernetes/schema/go-values.ts'
import { isSignal } from '../../../shared/model/pressure/signals.ts'
import type { Signal } from '../../../shared/model/pressure/signals.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { isHardThreshold } from './thresholds.ts'
import type { Threshold, ThresholdValue } from './thresholds.ts'

/** By signal: `100Mi`, `10%`, `1m30s`. */
export type Statements = Readonly<Record<string, string>>

/** The fields of a KubeletConfiguration. */
export interface ThresholdConfig {
  readonly evictionHard: Statements
  readonly evictionSoft: Statements
  readonly evictionSoftGracePeriod: Statements
  readonly evictionMinimumReclaim: Statements
  /** `enforceNodeAllocatable` has `pods`: the memory of all pods together is watched too. */
  readonly enforcesPods: boolean
}

/** defaults_linux.go DefaultEvictionHard. */
export const defaultEvictionHard: Statements = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
}

/** The hard ones, the soft ones, and the copy for the memory of all pods, each in the order of the configuration. */
export function parseThresholdConfig(
  config: ThresholdConfig,
): Result<readonly Threshold[], string> {
  const hard = parseStatements(config.evictionHard, parseThresholdValue)
  if (!hard.ok) return hard
  const soft = parseStatements(config.evictionSoft, parseThresholdValue)
  if (!soft.ok) return soft
  const gracePeriods = parseStatements(config.evictionSoftGracePeriod, parseGracePeriod)
  if (!gracePeriods.ok) return gracePeriods
  const minReclaims = parseStatements(config.evictionMinimumReclaim, parseMinimumReclaim)
  if (!minReclaims.ok) return minReclaims
  const ungraced = [...soft.value.keys()].find((signal) => !gracePeriods.value.has(signal))
  if (ungraced !== undefined)
    return err(`grace period must be specified for the soft eviction threshold ${ungraced}`)
  const thresholdsOf = (
    values: ReadonlyMap<Signal, ThresholdValue>,
    gracePeriodOf: (signal: Signal) => number,
  ): readonly Threshold[] =>
    [...values].map(([signal, value]) => ({
      signal,
      value,
      gracePeriodMs: gracePeriodOf(signal),
      minReclaim: minReclaims.value.get(signal),
    }))
  const thresholds = [
    ...thresholdsOf(hard.value, () => 0),
    ...thresholdsOf(soft.value, (signal) => gracePeriods.value.get(signal) ?? 0),
  ]
  return ok(config.enforcesPods ? withAllocatable(thresholds) : thresholds)
}

/** eviction addAllocatableThresholds. */
function withAllocatable(thresholds: readonly Threshold[]): readonly Threshold[] {
  const memory = thresholds.filter(
    (threshold) => threshold.signal === 'memory.available' && isHardThreshold(threshold),
  )
  return [
    ...thresholds,
    ...memory.map((threshold) => ({
      ...threshold,
      signal: 'allocatableMemory.available' as const,
    })),
  ]
}

/** `undefined`: the statement is to be ignored. */
type ParseStatement<T> = (signal: Signal, text: string) => Result<T | undefined, string>

function parseStatements<T>(
  statements: Statements,
  parse: ParseStatement<T>,
): Result<ReadonlyMap<Signal, T>, string> {
  const values = new Map<Signal, T>()
  for (const [signal, text] of Object.entries(statements)) {
    if (!isSignal(signal)) return err(`unsupported eviction signal ${signal}`)
    const value = parse(signal, text)
    if (!value.ok) return value
    if (value.value !== undefined) values.set(signal, value.value)
  }
  return ok(values)
}

const parseThresholdValue: ParseStatement<ThresholdValue> = (signal, text) => {
  if (text.endsWith('%')) {
    if (text === '0%' || text === '100%') return ok(undefined)
    const percentage = parsePercentage(text)
    if (!percentage.ok) return percentage
    const wrong = `eviction percentage threshold ${signal} must be`
    if (percentage.value < 0) return err(`${wrong} >= 0%: ${text}`)
    if (percentage.value > 1) return err(`${wrong} <= 100%: ${text}`)
    return ok({ percentage: percentage.value })
  }
  const quantity = parseQuantity(text)
  if (quantity === undefined) return err(quantityProblem(text) ?? '')
  if (quantity.nanos <= 0n)
    return err(`eviction threshold ${signal} must be positive: ${formatQuantity(quantity)}`)
  return ok({ quantity })
}

/** ms. */
const parseGracePeriod: ParseStatement<number> = (_, text) => {
  const period = durationNs(text)
  if (!period.ok) return period
  if (period.value < 0)
    return err(`invalid eviction grace period specified: ${text}, must be a positive value`)
  return ok(period.value / 1e6)
}

const parseMinimumReclaim: ParseStatement<ThresholdValue> = (signal, text) => {
  if (text.endsWith('%')) {
    const percentage = parsePercentage(text)
    if (!percentage.ok) return percentage
    if (percentage.value <= 0)
      return err(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`)
    return ok({ percentage: percentage.value })
  }
  const quantity = parseQuantity(text)
  if (quantity === undefined) return err(quantityProblem(text) ?? '')
  if (quantity.nanos < 0n) return err(`negative eviction minimum reclaim specified for ${signal}`)
  return ok({ quantity })
}

function parsePercentage(text: string): Result<number, string> {
  const value = parseFloat32(text.replace(/%+$/, ''))
  return value.ok ? ok(Math.fround(value.value / 100)) : value
}
