import { objectAt, objectsAt, listAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { Transport } from '../../../../shared/kubernetes/request.ts'
import type { Right, RightsView } from '../../../../shared/model/seen/rights.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import { selfReview } from '../../../cluster/client/self-review.ts'
import { inParallel } from '../../../../shared/in-parallel.ts'
import { changeRights, impossibleActs, lookRights } from './needed-rights.ts'
import type { NeededRight } from './needed-rights.ts'
import { rolesFor } from '../../../inspector/rbac-roles.ts'
import type { RbacRule } from '../../../inspector/rbac-roles.ts'

interface RightsQuestion {
  /** Null: the whole cluster. */
  readonly namespace: string | null
  /** Of the context: the rules of it are asked for where no namespace was chosen. */
  readonly contextNamespace: string
  readonly now: number
}

interface Access {
  readonly resource: string
  readonly verb: string
  readonly allowed: Right['allowed']
  /** The server's reason, or why it gave no answer. */
  readonly reason: string
}

function namespaceOf({ scope }: NeededRight, { namespace }: RightsQuestion): string {
  if (scope === 'cluster') return ''
  return scope === 'chosen' ? (namespace ?? '') : scope
}

async function askAccess(
  transport: Transport,
  { apiGroup, namespace }: { readonly apiGroup: string; readonly namespace: string },
  { resource, verb }: { readonly resource: string; readonly verb: string },
): Promise<Access> {
  const [plural = '', subresource = ''] = resource.split('/')
  const resourceAttributes = {
    verb,
    group: apiGroup,
    resource: plural,
    ...(subresource === '' ? {} : { subresource }),
    ...(namespace === '' ? {} : { namespace }),
  }
  const status = await selfReview(transport, {
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  })
  if (!status.ok) return { resource, verb, allowed: 'unknown', reason: status.error.message }
  const { allowed } = status.value
  const reason = textAt(status.value, 'reason') || textAt(status.value, 'evaluationError')
  return { resource, verb, allowed: allowed === true ? 'yes' : 'no', reason }
}

/** Whether one of the rules of a SelfSubjectRulesReview allows a verb of a resource. */
function isAllowedBy(rules: readonly JsonObject[], right: NeededRight): boolean {
  const has = (rule: JsonObject, field: string, value: string): boolean =>
    listAt(rule, field).some((one) => one === '*' || one === value)
  return right.resources.every((resource) =>
    right.verbs.every((verb) =>
      rules.some(
        (rule) =>
          has(rule, 'apiGroups', right.apiGroup) &&
          has(rule, 'verbs', verb) &&
          has(rule, 'resources', resource) &&
          listAt(rule, 'resourceNames').length === 0,
      ),
    ),
  )
}

interface NamespaceRules {
  readonly namespace: string
  readonly rules: readonly JsonObject[]
  readonly incomplete: string
}

async function askRules(transport: Transport, namespace: string): Promise<NamespaceRules> {
  const status = await selfReview(transport, {
    kind: 'SelfSubjectRulesReview',
    spec: { namespace },
  })
  if (!status.ok) return { namespace, rules: [], incomplete: '' }
  const why = textAt(status.value, 'evaluationError')
  const isIncomplete = status.value['incomplete'] === true
  return {
    namespace,
    rules: objectsAt(status.value, 'resourceRules'),
    incomplete: isIncomplete ? why || 'The server does not know all rules of this user.' : '',
  }
}

function note(needed: NeededRight, accesses: readonly Access[], namespaced: string): string {
  const unknown = accesses.find(({ allowed }) => allowed === 'unknown')
  if (unknown !== undefined)
    return `The server did not answer whether it is allowed: ${unknown.reason}`
  const denied = accesses.find(({ allowed }) => allowed === 'no')
  if (denied === undefined) return ''
  const said = denied.reason === '' ? '' : ` The server: ${denied.reason}`
  return `${needed.without}${said}${namespaced}`
}

function rulesOf(
  { apiGroup, resources }: NeededRight,
  accesses: readonly Access[],
  namespace: string,
): readonly RbacRule[] {
  return resources.flatMap((resource) => {
    const verbs = accesses
      .filter((one) => one.resource === resource && one.allowed === 'no')
      .map(({ verb }) => verb)
    return verbs.length === 0 ? [] : [{ apiGroup, resource, verbs, namespace }]
  })
}

interface AskedRight {
  readonly right: Right
  readonly missing: readonly RbacRule[]
}

async function askRight(
  transport: Transport,
  needed: NeededRight,
  { question, rules }: { readonly question: RightsQuestion; readonly rules: NamespaceRules },
): Promise<AskedRight> {
  const { id, title, verbs, resources, apiGroup, warning, scope } = needed
  const namespace = namespaceOf(needed, question)
  const accesses = await Promise.all(
    resources.flatMap((resource) =>
      verbs.map(async (verb) => askAccess(transport, { apiGroup, namespace }, { resource, verb })),
    ),
  )
  const has = (allowed: Right['allowed']): boolean =>
    accesses.some((one) => one.allowed === allowed)
  const allowed = has('unknown') ? 'unknown' : has('no') ? 'no' : 'yes'
  const isElsewhere =
    allowed === 'no' && scope === 'chosen' && namespace === '' && isAllowedBy(rules.rules, needed)
  const missing = rulesOf(needed, accesses, namespace)
  return {
    missing,
    right: {
      id,
      title,
      verbs,
      resources,
      apiGroup,
      namespace,
      allowed,
      missingVerbs: verbs.filter((verb) => missing.some((rule) => rule.verbs.includes(verb))),
      note: note(
        needed,
        accesses,
        isElsewhere ? ` It is allowed in the namespace ${rules.namespace}.` : '',
      ),
      warning,
      rule: rolesFor(missing),
    },
  }
}

/** What the server lets its user do here. Asks now; error: one sentence. */
export async function askRights(
  transport: Transport,
  question: RightsQuestion,
): Promise<Result<RightsView, string>> {
  const user = await selfReview(transport, { kind: 'SelfSubjectReview' })
  // Servers before 1.28 have none.
  if (!user.ok && user.error.code === undefined)
    return err(`The API server did not say what is allowed: ${user.error.message}`)
  const userInfo = user.ok ? objectAt(user.value, 'userInfo') : {}
  const rules = await askRules(transport, question.namespace ?? question.contextNamespace)
  const ask = async (needed: NeededRight): Promise<AskedRight> =>
    askRight(transport, needed, { question, rules })
  const look = await inParallel(lookRights, ask)
  const change = await inParallel(changeRights, ask)
  const broad = new Set(
    [...lookRights, ...changeRights].filter(({ isBroad }) => isBroad === true).map(({ id }) => id),
  )
  const missing = [...look, ...change].flatMap((one) =>
    broad.has(one.right.id) ? [] : one.missing,
  )
  return ok({
    user: textAt(userInfo, 'username'),
    groups: listAt(userInfo, 'groups').map(String),
    askedAt: question.now,
    namespace: question.namespace ?? '',
    look: look.map(({ right }) => right),
    change: change.map(({ right }) => right),
    impossible: impossibleActs,
    missingRules: rolesFor(missing),
    incomplete: rules.incomplete,
  })
}
