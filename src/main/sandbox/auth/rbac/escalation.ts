import { equalJson, objectAt, objectsAt } from '../../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../../shared/kubernetes/objects.ts'
import { aggregateText, goQuote, quotedList } from '../../../../shared/go/text.ts'
import { forbidden, notFound } from '../../api-status.ts'
import type { RequestInfo } from '../../endpoints/request-info.ts'
import { typeOfKind } from '../../registry/resource-types.ts'
import { isPrivileged } from '../authorizer.ts'
import type { Authorizer } from '../authorizer.ts'
import type { Caller } from '../caller.ts'
import { missingRules, policyRule, rulesText } from './policy-rule.ts'
import type { PolicyRule } from './policy-rule.ts'
import type { RuleResolver } from './rule-resolver.ts'

const group = 'rbac.authorization.k8s.io'
const noNames = { resourceNames: [] } as const
const all = ['*'] as const

const fullAuthority: readonly PolicyRule[] = [
  { verbs: all, apiGroups: all, resources: all, nonResourceURLs: [], ...noNames },
  { verbs: all, apiGroups: [], resources: [], nonResourceURLs: all, ...noNames },
]

/** A write of a role or a binding. */
interface RoleWrite {
  readonly info: RequestInfo
  readonly next: KubeObject
  readonly old: KubeObject | undefined
}

/** Whether only fields change that the garbage collector needs. Source: pkg/registry/rbac IsOnlyMutatingGCFields. */
function changesOnlyOwners({ next, old }: RoleWrite): boolean {
  if (old === undefined) return false
  const kept = ({ metadata, ...rest }: KubeObject): object => {
    const { ownerReferences: _, finalizers: __, managedFields: ___, ...others } = metadata
    return { ...rest, metadata: others }
  }
  return equalJson(kept(next), kept(old))
}

function aggregates(role: KubeObject | undefined): boolean {
  const rule = objectAt({ ...role }, 'aggregationRule')
  return objectsAt(rule, 'clusterRoleSelectors').length > 0
}

/** What of these rules the caller does not hold, as an error says it. Source: ConfirmNoEscalation. */
export function whatIsMissing(
  resolver: RuleResolver,
  caller: Caller,
  namespace: string,
  rules: readonly PolicyRule[],
  as?: string,
): string | undefined {
  const { rules: own, errors } = resolver.rulesFor(caller, namespace, as)
  const missing = missingRules(
    own.map(({ rule }) => rule),
    rules,
  )
  if (missing.length === 0) return undefined
  const who = `user ${goQuote(caller.user)} (groups=${quotedList(caller.groups)})`
  const why = aggregateText(errors)
  const unresolved = why === undefined ? '' : `; resolution errors: [${why}]`
  return `${who} is attempting to grant RBAC permissions not currently held:\n${rulesText(missing)}${unresolved}`
}

/**
 * Refuses roles and bindings that give rights which their writer does not have, and may not give by the verbs escalate and
 * bind. Source: pkg/registry/rbac, the policybased storages (v1.34).
 */
export function escalationRefusal(
  authorizer: Authorizer,
  caller: Caller,
  write: RoleWrite,
): KubeStatus | undefined {
  const { rules: resolver } = authorizer
  const { info, next } = write
  const { type, namespace } = info
  if (resolver === undefined || type.group !== group || isPrivileged(caller)) return undefined
  const refused = (why: string | undefined): KubeStatus | undefined =>
    why === undefined ? undefined : forbidden(type, next.metadata.name, why)
  const mayGive = (verb: string, resource: string, name: string): boolean =>
    authorizer.allows(caller, { verb, group, resource, namespace, name })
  const missing = (rules: readonly PolicyRule[]): string | undefined =>
    whatIsMissing(resolver, caller, namespace, rules, type.plural)
  if (type.kind === 'Role' || type.kind === 'ClusterRole') {
    if (mayGive('escalate', type.plural, info.name) || changesOnlyOwners(write)) return undefined
    const ofRules = missing(objectsAt({ ...next }, 'rules').map(policyRule))
    if (ofRules !== undefined) return refused(ofRules)
    const isLimited = aggregates(next) || aggregates(write.old)
    return isLimited && missing(fullAuthority) !== undefined
      ? refused('must have cluster-admin privileges to use the aggregationRule')
      : undefined
  }
  const reference = objectAt({ ...next }, 'roleRef')
  const role = typeOfKind(reference['kind'] === 'Role' ? 'Role' : 'ClusterRole')
  if (changesOnlyOwners(write)) return undefined
  if (mayGive('bind', role.plural, String(reference['name']))) return undefined
  const rules = resolver.rulesOf(reference, namespace)
  // Upstream calls a missing role by the resource of the request.
  return rules.ok ? refused(missing(rules.value)) : notFound(type, rules.error.name)
}
