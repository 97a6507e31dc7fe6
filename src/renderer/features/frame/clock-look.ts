import type { ClockView } from '../../../shared/model/cluster-view.ts'
import { humanDuration } from '../../../shared/kubernetes/printers/age.ts'
import { speeds } from '../../store/slices/clock-slice.ts'
import { preciseClockText } from '../../words/time.ts'

/** Faster than this, parts of a second would only flicker. */
const fastestWithTenths = 10

export interface ClockFace {
  readonly seconds: string
  /** `.480` while it stands, `.4` while it runs; empty where the digits would flicker. */
  readonly fraction: string
}

/** The clock's digits. `isStill`: the person asked for less motion. */
export function clockFace(now: number, clock: ClockView, isStill: boolean): ClockFace {
  const text = preciseClockText(now)
  const seconds = text.slice(0, 8)
  if (clock.paused) return { seconds, fraction: text.slice(8) }
  if (isStill || clock.speed > fastestWithTenths) return { seconds, fraction: '' }
  return { seconds, fraction: text.slice(8, 10) }
}

/** A machine that reaches this share of the speed keeps up. */
const keptUpShare = 0.9

/** The speed that the machine reaches, where that is less than the chosen one: `60× achieved`; else empty. */
export function achievedText({ paused, speed, achieved }: ClockView): string {
  return paused || achieved === null || achieved >= speed * keptUpShare
    ? ''
    : `${achieved}× achieved`
}

/** The bar's speeds with the present one in its place, where it is another. */
export function offeredSpeeds(speed: number): readonly number[] {
  return speeds.includes(speed) ? speeds : [...speeds, speed].toSorted((one, two) => one - two)
}

/** From here on the two clocks tell another age of the same thing. */
const leadShownMs = 2000

/** How far the cluster's clock is ahead of the wall clock in kubectl's words; empty while nobody would notice. */
export function leadText(now: number, wall: number): string {
  return now - wall > leadShownMs ? humanDuration(now - wall) : ''
}

/** What the lead means for a person with kubectl. The sandbox's server counts the ages of `kubectl get` itself, as every server does. */
export function leadSentence(lead: string): string {
  return `This clock is ${lead} ahead of the wall clock. kubectl get shows the server’s ages, the same as here. kubectl itself computes the ages in kubectl describe and kubectl events, from the wall clock: they are ${lead} less, and <invalid> for the last ${lead}.`
}
