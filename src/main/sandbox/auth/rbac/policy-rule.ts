import { quotedList } from '../../../../shared/go/text.ts'
import { listAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { Attributes } from '../request-attributes.ts'

/** A rule of a role. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

const lists = ['apiGroups', 'resources', 'nonResourceURLs', 'resourceNames', 'verbs'] as const

export function policyRule(rule: JsonObject): PolicyRule {
  const [apiGroups, resources, nonResourceURLs, resourceNames, verbs] = lists.map((field) =>
    listAt(rule, field).map(String),
  )
  return {
    verbs: verbs ?? [],
    apiGroups: apiGroups ?? [],
    resources: resources ?? [],
    resourceNames: resourceNames ?? [],
    nonResourceURLs: nonResourceURLs ?? [],
  }
}

/** The rule as objects and reviews show it: Go omits empty lists. */
export function shownRule(rule: PolicyRule): JsonObject {
  const filled = lists.filter((field) => rule[field].length > 0)
  return { verbs: rule.verbs, ...Object.fromEntries(filled.map((field) => [field, rule[field]])) }
}

function hasOrAll(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value)
}

/** Whether a path of a rule covers another path. */
function coversPath(own: string, path: string): boolean {
  return own === path || (own.endsWith('*') && path.startsWith(own.replace(/\*+$/, '')))
}

/** Source: pkg/apis/rbac/v1 ResourceMatches. */
function coversResource(
  resources: readonly string[],
  resource: string,
  subresource: string,
): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`
  return (
    hasOrAll(resources, combined) || (subresource !== '' && resources.includes(`*/${subresource}`))
  )
}

/** Source: plugin/pkg/auth/authorizer/rbac RuleAllows (v1.34). */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!hasOrAll(rule.verbs, attributes.verb)) return false
  if (attributes.kind === 'path')
    return rule.nonResourceURLs.some((own) => own === '*' || coversPath(own, attributes.path))
  const { group, resource, subresource, name } = attributes
  return (
    hasOrAll(rule.apiGroups, group) &&
    coversResource(rule.resources, resource, subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  )
}

/** Rules of one verb and one resource and name, or of one verb and one path. Source: BreakdownRule. */
function brokenDown(rule: PolicyRule): readonly PolicyRule[] {
  const { apiGroups, resources, verbs, resourceNames, nonResourceURLs } = rule
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name])
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((ofOne) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames: ofOne,
          nonResourceURLs: [],
        })),
      ),
    ),
  )
  const ofPaths = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({
      verbs: [verb],
      apiGroups: [],
      resources: [],
      resourceNames: [],
      nonResourceURLs: [url],
    })),
  )
  return [...ofResources, ...ofPaths]
}

/** Whether a rule covers one that is broken down. Source: component-helpers auth/rbac/validation ruleCovers. */
function covers(owner: PolicyRule, rule: PolicyRule): boolean {
  const hasAll = (of: 'verbs' | 'apiGroups'): boolean =>
    owner[of].includes('*') || rule[of].every((one) => owner[of].includes(one))
  return (
    hasAll('verbs') &&
    hasAll('apiGroups') &&
    rule.resources.every((one) => {
      const slash = one.indexOf('/')
      const isOfAny = slash >= 0 && owner.resources.includes(`*/${one.slice(slash + 1)}`)
      return hasOrAll(owner.resources, one) || isOfAny
    }) &&
    (owner.resourceNames.length === 0 ||
      (rule.resourceNames.length > 0 &&
        rule.resourceNames.every((one) => owner.resourceNames.includes(one)))) &&
    rule.nonResourceURLs.every((path) => owner.nonResourceURLs.some((own) => coversPath(own, path)))
  )
}

/** What the owner's rules do not cover of others. Source: component-helpers auth/rbac/validation Covers. */
export function missingRules(
  owner: readonly PolicyRule[],
  rules: readonly PolicyRule[],
): readonly PolicyRule[] {
  return rules.flatMap(brokenDown).filter((rule) => !owner.some((own) => covers(own, rule)))
}

/** Rules of one resource and name that differ only by their verb become one. Source: CompactRules. */
function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const ofPaths = rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
  const byResource = new Map<string, PolicyRule>()
  for (const rule of rules.filter(({ nonResourceURLs }) => nonResourceURLs.length === 0)) {
    const { verbs, ...rest } = rule
    const key = JSON.stringify(rest)
    const known = byResource.get(key)
    byResource.set(key, known === undefined ? rule : { ...rule, verbs: [...known.verbs, ...verbs] })
  }
  return [...ofPaths, ...byResource.values()]
}

const names: Readonly<Record<(typeof lists)[number], string>> = {
  apiGroups: 'APIGroups',
  resources: 'Resources',
  nonResourceURLs: 'NonResourceURLs',
  resourceNames: 'ResourceNames',
  verbs: 'Verbs',
}

/** Missing rules as an error names them, a line each. Source: ConfirmNoEscalation, CompactString. */
export function rulesText(rules: readonly PolicyRule[]): string {
  const lines = compacted(rules).map((rule) => {
    const filled = lists.filter((field) => rule[field].length > 0)
    return `{${filled.map((field) => `${names[field]}:${quotedList(rule[field])}`).join(', ')}}`
  })
  return [...new Set(lines)].toSorted(byBytes).join('\n')
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
