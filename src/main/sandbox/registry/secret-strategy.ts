import {
  forbiddenField,
  immutableProblems,
  invalidField,
  invalidEach,
  problemIf,
  problemUnless,
  requiredField,
  tooLongField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { equalJson, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { configKeyProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import { plainStrategy } from './strategy.ts'

const maxDataBytes = 1024 * 1024

function withoutEmpty(object: KubeObject, field: string): KubeObject {
  if (Object.keys(objectAt(object, field)).length > 0) return object
  const { [field]: _, ...rest } = object
  return { ...rest, metadata: object.metadata }
}

/** `stringData` is write-only and merged into `data`. */
function withData(secret: KubeObject): KubeObject {
  const { stringData: _, ...rest } = secret
  const given = Object.entries(objectAt(secret, 'data')).map(([key, value]) => [key, value ?? ''])
  const written = Object.entries(objectAt(secret, 'stringData')).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ])
  const data = Object.fromEntries([...given, ...written])
  return withoutEmpty({ ...rest, metadata: secret.metadata, data }, 'data')
}

function keyProblems(data: JsonObject, field: string): FieldProblems {
  return Object.keys(data).flatMap((key) =>
    invalidEach(`${field}[${key}]`, key, configKeyProblems(key)),
  )
}

function required(data: JsonObject, ...keys: readonly string[]): FieldProblems {
  return keys.filter((key) => data[key] === undefined).map((key) => requiredField(`data[${key}]`))
}

function jsonProblems(data: JsonObject, key: string): FieldProblems {
  const missing = required(data, key)
  if (missing.length > 0) return missing
  try {
    JSON.parse(Buffer.from(textAt(data, key), 'base64').toString())
    return []
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [invalidField(`data[${key}]`, '<secret contents redacted>', why)]
  }
}

/** Secrets of this type get the token of the service account that the annotation names. */
export const accountTokenType = 'kubernetes.io/service-account-token'
export const accountAnnotation = 'kubernetes.io/service-account.name'
export const accountUidAnnotation = 'kubernetes.io/service-account.uid'

function typeProblems(secret: KubeObject, data: JsonObject): FieldProblems {
  switch (secret['type']) {
    case accountTokenType:
      if (secret.metadata.annotations?.[accountAnnotation]) return []
      return [requiredField(`metadata.annotations[${accountAnnotation}]`)]
    case 'kubernetes.io/dockercfg':
      return jsonProblems(data, '.dockercfg')
    case 'kubernetes.io/dockerconfigjson':
      return jsonProblems(data, '.dockerconfigjson')
    case 'kubernetes.io/basic-auth': {
      const either = required(data, 'username', 'password')
      return either.length === 2 ? either : []
    }
    case 'kubernetes.io/ssh-auth':
      // An empty key counts as missing.
      return textAt(data, 'ssh-privatekey') === '' ? [requiredField('data[ssh-privatekey]')] : []
    case 'kubernetes.io/tls':
      return required(data, 'tls.crt', 'tls.key')
    default:
      return []
  }
}

function bytesOf(encoded: unknown): number {
  return Buffer.byteLength(String(encoded), 'base64')
}

function secretProblems(secret: KubeObject): FieldProblems {
  const data = objectAt(secret, 'data')
  const size = Object.values(data).reduce<number>((sum, value) => sum + bytesOf(value), 0)
  return [
    ...keyProblems(data, 'data'),
    ...problemIf(size > maxDataBytes, tooLongField('data', maxDataBytes)),
    ...typeProblems(secret, data),
  ]
}

const frozen = 'field is immutable when `immutable` is set'

/** Problems of an update of an object with `immutable: true`. */
function frozenProblems(
  next: KubeObject,
  old: KubeObject,
  fields: readonly string[],
): FieldProblems {
  if (old['immutable'] !== true) return []
  return [
    ...problemUnless(next['immutable'] === true, forbiddenField('immutable', frozen)),
    ...fields
      .filter((field) => !equalJson(objectAt(next, field), objectAt(old, field)))
      .map((field) => forbiddenField(field, frozen)),
  ]
}

/** Secrets. Source: pkg/registry/core/secret/strategy.go, pkg/apis/core/validation ValidateSecret (v1.34). */
export const secretStrategy = plainStrategy({
  withDefaults: (secret) => ({ ...withData(secret), type: textAt(secret, 'type') || 'Opaque' }),
  defaultsWholeObject: true,
  createProblems: secretProblems,
  updateProblems: (next, old) => [
    ...immutableProblems('type', next['type'], old['type']),
    ...frozenProblems(next, old, ['data']),
    ...secretProblems(next),
  ],
})

function configMapProblems(map: KubeObject): FieldProblems {
  const data = objectAt(map, 'data')
  const binary = objectAt(map, 'binaryData')
  const both = Object.keys(data).filter((key) => Object.hasOwn(binary, key))
  const size =
    Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0) +
    Object.values(binary).reduce<number>((sum, value) => sum + bytesOf(value), 0)
  return [
    ...keyProblems(data, 'data'),
    ...both.map((key) =>
      invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData'),
    ),
    ...keyProblems(binary, 'binaryData'),
    ...problemIf(size > maxDataBytes, tooLongField('', maxDataBytes)),
  ]
}

/** Config maps. Source: pkg/registry/core/configmap/strategy.go (v1.34). */
export const configMapStrategy = plainStrategy({
  createProblems: configMapProblems,
  updateProblems: (next, old) => [
    ...frozenProblems(next, old, ['data', 'binaryData']),
    ...configMapProblems(next),
  ],
})

/** References to secrets keep only their name. */
function withSecretNames(account: KubeObject): KubeObject {
  if (account['secrets'] === undefined) return account
  const secrets = objectsAt(account, 'secrets').map(({ name }) => ({ name }))
  return { ...account, secrets }
}

/** Service accounts. Source: pkg/registry/core/serviceaccount/strategy.go (v1.34). */
export const serviceAccountStrategy = plainStrategy({
  prepareForCreate: withSecretNames,
  prepareForUpdate: withSecretNames,
  returnsDeletedObject: true,
})
