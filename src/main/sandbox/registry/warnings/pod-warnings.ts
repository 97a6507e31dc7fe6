import {
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { containerWarnings, placedContainers, portWarnings } from './container-warnings.ts'
import { ipWarnings } from './ip-warnings.ts'
import { labelWarnings, nodeSelectorTermWarnings } from './node-label-warnings.ts'
import { fractionWarning } from './quantity-warnings.ts'
import { volumeKindWarnings, volumePathWarnings } from './volume-warnings.ts'

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution'

function nodeAffinityWarnings(affinity: JsonObject, field: string): readonly string[] {
  const required = objectsAt(objectAt(affinity, requiredTerms), 'nodeSelectorTerms')
  const preferred = objectsAt(affinity, preferredTerms)
  return [
    ...required.flatMap((term, index) =>
      nodeSelectorTermWarnings(term, `${field}.${requiredTerms}.nodeSelectorTerms[${index}]`, {
        checksValues: false,
      }),
    ),
    ...preferred.flatMap((term, index) =>
      nodeSelectorTermWarnings(
        objectAt(term, 'preference'),
        `${field}.${preferredTerms}[${index}].preference`,
        { checksValues: true },
      ),
    ),
  ]
}

function selectsNothing(value: JsonObject, field: string): readonly string[] {
  if (isJsonObject(value['labelSelector'])) return []
  return [`${field}.labelSelector: a null labelSelector results in matching no pod`]
}

function podAffinityWarnings(affinity: JsonObject, field: string): readonly string[] {
  return [
    ...objectsAt(affinity, requiredTerms).flatMap((term, index) =>
      selectsNothing(term, `${field}.${requiredTerms}[${index}]`),
    ),
    ...objectsAt(affinity, preferredTerms).flatMap((term, index) =>
      selectsNothing(
        objectAt(term, 'podAffinityTerm'),
        `${field}.${preferredTerms}[${index}].podAffinityTerm`,
      ),
    ),
  ]
}

function spreadWarnings(spec: JsonObject, field: string): readonly string[] {
  return objectsAt(spec, 'topologySpreadConstraints').flatMap((constraint, index) => {
    const at = `${field}.topologySpreadConstraints[${index}]`
    const key = textAt(constraint, 'topologyKey')
    return [
      ...labelWarnings(key, (why) => `${at}.topologyKey: ${key} is ${why}`),
      ...selectsNothing(constraint, at),
    ]
  })
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
}

/** Warnings about elements whose text an earlier one has. */
function repeated(spec: JsonObject, list: string, name: string, field: string): readonly string[] {
  const seen = new Set<string>()
  return objectsAt(spec, list).flatMap((item, index) => {
    const value = textAt(item, name)
    const isRepeated = seen.has(value)
    seen.add(value)
    return isRepeated
      ? [`${field}.${list}[${index}].${name}: duplicate ${name} ${JSON.stringify(value)}`]
      : []
  })
}

const seccomp = 'seccomp.security.alpha.kubernetes.io/pod'

function metadataWarnings(annotations: JsonObject, field: string): readonly string[] {
  return Object.entries(deprecatedAnnotations)
    .filter(([key]) => key in annotations)
    .map(([key, why]) => `${field}[${key}]: ${why}`)
}

function smallWarnings(spec: JsonObject, field: string): readonly string[] {
  const unnamed = objectsAt(spec, 'imagePullSecrets').flatMap((secret, index) =>
    textAt(secret, 'name') === ''
      ? [`${field}.imagePullSecrets[${index}].name: invalid empty name ""`]
      : [],
  )
  const overhead = objectAt(spec, 'overhead')
  return [
    ...repeated(spec, 'hostAliases', 'ip', field),
    ...repeated(spec, 'imagePullSecrets', 'name', field),
    ...unnamed,
    ...['memory', 'ephemeral-storage'].flatMap((name) =>
      fractionWarning(overhead[name], `${field}.overhead[${name}]`),
    ),
  ]
}

function addressWarnings(spec: JsonObject, field: string): readonly string[] {
  const servers = listAt(objectAt(spec, 'dnsConfig'), 'nameservers').map(String)
  return [
    ...servers.flatMap((ip, index) => ipWarnings(`${field}.dnsConfig.nameservers[${index}]`, ip)),
    ...objectsAt(spec, 'hostAliases').flatMap((alias, index) =>
      ipWarnings(`${field}.hostAliases[${index}].ip`, textAt(alias, 'ip')),
    ),
  ]
}

/**
 * The API server's warnings about a pod or, with `prefix` (`spec.template.`), about a template of pods. Source: pkg/api/pod
 * warningsForPodSpecAndMeta (v1.34).
 */
export function podWarnings(pod: JsonObject, prefix = ''): readonly string[] {
  const spec = objectAt(pod, 'spec')
  const annotations = objectAt(objectAt(pod, 'metadata'), 'annotations')
  const field = `${prefix}spec`
  const metaField = `${prefix}metadata.annotations`
  const affinity = objectAt(spec, 'affinity')
  const volumes = objectsAt(spec, 'volumes')
  const containers = placedContainers(spec, field)
  const isOldSeccomp =
    objectAt(spec, 'securityContext')['seccompProfile'] === undefined && seccomp in annotations
  const isNegative = (numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) < 0
  return [
    ...Object.keys(objectAt(spec, 'nodeSelector')).flatMap((key) =>
      labelWarnings(key, (why) => `${field}.nodeSelector[${key}]: ${why}`),
    ),
    ...nodeAffinityWarnings(objectAt(affinity, 'nodeAffinity'), `${field}.affinity.nodeAffinity`),
    ...spreadWarnings(spec, field),
    ...metadataWarnings(annotations, metaField),
    ...volumeKindWarnings(volumes, `${field}.volumes`),
    ...volumePathWarnings(volumes),
    ...smallWarnings(spec, field),
    ...(isOldSeccomp
      ? [
          `${metaField}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`,
        ]
      : []),
    ...containerWarnings(containers, { spec, annotations }, metaField),
    ...portWarnings(containers),
    ...(isNegative
      ? [
          `${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...podAffinityWarnings(objectAt(affinity, 'podAffinity'), `${field}.affinity.podAffinity`),
    ...podAffinityWarnings(
      objectAt(affinity, 'podAntiAffinity'),
      `${field}.affinity.podAntiAffinity`,
    ),
    ...addressWarnings(spec, field),
  ]
}
