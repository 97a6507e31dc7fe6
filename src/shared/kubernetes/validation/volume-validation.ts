import { objectAt, objectsAt, textAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import {
  duplicateField,
  enumProblems,
  forbiddenField,
  invalidEach,
  invalidField,
  requiredField,
  unknownReference,
  unsupportedField,
} from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'
import { dnsLabelProblems } from './name-rules.ts'
import type { PodRules } from '../pod-rules.ts'
import { parseQuantity } from '../quantity.ts'

// Sorted, as in the server's message.
const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

/** Problems of a path on the node, of a pod's volume or a persistent one. */
export function hostPathProblems(source: JsonObject, field: string): readonly FieldProblem[] {
  const path = textAt(source, 'path')
  if (path === '') return [requiredField(`${field}.path`)]
  const type = textAt(source, 'type')
  return [
    ...(path.split('/').includes('..')
      ? [invalidField(`${field}.path`, path, "must not contain '..'")]
      : []),
    ...enumProblems(`${field}.type`, type, hostPathTypes),
  ]
}

// The one field that a reference needs, per kind of source.
const neededField: Readonly<Record<string, string>> = {
  secret: 'secretName',
  configMap: 'name',
  persistentVolumeClaim: 'claimName',
}

/** When an image is pulled, in the order of the server's message. */
export const pullPolicies = ['Always', 'IfNotPresent', 'Never']

/** Nothing gives an image volume a policy while its feature is off; a kubelet validates it anyway. */
function imageProblems(
  source: JsonObject,
  rules: PodRules,
  field: string,
): readonly FieldProblem[] {
  const policy = textAt(source, 'pullPolicy')
  if (!rules.requiresImageVolumePullPolicy || pullPolicies.includes(policy)) return []
  const at = `${field}.pullPolicy`
  return [policy === '' ? requiredField(at) : unsupportedField(at, policy, pullPolicies)]
}

function sourceProblems(
  kind: string,
  source: JsonObject,
  rules: PodRules,
  field: string,
): readonly FieldProblem[] {
  if (kind === 'image') return imageProblems(source, rules, field)
  if (kind === 'hostPath') return hostPathProblems(source, field)
  if (kind === 'emptyDir') {
    const nanos = parseQuantity(source['sizeLimit'])?.nanos ?? 0n
    return nanos < 0n
      ? [forbiddenField(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : []
  }
  const needed = neededField[kind]
  if (needed === undefined || textAt(source, needed) !== '') return []
  return [requiredField(`${field}.${needed}`)]
}

function volumeProblems(
  volume: JsonObject,
  rules: PodRules,
  field: string,
): readonly FieldProblem[] {
  const name = textAt(volume, 'name')
  const kinds = Object.keys(volume).filter((key) => key !== 'name')
  const problems = kinds.flatMap((kind, index) =>
    index === 0
      ? sourceProblems(kind, objectAt(volume, kind), rules, `${field}.${kind}`)
      : [forbiddenField(`${field}.${kind}`, 'may not specify more than 1 volume type')],
  )
  if (name === '') return [...problems, requiredField(`${field}.name`)]
  return [...problems, ...invalidEach(`${field}.name`, name, dnsLabelProblems(name))]
}

/** Problems of `spec.volumes`, and the names that mounts may refer to. */
export function volumesProblems(
  spec: JsonObject,
  rules: PodRules,
): {
  readonly problems: readonly FieldProblem[]
  readonly names: ReadonlySet<string>
} {
  const names = new Set<string>()
  const problems = objectsAt(spec, 'volumes').flatMap((volume, index) => {
    const field = `spec.volumes[${index}]`
    const name = textAt(volume, 'name')
    const found = [
      ...volumeProblems(volume, rules, field),
      ...(names.has(name) ? [duplicateField(`${field}.name`, name)] : []),
    ]
    if (found.length === 0) names.add(name)
    return found
  })
  return { problems, names }
}

/** Problems of a container's `volumeMounts`; `field` is the container's. */
export function mountProblems(
  container: JsonObject,
  volumes: ReadonlySet<string>,
  field: string,
): readonly FieldProblem[] {
  const paths = new Set<string>()
  return objectsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const at = `${field}.volumeMounts[${index}]`
    const name = textAt(mount, 'name')
    const path = textAt(mount, 'mountPath')
    const isRepeated = paths.has(path)
    paths.add(path)
    return [
      ...(name === '' ? [requiredField(`${at}.name`)] : []),
      ...(volumes.has(name) ? [] : [unknownReference(`${at}.name`, name)]),
      ...(path === '' ? [requiredField(`${at}.mountPath`)] : []),
      ...(isRepeated ? [invalidField(`${at}.mountPath`, path, 'must be unique')] : []),
    ]
  })
}
