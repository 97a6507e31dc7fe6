import type { KubeStatus } from '../../shared/kubernetes/objects.ts'
import { forbidden } from './api-status.ts'
import type { Caller } from './caller.ts'
import { nodeNameOf } from './node-restriction.ts'
import type { RequestInfo } from './request-info.ts'

const leaseNamespace = 'kube-node-lease'

// What nodes may do, of what the sandbox serves: NodeRules of
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy (v1.34).
const allowed: Readonly<Record<string, readonly string[]>> = {
  nodes: ['get', 'list', 'watch', 'create', 'update', 'patch'],
  'nodes/status': ['update', 'patch'],
  pods: ['get', 'list', 'watch', 'create', 'delete'],
  'pods/status': ['update', 'patch'],
  'pods/eviction': ['create'],
  services: ['get', 'list', 'watch'],
  leases: ['get', 'create', 'update', 'patch', 'delete'],
  events: ['create', 'update', 'patch'],
}

/** What of the request the authoriser looks at beside its path. */
export interface NodeRequest {
  readonly fieldSelector: string
  /** The node that the named pod is bound to, where there is such a pod. */
  readonly boundTo: string | undefined
}

function selected(fieldSelector: string, field: string): string {
  const wanted = fieldSelector.split(',').map((term) => /^([^=!]+)==?(.*)$/.exec(term))
  return wanted.find((term) => term?.[1] === field)?.[2] ?? ''
}

function leaseReason({ verb, namespace, name }: RequestInfo, node: string): string {
  if (allowed['leases']?.includes(verb) !== true)
    return 'can only get, create, update, patch, or delete a node lease'
  if (namespace !== leaseNamespace) {
    return `can only access leases in the "${leaseNamespace}" system namespace`
  }
  // On create the authoriser does not know the name; admission does.
  if (verb === 'create' || name === node) return ''
  return 'can only access node lease with the same name as the requesting node'
}

function unrelated(node: string): string {
  return `no relationship found between node '${node}' and this object`
}

function podReadReason({ verb }: RequestInfo, node: string, request: NodeRequest): string {
  if (verb === 'get') {
    // A real server refuses also a pod that is not there, as soon as it has heard of that.
    const isOwn = request.boundTo === undefined || request.boundTo === node
    return isOwn ? '' : unrelated(node)
  }
  const isOwn = selected(request.fieldSelector, 'spec.nodeName') === node
  return isOwn ? '' : 'can only list/watch pods with spec.nodeName field selector'
}

/** The name that a read is about: a list of one name counts as a read of it. */
function nameRead({ type, name }: RequestInfo, { fieldSelector }: NodeRequest): string {
  return name === '' && type.plural === 'nodes' ? selected(fieldSelector, 'metadata.name') : name
}

function nodeReadReason(name: string, node: string): string {
  if (name === node) return ''
  return name === ''
    ? `node '${node}' cannot read all nodes, only its own Node object`
    : `node '${node}' cannot read '${name}', only its own Node object`
}

/** What the authoriser adds to a refusal, or refuses by itself. Source: plugin/pkg/auth/authorizer/node. */
function reasonOf(info: RequestInfo, node: string, request: NodeRequest): string {
  const { type, verb, subresource } = info
  const isRead = subresource === '' && (verb === 'get' || verb === 'list' || verb === 'watch')
  switch (type.plural) {
    case 'configmaps':
      // Nothing here knows which pods name which: that there is none is never far wrong.
      return isRead ? unrelated(node) : 'can only read resources of this type'
    case 'leases':
      return leaseReason(info, node)
    case 'pods':
      return isRead ? podReadReason(info, node, request) : ''
    case 'nodes':
      return isRead ? nodeReadReason(nameRead(info, request), node) : ''
    default:
      return ''
  }
}

/** Refuses what no node may do. `undefined`: a read is fine, and of a write admission decides. */
export function nodeAuthorizationRefusal(
  info: RequestInfo,
  caller: Caller,
  request: NodeRequest,
): KubeStatus | undefined {
  const node = nodeNameOf(caller)
  if (node === undefined) return undefined
  const reason = reasonOf(info, node, request)
  const { type, verb, subresource } = info
  // A namespace counts as being in itself.
  const namespace = type.plural === 'namespaces' ? info.name : info.namespace
  const name = nameRead(info, request)
  const resource = subresource === '' ? type.plural : `${type.plural}/${subresource}`
  if (reason === '' && allowed[resource]?.includes(verb) === true) return undefined
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const why = `User "${caller.user}" cannot ${verb} resource "${resource}" in API group "${type.group}" ${scope}${reason === '' ? '' : `: ${reason}`}`
  // The name of what is to be created is in its body, which nobody has read yet.
  return forbidden(type, verb === 'create' && info.subresource === '' ? '' : name, why)
}
