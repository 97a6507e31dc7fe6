import {
  equalJson,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { dnsLabelProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { definitionWarnings } from '../custom/definition-strategy.ts'
import { podTemplateOf } from '../workload/pod-template.ts'
import { cidrWarnings, ipWarnings } from './ip-warnings.ts'
import { labelWarnings, nodeSelectorTermWarnings } from './node-label-warnings.ts'
import { podWarnings } from './pod-warnings.ts'
import { fractionWarnings } from './quantity-warnings.ts'
import { secretWarnings } from './secret-warnings.ts'
import { serviceWarnings } from './service-warnings.ts'
import { deprecatedVolumes } from './volume-warnings.ts'

type Warnings = (next: KubeObject, old: KubeObject | undefined) => readonly string[]

const specOf = (object: KubeObject): JsonObject => objectAt(object, 'spec')

function templateWarnings(object: KubeObject): readonly string[] {
  const { owner, ownerPath } = podTemplateOf(object)
  return podWarnings(objectAt(owner, 'template'), `${ownerPath}.template.`)
}

function nameWarnings({ metadata }: KubeObject, used: string): readonly string[] {
  const problems = dnsLabelProblems(metadata.name)
  if (problems.length === 0) return []
  return [
    `metadata.name: this is used in ${used}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ]
}

/** About a new object: its name and its template. About a changed one: its template. */
const ofTemplate: Warnings = (next, old) => {
  if (old === undefined)
    return [...nameWarnings(next, 'Pod names and hostnames'), ...templateWarnings(next)]
  return next.metadata.generation === old.metadata.generation ? [] : templateWarnings(next)
}

const ofDaemonSet: Warnings = (next, old) =>
  old !== undefined && equalJson(specOf(next)['template'], specOf(old)['template'])
    ? []
    : templateWarnings(next)

// About the old template, as upstream.
const ofReplicationController: Warnings = (next, old) =>
  old === undefined || next.metadata.generation === old.metadata.generation
    ? ofTemplate(next, old)
    : templateWarnings(old)

const completionsLimit = 100_000
const parallelismLimit = 10_000

/** About a Job, or the template of a CronJob. */
const ofJob: Warnings = (next, old) => {
  const { owner, ownerPath } = podTemplateOf(next)
  const isLarge =
    owner['completionMode'] === 'Indexed' &&
    (numberAt(owner, 'completions') ?? 0) > completionsLimit &&
    (numberAt(owner, 'parallelism') ?? 0) > parallelismLimit
  const large = `${ownerPath}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`
  const isChecked = next.metadata.generation !== old?.metadata.generation
  return [
    ...(old === undefined ? nameWarnings(next, 'Pod names and hostnames') : []),
    ...(isChecked && isLarge ? [large] : []),
    ...(isChecked ? templateWarnings(next) : []),
  ]
}

const ofStatefulSet: Warnings = (next, old) => {
  const isNew = old === undefined
  const isChanged = isNew || next.metadata.generation !== old.metadata.generation
  const claims = objectsAt(specOf(next), 'volumeClaimTemplates').flatMap((claim, index) =>
    fractionWarnings(
      objectAt(objectAt(claim, 'spec'), 'resources'),
      `spec.volumeClaimTemplates[${index}]${isNew ? '' : '.Spec'}.resources`,
      ['storage'],
    ),
  )
  const isNegative = (numberAt(specOf(next), 'revisionHistoryLimit') ?? 0) < 0
  return [
    ...(isChanged ? templateWarnings(next) : []),
    ...claims,
    ...(isNegative
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ]
}

function annotationWarnings(object: KubeObject, deprecated: Readonly<Record<string, string>>) {
  const annotations = object.metadata.annotations ?? {}
  return Object.entries(deprecated)
    .filter(([key]) => key in annotations)
    .map(([key, why]) => `metadata.annotations[${key}]: ${why}`)
}

const oldClass = 'deprecated since v1.8; use "storageClassName" attribute instead'

const ofClaim: Warnings = (next) => [
  ...annotationWarnings(next, { 'volume.beta.kubernetes.io/storage-class': oldClass }),
  ...fractionWarnings(objectAt(specOf(next), 'resources'), 'spec.resources', ['storage']),
]

const ofVolume: Warnings = (next) => {
  const spec = specOf(next)
  const terms = objectsAt(objectAt(objectAt(spec, 'nodeAffinity'), 'required'), 'nodeSelectorTerms')
  const kinds = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd']
  return [
    ...annotationWarnings(next, {
      'volume.beta.kubernetes.io/storage-class': oldClass,
      'volume.beta.kubernetes.io/mount-options':
        'deprecated since v1.31; use "mountOptions" attribute instead',
    }),
    ...(spec['persistentVolumeReclaimPolicy'] === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...terms.flatMap((term, index) =>
      nodeSelectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, {
        checksValues: false,
      }),
    ),
    ...kinds
      .filter((kind) => spec[kind] !== undefined)
      .map(
        (kind) =>
          `spec.${kind === 'storageos' ? 'storageOS' : kind}: ${deprecatedVolumes[kind] ?? ''}`,
      ),
  ]
}

const ofNode: Warnings = (next) => {
  const spec = specOf(next)
  return [
    ...(spec['configSource'] === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(textAt(spec, 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...listAt(spec, 'podCIDRs').flatMap((value, index) =>
      cidrWarnings(`spec.podCIDRs[${index}]`, String(value)),
    ),
  ]
}

const mountable = 'kubernetes.io/enforce-mountable-secrets'

const ofServiceAccount: Warnings = (next, old) => {
  const has = (object: KubeObject | undefined): boolean =>
    object?.metadata.annotations?.[mountable] !== undefined
  if (!has(next) || has(old)) return []
  return annotationWarnings(next, {
    [mountable]:
      'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets',
  })
}

const ofEndpoints: Warnings = (next) => {
  if (next.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller')
    return []
  return objectsAt(next, 'subsets').flatMap((subset, index) =>
    ['addresses', 'notReadyAddresses'].flatMap((list) =>
      objectsAt(subset, list).flatMap((address, place) =>
        ipWarnings(`subsets[${index}].${list}[${place}].ip`, textAt(address, 'ip')),
      ),
    ),
  )
}

const sliceControllers = [
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
]

const ofEndpointSlice: Warnings = (next, old) => {
  const manager = next.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? ''
  const isNamed = old === undefined && next['addressType'] === 'FQDN'
  const addresses = objectsAt(next, 'endpoints').flatMap((endpoint, index) =>
    listAt(endpoint, 'addresses').flatMap((address, place) =>
      ipWarnings(`endpoints[${index}].addresses[${place}]`, String(address)),
    ),
  )
  return [
    ...(isNamed ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...(sliceControllers.includes(manager) ? [] : addresses),
  ]
}

const ofRuntimeClass: Warnings = (next) =>
  Object.keys(objectAt(objectAt(next, 'scheduling'), 'nodeSelector')).flatMap((key) =>
    labelWarnings(key, (why) => `scheduling.nodeSelector: ${why}`),
  )

const ofStorageClass: Warnings = (next) =>
  objectsAt(next, 'allowedTopologies').flatMap((topology, index) =>
    objectsAt(topology, 'matchLabelExpressions').flatMap((expression, place) =>
      labelWarnings(
        textAt(expression, 'key'),
        (why) => `allowedTopologies[${index}].matchLabelExpressions[${place}].key: ${why}`,
      ),
    ),
  )

/** By kind: WarningsOnCreate (`old` undefined) and WarningsOnUpdate of its strategy in pkg/registry (v1.34). */
const warningsOf: ReadonlyMap<string, Warnings> = new Map<string, Warnings>([
  [
    'Pod',
    (next, old) =>
      old === undefined ? [...nameWarnings(next, "the Pod's hostname"), ...podWarnings(next)] : [],
  ],
  ['Deployment', ofTemplate],
  ['ReplicaSet', ofTemplate],
  ['ReplicationController', ofReplicationController],
  ['DaemonSet', ofDaemonSet],
  ['StatefulSet', ofStatefulSet],
  ['Job', ofJob],
  ['CronJob', ofJob],
  ['Secret', secretWarnings],
  ['Service', serviceWarnings],
  ['PersistentVolumeClaim', ofClaim],
  ['PersistentVolume', ofVolume],
  ['Node', ofNode],
  ['ServiceAccount', ofServiceAccount],
  ['Endpoints', ofEndpoints],
  ['EndpointSlice', ofEndpointSlice],
  ['RuntimeClass', ofRuntimeClass],
  ['StorageClass', ofStorageClass],
  ['CustomResourceDefinition', definitionWarnings],
])

/** The API server's warnings about what a client wrote: a new object, or with `old` a changed one. */
export function objectWarnings(next: KubeObject, old: KubeObject | undefined): readonly string[] {
  return warningsOf.get(next.kind ?? '')?.(next, old) ?? []
}

/** For the client that deletes jobs without a propagation policy. */
export const orphanedPods =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'
