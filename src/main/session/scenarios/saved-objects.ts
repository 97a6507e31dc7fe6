import type { JsonObject } from '../../../shared/json.ts'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { KubeObject, OwnerReference } from '../../../shared/kubernetes/objects.ts'
import { isMirrorPod } from '../../kubelet/pod/identity.ts'
import type { KeptObject } from '../../sandbox/object-store.ts'
import { standardClass } from '../../sandbox/control-plane/volume-claims/storage-provisioner.ts'
import { boundByControllerAnnotation } from '../../sandbox/control-plane/volume-claims/volume-matching.ts'
import { isFirstObject } from '../../sandbox/registry/first-objects.ts'
import { customTypes } from '../../sandbox/registry/custom/custom-types.ts'
import { groupResource, groupVersion } from '../../sandbox/registry/resource-type.ts'
import type { ResourceType } from '../../sandbox/registry/resource-type.ts'
import { resourceTypes } from '../../sandbox/registry/resource-types.ts'
import { typeOfObject } from './scenario.ts'

/** What nodes, controllers and the API server write themselves. */
const ownResources: ReadonlySet<string> = new Set([
  'nodes',
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'controllerrevisions.apps',
])

/** In this order before the others, which need them; pods are the last. */
const firstKinds = [
  'CustomResourceDefinition',
  'Namespace',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'PersistentVolume',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'PersistentVolumeClaim',
  'LimitRange',
]

function rankOf(kind: string): number {
  const at = firstKinds.indexOf(kind)
  if (at !== -1) return at
  return kind === 'Pod' ? firstKinds.length + 1 : firstKinds.length
}

/** Whether a controller of the sandbox makes what the object owns: nothing here acts on custom kinds. */
function hasController({ apiVersion, kind }: OwnerReference): boolean {
  return typeOfObject({ apiVersion, kind }, resourceTypes) !== undefined
}

/** Made again by a controller when the others are created. */
function isDerived(kind: string, object: KubeObject): boolean {
  const { name, labels = {}, annotations = {}, ownerReferences = [] } = object.metadata
  return (
    ownerReferences.some((owner) => owner.controller === true && hasController(owner)) ||
    isFirstObject(kind, object.metadata) ||
    (kind === 'StorageClass' && name === standardClass.metadata.name) ||
    (kind === 'ServiceAccount' && name === 'default') ||
    (kind === 'ConfigMap' && name === 'kube-root-ca.crt') ||
    (kind === 'EndpointSlice' && labels['endpointslice.kubernetes.io/managed-by'] !== undefined) ||
    (kind === 'Endpoints' && labels['endpoints.kubernetes.io/managed-by'] !== undefined) ||
    (kind === 'Endpoints' &&
      annotations['endpoints.kubernetes.io/last-change-trigger-time'] !== undefined) ||
    (kind === 'PersistentVolume' && annotations['pv.kubernetes.io/provisioned-by'] !== undefined) ||
    // StoredPods are pods.
    (kind === 'Pod' && isMirrorPod(object as never))
  )
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

const serverFields = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
  'ownerReferences',
]

/** Written by controllers, about this one object. */
const ownAnnotations =
  /^(deployment\.kubernetes\.io\/revision|deprecated\.daemonset\.template\.generation|pv\.kubernetes\.io\/|volume\.kubernetes\.io\/selected-node|volume\.(beta\.)?kubernetes\.io\/storage-provisioner)/

/** Of the pods of a Job; the server derives them from its UID. */
const jobLabels = [
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'job-name',
  'batch.kubernetes.io/job-name',
]

function withoutEmpty(object: JsonObject, name: string, value: JsonObject): JsonObject {
  const rest = without(object, [name])
  return Object.keys(value).length === 0 ? rest : { ...rest, [name]: value }
}

function cleanMetadata(kind: string, metadata: JsonObject): JsonObject {
  const annotations = Object.entries(objectAt(metadata, 'annotations'))
  const kept = annotations.filter(([name]) => !ownAnnotations.test(name))
  const cleaned = withoutEmpty(
    without(metadata, serverFields),
    'annotations',
    Object.fromEntries(kept),
  )
  if (kind !== 'Job') return cleaned
  return withoutEmpty(cleaned, 'labels', without(objectAt(metadata, 'labels'), jobLabels))
}

/** Without the volume of the token, which the server adds to each pod. */
function cleanPodSpec(spec: JsonObject): JsonObject {
  const isToken = (one: JsonObject): boolean => textAt(one, 'name').startsWith('kube-api-access-')
  const lists = ['initContainers', 'containers'] as const
  const containers = lists.flatMap((list) => {
    const cleaned = objectsAt(spec, list).map((container) => {
      const mounts = objectsAt(container, 'volumeMounts').filter((mount) => !isToken(mount))
      const rest = without(container, ['volumeMounts'])
      return mounts.length === 0 ? rest : { ...rest, volumeMounts: mounts }
    })
    return cleaned.length === 0 ? [] : [[list, cleaned] as const]
  })
  const volumes = objectsAt(spec, 'volumes').filter((volume) => !isToken(volume))
  const rest = without(spec, ['volumes', 'ephemeralContainers', 'priority', 'preemptionPolicy'])
  return {
    ...rest,
    ...(volumes.length === 0 ? {} : { volumes }),
    ...Object.fromEntries(containers),
  }
}

function cleanJobSpec(spec: JsonObject): JsonObject {
  if (spec['manualSelector'] === true) return spec
  const template = objectAt(spec, 'template')
  const metadata = objectAt(template, 'metadata')
  const labels = without(objectAt(metadata, 'labels'), jobLabels)
  const cleaned = withoutEmpty(without(metadata, ['creationTimestamp']), 'labels', labels)
  return {
    ...without(spec, ['selector']),
    template: { ...template, metadata: cleaned },
  }
}

function cleanSpec(kind: string, spec: JsonObject, annotations: JsonObject): JsonObject {
  switch (kind) {
    case 'PersistentVolumeClaim':
      // The controller finds a volume again, or has one made.
      return annotations[boundByControllerAnnotation] === undefined
        ? spec
        : without(spec, ['volumeName'])
    case 'Pod':
      return cleanPodSpec(spec)
    case 'Job':
      return cleanJobSpec(spec)
    case 'Service':
      // An address is allocated again; `None` is asked for.
      return spec['clusterIP'] === 'None' ? spec : without(spec, ['clusterIP', 'clusterIPs'])
    case 'PersistentVolume': {
      const claim = without(objectAt(spec, 'claimRef'), ['uid', 'resourceVersion'])
      return withoutEmpty(spec, 'claimRef', claim)
    }
    default:
      return spec
  }
}

const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

/** The type of each kept object that can be created; an object of a custom kind is kept in one of the kind's versions. */
function typeFinder(
  objects: readonly KeptObject[],
): (kept: KeptObject) => ResourceType | undefined {
  const custom = customTypes(
    objects.filter(({ resource }) => resource === definitions).map(({ object }) => object),
  )
  const types = new Map<string, readonly ResourceType[]>()
  for (const type of [...resourceTypes, ...custom]) {
    const resource = groupResource(type)
    types.set(resource, [...(types.get(resource) ?? []), type])
  }
  return ({ resource, object }) => {
    const found = types.get(resource) ?? []
    return found.find((type) => groupVersion(type) === object.apiVersion) ?? found[0]
  }
}

/** The objects that a user has created, as a scenario has them, in an order in which they can be created. */
export function savedObjects(objects: readonly KeptObject[]): readonly JsonObject[] {
  const typeOf = typeFinder(objects)
  const found = objects.flatMap((kept) => {
    const { resource, object } = kept
    const type = typeOf(kept)
    if (type === undefined || ownResources.has(resource) || isDerived(type.kind, object)) return []
    if (object.metadata.deletionTimestamp !== undefined) return []
    // Objects of the API are JSON.
    const json = object as unknown as JsonObject
    const { metadata, spec, status: _status, apiVersion: _version, kind: _kind, ...rest } = json
    const annotations = object.metadata.annotations ?? {}
    const saved: JsonObject = {
      apiVersion: groupVersion(type),
      kind: type.kind,
      metadata: cleanMetadata(type.kind, isJsonObject(metadata) ? metadata : {}),
      ...(isJsonObject(spec) ? { spec: cleanSpec(type.kind, spec, annotations) } : {}),
      ...rest,
    }
    return [saved]
  })
  return found.toSorted((one, other) => rankOf(textAt(one, 'kind')) - rankOf(textAt(other, 'kind')))
}

/** How many objects are left out because their custom kinds are not served, by `<plural>.<group>`. */
export function leftOutObjects(objects: readonly KeptObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const typeOf = typeFinder(objects)
  for (const kept of objects.filter((one) => typeOf(one) === undefined))
    counts.set(kept.resource, (counts.get(kept.resource) ?? 0) + 1)
  return counts
}
