import { textAt } from '../../../shared/json.ts'
import { resource } from '../registry/resource-types.ts'
import type { ResourceType } from '../registry/resource-type.ts'

const authorization = 'authorization.k8s.io/v1'
const authentication = 'authentication.k8s.io/v1'
const created = { verbs: ['create'] } as const
const inCluster = { ...created, namespaced: false } as const

/** Questions about rights and identities: they are answered and never stored. */
const reviewTypes: readonly ResourceType[] = [
  resource(authentication, 'SelfSubjectReview', 'selfsubjectreviews', inCluster),
  resource(authentication, 'TokenReview', 'tokenreviews', inCluster),
  resource(authorization, 'LocalSubjectAccessReview', 'localsubjectaccessreviews', created),
  resource(authorization, 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', inCluster),
  resource(authorization, 'SelfSubjectRulesReview', 'selfsubjectrulesreviews', inCluster),
  resource(authorization, 'SubjectAccessReview', 'subjectaccessreviews', inCluster),
]

/** The old path of pods/binding. */
export const bindingType = resource('v1', 'Binding', 'bindings', created)

/** What is created and never stored. */
export const unstoredTypes: readonly ResourceType[] = [bindingType, ...reviewTypes]

export function isReview(type: ResourceType): boolean {
  return reviewTypes.includes(type)
}

/** A type without more than a name, for a review that asks about a resource that is not served. */
export function namedType(attributes: Readonly<Record<string, unknown>>): ResourceType {
  const group = textAt(attributes, 'group')
  return resource(group === '' ? 'v1' : `${group}/v1`, '', textAt(attributes, 'resource'))
}
