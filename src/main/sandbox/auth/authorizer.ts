import type { JsonObject } from '../../../shared/json.ts'
import { aggregateText } from '../../../shared/go/text.ts'
import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { nodeNameOf } from '../admission/node-restriction.ts'
import { forbidden } from '../api-status.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import type { ObjectStore } from '../object-store.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { namedType, unstoredTypes } from '../review/review-types.ts'
import type { Caller } from './caller.ts'
import { nodeDecision, nodeRules } from './node-authorizer.ts'
import { ruleAllows, shownRule } from './rbac/policy-rule.ts'
import { RuleResolver } from './rbac/rule-resolver.ts'
import type { Attributes, ResourceAttributes } from './request-attributes.ts'

/** Whether something is allowed, as an access review answers. */
export interface AccessDecision {
  readonly allowed: boolean
  readonly reason?: string
}

type AskedRight = Pick<ResourceAttributes, 'verb' | 'group' | 'resource' | 'name'> &
  Partial<Pick<ResourceAttributes, 'namespace'>>

const noLimits = 'the Nodescope sandbox limits only nodes: it does not enforce RBAC'
const discovery = /^\/(api|apis|healthz|livez|readyz|openapi|version)(\/.*)?$/

/** Members may do everything. */
export function isPrivileged({ groups }: Caller): boolean {
  return groups.includes('system:masters')
}

/** What a 403 says. Source: apiserver pkg/endpoints/handlers/responsewriters ForbiddenStatusError. */
export function forbiddenStatus(
  caller: Caller,
  attributes: Attributes,
  reason: string,
): KubeStatus {
  const because = reason === '' ? '' : `: ${reason}`
  const whoCannot = `User "${caller.user}" cannot ${attributes.verb}`
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  if (attributes.kind === 'path') {
    const why = escaped(`${whoCannot} path "${attributes.path}"`)
    return forbidden({ group: '', plural: '' }, '', `${why}${because}`)
  }
  const { group, resource, subresource, namespace, name } = attributes
  const shown = subresource === '' ? resource : `${resource}/${subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const why = escaped(`${whoCannot} resource "${shown}" in API group "${group}" ${scope}`)
  return forbidden({ group, plural: resource }, name, `${why}${because}`)
}

/** Decides who may do what: the node authorizer and, if it is enforced, RBAC. */
export class Authorizer {
  readonly #store: ObjectStore
  /** Of RBAC; undefined: it is not enforced. */
  readonly #rules: RuleResolver | undefined

  constructor(store: ObjectStore, { enforcesRbac }: { readonly enforcesRbac: boolean }) {
    this.#store = store
    this.#rules = enforcesRbac ? new RuleResolver(store) : undefined
  }

  /** Undefined: RBAC is not enforced. */
  get rules(): RuleResolver | undefined {
    return this.#rules
  }

  decide(caller: Caller, attributes: Attributes): AccessDecision {
    if (isPrivileged(caller)) return { allowed: true }
    const ofNode = this.#ofNode(caller, attributes)
    if (this.#rules === undefined && attributes.verb === 'impersonate') return { allowed: false }
    if (this.#rules === undefined) return ofNode ?? { allowed: true, reason: noLimits }
    if (ofNode?.allowed === true) return ofNode
    const ofRbac = this.#ofRbac(this.#rules, caller, attributes)
    if (ofRbac.allowed) return ofRbac
    const reasons = [ofNode?.reason, ofRbac.reason].filter((reason) => reason !== undefined)
    return { allowed: false, ...(reasons.length === 0 ? {} : { reason: reasons.join('\n') }) }
  }

  /** Whether the caller also has a right that a request needs in addition. */
  allows(caller: Caller, right: AskedRight): boolean {
    const asked = { subresource: '', namespace: '', ...right }
    return this.decide(caller, { kind: 'resource', ...asked }).allowed
  }

  /** The answer to a request that is not allowed. */
  refusal(caller: Caller, attributes: Attributes): KubeStatus | undefined {
    const { allowed, reason = '' } = this.decide(caller, attributes)
    return allowed ? undefined : forbiddenStatus(caller, attributes, reason)
  }

  /** The status of a SelfSubjectRulesReview. */
  rulesStatus(caller: Caller, namespace: string): JsonObject {
    const isNode = nodeNameOf(caller) !== undefined
    const unknown = isNode ? ['node authorizer does not support user rule resolution'] : []
    if (this.#rules === undefined) {
      if (isNode) return { ...nodeRules, incomplete: true, evaluationError: unknown[0] }
      const all = ['*']
      return {
        resourceRules: [{ verbs: all, apiGroups: all, resources: all }],
        nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
        incomplete: false,
      }
    }
    const { rules, errors } = this.#rules.rulesFor(caller, namespace)
    const evaluationError = aggregateText([...unknown, ...errors])
    return {
      resourceRules: rules
        .filter(({ rule }) => rule.resources.length > 0)
        .map(({ rule }) => shownRule({ ...rule, nonResourceURLs: [] })),
      nonResourceRules: rules
        .filter(({ rule }) => rule.nonResourceURLs.length > 0)
        .map(({ rule: { verbs, nonResourceURLs } }) => ({ verbs, nonResourceURLs })),
      incomplete: isNode,
      ...(evaluationError === undefined ? {} : { evaluationError }),
    }
  }

  /** Source: plugin/pkg/auth/authorizer/rbac Authorize (v1.34). */
  #ofRbac(resolver: RuleResolver, caller: Caller, attributes: Attributes): AccessDecision {
    const namespace = attributes.kind === 'path' ? '' : attributes.namespace
    const { rules, errors } = resolver.rulesFor(caller, namespace)
    const allowing = rules.find(({ rule }) => ruleAllows(rule, attributes))
    if (allowing !== undefined)
      return { allowed: true, reason: `RBAC: allowed by ${allowing.source}` }
    const why = aggregateText(errors)
    return { allowed: false, ...(why === undefined ? {} : { reason: `RBAC: ${why}` }) }
  }

  /** Undefined: the caller is not a node. */
  #ofNode(caller: Caller, attributes: Attributes): AccessDecision | undefined {
    if (nodeNameOf(caller) === undefined) return undefined
    if (attributes.kind === 'path') {
      const isOpen = attributes.verb === 'get' && discovery.test(attributes.path)
      return { allowed: isOpen && this.#rules === undefined }
    }
    const { isAllowed, reason } = nodeDecision(infoOf(attributes), caller, {
      fieldTerms: attributes.fieldTerms ?? [],
      store: this.#store,
    })
    return { allowed: isAllowed, ...(reason === '' ? {} : { reason }) }
  }
}

function infoOf(attributes: ResourceAttributes): RequestInfo {
  const { group, resource, verb, namespace, name, subresource } = attributes
  const found = [...resourceTypes, ...unstoredTypes].find(
    (type) => type.group === group && type.plural === resource,
  )
  // A review may ask about verbs that no request has.
  return {
    type: found ?? namedType({ group, resource }),
    verb: verb as RequestInfo['verb'],
    namespace,
    name,
    subresource,
  }
}
