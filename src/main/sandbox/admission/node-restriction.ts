import { equalJson, isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { configMirrorAnnotation } from '../../kubelet/pod/identity.ts'
import { isOnNode } from '../auth/pod-references.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { specDifference } from '../registry/spec-difference.ts'

/** A write of a node. `object` is the new state, `old` the stored one. */
export interface NodeWrite {
  readonly type: ResourceType
  readonly verb: 'create' | 'update' | 'delete'
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly object: KubeObject | undefined
  readonly old: KubeObject | undefined
}

const nodeUserPrefix = 'system:node:'

/** The name of the node that calls; `undefined` for other callers, empty for a node without a name. */
export function nodeNameOf(caller: {
  readonly user: string
  readonly groups: readonly string[]
}): string | undefined {
  if (!caller.groups.includes('system:nodes')) return undefined
  return caller.user.startsWith(nodeUserPrefix) ? caller.user.slice(nodeUserPrefix.length) : ''
}

function ownerRefusal(node: string, pod: KubeObject, uidOfNode: string | undefined) {
  const owners = pod.metadata.ownerReferences ?? []
  const [owner] = owners
  if (owners.length > 1) {
    return `node "${node}" can only create pods with a single owner reference set to itself`
  }
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `node "${node}" can only create pods with an owner reference set to itself`
  }
  if (owner.controller !== true) {
    return `node "${node}" can only create pods with a controller owner reference set to itself`
  }
  if (owner.blockOwnerDeletion === true) {
    return `node "${node}" must not set blockOwnerDeletion on an owner reference`
  }
  if (uidOfNode === undefined) {
    return `error looking up node ${node} to verify uid: nodes "${node}" not found`
  }
  if (owner.uid !== uidOfNode) {
    return `node ${node} UID mismatch: expected ${owner.uid} got ${uidOfNode}`
  }
  return undefined
}

const volumeReferences: readonly (readonly [string, string])[] = [
  ['secret', 'secrets'],
  ['configMap', 'configmaps'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims'],
]

function projectedReference(volume: JsonObject): string | undefined {
  const projected = volume['projected']
  if (!isJsonObject(projected)) return undefined
  for (const source of objectsAt(projected, 'sources')) {
    if (source['secret'] !== undefined) return 'secrets (via projected volumes)'
    if (source['configMap'] !== undefined) return 'configmaps (via projected volumes)'
    if (source['serviceAccountToken'] !== undefined) {
      return 'serviceaccounts (via projected volumes)'
    }
  }
  return undefined
}

function environmentReference(container: JsonObject): string | undefined {
  for (const source of objectsAt(container, 'envFrom')) {
    if (source['configMapRef'] !== undefined) return 'configmaps'
    if (source['secretRef'] !== undefined) return 'secrets'
  }
  for (const variable of objectsAt(container, 'env')) {
    const from = variable['valueFrom']
    if (!isJsonObject(from)) continue
    if (from['configMapKeyRef'] !== undefined) return 'configmaps'
    if (from['secretKeyRef'] !== undefined) return 'secrets'
  }
  return undefined
}

/** The first kind of API object that a pod refers to. Source: pkg/api/pod HasAPIObjectReference. */
function referencedResource(pod: KubeObject): string | undefined {
  const spec = objectAt(pod, 'spec')
  if (textAt(spec, 'serviceAccountName') !== '') return 'serviceaccounts'
  if (objectsAt(spec, 'imagePullSecrets').length > 0) return 'secrets'
  if (objectsAt(spec, 'resourceClaims').length > 0) return 'resourceclaims'
  for (const volume of objectsAt(spec, 'volumes')) {
    const kind = volumeReferences.find(([source]) => volume[source] !== undefined)?.[1]
    const found = kind ?? projectedReference(volume)
    if (found !== undefined) return found
  }
  for (const container of [
    ...objectsAt(spec, 'initContainers'),
    ...objectsAt(spec, 'containers'),
  ]) {
    const found = environmentReference(container)
    if (found !== undefined) return found
  }
  return undefined
}

function mirrorRefusal(node: string, pod: KubeObject, uidOfNode: string | undefined) {
  if (pod.metadata.annotations?.[configMirrorAnnotation] === undefined) {
    return `pod does not have "${configMirrorAnnotation}" annotation, node "${node}" can only create mirror pods`
  }
  if (!isOnNode(pod, node)) {
    return `node "${node}" can only create pods with spec.nodeName set to itself`
  }
  const owner = ownerRefusal(node, pod, uidOfNode)
  if (owner !== undefined) return owner
  const resource = referencedResource(pod)
  if (resource === undefined) return undefined
  return `node "${node}" can not create pods that reference ${resource}`
}

function podRefusal(node: string, write: NodeWrite, uidOfNode: string | undefined) {
  const { verb, subresource, object, old } = write
  switch (subresource) {
    case '':
      if (verb === 'create' && object !== undefined) return mirrorRefusal(node, object, uidOfNode)
      if (verb === 'update') {
        return `unexpected operation "UPDATE", node "${node}" can only create and delete mirror pods`
      }
      return isOnNode(old, node)
        ? undefined
        : `node "${node}" can only delete pods with spec.nodeName set to itself`
    case 'status':
      if (!isOnNode(old, node)) {
        return `node "${node}" can only update pod status for pods with spec.nodeName set to itself`
      }
      return equalJson(object?.metadata.labels ?? {}, old?.metadata.labels ?? {})
        ? undefined
        : `node "${node}" cannot update labels through pod status`
    case 'eviction':
      return isOnNode(old, node)
        ? undefined
        : `node ${node} can only evict pods with spec.nodeName set to itself`
    default:
      return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`
  }
}

const kubeletLabels = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
])

function isIn(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`)
}

function isForbiddenLabel(label: string): boolean {
  const namespace = label.includes('/') ? (label.split('/', 1)[0] ?? '') : ''
  if (isIn(namespace, 'node-restriction.kubernetes.io')) return true
  const isKubernetes = isIn(namespace, 'kubernetes.io') || isIn(namespace, 'k8s.io')
  const isKubelet =
    kubeletLabels.has(label) ||
    isIn(namespace, 'kubelet.kubernetes.io') ||
    isIn(namespace, 'node.kubernetes.io')
  return isKubernetes && !isKubelet
}

function forbiddenLabels(next: KubeObject, old: KubeObject | undefined): readonly string[] {
  const labels = next.metadata.labels ?? {}
  const oldLabels = old?.metadata.labels ?? {}
  return [...new Set([...Object.keys(labels), ...Object.keys(oldLabels)])]
    .filter((label) => labels[label] !== oldLabels[label] && isForbiddenLabel(label))
    .toSorted()
}

function nodeRefusal(node: string, write: NodeWrite): string | undefined {
  if (write.name !== node) return `node "${node}" is not allowed to modify node "${write.name}"`
  const { object, old } = write
  if (object === undefined) return undefined
  const labels = forbiddenLabels(object, old)
  if (old === undefined) {
    if (labels.length === 0) return undefined
    return `node "${node}" is not allowed to set the following labels: ${labels.join(', ')}`
  }
  const taints = objectsAt(objectAt(object, 'spec'), 'taints')
  if (!equalJson(taints, objectsAt(objectAt(old, 'spec'), 'taints'))) {
    return `node "${node}" is not allowed to modify taints`
  }
  if (!equalJson(object.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? [])) {
    return `node "${node}" is not allowed to modify ownerReferences`
  }
  if (labels.length === 0) return undefined
  return `is not allowed to modify labels: ${labels.join(', ')}`
}

function leaseRefusal(node: string, write: NodeWrite): string | undefined {
  if (write.namespace !== 'kube-node-lease') {
    return 'can only access leases in the "kube-node-lease" system namespace'
  }
  if (write.name === node) return undefined
  return 'can only access node lease with the same name as the requesting node'
}

const nodeClaimFields = [
  'capacity',
  'conditions',
  'allocatedResourceStatuses',
  'allocatedResources',
]

/** A claim without the fields that its node may write. */
function withoutNodeFields(claim: KubeObject): JsonObject {
  const { resourceVersion: _, ...metadata } = claim.metadata
  const status = Object.entries(objectAt(claim, 'status')).filter(
    ([field]) => !nodeClaimFields.includes(field),
  )
  return { ...claim, metadata, status: Object.fromEntries(status) }
}

function claimRefusal(node: string, { subresource, object, old }: NodeWrite): string | undefined {
  if (subresource !== 'status') return 'may only update PVC status'
  if (object === undefined || old === undefined) return undefined
  const next = withoutNodeFields(object)
  const before = withoutNodeFields(old)
  if (equalJson(next, before)) return undefined
  return `node "${node}" is not allowed to update fields other than status.quantity and status.conditions:\n${specDifference(next, before)}`
}

/**
 * The NodeRestriction admission plugin: why a node may not write this; `undefined` if it may. api-server#node-restriction.
 * `uidOfNode`: of the node's stored object, if any. Source: plugin/pkg/admission/noderestriction (v1.34).
 */
export function nodeWriteRefusal(
  node: string,
  write: NodeWrite,
  uidOfNode: string | undefined,
): string | undefined {
  if (node === '') return 'could not determine node from the user'
  switch (write.type.kind) {
    case 'Pod':
      return podRefusal(node, write, uidOfNode)
    case 'Node':
      return nodeRefusal(node, write)
    case 'Lease':
      return leaseRefusal(node, write)
    case 'PersistentVolumeClaim':
      return claimRefusal(node, write)
    default:
      return undefined
  }
}
