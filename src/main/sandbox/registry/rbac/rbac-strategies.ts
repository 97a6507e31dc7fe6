import {
  equalJson,
  isJsonObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  enumProblems,
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { dnsSubdomainProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { selectorProblems } from '../selector-validation.ts'
import { plainStrategy } from '../strategy.ts'
import type { ResourceStrategy } from '../strategy.ts'

const group = 'rbac.authorization.k8s.io'

/** Source: apimachinery pkg/api/validation/path IsValidPathSegmentName. */
function pathSegmentProblems(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}

function ruleProblems(rule: JsonObject, field: string, isNamespaced: boolean): FieldProblems {
  const has = (list: string): boolean => listAt(rule, list).length > 0
  const urls = listAt(rule, 'nonResourceURLs')
  const verbs = problemIf(
    !has('verbs'),
    requiredField(`${field}.verbs`, 'verbs must contain at least one value'),
  )
  if (urls.length > 0) {
    const at = `${field}.nonResourceURLs`
    const isBoth = has('apiGroups') || has('resources') || has('resourceNames')
    const both = 'rules cannot apply to both regular resources and non-resource URLs'
    const namespaced = 'namespaced rules cannot apply to non-resource URLs'
    return [
      ...verbs,
      ...problemIf(isNamespaced, invalidField(at, urls, namespaced)),
      ...problemIf(isBoth, invalidField(at, urls, both)),
    ]
  }
  const groups = 'resource rules must supply at least one api group'
  const resources = 'resource rules must supply at least one resource'
  return [
    ...verbs,
    ...problemIf(!has('apiGroups'), requiredField(`${field}.apiGroups`, groups)),
    ...problemIf(!has('resources'), requiredField(`${field}.resources`, resources)),
  ]
}

function aggregationProblems(role: KubeObject): FieldProblems {
  const rule = role['aggregationRule']
  if (!isJsonObject(rule)) return []
  const field = 'aggregationRule.clusterRoleSelectors'
  const selectors = objectsAt(rule, 'clusterRoleSelectors')
  const none = 'at least one clusterRoleSelector required if aggregationRule is non-nil'
  return [
    ...problemIf(selectors.length === 0, requiredField(field, none)),
    ...selectors.flatMap((selector, index) => {
      const at = `${field}[${index}]`
      const problems = selectorProblems(selector, at)
      // Upstream then prints the selector that could not be made.
      const unusable = invalidField(at, null, 'invalid label selector.')
      return [...problems, ...problemIf(problems.length > 0, unusable)]
    }),
  ]
}

function roleStrategy(isNamespaced: boolean): ResourceStrategy {
  const problems = (role: KubeObject): FieldProblems => [
    ...objectsAt(role, 'rules').flatMap((rule, index) =>
      ruleProblems(rule, `rules[${index}]`, isNamespaced),
    ),
    ...(isNamespaced ? [] : aggregationProblems(role)),
  ]
  return plainStrategy({
    nameRule: pathSegmentProblems,
    withDefaults: (role) => {
      const rules = objectsAt(role, 'rules').map((rule) => ({ verbs: null, ...rule }))
      return { ...role, rules: rules.length === 0 ? null : rules }
    },
    createProblems: problems,
    // Upstream validates the new role twice.
    updateProblems: (next) => [...problems(next), ...problems(next)],
    createsOnUpdate: true,
  })
}

/** Source: pkg/registry/rbac/role, pkg/apis/rbac/validation ValidateRole (v1.34). */
export const roleStrategies = { role: roleStrategy(true), clusterRole: roleStrategy(false) }

function accountProblems(subject: JsonObject, field: string, isNamespaced: boolean): FieldProblems {
  const name = textAt(subject, 'name')
  const lacksNamespace = !isNamespaced && textAt(subject, 'namespace') === ''
  return [
    ...(name === '' ? [] : invalidEach(`${field}.name`, name, dnsSubdomainProblems(name))),
    ...enumProblems(`${field}.apiGroup`, textAt(subject, 'apiGroup'), ['']),
    ...problemIf(lacksNamespace, requiredField(`${field}.namespace`)),
  ]
}

function subjectProblems(subject: JsonObject, field: string, isNamespaced: boolean): FieldProblems {
  const kind = textAt(subject, 'kind')
  const unnamed = problemIf(textAt(subject, 'name') === '', requiredField(`${field}.name`))
  if (kind === 'ServiceAccount')
    return [...unnamed, ...accountProblems(subject, field, isNamespaced)]
  if (kind === 'User' || kind === 'Group')
    return [...unnamed, ...enumProblems(`${field}.apiGroup`, textAt(subject, 'apiGroup'), [group])]
  return [...unnamed, ...enumProblems(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
}

function referenceProblems(reference: JsonObject, isNamespaced: boolean): FieldProblems {
  const name = textAt(reference, 'name')
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  return [
    ...enumProblems('roleRef.apiGroup', textAt(reference, 'apiGroup'), [group]),
    ...enumProblems('roleRef.kind', textAt(reference, 'kind'), kinds),
    ...(name === ''
      ? [requiredField('roleRef.name')]
      : invalidEach('roleRef.name', name, pathSegmentProblems(name))),
  ]
}

/** Source: pkg/apis/rbac/v1 SetDefaults_Subject, SetDefaults_RoleBinding. */
function bindingWithDefaults(binding: KubeObject): KubeObject {
  const reference = objectAt(binding, 'roleRef')
  const subjects = objectsAt(binding, 'subjects').map((subject) => {
    const isPerson = subject['kind'] === 'User' || subject['kind'] === 'Group'
    const apiGroup = textAt(subject, 'apiGroup') || (isPerson ? group : '')
    return apiGroup === '' ? subject : { ...subject, apiGroup }
  })
  const { subjects: _, ...rest } = binding
  return {
    ...rest,
    metadata: binding.metadata,
    roleRef: { kind: '', name: '', ...reference, apiGroup: textAt(reference, 'apiGroup') || group },
    ...(subjects.length === 0 ? {} : { subjects }),
  }
}

/** The internal type as Go prints it. */
function internalReference(reference: JsonObject): JsonObject {
  const at = (field: string): string => textAt(reference, field)
  return { APIGroup: at('apiGroup'), Kind: at('kind'), Name: at('name') }
}

function bindingStrategy(isNamespaced: boolean): ResourceStrategy {
  const problems = (binding: KubeObject): FieldProblems => [
    ...referenceProblems(objectAt(binding, 'roleRef'), isNamespaced),
    ...objectsAt(binding, 'subjects').flatMap((subject, index) =>
      subjectProblems(subject, `subjects[${index}]`, isNamespaced),
    ),
  ]
  return plainStrategy({
    nameRule: pathSegmentProblems,
    withDefaults: bindingWithDefaults,
    createProblems: problems,
    updateProblems: (next, old) => {
      const isSame = equalJson(next['roleRef'], old['roleRef'])
      const shown = internalReference(objectAt(next, 'roleRef'))
      const changed = problemIf(!isSame, invalidField('roleRef', shown, 'cannot change roleRef'))
      return [...problems(next), ...problems(next), ...changed]
    },
    createsOnUpdate: true,
  })
}

/** Source: pkg/registry/rbac/rolebinding, pkg/apis/rbac/validation ValidateRoleBinding (v1.34). */
export const bindingStrategies = {
  binding: bindingStrategy(true),
  clusterBinding: bindingStrategy(false),
}
