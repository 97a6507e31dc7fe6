import { isIP, isIPv4 } from 'node:net'

/** Go accepts leading zeros in the numbers of an IPv4 address. */
function withoutLeadingZeros(address: string): string {
  return address.replaceAll(/(?<=^|\.)0+(?=\d)/g, '')
}

export function isIpAddress(value: string): boolean {
  return isIP(withoutLeadingZeros(value)) !== 0
}

/** The IP family of an address. */
export function ipFamilyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4'
}

/** Source: apimachinery pkg/util/validation IsValidIP. */
export function ipProblems(value: string): readonly string[] {
  return isIpAddress(value) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']
}

/** Source: apimachinery pkg/util/validation IsValidCIDR. */
export function cidrProblems(value: string): readonly string[] {
  const [address = '', bits, ...more] = value.split('/')
  const limit = isIPv4(withoutLeadingZeros(address)) ? 32 : 128
  const isRange =
    isIpAddress(address) &&
    more.length === 0 &&
    bits !== undefined &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= limit
  return isRange ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']
}

const specialRanges: readonly (readonly [RegExp, string])[] = [
  [/^(0\.0\.0\.0|::)$/, 'may not be unspecified'],
  [/^(127\.|::1$)/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(169\.254\.|fe[89ab])/, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [
    /^(224\.0\.0\.|ff[0-9a-f]2:)/,
    'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  ],
]

/** Problems of an address that no external machine can have. Source: pkg/apis/core/validation ValidateEndpointIP. */
export function specialIpProblems(address: string): readonly string[] {
  const plain = withoutLeadingZeros(address).toLowerCase()
  return specialRanges.flatMap(([range, why]) => {
    if (!range.test(plain)) return []
    return [why === 'may not be unspecified' ? `${why} (${address})` : why]
  })
}
