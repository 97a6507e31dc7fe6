import { isJsonObject, listAt, textAt } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { goQuote } from '../../../shared/go/text.ts'
import type { DnsConfig } from '../cri-types.ts'
import { podDescription, podNamespace } from '../pod/identity.ts'
import type { ContainerHost } from '../ports.ts'

/** Of kubernetes/pkg/apis/core/validation. */
const limits = { servers: 3, searches: 32, searchLength: 253, searchLine: 2048 } as const

/** A pod's resolv.conf, and the warning event about it, if there is one. */
export interface PodDns {
  readonly config: DnsConfig
  readonly warnings: readonly { readonly reason: string; readonly message: string }[]
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

function isOfCluster({ spec }: Pod): boolean {
  const { dnsPolicy = 'ClusterFirst', hostNetwork = false } = spec
  if (dnsPolicy === 'Default') return false
  return dnsPolicy === 'ClusterFirst' ? !hostNetwork : dnsPolicy !== 'None'
}

function textsAt(object: Readonly<Record<string, unknown>>, field: string): readonly string[] {
  return listAt(object, field).filter((item) => typeof item === 'string')
}

/** Options by name: later ones replace earlier ones. */
function mergedOptions(options: readonly string[], added: readonly unknown[]): readonly string[] {
  const byName = new Map<string, string>()
  for (const option of options) {
    const [name = '', ...value] = option.split(':')
    byName.set(name, value.join(':'))
  }
  for (const option of added.filter(isJsonObject))
    byName.set(textAt(option, 'name'), textAt(option, 'value'))
  return [...byName].map(([name, value]) => (value === '' ? name : `${name}:${value}`))
}

/** kubelet network/dns GetPodDNS. */
export function podDns(pod: Pod, host: ContainerHost): PodDns {
  const { clusterDns, clusterDomain, hostDns } = host
  const warnings: { reason: string; message: string }[] = []
  let config: DnsConfig = hostDns
  if (pod.spec.dnsPolicy === 'None') config = {}
  else if (isOfCluster(pod)) {
    if (clusterDns.length === 0) {
      const node =
        'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.'
      const message = `pod: ${goQuote(podDescription(pod))}. ${node}`
      warnings.push({ reason: 'MissingClusterDNS', message })
    } else {
      const namespaced = `${podNamespace(pod)}.svc.${clusterDomain}`
      const own = [namespaced, `svc.${clusterDomain}`, clusterDomain]
      const searches = clusterDomain === '' ? [] : own
      config = {
        servers: clusterDns,
        searches: unique([...searches, ...(hostDns.searches ?? [])]),
        options: ['ndots:5'],
      }
    }
  }
  const given = pod.spec['dnsConfig']
  if (isJsonObject(given))
    config = {
      servers: unique([...(config.servers ?? []), ...textsAt(given, 'nameservers')]),
      searches: unique([...(config.searches ?? []), ...textsAt(given, 'searches')]),
      options: mergedOptions(config.options ?? [], listAt(given, 'options')),
    }
  return withinLimits(config, warnings)
}

function withinLimits(config: DnsConfig, warnings: PodDns['warnings']): PodDns {
  const { servers = [], searches = [], options = [] } = config
  const reason = 'DNSConfigForming'
  const keptServers = servers.slice(0, limits.servers)
  const keptSearches = searches
    .slice(0, limits.searches)
    .filter(({ length }) => length <= limits.searchLength)
  while (keptSearches.join(' ').length > limits.searchLine) keptSearches.pop()
  const added = [
    ...(keptServers.length === servers.length
      ? []
      : [
          {
            reason,
            message: `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${keptServers.join(' ')}`,
          },
        ]),
    ...(keptSearches.length === searches.length
      ? []
      : [
          {
            reason,
            message: `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${keptSearches.join(' ')}`,
          },
        ]),
  ]
  return {
    config: { servers: keptServers, searches: keptSearches, options },
    warnings: [...warnings, ...added],
  }
}
