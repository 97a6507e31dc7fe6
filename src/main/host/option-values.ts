import { isIPv4, isIPv6 } from 'node:net'
import { assertNever } from '../../shared/assert-never.ts'
import { parseDuration } from '../../shared/go/duration.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
} from '../../shared/kubernetes/validation/name-rules.ts'
import type { SessionConfig } from '../session/session-config.ts'
import type { Option } from './options.ts'

const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// HTTP permits tab, visible characters and Latin-1 in a value.
const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** Each pod of the simulated runtime has its own address in a /16. */
export const mostPods = 65_000

/** Each is a complete kubelet in this process. */
const mostNodes = 50

/** With a shorter time, polls could overlap. */
const shortestPollMs = 1000
const longestPollMs = 24 * 3_600_000

function isObjectName(name: string): boolean {
  return dnsSubdomainProblems(name).length === 0
}

function isPodName(value: string): boolean {
  const [namespace = '', name = '', ...more] = value.split('/')
  return more.length === 0 && dnsLabelProblems(namespace).length === 0 && isObjectName(name)
}

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && hostname !== ''
}

function isPollTime(value: string): boolean {
  const ms = parseDuration(value)
  return ms !== undefined && ms >= shortestPollMs && ms <= longestPollMs
}

type UrlHeaders = NonNullable<SessionConfig['manifestUrl']>['headers']

/** The kubelet's `KEY:VALUE,KEY:VALUE`, trimmed like there; undefined if a pair is malformed. */
export function headersOf(value: string): UrlHeaders | undefined {
  const headers = value
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const colon = pair.indexOf(':')
      return { name: pair.slice(0, Math.max(0, colon)).trim(), value: pair.slice(colon + 1).trim() }
    })
  return headers.every(
    (header) => headerNamePattern.test(header.name) && headerValuePattern.test(header.value),
  )
    ? headers
    : undefined
}

/** The absolute path in `unix:///PATH`; undefined for anything else. */
export function socketPathOf(value: string): string | undefined {
  const path = /^unix:\/\/(\/.*[^/])$/.exec(value)?.[1]
  return path?.includes('\0') === true ? undefined : path
}

const mostPort = 65_535

/** IP, IP:PORT, [IPV6] or [IPV6]:PORT; undefined for anything else, and for addresses that stand for all of a machine. */
export function addressOf(
  value: string,
): { readonly host: string; readonly port: number | undefined } | undefined {
  const [, six, four = '', port] = /^(?:\[([^\]%]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(value) ?? []
  const isAddress = six === undefined ? isIPv4(four) : isIPv6(six)
  if (!isAddress || Number(port ?? 0) > mostPort) return undefined
  // The shortest form.
  const host = six === undefined ? four : new URL(`http://[${six}]`).hostname.slice(1, -1)
  if (host === '0.0.0.0' || host === '::') return undefined
  return { host, port: port === undefined ? undefined : Number(port) }
}

/** Why a value of this kind of option is invalid, as a phrase after the option's name; undefined if it is valid. */
export function valueProblem(kind: Option['kind'], value: string): string | undefined {
  const unless = (isValid: boolean, what: string): string | undefined =>
    isValid ? undefined : `needs ${what}, not "${value}"`
  const wholeNumber = (least: number, most: number): string | undefined =>
    unless(
      /^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `a whole number from ${least} to ${most}`,
    )
  switch (kind) {
    case 'switch':
      return ['1', 'true', '0', 'false'].includes(value) ? undefined : 'takes no value'
    case 'port':
      return unless(/^\d{1,5}$/.test(value) && Number(value) <= mostPort, 'a port from 0 to 65535')
    case 'node':
      return unless(isObjectName(value), 'a node name (lower-case letters, digits, "-" and ".")')
    case 'pod':
      return unless(isPodName(value), 'NAMESPACE/NAME of a pod')
    case 'url':
      // Not quoted: a URL may hold a password.
      return isHttpUrl(value) ? undefined : 'needs a URL that begins with http:// or https://'
    case 'headers':
      // Not quoted: a value may be a secret.
      return headersOf(value) === undefined
        ? 'needs NAME:VALUE, or several, separated by commas'
        : undefined
    case 'duration':
      return unless(isPollTime(value), 'a duration from 1s to 24h such as 20s or 1m30s')
    case 'seed':
      return wholeNumber(0, 2 ** 32 - 1)
    case 'pods':
      return wholeNumber(1, mostPods)
    case 'nodes':
      return wholeNumber(1, mostNodes)
    case 'socket':
      return unless(socketPathOf(value) !== undefined, 'the address of a socket, unix:///PATH')
    case 'address':
      return unless(
        addressOf(value) !== undefined,
        'one address of this machine, IP or IP:PORT, with IPv6 in brackets',
      )
    case 'log':
    case 'file':
    case 'folder':
    case 'name':
      return value === '' || value.includes('\0') ? 'needs a value' : undefined
    default:
      return assertNever(kind, 'kind of option')
  }
}
