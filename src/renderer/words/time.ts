import { humanDuration } from '../../shared/kubernetes/printers/age.ts'
import type { GraceView } from '../../shared/model/pod-row.ts'

/** `14:02:31`, UTC as in every object of the API. */
export function clockText(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}

/** `14:02:31.480` */
export function preciseClockText(at: number): string {
  return new Date(at).toISOString().slice(11, 23)
}

/** For tooltips: date and time to the second, UTC. */
export function fullTimeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Seconds until SIGKILL; never more than the grace period, although the page's clock may be behind main's. */
export function graceLeft(
  { startedAt, killAt }: Pick<GraceView, 'startedAt' | 'killAt'>,
  now: number,
): number {
  return secondsLeft(killAt, Math.max(startedAt, now))
}

/** Whole seconds, rounded up. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000))
}

/** A duration: in seconds up to two minutes, then as kubectl writes it. */
export function lastingText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return seconds < 120 ? `${seconds} s` : humanDuration(milliseconds)
}

/** `18 204`: with a space between thousands. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u00a0')
}

/** How much of the time from `from` to `to` is over, 0 to 1. */
export function elapsedShare(from: number, to: number, now: number): number {
  if (to <= from) return now >= to ? 1 : 0
  return Math.min(1, Math.max(0, (now - from) / (to - from)))
}
