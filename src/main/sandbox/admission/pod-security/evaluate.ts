import {
  appArmorProfile,
  baselineCapabilities,
  baselineSeccomp,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndLifecycle,
  privileged,
  procMount,
  restrictedSeccomp,
  seccompAnnotations,
  seLinuxOptions,
  seLinuxTypesFrom31,
  sysctls,
  sysctlsFrom27,
  sysctlsFrom29,
  sysctlsFrom32,
  windowsHostProcess,
} from './baseline-checks.ts'
import { exceptOnWindows } from './checked-pod.ts'
import type { CheckedPod, CheckPod, Violation } from './checked-pod.ts'
import { minorOf } from './policy.ts'
import type { Level, LevelVersion } from './policy.ts'
import {
  allowPrivilegeEscalation,
  restrictedCapabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
} from './restricted-checks.ts'

/** A check, and from which minor version on it is done in which way. */
interface Check {
  readonly id: string
  readonly level: Exclude<Level, 'privileged'>
  /** The first minor version of each way, in order. */
  readonly versions: readonly (readonly [number, CheckPod])[]
  /** The check of `baseline` that this one takes the place of. */
  readonly overrides?: string
}

/**
 * All checks, those of `baseline` first, each level by ID: the order of messages.
 * Source: k8s.io/pod-security-admission policy/check_*.go, policy/registry.go populate (v1.34).
 */
const checks: readonly Check[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [[0, appArmorProfile]] },
  { id: 'capabilities_baseline', level: 'baseline', versions: [[0, baselineCapabilities]] },
  { id: 'hostNamespaces', level: 'baseline', versions: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', level: 'baseline', versions: [[0, hostPathVolumes]] },
  { id: 'hostPorts', level: 'baseline', versions: [[0, hostPorts]] },
  {
    id: 'hostProbesAndHostLifecycle',
    level: 'baseline',
    versions: [[34, hostProbesAndLifecycle]],
  },
  { id: 'privileged', level: 'baseline', versions: [[0, privileged]] },
  { id: 'procMount', level: 'baseline', versions: [[0, procMount]] },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      [0, seLinuxOptions()],
      [31, seLinuxOptions(seLinuxTypesFrom31)],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      [0, seccompAnnotations],
      [19, baselineSeccomp],
    ],
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [
      [0, sysctls()],
      [27, sysctls(sysctlsFrom27)],
      [29, sysctls(sysctlsFrom29)],
      [32, sysctls(sysctlsFrom32)],
    ],
  },
  { id: 'windowsHostProcess', level: 'baseline', versions: [[0, windowsHostProcess]] },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      [8, allowPrivilegeEscalation],
      [25, exceptOnWindows(allowPrivilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [
      [22, restrictedCapabilities],
      [25, exceptOnWindows(restrictedCapabilities)],
    ],
    overrides: 'capabilities_baseline',
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    versions: [[0, restrictedVolumes]],
    overrides: 'hostPathVolumes',
  },
  { id: 'runAsNonRoot', level: 'restricted', versions: [[0, runAsNonRoot]] },
  { id: 'runAsUser', level: 'restricted', versions: [[23, runAsUser]] },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [
      [19, restrictedSeccomp],
      [25, exceptOnWindows(restrictedSeccomp)],
    ],
    overrides: 'seccompProfile_baseline',
  },
]

/** Why a level does not allow a pod; empty if it does. Source: policy/registry.go EvaluatePod, policy/checks.go AggregateCheckResults. */
export function violationsOf(
  { level, version }: LevelVersion,
  pod: CheckedPod,
): readonly Violation[] {
  if (level === 'privileged') return []
  const minor = minorOf(version)
  const active = checks.flatMap(({ id, level: own, versions, overrides }) => {
    const [, check] = versions.findLast(([from]) => from <= minor) ?? []
    const isOfLevel = own === 'baseline' || level === 'restricted'
    return check !== undefined && isOfLevel ? [{ id, check, overrides }] : []
  })
  const overridden = new Set(active.map(({ overrides }) => overrides))
  return active
    .filter(({ id }) => !overridden.has(id))
    .map(({ check }) => check(pod))
    .filter((violation) => violation !== undefined)
}

/** `host namespaces, privileged`. Source: policy/checks.go ForbiddenReason. */
export function reasonText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ')
}

/** `host namespaces (hostNetwork=true), privileged (…)`. Source: policy/checks.go ForbiddenDetail. */
export function detailText(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`))
    .join(', ')
}
