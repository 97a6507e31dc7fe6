import { known, Unreadable } from '../shell/unreadable.ts'

const unitMs = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function isUnit(text: string): text is keyof typeof unitMs {
  return Object.hasOwn(unitMs, text)
}

/** One operand of `sleep` in ms; Infinity for `infinity`; undefined if it is invalid. */
function operandMs(operand: string): number | undefined {
  if (/^\+?inf(inity)?$/i.test(operand)) return Number.POSITIVE_INFINITY
  const match = /^(\d+\.?\d*|\.\d+)([smhd]?)$/.exec(operand)
  const unit = match?.[2] ?? ''
  if (match !== null && isUnit(unit)) {
    // Whole microseconds, so that 0.1 * 1000 stays 100 however often it is added up.
    return Math.round(Number(match[1]) * unitMs[unit] * 1000) / 1000
  }
  // coreutils takes exponents and hexadecimals, busybox does not.
  if (/^\+?[\d.]+e[-+]?\d+|^\+?0x/i.test(operand)) {
    throw new Unreadable(`sleep ${operand}: not every sleep takes it`)
  }
  return undefined
}

/** The duration of `sleep` with these operands in ms; undefined if it fails with status 1. */
export function sleepMs(operands: readonly string[]): number | undefined {
  const given = operands[0] === '--' ? operands.slice(1) : operands
  if (given.length === 0) return undefined
  let totalMs = 0
  for (const operand of given) {
    const ms = operandMs(known(operand, 'sleep'))
    if (ms === undefined) return undefined
    totalMs += ms
  }
  return totalMs
}
