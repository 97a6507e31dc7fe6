import { isIPv4, isIPv6 } from 'node:net'

/** The text of RFC 5952. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/** The IPv4 address that an IPv6 address maps; undefined: it maps none. */
function mapped(address: string): string | undefined {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical(address)) ?? []
  if (high === undefined || low === undefined) return undefined
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.')
}

/** Source: apimachinery pkg/util/validation GetWarningsForIP (v1.34). */
export function ipWarnings(field: string, value: string): readonly string[] {
  if (!isIPv6(value) || value.includes('%')) return []
  const shown = JSON.stringify(value)
  const four = mapped(value)
  if (four !== undefined)
    return [
      `${field}: non-standard IP address ${shown} will be considered invalid in a future Kubernetes release: use "${four}"`,
    ]
  const usual = canonical(value)
  if (usual === value) return []
  return [`${field}: IPv6 address ${shown} should be in RFC 5952 canonical format ("${usual}")`]
}

function bitsOf(address: string): readonly number[] {
  const bytes = address.split('.').map(Number)
  return bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1))
}

function networkOf(address: string, length: number): string {
  const kept = bitsOf(address).map((bit, index) => (index < length ? bit : 0))
  const byte = (at: number): number =>
    kept.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0)
  return [0, 1, 2, 3].map(byte).join('.')
}

/** Of an IPv4 network with bits after its length. Source: apimachinery pkg/util/validation GetWarningsForCIDR. */
export function cidrWarnings(field: string, value: string): readonly string[] {
  const [address = '', text = ''] = value.split('/')
  const length = Number(text)
  if (!isIPv4(address) || text === '' || length > 32) return []
  const network = networkOf(address, length)
  if (network === address) return []
  return [
    `${field}: CIDR value "${value}" is ambiguous in this context (should be "${network}/${length}" or "${address}/32"?)`,
  ]
}
