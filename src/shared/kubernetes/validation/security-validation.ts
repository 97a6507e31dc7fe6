/** What may stand in a pod's and a container's securityContext. Source: pkg/apis/core/validation (v1.34). */
import { isJsonObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import {
  duplicateField,
  enumProblems,
  invalidField,
  problemIf,
  requiredField,
  tooLongField,
} from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'

const maxId = 2_147_483_647
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']
const maxProfileLength = 4095
const maxSysctlLength = 253
const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const sysctlPattern = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`
/** Sysctls of the IPC namespace; those of the network's begin with `net.`. */
const ipcSysctl = /^(kernel\.(sem|shm(all|max|mni|_rmid_forced)?|msg(max|mnb|mni)?)$|fs\.mqueue\.)/

function idProblems(value: unknown, field: string): readonly FieldProblem[] {
  if (typeof value !== 'number' || (value >= 0 && value <= maxId)) return []
  return [invalidField(field, value, `must be between 0 and ${maxId}, inclusive`)]
}

function choiceProblems(
  context: JsonObject,
  key: string,
  supported: readonly string[],
  field: string,
): readonly FieldProblem[] {
  const value = context[key]
  return typeof value === 'string' ? enumProblems(`${field}.${key}`, value, supported) : []
}

function profileTypeProblems(
  profile: JsonObject,
  key: string,
  field: string,
): readonly FieldProblem[] {
  const type = textAt(profile, 'type')
  if (type === '') return [requiredField(`${field}.type`, `type is required when ${key} is set`)]
  return enumProblems(`${field}.type`, type, profileTypes)
}

function localPathProblems(path: string, field: string): readonly FieldProblem[] {
  return [
    ...(path.startsWith('/') ? [invalidField(field, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [invalidField(field, path, "must not contain '..'")] : []),
  ]
}

function seccompProblems(context: JsonObject, field: string): readonly FieldProblem[] {
  const profile = context['seccompProfile']
  if (!isJsonObject(profile)) return []
  const at = `${field}.seccompProfile`
  const path = profile['localhostProfile']
  const problems = profileTypeProblems(profile, 'seccompProfile', at)
  if (textAt(profile, 'type') !== 'Localhost') {
    if (path === undefined) return problems
    const detail = 'can only be set when seccomp type is Localhost'
    return [...problems, invalidField(`${at}.localhostProfile`, profile, detail)]
  }
  if (typeof path === 'string')
    return [...problems, ...localPathProblems(path, `${at}.localhostProfile`)]
  const detail = 'must be set when seccomp type is Localhost'
  return [...problems, requiredField(`${at}.localhostProfile`, detail)]
}

function appArmorPathProblems(path: unknown, field: string): readonly FieldProblem[] {
  const isNone = typeof path !== 'string' || path === ''
  if (isNone) return [requiredField(field, 'must be set when AppArmor type is Localhost')]
  return [
    ...(path.trim() === path
      ? []
      : [invalidField(field, path, 'must not be padded with whitespace')]),
    ...(path.length > maxProfileLength ? [tooLongField(field, maxProfileLength)] : []),
  ]
}

function appArmorProblems(context: JsonObject, field: string): readonly FieldProblem[] {
  const profile = context['appArmorProfile']
  if (!isJsonObject(profile)) return []
  const at = `${field}.appArmorProfile`
  const path = profile['localhostProfile']
  const type = textAt(profile, 'type')
  if (type === 'Localhost') return appArmorPathProblems(path, `${at}.localhostProfile`)
  const problems = profileTypeProblems(profile, 'appArmorProfile', at)
  if (problems.length > 0 || path === undefined) return problems
  const detail = 'can only be set when AppArmor type is Localhost'
  return [invalidField(`${at}.localhostProfile`, path, detail)]
}

function sysctlNameProblems(name: string, field: string): readonly FieldProblem[] {
  if (name === '') return [requiredField(field)]
  if (name.length <= maxSysctlLength && new RegExp(sysctlPattern).test(name)) return []
  const detail = `must have at most ${maxSysctlLength} characters and match regex ${sysctlPattern}`
  return [invalidField(field, name, detail)]
}

/** A namespaced sysctl means nothing to a pod that has the host's namespace. */
function hostSysctlProblems(
  spec: JsonObject,
  name: string,
  field: string,
): readonly FieldProblem[] {
  const dotted = name.replaceAll('/', '.')
  if (spec['hostNetwork'] === true && dotted.startsWith('net.'))
    return [invalidField(field, name, "may not be specified when 'hostNetwork' is true")]
  if (spec['hostIPC'] === true && ipcSysctl.test(dotted))
    return [invalidField(field, name, "may not be specified when 'hostIPC' is true")]
  return []
}

function sysctlProblems(
  spec: JsonObject,
  context: JsonObject,
  field: string,
): readonly FieldProblem[] {
  const names = new Set<string>()
  return objectsAt(context, 'sysctls').flatMap((sysctl, index) => {
    const name = textAt(sysctl, 'name')
    const at = `${field}.sysctls[${index}].name`
    const malformed = sysctlNameProblems(name, at)
    const isRepeated = malformed.length === 0 && names.has(name)
    names.add(name)
    return [
      ...malformed,
      ...(isRepeated ? [duplicateField(at, name)] : []),
      ...hostSysctlProblems(spec, name, at),
    ]
  })
}

/** Problems of `spec.securityContext`; Windows options are let through. */
export function podSecurityProblems(spec: JsonObject): readonly FieldProblem[] {
  const context = objectAt(spec, 'securityContext')
  const field = 'spec.securityContext'
  const sharesBoth = spec['shareProcessNamespace'] === true && spec['hostPID'] === true
  return [
    ...idProblems(context['fsGroup'], `${field}.fsGroup`),
    ...idProblems(context['runAsUser'], `${field}.runAsUser`),
    ...idProblems(context['runAsGroup'], `${field}.runAsGroup`),
    ...listAt(context, 'supplementalGroups').flatMap((group, index) =>
      idProblems(group, `${field}.supplementalGroups[${index}]`),
    ),
    ...(sharesBoth
      ? [
          invalidField(
            `${field}.shareProcessNamespace`,
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
    ...sysctlProblems(spec, context, field),
    ...choiceProblems(context, 'fsGroupChangePolicy', ['Always', 'OnRootMismatch'], field),
    ...seccompProblems(context, field),
    ...appArmorProblems(context, field),
    ...choiceProblems(context, 'supplementalGroupsPolicy', ['Merge', 'Strict'], field),
    ...choiceProblems(context, 'seLinuxChangePolicy', ['MountOption', 'Recursive'], field),
  ]
}

function escalationProblems(context: JsonObject, field: string): readonly FieldProblem[] {
  if (context['allowPrivilegeEscalation'] !== false) return []
  const administers = listAt(objectAt(context, 'capabilities'), 'add').includes('CAP_SYS_ADMIN')
  const refused = (what: string): FieldProblem =>
    invalidField(field, context, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`)
  return [
    ...(context['privileged'] === true ? [refused('`privileged` to true')] : []),
    ...(administers ? [refused('`capabilities.Add` CAP_SYS_ADMIN')] : []),
  ]
}

/**
 * Problems of a container's securityContext; `field` is the container's. Windows options are let through. Source:
 * pkg/apis/core/validation ValidateSecurityContext (v1.34).
 */
export function containerSecurityProblems(
  container: JsonObject,
  field: string,
  { hasHostUsers }: { readonly hasHostUsers: boolean },
): readonly FieldProblem[] {
  const context = objectAt(container, 'securityContext')
  const at = `${field}.securityContext`
  return [
    ...idProblems(numberAt(context, 'runAsUser'), `${at}.runAsUser`),
    ...idProblems(numberAt(context, 'runAsGroup'), `${at}.runAsGroup`),
    ...choiceProblems(context, 'procMount', ['Default', 'Unmasked'], at),
    ...problemIf(
      hasHostUsers && context['procMount'] === 'Unmasked',
      invalidField(`${at}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`'),
    ),
    ...seccompProblems(context, at),
    ...escalationProblems(context, at),
    ...appArmorProblems(context, at),
  ]
}
