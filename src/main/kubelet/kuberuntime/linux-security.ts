import { isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import type {
  LinuxContainerSecurityContext,
  LinuxSandboxSecurityContext,
  NamespaceOption,
  SecurityProfile,
  SeLinuxOption,
} from '../cri-types.ts'
import type { ContainerHost, RuntimeImage } from '../ports.ts'
import { effectiveField } from './run-as-non-root.ts'

/** The kubelet's securitycontext/util.go, without the files of /sys that only some processors have. */
const maskedPaths = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
]

const readonlyPaths = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger']

function contextOf(context: unknown): JsonObject {
  return isJsonObject(context) ? context : {}
}

/** The namespaces that a pod shares with the machine, or its containers with each other (kubelet NamespacesForPod). */
function namespaceOptions({ spec }: Pod): NamespaceOption {
  const ownPid = spec['shareProcessNamespace'] === true ? 'POD' : 'CONTAINER'
  return {
    pid: spec['hostPID'] === true ? 'NODE' : ownPid,
    ipc: spec['hostIPC'] === true ? 'NODE' : 'POD',
  }
}

function isPrivileged(container: Container): boolean {
  return contextOf(container.securityContext)['privileged'] === true
}

function numbersOf(list: readonly unknown[]): readonly number[] {
  return list.filter((item) => typeof item === 'number')
}

/** `fsGroup` first. */
function groupsOf(
  pod: Pod,
): Pick<LinuxSandboxSecurityContext, 'supplementalGroups' | 'supplementalGroupsPolicy'> {
  const context = contextOf(pod.spec.securityContext)
  const groups = numbersOf([context['fsGroup'], ...listAt(context, 'supplementalGroups')])
  const policy = context['supplementalGroupsPolicy']
  return {
    ...(groups.length === 0 ? {} : { supplementalGroups: groups }),
    ...(policy === 'Strict' || policy === 'Merge' ? { supplementalGroupsPolicy: policy } : {}),
  }
}

function userOf(
  value: (field: string) => unknown,
): Pick<LinuxSandboxSecurityContext, 'runAsUser' | 'runAsGroup' | 'selinuxOptions'> {
  const [runAsUser, runAsGroup] = [value('runAsUser'), value('runAsGroup')]
  const seLinux = value('seLinuxOptions')
  return {
    ...(typeof runAsUser === 'number' ? { runAsUser } : {}),
    ...(typeof runAsGroup === 'number' ? { runAsGroup } : {}),
    ...(isJsonObject(seLinux) ? { selinuxOptions: seLinuxOptionsOf(seLinux) } : {}),
  }
}

function seLinuxOptionsOf(options: JsonObject): SeLinuxOption {
  const text = (field: string): string => textAt(options, field)
  return { user: text('user'), role: text('role'), type: text('type'), level: text('level') }
}

/** kubelet generatePodSandboxLinuxConfig. */
export function sandboxSecurityContext(pod: Pod): LinuxSandboxSecurityContext {
  const context = contextOf(pod.spec.securityContext)
  return {
    namespaceOptions: namespaceOptions(pod),
    privileged: allContainers(pod).some(isPrivileged),
    // Whatever the containers have.
    seccomp: { profileType: 'RuntimeDefault' },
    ...userOf((field) => context[field]),
    ...groupsOf(pod),
  }
}

/** `sysctls` of the pod's security context. */
export function sysctlsOf(pod: Pod): Readonly<Record<string, string>> {
  const sysctls = listAt(contextOf(pod.spec.securityContext), 'sysctls').filter(isJsonObject)
  return Object.fromEntries(sysctls.map((one) => [textAt(one, 'name'), textAt(one, 'value')]))
}

/** Without one: not confined, as the kubelet's seccompDefault is off. */
function seccompProfile(
  pod: Pod,
  container: Container,
  { rootFolder }: Pick<ContainerHost, 'rootFolder'>,
): SecurityProfile {
  const profile = contextOf(effectiveField(pod, container, 'seccompProfile'))
  const type = textAt(profile, 'type')
  if (type === 'RuntimeDefault') return { profileType: type }
  if (type !== 'Localhost') return { profileType: 'Unconfined' }
  return {
    profileType: type,
    // The kubelet's seccompProfileRoot.
    localhostRef: `${rootFolder}/seccomp/${textAt(profile, 'localhostProfile')}`,
  }
}

function appArmorProfile(pod: Pod, container: Container): SecurityProfile | undefined {
  const profile = contextOf(effectiveField(pod, container, 'appArmorProfile'))
  const type = textAt(profile, 'type')
  if (type === 'Localhost')
    return { profileType: type, localhostRef: textAt(profile, 'localhostProfile') }
  return type === 'RuntimeDefault' || type === 'Unconfined' ? { profileType: type } : undefined
}

function textsAt(object: JsonObject, field: string): readonly string[] {
  return listAt(object, field).filter((item) => typeof item === 'string')
}

/** With the processes of the target instead of its own; those that the pod shares are shared already (kubelet generateLinuxContainerConfig). */
function withTarget(options: NamespaceOption, targetId: string | undefined): NamespaceOption {
  if (targetId === undefined || options.pid !== 'CONTAINER') return options
  return { ...options, pid: 'TARGET', targetId }
}

/** kubelet determineEffectiveSecurityContext. `image`: whose user it is without `runAsUser`. `targetId`: whose processes it sees. */
export function containerSecurityContext(
  pod: Pod,
  container: Container,
  image: Pick<RuntimeImage, 'uid' | 'username'> | undefined,
  host: Pick<ContainerHost, 'rootFolder'>,
  targetId?: string,
): LinuxContainerSecurityContext {
  const context = contextOf(container.securityContext)
  const user = userOf((field) => effectiveField(pod, container, field))
  const { uid, username = '' } = image ?? {}
  // An image without a user runs as root (getImageUser).
  const imageUser =
    uid === undefined && username !== '' ? { runAsUsername: username } : { runAsUser: uid ?? 0 }
  const appArmor = appArmorProfile(pod, container)
  const capabilities = objectAt(context, 'capabilities')
  const isUnmasked = context['procMount'] === 'Unmasked'
  return {
    ...(context['capabilities'] === undefined
      ? {}
      : {
          capabilities: {
            addCapabilities: textsAt(capabilities, 'add'),
            dropCapabilities: textsAt(capabilities, 'drop'),
          },
        }),
    privileged: isPrivileged(container),
    readonlyRootfs: context['readOnlyRootFilesystem'] === true,
    noNewPrivs: context['allowPrivilegeEscalation'] === false,
    ...(user.runAsUser === undefined ? imageUser : {}),
    ...user,
    namespaceOptions: withTarget(namespaceOptions(pod), targetId),
    ...groupsOf(pod),
    seccomp: seccompProfile(pod, container, host),
    ...(appArmor === undefined ? {} : { apparmor: appArmor }),
    maskedPaths: isUnmasked ? [] : maskedPaths,
    readonlyPaths: isUnmasked ? [] : readonlyPaths,
  }
}
