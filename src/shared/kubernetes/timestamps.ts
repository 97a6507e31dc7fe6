/** By second: a status repeats the times of the one before, and pods that start together have the same. */
const timestamps = new Map<number, string>()
const maxTimestamps = 1000

/** metav1.Time: RFC 3339 in UTC with whole seconds, cut, not rounded. `ms` since the epoch. */
export function toTimestamp(ms: number): string {
  const second = Math.floor(ms / 1000)
  const known = timestamps.get(second)
  if (known !== undefined) return known
  // Joined: a template keeps its parts in memory, and there are thousands of times.
  const text = [new Date(ms).toISOString().slice(0, -'.000Z'.length), 'Z'].join('')
  if (timestamps.size >= maxTimestamps) timestamps.clear()
  timestamps.set(second, text)
  return text
}

/** metav1.MicroTime, as leases carry it: six digits after the point, of which the clock fills three. */
export function toMicroTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/** Milliseconds since the epoch of an RFC 3339 time; undefined for an absent or unreadable one. */
export function fromTimestamp(text: string | null | undefined): number | undefined {
  if (text === undefined || text === null) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** `14:02:52`, UTC as in every object of the API. `ms` since the epoch. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19)
}
