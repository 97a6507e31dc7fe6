import type { KubeStatus } from '../../shared/kubernetes/objects.ts'
import { forbidden } from './api-status.ts'
import type { Caller } from './caller.ts'
import { nodeNameOf } from './node-restriction.ts'
import type { RequestInfo } from './request-info.ts'

const leaseNamespace = 'kube-node-lease'

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

/** What the authoriser adds to a refusal, or refuses by itself. Source: plugin/pkg/auth/authorizer/node. */
function reasonOf({ type, verb, namespace, name }: RequestInfo, node: string): string {
  if (type.plural === 'configmaps') return 'can only read resources of this type'
  if (type.plural !== 'leases') return ''
  if (namespace !== leaseNamespace) {
    return `can only access leases in the "${leaseNamespace}" system namespace`
  }
  // On create the authoriser does not know the name; admission does.
  if (verb === 'create' || name === node) return ''
  return 'can only access node lease with the same name as the requesting node'
}

/**
 * Refuses the writes that no node may do. Reads are not restricted here, unlike on a real server.
 * `undefined`: admission decides.
 */
export function nodeAuthorizationRefusal(
  info: RequestInfo,
  caller: Caller,
): KubeStatus | undefined {
  const node = nodeNameOf(caller)
  if (node === undefined) return undefined
  const reason = reasonOf(info, node)
  const { type, verb, subresource, namespace, name } = info
  const resource = subresource === '' ? type.plural : `${type.plural}/${subresource}`
  if (reason === '' && allowed[resource]?.includes(verb) === true) return undefined
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const why = `User "${caller.user}" cannot ${verb} resource "${resource}" in API group "${type.group}" ${scope}${reason === '' ? '' : `: ${reason}`}`
  // The name of what is to be created is in its body, which nobody has read yet.
  return forbidden(type, verb === 'create' && info.subresource === '' ? '' : name, why)
}
