import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { textAt } from '../../../shared/json.ts'
import { podNamespace } from './identity.ts'

/** Of the kernel: a label's longest and the whole name's. */
const longestName = { label: 63, whole: 64 } as const

/** A pod's host name; `domain` is empty without a subdomain. */
interface PodHostname {
  readonly hostname: string
  readonly domain: string
}

/** kubelet_pods.go GeneratePodHostNameAndDomain, with the feature gate HostnameOverride off. */
export function podHostname(pod: Pod, clusterDomain: string): PodHostname {
  const wanted = textAt(pod.spec, 'hostname') || pod.metadata.name
  const hostname =
    wanted.length <= longestName.label
      ? wanted
      : wanted.slice(0, longestName.label).replace(/[-.]+$/, '')
  const subdomain = textAt(pod.spec, 'subdomain')
  const domain = subdomain === '' ? '' : `${subdomain}.${podNamespace(pod)}.svc.${clusterDomain}`
  return { hostname, domain }
}

/** What the kernel takes for the name of the node (pkg/kubelet/util GetNodenameForKernel). The error is a sentence. */
export function nodenameForKernel(
  { spec }: Pod,
  { hostname, domain }: PodHostname,
): Result<string, string> {
  if (domain === '' || spec['setHostnameAsFQDN'] !== true) return ok(hostname)
  const whole = `${hostname}.${domain}`
  if (whole.length <= longestName.whole) return ok(whole)
  return err(
    `failed to construct FQDN from pod hostname and cluster domain, FQDN ${whole} is too long (${longestName.whole} characters is the max, ${whole.length} characters requested)`,
  )
}
