import type { ClockView } from '../../../shared/model/cluster-view.ts'
import { humanDuration } from '../../../shared/kubernetes/printers/age.ts'
import { speeds } from '../../store/slices/clock-slice.ts'
import { preciseClockText } from '../../words/time.ts'

/** Faster than this, parts of a second would only flicker. */
const fastestWithTenths = 10

export interface ClockFace {
  readonly seconds: string
  /** `.480` while the clock is paused, `.4` while it runs; empty where the digits would flicker. */
  readonly fraction: string
}

/** The clock's digits. `isStill`: the user asked for less motion. */
export function clockFace(now: number, clock: ClockView, isStill: boolean): ClockFace {
  const text = preciseClockText(now)
  const seconds = text.slice(0, 8)
  if (clock.paused) return { seconds, fraction: text.slice(8) }
  if (isStill || clock.speed > fastestWithTenths) return { seconds, fraction: '' }
  return { seconds, fraction: text.slice(8, 10) }
}

/** A machine that reaches this share of the speed keeps up. */
const keptUpShare = 0.9

/** Whether the machine reaches less than the chosen speed. */
export function isBehind({ paused, speed, achieved }: ClockView): boolean {
  return !paused && achieved !== null && achieved < speed * keptUpShare
}

/** The bar's speeds, and the current speed in its place if it is another one. */
export function offeredSpeeds(speed: number): readonly number[] {
  return speeds.includes(speed)
    ? speeds
    : [...speeds, speed].toSorted((left, right) => left - right)
}

/** From this lead on, the two clocks give different ages. */
const leadShownMs = 2000

/** How far the cluster's clock is ahead of the wall clock, as kubectl prints durations; empty while it does not matter. */
export function leadText(now: number, wall: number): string {
  return now - wall > leadShownMs ? humanDuration(now - wall) : ''
}
