import { isIP, isIPv4, isIPv6 } from 'node:net'
import { RE2JS } from 're2js'
import { base64Problem, timeProblem } from '../../../../shared/kubernetes/schema/go-values.ts'
import { dnsSubdomainProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { parseDuration } from '../../../../shared/go/duration.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'

const uuid = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  return isIP(address) !== 0 && Number(bits) <= (isIPv4(address) ? 32 : 128)
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && timeProblem(`${text}T00:00:00Z`) === undefined
}

const anyText = (): boolean => true

/** By their names without dashes: those that schemas of custom kinds can have; the last ones are not checked here. */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['datetime', (text: string) => timeProblem(text) === undefined],
  ['date', isDate],
  ['duration', (text: string) => parseDuration(text) !== undefined],
  ['byte', (text: string) => base64Problem(text) === undefined],
  ['email', (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ['hostname', (text: string) => dnsSubdomainProblems(text.toLowerCase()).length === 0],
  ['uri', (text: string) => /^([a-z][a-z\d+.-]*:|\/)/i.test(text) && !/\s/.test(text)],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', (text: string) => /^[\da-f]{2}([:-][\da-f]{2}){5,7}$/i.test(text)],
  ['uuid', (text: string) => uuid.test(text)],
  ['uuid3', (text: string) => uuid.test(text) && /^.{8}-?.{4}-?3/.test(text)],
  ['uuid4', (text: string) => uuid.test(text) && /^.{8}-?.{4}-?4.{3}-?[89ab]/i.test(text)],
  ['uuid5', (text: string) => uuid.test(text) && /^.{8}-?.{4}-?5.{3}-?[89ab]/i.test(text)],
  ['hexcolor', (text: string) => /^#?([\da-f]{3}|[\da-f]{6})$/i.test(text)],
  ['ssn', (text: string) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ...'password bsonobjectid isbn isbn10 isbn13 creditcard rgbcolor k8sshortname k8slongname'
    .split(' ')
    .map((name) => [name, anyText] as const),
])

function formatNamed(format: string): ((text: string) => boolean) | undefined {
  return formats.get(format.replaceAll('-', ''))
}

/** Whether an API server checks this format of a text; others are ignored with a warning. */
export function isKnownFormat(format: string): boolean {
  return formatNamed(format) !== undefined
}

/** Whether a text has a format; true for one that is not known. */
export function hasFormat(format: string, text: string): boolean {
  return formatNamed(format)?.(text) ?? true
}

/**
 * Whether a text matches a pattern somewhere, as Go's regexp finds it: no pattern takes longer than in proportion to the text. Error:
 * what is wrong with the pattern, in Go's words.
 */
export function patternMatches(pattern: string, text: string): Result<boolean, string> {
  try {
    return ok(RE2JS.compile(pattern).matcher(text).find())
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}
