import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { goQuote } from '../../../../shared/go/text.ts'
import { appArmorAnnotationPrefix } from '../../../../shared/kubernetes/pod-containers.ts'
import {
  containersOf,
  joinQuote,
  named,
  namesOf,
  pluralize,
  profilesOf,
  securityContextOf,
  settersText,
  sortedSet,
  use,
} from './checked-pod.ts'
import type { CheckPod } from './checked-pod.ts'

// The checks of the level `baseline`. Source: k8s.io/pod-security-admission policy/check_*.go (v1.34).

/** Source: check_appArmorProfile.go appArmorProfile_1_0. */
export const appArmorProfile: CheckPod = ({ annotations, spec }) => {
  const isBad = (profile: JsonObject | undefined): profile is JsonObject =>
    profile !== undefined && !['RuntimeDefault', 'Localhost'].includes(textAt(profile, 'type'))
  const { ofPod, ofContainers } = profilesOf(spec, 'appArmorProfile')
  const bad = ofContainers.filter(({ profile }) => isBad(profile))
  const profiles = [ofPod, ...ofContainers.map(({ profile }) => profile)].filter(isBad)
  const forbidden = Object.entries(annotations)
    .filter(([key, value]) => {
      if (!key.startsWith(appArmorAnnotationPrefix)) return false
      const profile = String(value)
      return profile !== '' && profile !== 'runtime/default' && !profile.startsWith('localhost/')
    })
    .map(([key, value]) => `${key}=${goQuote(String(value))}`)
    .toSorted()
  const setters = [
    settersText(
      isBad(ofPod),
      bad.map(({ name }) => name),
    ),
    forbidden.length > 0 ? pluralize('annotation', forbidden) : '',
  ].filter((setter) => setter !== '')
  if (setters.length === 0) return undefined
  const values = [...sortedSet(profiles.map((profile) => textAt(profile, 'type'))), ...forbidden]
  return {
    reason: pluralize('forbidden AppArmor profile', values),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${joinQuote(values)}`,
  }
}

const defaultCapabilities: ReadonlySet<unknown> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
])

/** What containers add of the capabilities that are not allowed: `containers "a", "b" must not include "NET_RAW" in …`; empty for nothing. */
export function addedCapabilities(
  spec: JsonObject,
  isAllowed: (capability: unknown) => boolean,
): string {
  const added = (securityContext: JsonObject): readonly unknown[] =>
    listAt(objectAt(securityContext, 'capabilities'), 'add').filter((each) => !isAllowed(each))
  const bad = namesOf(spec, (securityContext) => added(securityContext).length > 0)
  if (bad.length === 0) return ''
  const capabilities = containersOf(spec).flatMap((one) => added(securityContextOf(one)))
  return `${named('container', bad)} must not include ${joinQuote(sortedSet(capabilities.map(String)))} in securityContext.capabilities.add`
}

/** Source: check_capabilities_baseline.go capabilitiesBaseline_1_0. */
export const baselineCapabilities: CheckPod = ({ spec }) => {
  const detail = addedCapabilities(spec, (capability) => defaultCapabilities.has(capability))
  return detail === '' ? undefined : { reason: 'non-default capabilities', detail }
}

/** Source: check_hostNamespaces.go hostNamespaces_1_0. */
export const hostNamespaces: CheckPod = ({ spec }) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true)
  if (shared.length === 0) return undefined
  const detail = shared.map((field) => `${field}=true`).join(', ')
  return { reason: 'host namespaces', detail }
}

/** Source: check_hostPathVolumes.go hostPathVolumes_1_0. */
export const hostPathVolumes: CheckPod = ({ spec }) => {
  const bad = objectsAt(spec, 'volumes').filter((volume) => volume['hostPath'] !== undefined)
  if (bad.length === 0) return undefined
  const names = bad.map((volume) => textAt(volume, 'name'))
  return { reason: 'hostPath volumes', detail: named('volume', names) }
}

/** Source: check_hostPorts.go hostPorts_1_0. */
export const hostPorts: CheckPod = ({ spec }) => {
  const used = (container: JsonObject): readonly string[] =>
    objectsAt(container, 'ports')
      .map((port) => numberAt(port, 'hostPort') ?? 0)
      .filter((port) => port !== 0)
      .map(String)
  const bad = namesOf(spec, (_, container) => used(container).length > 0)
  if (bad.length === 0) return undefined
  const ports = sortedSet(containersOf(spec).flatMap(used))
  return {
    reason: 'hostPort',
    detail: `${named('container', bad)} ${use(bad)} ${pluralize('hostPort', ports)} ${ports.join(', ')}`,
  }
}

const handlers: readonly (readonly string[])[] = [
  ['livenessProbe'],
  ['readinessProbe'],
  ['startupProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
]

/** Source: check_hostProbesAndhostLifecycle.go hostProbesAndHostLifecycleV1Dot34. */
export const hostProbesAndLifecycle: CheckPod = ({ spec }) => {
  const hostsOf = (container: JsonObject): readonly string[] =>
    handlers
      .map((path) => path.reduce<JsonObject>(objectAt, container))
      .flatMap((handler) => ['httpGet', 'tcpSocket'].map((field) => objectAt(handler, field)))
      .map((action) => textAt(action, 'host'))
      .filter((host) => host !== '')
  const bad = sortedSet(namesOf(spec, (_, container) => hostsOf(container).length > 0))
  if (bad.length === 0) return undefined
  const hosts = sortedSet(containersOf(spec).flatMap(hostsOf))
  const words = pluralize('probe or lifecycle host', hosts)
  return {
    reason: 'probe or lifecycle host',
    detail: `${named('container', bad)} ${use(bad)} ${words} ${joinQuote(hosts)}`,
  }
}

/** Source: check_privileged.go privileged_1_0. */
export const privileged: CheckPod = ({ spec }) => {
  const bad = namesOf(spec, (securityContext) => securityContext['privileged'] === true)
  if (bad.length === 0) return undefined
  const detail = `${named('container', bad)} must not set securityContext.privileged=true`
  return { reason: 'privileged', detail }
}

/** Source: check_procMount.go procMount_1_0, with the gate UserNamespacesPodSecurityStandards off. */
export const procMount: CheckPod = ({ spec }) => {
  const forbidden = (securityContext: JsonObject): readonly string[] => {
    const value = textAt(securityContext, 'procMount')
    return value === '' || value === 'Default' ? [] : [value]
  }
  const bad = namesOf(spec, (securityContext) => forbidden(securityContext).length > 0)
  if (bad.length === 0) return undefined
  const types = containersOf(spec).flatMap((one) => forbidden(securityContextOf(one)))
  const detail = `${named('container', bad)} must not set securityContext.procMount to ${joinQuote(sortedSet(types))}`
  return { reason: 'procMount', detail }
}

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']

/** The types that version 1.31 allows. */
export const seLinuxTypesFrom31 = [...seLinuxTypes, 'container_engine_t']

/** Source: check_seLinuxOptions.go seLinuxOptions. */
export function seLinuxOptions(allowedTypes: readonly string[] = seLinuxTypes): CheckPod {
  return ({ spec }) => {
    const isBad = (options: JsonObject | undefined): options is JsonObject =>
      options !== undefined &&
      (!allowedTypes.includes(textAt(options, 'type')) ||
        textAt(options, 'user') !== '' ||
        textAt(options, 'role') !== '')
    const { ofPod, ofContainers } = profilesOf(spec, 'seLinuxOptions')
    const bad = ofContainers.filter(({ profile }) => isBad(profile))
    const setters = settersText(
      isBad(ofPod),
      bad.map(({ name }) => name),
    )
    if (setters === '') return undefined
    const options = [ofPod, ...bad.map(({ profile }) => profile)].filter(isBad)
    const types = sortedSet(
      options.map((one) => textAt(one, 'type')).filter((type) => !allowedTypes.includes(type)),
    )
    const set = ['user', 'role'].filter((field) => options.some((one) => textAt(one, field) !== ''))
    const data = [
      ...(types.length > 0 ? [named('type', types)] : []),
      ...set.map((field) => `${field} may not be set`),
    ]
    return {
      reason: 'seLinuxOptions',
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
    }
  }
}

const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod'
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'

/** The annotations that old versions look at. Source: check_seccompProfile_baseline.go seccompProfileBaseline_1_0. */
export const seccompAnnotations: CheckPod = ({ annotations, spec }) => {
  const keys = [
    seccompOfPod,
    ...containersOf(spec).map((container) => `${seccompPrefix}${textAt(container, 'name')}`),
  ]
  const forbidden = keys.flatMap((key) => {
    const value = annotations[key]
    if (typeof value !== 'string') return []
    const isAllowed =
      value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/')
    return isAllowed ? [] : [`${key}=${goQuote(value)}`]
  })
  const all = sortedSet(forbidden)
  if (all.length === 0) return undefined
  const detail = `forbidden ${pluralize('annotation', all)} ${all.join(', ')}`
  return { reason: 'seccompProfile', detail }
}

function isValidSeccomp(profile: JsonObject): boolean {
  return ['Localhost', 'RuntimeDefault'].includes(textAt(profile, 'type'))
}

/** Source: check_seccompProfile_baseline.go seccompProfileBaseline_1_19. */
export const baselineSeccomp: CheckPod = ({ spec }) => {
  const { ofPod, ofContainers } = profilesOf(spec, 'seccompProfile')
  const isBad = (profile: JsonObject | undefined): profile is JsonObject =>
    profile !== undefined && !isValidSeccomp(profile)
  const bad = ofContainers.filter(({ profile }) => isBad(profile))
  const setters = settersText(
    isBad(ofPod),
    bad.map(({ name }) => name),
  )
  if (setters === '') return undefined
  const profiles = [ofPod, ...bad.map(({ profile }) => profile)].filter(isBad)
  const types = sortedSet(profiles.map((profile) => textAt(profile, 'type')))
  const detail = `${setters} must not set securityContext.seccompProfile.type to ${joinQuote(types)}`
  return { reason: 'seccompProfile', detail }
}

/** Source: check_seccompProfile_restricted.go seccompProfileRestricted_1_19. */
export const restrictedSeccomp: CheckPod = (pod) => {
  const bad = baselineSeccomp(pod)
  if (bad !== undefined) return bad
  const { ofPod, ofContainers } = profilesOf(pod.spec, 'seccompProfile')
  // A profile that is there is valid.
  const without = ofPod === undefined ? ofContainers.filter((one) => one.profile === undefined) : []
  if (without.length === 0) return undefined
  const names = without.map(({ name }) => name)
  const detail = `pod or ${named('container', names)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`
  return { reason: 'seccompProfile', detail }
}

const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]

/** More sysctls that a version allows. */
export const sysctlsFrom27 = ['net.ipv4.ip_local_reserved_ports']
export const sysctlsFrom29 = [
  ...sysctlsFrom27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
]
export const sysctlsFrom32 = [...sysctlsFrom29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']

/** Source: check_sysctls.go sysctls. */
export function sysctls(more: readonly string[] = []): CheckPod {
  const allowed = new Set([...safeSysctls, ...more])
  return ({ spec }) => {
    const names = objectsAt(securityContextOf(spec), 'sysctls').map((one) => textAt(one, 'name'))
    const forbidden = names.filter((name) => !allowed.has(name))
    if (forbidden.length === 0) return undefined
    return { reason: 'forbidden sysctls', detail: forbidden.join(', ') }
  }
}

/** Source: check_windowsHostProcess.go windowsHostProcess_1_0. */
export const windowsHostProcess: CheckPod = ({ spec }) => {
  const isBad = (securityContext: JsonObject): boolean =>
    objectAt(securityContext, 'windowsOptions')['hostProcess'] === true
  const setters = settersText(isBad(securityContextOf(spec)), namesOf(spec, isBad))
  if (setters === '') return undefined
  const detail = `${setters} must not set securityContext.windowsOptions.hostProcess=true`
  return { reason: 'hostProcess', detail }
}
