/** Sysctls that a pod may set (kubelet pkg/kubelet/sysctl; admission#handlers, no. 2). */
import { isJsonObject, objectsAt, textAt } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { PodAdmitter } from './pod-admitter.ts'

type Namespace = 'IPC' | 'Net'

interface SafeSysctl {
  readonly name: string
  readonly namespace: Namespace
  /** The first kernel that keeps it by namespace; absent: every one. */
  readonly since?: string
}

/** Kept by namespace and without effect on other pods (SafeSysctlAllowlist). */
const safeSysctls: readonly SafeSysctl[] = [
  { name: 'kernel.shm_rmid_forced', namespace: 'IPC' },
  { name: 'net.ipv4.ip_local_port_range', namespace: 'Net' },
  { name: 'net.ipv4.tcp_syncookies', namespace: 'Net' },
  { name: 'net.ipv4.ping_group_range', namespace: 'Net' },
  { name: 'net.ipv4.ip_unprivileged_port_start', namespace: 'Net' },
  { name: 'net.ipv4.ip_local_reserved_ports', namespace: 'Net', since: '3.16' },
  { name: 'net.ipv4.tcp_keepalive_time', namespace: 'Net', since: '4.5' },
  { name: 'net.ipv4.tcp_fin_timeout', namespace: 'Net', since: '4.6' },
  { name: 'net.ipv4.tcp_keepalive_intvl', namespace: 'Net', since: '4.5' },
  { name: 'net.ipv4.tcp_keepalive_probes', namespace: 'Net', since: '4.5' },
  { name: 'net.ipv4.tcp_rmem', namespace: 'Net', since: '4.15' },
  { name: 'net.ipv4.tcp_wmem', namespace: 'Net', since: '4.15' },
]

/** The numbers of `6.1.0-18-amd64`; undefined for an invalid version. */
function versionNumbers(version: string): readonly number[] | undefined {
  const numbers = /^\s*v?(\d+(?:\.\d+)+)/.exec(version)?.[1]
  return numbers?.split('.').map(Number)
}

function isAtLeast(version: readonly number[] | undefined, minimum: string): boolean {
  if (version === undefined) return false
  for (const [index, wanted] of (versionNumbers(minimum) ?? []).entries()) {
    const number = version[index] ?? 0
    if (number !== wanted) return number > wanted
  }
  return true
}

/** With dots: `net/ipv4/x` is `net.ipv4.x`, and what was a dot there becomes a slash. */
function normalizedName(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'))
}

function sharesNamespace({ hostNetwork, hostIPC }: Pod['spec'], namespace: Namespace): boolean {
  return namespace === 'IPC' ? hostIPC === true : hostNetwork === true
}

/** Refuses sysctls that are not known to be safe, and safe ones in a namespace that is the host's. */
export class SysctlAllowlist implements PodAdmitter {
  readonly #allowed: ReadonlyMap<string, Namespace>

  /** `kernelVersion`: as `uname -r` says it. One that cannot be read leaves out what older kernels lack. */
  constructor({ kernelVersion }: { readonly kernelVersion: string }) {
    const version = versionNumbers(kernelVersion)
    this.#allowed = new Map(
      safeSysctls
        .filter(({ since }) => since === undefined || isAtLeast(version, since))
        .map(({ name, namespace }) => [name, namespace]),
    )
  }

  readonly admit: PodAdmitter['admit'] = ({ spec }) => {
    if (!isJsonObject(spec.securityContext)) return undefined
    for (const sysctl of objectsAt(spec.securityContext, 'sysctls')) {
      const problem = this.#problem(normalizedName(textAt(sysctl, 'name')), spec)
      if (problem !== undefined)
        return { reason: 'SysctlForbidden', message: `forbidden sysctl: ${problem}` }
    }
    return undefined
  }

  #problem(name: string, spec: Pod['spec']): string | undefined {
    const namespace = this.#allowed.get(name)
    if (namespace === undefined) return `${JSON.stringify(name)} not allowlisted`
    if (!sharesNamespace(spec, namespace)) return undefined
    return `${JSON.stringify(name)} not allowed with host ${namespace} enabled`
  }
}
