import type { FieldTerm } from '../../../shared/kubernetes/selectors/field-selector.ts'
import type { ObjectStore } from '../object-store.ts'
import { nodeNameOf } from '../admission/node-restriction.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import type { Caller } from './caller.ts'
import { controlGroup } from '../control/control-types.ts'
import { metricsGroup } from '../metrics/metrics-types.ts'
import { hasPathFrom } from './node-graph.ts'

const leaseNamespace = 'kube-node-lease'

// What nodes may do with the resources of the sandbox: NodeRules of
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy (v1.34).
const allowed: Readonly<Record<string, readonly string[]>> = {
  nodes: ['get', 'list', 'watch', 'create', 'update', 'patch'],
  'nodes/status': ['update', 'patch'],
  pods: ['get', 'list', 'watch', 'create', 'delete'],
  'pods/status': ['update', 'patch'],
  'pods/eviction': ['create'],
  services: ['get', 'list', 'watch'],
  secrets: ['get', 'list', 'watch'],
  configmaps: ['get', 'list', 'watch'],
  persistentvolumeclaims: ['get'],
  'persistentvolumeclaims/status': ['update', 'patch'],
  persistentvolumes: ['get'],
  serviceaccounts: ['get'],
  'serviceaccounts/token': ['create'],
  runtimeclasses: ['get', 'list', 'watch'],
  leases: ['get', 'create', 'update', 'patch', 'delete'],
  events: ['create', 'update', 'patch'],
  certificatesigningrequests: ['create', 'get', 'list', 'watch'],
  tokenreviews: ['create'],
  subjectaccessreviews: ['create'],
  localsubjectaccessreviews: ['create'],
  // Of every user: ClusterRole system:basic-user.
  selfsubjectaccessreviews: ['create'],
  selfsubjectrulesreviews: ['create'],
  selfsubjectreviews: ['create'],
}

const ownRules = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews']

/** The rules that a SelfSubjectRulesReview of a node lists: those that do not depend on the node's pods. */
export const nodeRules = {
  resourceRules: ownRules.map((plural) => ({
    verbs: ['create'],
    apiGroups: [plural === 'selfsubjectreviews' ? 'authentication.k8s.io' : 'authorization.k8s.io'],
    resources: [plural],
  })),
  nonResourceRules: [
    {
      verbs: ['get'],
      nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', '/version'],
    },
    { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz'] },
  ],
}

/** What the authorizer uses in addition to the request's path. */
export interface NodeRequest {
  readonly fieldTerms: readonly FieldTerm[]
  readonly store: ObjectStore
}

/** The name comes from the client: it may be that of a property which every object has. */
function mayDo(resource: string, verb: string): boolean {
  return Object.hasOwn(allowed, resource) && allowed[resource]?.includes(verb) === true
}

function leaseReason({ verb, namespace, name }: RequestInfo, node: string): string {
  if (!mayDo('leases', verb)) return 'can only get, create, update, patch, or delete a node lease'
  if (namespace !== leaseNamespace) {
    return `can only access leases in the "${leaseNamespace}" system namespace`
  }
  // On create, the authorizer does not know the name; admission does.
  if (verb === 'create' || name === node) return ''
  return 'can only access node lease with the same name as the requesting node'
}

/** Refuses objects that no pod of the node refers to. */
function relationReason(info: RequestInfo, node: string, request: NodeRequest): string {
  const { type, namespace, name } = info
  if (name === '') return 'No Object name found'
  const target = { plural: type.plural, namespace, name }
  if (hasPathFrom(request.store, node, target)) return ''
  return `no relationship found between node '${node}' and this object`
}

function podReadReason(info: RequestInfo, node: string, request: NodeRequest): string {
  if (info.verb === 'get') return relationReason(info, node, request)
  const isOwn = ({ field, isNegated, value }: FieldTerm): boolean =>
    field === 'spec.nodeName' && !isNegated && value === node
  if (request.fieldTerms.some(isOwn)) return ''
  if (info.name !== '') return relationReason(info, node, request)
  return 'can only list/watch pods with spec.nodeName field selector'
}

/** Secrets and config maps: only individual objects, also for watches. */
function readReason(info: RequestInfo, node: string, request: NodeRequest): string {
  const { verb, subresource, namespace } = info
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') {
    return 'can only read resources of this type'
  }
  if (subresource !== '') return 'cannot read subresource'
  if (namespace === '') return 'can only read namespaced object of this type'
  return relationReason(info, node, request)
}

function getReason(info: RequestInfo, node: string, request: NodeRequest): string {
  if (info.verb !== 'get') return 'can only get individual resources of this type'
  return info.subresource === '' ? relationReason(info, node, request) : 'cannot get subresource'
}

function claimReason(info: RequestInfo, node: string, request: NodeRequest): string {
  if (info.subresource !== 'status') return getReason(info, node, request)
  if (info.verb !== 'update' && info.verb !== 'patch') return 'can only get/update/patch this type'
  return relationReason(info, node, request)
}

function accountReason(info: RequestInfo, node: string, request: NodeRequest): string {
  const { verb, subresource, name } = info
  if (verb === 'get' && subresource === '') return readReason(info, node, request)
  if (verb !== 'create' || name === '') {
    return 'can only create tokens for individual service accounts'
  }
  if (subresource !== 'token') return 'can only create token subresource of serviceaccount'
  return relationReason(info, node, request)
}

function nodeReadReason(name: string, node: string): string {
  if (name === node) return ''
  return name === ''
    ? `node '${node}' cannot read all nodes, only its own Node object`
    : `node '${node}' cannot read '${name}', only its own Node object`
}

/** The reason of the node authorizer; empty if it has none. Source: plugin/pkg/auth/authorizer/node. */
function reasonOf(info: RequestInfo, node: string, request: NodeRequest): string {
  const { type, verb, subresource } = info
  const isRead = subresource === '' && (verb === 'get' || verb === 'list' || verb === 'watch')
  switch (type.plural) {
    case 'configmaps':
    case 'secrets':
      return readReason(info, node, request)
    case 'persistentvolumeclaims':
      return claimReason(info, node, request)
    case 'persistentvolumes':
      return getReason(info, node, request)
    case 'serviceaccounts':
      return accountReason(info, node, request)
    case 'leases':
      return leaseReason(info, node)
    case 'pods':
      return isRead ? podReadReason(info, node, request) : ''
    case 'nodes':
      return isRead ? nodeReadReason(info.name, node) : ''
    default:
      return ''
  }
}

function resourceOf({ type, subresource }: RequestInfo): string {
  return subresource === '' ? type.plural : `${type.plural}/${subresource}`
}

/** Whether a node may do something; `reason` is that of the node authorizer, empty if it has none. */
export function nodeDecision(
  info: RequestInfo,
  caller: Caller,
  request: NodeRequest,
): { readonly isAllowed: boolean; readonly reason: string } {
  const node = nodeNameOf(caller)
  if (node === undefined) return { isAllowed: true, reason: '' }
  const isForeign = info.type.group === metricsGroup || info.type.group === controlGroup
  const reason = isForeign ? '' : reasonOf(info, node, request)
  const isListed = mayDo(resourceOf(info), info.verb)
  return { isAllowed: reason === '' && !isForeign && isListed, reason }
}
