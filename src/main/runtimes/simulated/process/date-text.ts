const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months =
  'January February March April May June July August September October November December'.split(' ')

/** The format of `date` without operands, in the C locale and UTC; GNU and busybox agree on it. */
const defaultFormat = '%a %b %e %H:%M:%S UTC %Y'

function padded(value: number, filler = '0'): string {
  return String(value).padStart(2, filler)
}

type Directive = (date: Date) => string

const directives: Readonly<Record<string, Directive>> = {
  '%': () => '%',
  n: () => '\n',
  t: () => '\t',
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => padded(date.getUTCFullYear() % 100),
  m: (date) => padded(date.getUTCMonth() + 1),
  d: (date) => padded(date.getUTCDate()),
  e: (date) => padded(date.getUTCDate(), ' '),
  H: (date) => padded(date.getUTCHours()),
  M: (date) => padded(date.getUTCMinutes()),
  S: (date) => padded(date.getUTCSeconds()),
  A: (date) => days[date.getUTCDay()] ?? '',
  a: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3),
  B: (date) => months[date.getUTCMonth()] ?? '',
  b: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  F: (date) => date.toISOString().slice(0, 10),
  T: (date) => date.toISOString().slice(11, 19),
  R: (date) => date.toISOString().slice(11, 16),
  Z: () => 'UTC',
  z: () => '+0000',
}

/**
 * The output of `date` in UTC, without the newline. Undefined for operands other than `-u` and a format of the
 * directives above. `now`: ms since the epoch.
 */
export function dateText(now: number, operands: readonly string[]): string | undefined {
  const [format, ...more] = operands.filter((operand) => operand !== '-u')
  if (more.length > 0 || (format !== undefined && !format.startsWith('+'))) return undefined
  const date = new Date(now)
  let isKnown = true
  const text = (format?.slice(1) ?? defaultFormat).replaceAll(/%(.?)/gs, (_, letter: string) => {
    const directive = Object.hasOwn(directives, letter) ? directives[letter] : undefined
    if (directive === undefined) isKnown = false
    return directive?.(date) ?? ''
  })
  return isKnown ? text : undefined
}
