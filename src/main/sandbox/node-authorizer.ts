import type { KubeStatus } from '../../shared/kubernetes/objects.ts'
import { forbidden } from './api-status.ts'
import type { Caller } from './caller.ts'
import { nodeNameOf } from './node-restriction.ts'
import type { RequestInfo } from './request-info.ts'

// What nodes may write, of what the sandbox serves: NodeRules of
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy (v1.34).
const allowed: Readonly<Record<string, readonly string[]>> = {
  nodes: ['create', 'update', 'patch'],
  'nodes/status': ['update', 'patch'],
  pods: ['create', 'delete'],
  'pods/status': ['update', 'patch'],
  'pods/eviction': ['create'],
  leases: ['create', 'update', 'patch', 'delete'],
  events: ['create', 'update', 'patch'],
}

/**
 * Refuses the writes that no node may do. Reads are not restricted here, unlike on a real server.
 * `undefined`: admission decides.
 */
export function nodeAuthorizationRefusal(
  info: RequestInfo,
  caller: Caller,
): KubeStatus | undefined {
  if (nodeNameOf(caller) === undefined) return undefined
  const { type, verb, subresource, namespace, name } = info
  const resource = subresource === '' ? type.plural : `${type.plural}/${subresource}`
  if (allowed[resource]?.includes(verb) === true) return undefined
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const why = `User "${caller.user}" cannot ${verb} resource "${resource}" in API group "${type.group}" ${scope}`
  return forbidden(type, name, why)
}
