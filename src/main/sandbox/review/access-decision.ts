import { textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { nodeNameOf } from '../admission/node-restriction.ts'
import type { Caller } from '../auth/caller.ts'
import { nodeDecision } from '../auth/node-authorizer.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import type { ObjectStore } from '../object-store.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { namedType, reviewTypes } from './review-types.ts'

/** The status of an access review. */
interface AccessDecision {
  readonly allowed: boolean
  readonly reason?: string
}

const noLimits = 'the Nodescope sandbox limits only nodes: it does not enforce RBAC'
const discovery = /^\/(api|apis|healthz|livez|readyz|openapi|version)(\/.*)?$/

function allowedToAll(caller: Caller): AccessDecision {
  return caller.groups.includes('system:masters')
    ? { allowed: true }
    : { allowed: true, reason: noLimits }
}

/** Whether the authorizer of the sandbox would let a caller use a path that is not a resource. */
export function pathDecision(caller: Caller, attributes: JsonObject): AccessDecision {
  if (nodeNameOf(caller) === undefined) return allowedToAll(caller)
  const isRead = textAt(attributes, 'verb') === 'get'
  return { allowed: isRead && discovery.test(textAt(attributes, 'path')) }
}

function fieldSelectorOf(attributes: JsonObject): string {
  const selector = attributes['fieldSelector']
  return typeof selector === 'object' && selector !== null
    ? textAt({ ...selector }, 'rawSelector')
    : ''
}

/** Whether the authorizer of the sandbox would let a caller use a resource. */
export function resourceDecision(
  caller: Caller,
  attributes: JsonObject,
  store: ObjectStore,
): AccessDecision {
  if (nodeNameOf(caller) === undefined) return allowedToAll(caller)
  const group = textAt(attributes, 'group')
  const plural = textAt(attributes, 'resource')
  const found = [...resourceTypes, ...reviewTypes].find(
    (type) => type.group === group && type.plural === plural,
  )
  const info = {
    type: found ?? namedType(attributes),
    // A review may ask about verbs that no request has.
    verb: textAt(attributes, 'verb') as RequestInfo['verb'],
    namespace: textAt(attributes, 'namespace'),
    name: textAt(attributes, 'name'),
    subresource: textAt(attributes, 'subresource'),
  }
  const request = { fieldSelector: fieldSelectorOf(attributes), store }
  const { isAllowed, reason } = nodeDecision(info, caller, request)
  return { allowed: isAllowed, ...(reason === '' ? {} : { reason }) }
}
