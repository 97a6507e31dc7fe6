import { listAt, objectAt, objectsAt, textAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import {
  forbiddenField,
  invalidEach,
  invalidField,
  requiredField,
  tooLongField,
} from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from './name-rules.ts'

/** Which rule an object's name follows. */
export type NameRule = (name: string) => readonly string[]

const annotationLimitBytes = 256 * 1024

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

/** Problems of a set of labels, or of a node selector, which follows the same rules. */
export function labelProblems(labels: JsonObject, field: string): readonly FieldProblem[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...invalidEach(field, key, qualifiedNameProblems(key)),
    ...invalidEach(field, String(value), labelValueProblems(String(value))),
  ])
}

/** Problems of a set of annotations. */
export function annotationProblems(
  annotations: JsonObject,
  field: string,
): readonly FieldProblem[] {
  const entries = Object.entries(annotations)
  const size = entries.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0)
  return [
    ...entries.flatMap(([key]) =>
      invalidEach(field, key, qualifiedNameProblems(key.toLowerCase())),
    ),
    ...(size > annotationLimitBytes ? [tooLongField(field, annotationLimitBytes)] : []),
  ]
}

function ownerProblems(owner: JsonObject, field: string): readonly FieldProblem[] {
  const needed = ['kind', 'name', 'uid'].filter((part) => textAt(owner, part) === '')
  return [
    ...(textAt(owner, 'apiVersion') === ''
      ? [invalidField(`${field}.apiVersion`, '', 'version must not be empty')]
      : []),
    ...needed.map((part) => invalidField(`${field}.${part}`, '', 'must not be empty')),
  ]
}

function ownersProblems(metadata: JsonObject, field: string): readonly FieldProblem[] {
  const owners = objectsAt(metadata, 'ownerReferences')
  const problems = owners.flatMap((owner) => ownerProblems(owner, field))
  const controllers = owners
    .filter((owner) => owner['controller'] === true)
    .map((owner) => `${textAt(owner, 'kind')}/${textAt(owner, 'name')}`)
  const [first, ...others] = controllers
  return [
    ...problems,
    ...others.map((other) =>
      invalidField(
        field,
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`,
      ),
    ),
  ]
}

function finalizerProblems(
  metadata: JsonObject,
  field: string,
  takesPlain: boolean,
): readonly FieldProblem[] {
  const finalizers = listAt(metadata, 'finalizers').map(String)
  return [
    ...finalizers.flatMap((finalizer) =>
      invalidEach(field, finalizer, qualifiedNameProblems(finalizer)),
    ),
    ...finalizers.flatMap((finalizer, index) =>
      takesPlain || finalizer.includes('/') || standardFinalizers.includes(finalizer)
        ? []
        : [
            invalidField(
              `${field}[${index}]`,
              finalizer,
              'name is neither a standard finalizer name nor is it fully qualified',
            ),
          ],
    ),
  ]
}

/**
 * The checks that creating and updating share: labels, annotations, owners, finalizers. `takesPlainFinalizers`: those without a
 * domain, too.
 */
export function sharedMetaProblems(
  metadata: JsonObject,
  { takesPlainFinalizers = false }: { readonly takesPlainFinalizers?: boolean } = {},
): readonly FieldProblem[] {
  return [
    ...labelProblems(objectAt(metadata, 'labels'), 'metadata.labels'),
    ...annotationProblems(objectAt(metadata, 'annotations'), 'metadata.annotations'),
    ...ownersProblems(metadata, 'metadata.ownerReferences'),
    ...finalizerProblems(metadata, 'metadata.finalizers', takesPlainFinalizers),
  ]
}

function nameProblems(metadata: JsonObject, rule: NameRule): readonly FieldProblem[] {
  const name = textAt(metadata, 'name')
  const prefix = textAt(metadata, 'generateName')
  return [
    // What follows a trailing dash is generated; the character before it is not looked at either.
    ...(prefix === ''
      ? []
      : invalidEach('metadata.generateName', prefix, rule(prefix.replace(/.-$/, 'a')))),
    ...(name === ''
      ? [requiredField('metadata.name', 'name or generateName is required')]
      : invalidEach('metadata.name', name, rule(name))),
  ]
}

/**
 * Problems of the metadata of an object to create; a missing namespace is not one, since it is the
 * request's path or the source's default that decides it.
 * Source: apimachinery pkg/api/validation/objectmeta.go.
 */
export function objectMetaProblems(
  metadata: JsonObject,
  options: {
    readonly namespaced: boolean
    readonly nameRule?: NameRule
    readonly takesPlainFinalizers?: boolean
  },
): readonly FieldProblem[] {
  const namespace = textAt(metadata, 'namespace')
  const field = 'metadata.namespace'
  const namespaceProblems = options.namespaced
    ? invalidEach(field, namespace, namespace === '' ? [] : dnsLabelProblems(namespace))
    : namespace === ''
      ? []
      : [forbiddenField(field, 'not allowed on this type')]
  return [
    ...nameProblems(metadata, options.nameRule ?? dnsSubdomainProblems),
    ...namespaceProblems,
    ...sharedMetaProblems(metadata, options),
  ]
}
