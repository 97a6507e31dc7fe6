import { BlockList, isIP } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

function either(environment: Environment, name: string): string {
  return environment[name] || environment[name.toLowerCase()] || ''
}

/** Whether an address is in a CIDR; false for what is neither. */
function isInRange(host: string, range: string): boolean {
  const [net = '', bits = ''] = range.split('/')
  const family = isIP(net) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(net) === 0 || isIP(host) !== isIP(net) || !/^\d{1,3}$/.test(bits)) return false
  const list = new BlockList()
  try {
    list.addSubnet(net, Number(bits), family)
  } catch {
    return false
  }
  return list.check(host, family)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || isInRange(host, '127.0.0.0/8')
}

function isExcluded(host: string, port: string, entry: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isInRange(host, entry)
  const [, name = entry, entryPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (entryPort !== undefined && entryPort !== port) return false
  const wanted = name.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(wanted) !== 0 || isIP(host) !== 0) return wanted === host
  // `.example.com` and `*.example.com` are its subdomains alone, `example.com` also the name itself.
  const domain = wanted.replace(/^\*(?=\.)/, '')
  if (domain.startsWith('.')) return host.endsWith(domain)
  return host === domain || host.endsWith(`.${domain}`)
}

/**
 * The proxy that the environment names for a server; undefined for none. Source: golang.org/x/net/http/httpproxy, which
 * client-go uses where the kubeconfig has no proxy-url. Pure.
 */
export function proxyFromEnvironment(server: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server)
  const isHttps = protocol === 'https:'
  const proxy = either(environment, isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (proxy === '') return undefined
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (isLoopback(host)) return undefined
  const usedPort = port === '' ? (isHttps ? '443' : '80') : port
  const excluded = either(environment, 'NO_PROXY')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (excluded.some((entry) => isExcluded(host, usedPort, entry))) return undefined
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}
