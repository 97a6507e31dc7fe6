import { X509Certificate } from 'node:crypto'
import { defined, listAt, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import {
  duplicateField,
  enumProblems,
  forbiddenField,
  invalidField,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { knownUsages } from '../../certificates/certificate-authority.ts'
import { parseCertificateRequest } from '../../certificates/certificate-request.ts'
import { pemBlocks } from '../../certificates/der.ts'
import { plainStrategy, withFieldOf } from '../strategy.ts'
import type { ResourceStrategy } from '../strategy.ts'
import { signerNameProblems } from './signer-name.ts'

/** The text of a field with bytes: a PEM text. */
export function pemAt(object: JsonObject, field: string): string {
  return Buffer.from(textAt(object, field), 'base64').toString()
}

export function conditionsOf(request: KubeObject): readonly JsonObject[] {
  return objectsAt(objectAt(request, 'status'), 'conditions')
}

const onlyTrue: ReadonlySet<string> = new Set(['Approved', 'Denied', 'Failed'])

function usageProblems(usages: readonly unknown[]): FieldProblems {
  const field = 'spec.usages'
  const known = knownUsages.toSorted()
  return [
    ...problemIf(usages.length === 0, requiredField(field)),
    ...usages.flatMap((usage, index) => enumProblems(`${field}[${index}]`, usage, known)),
    ...usages.flatMap((usage, index) =>
      problemIf(usages.indexOf(usage) < index, duplicateField(`${field}[${index}]`, usage)),
    ),
  ]
}

function signerProblems(name: string): FieldProblems {
  const field = 'spec.signerName'
  const why = 'the legacy signerName is not allowed via this API version'
  return name === 'kubernetes.io/legacy-unknown'
    ? [invalidField(field, name, why)]
    : signerNameProblems(field, name)
}

/** Source: validateConditions. */
function conditionsProblems(conditions: readonly JsonObject[]): FieldProblems {
  const field = 'status.conditions'
  const types = conditions.map((condition) => textAt(condition, 'type'))
  return conditions.flatMap((condition, index) => {
    const [type, status] = [types[index] ?? '', textAt(condition, 'status')]
    const at = `${field}[${index}]`
    const allowed = onlyTrue.has(type) ? ['True'] : ['False', 'True', 'Unknown']
    const before = types.slice(0, index)
    const isSecond =
      (type === 'Approved' && before.includes('Denied')) ||
      (type === 'Denied' && before.includes('Approved'))
    const exclusive = 'Approved and Denied conditions are mutually exclusive'
    return [
      ...problemIf(type === '', requiredField(`${at}.type`)),
      ...(status === ''
        ? [requiredField(`${at}.status`)]
        : enumProblems(`${at}.status`, status, allowed)),
      ...problemIf(isSecond, invalidField(field, type, exclusive)),
      ...problemIf(before.includes(type), duplicateField(`${at}.type`, type)),
    ]
  })
}

function isCertificate(bytes: Buffer): boolean {
  try {
    return new X509Certificate(bytes).subject !== null
  } catch {
    return false
  }
}

/** Why a text is not a list of certificates in PEM; empty if it is. Source: validateCertificate. */
function certificateProblem(pem: string): string {
  if (pem === '') return ''
  const blocks = pemBlocks(pem)
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE')
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`
    if (hasHeaders) return 'no PEM block headers are permitted'
    if (!isCertificate(bytes)) return 'x509: malformed certificate'
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : ''
}

/** Source: pkg/apis/certificates/validation validateCertificateSigningRequest (v1.34). */
function problemsOf(request: KubeObject, old?: KubeObject): FieldProblems {
  const spec = objectAt(request, 'spec')
  const status = objectAt(request, 'status')
  const parsed = parseCertificateRequest(pemAt(spec, 'request'))
  const seconds = numberAt(spec, 'expirationSeconds')
  const least = 'may not specify a duration less than 600 seconds (10 minutes)'
  const isSame = status['certificate'] === objectAt(old ?? {}, 'status')['certificate']
  const certificate = isSame ? '' : certificateProblem(pemAt(status, 'certificate'))
  return [
    ...(parsed.ok ? [] : [invalidField('spec.request', spec['request'] ?? null, parsed.error)]),
    ...usageProblems(listAt(spec, 'usages')),
    ...signerProblems(textAt(spec, 'signerName')),
    ...problemIf(
      seconds !== undefined && seconds < 600,
      invalidField('spec.expirationSeconds', seconds, least),
    ),
    ...conditionsProblems(conditionsOf(request)),
    ...problemIf(
      certificate !== '',
      invalidField('status.certificate', '<certificate data>', certificate),
    ),
  ]
}

type Subresource = '' | 'status' | 'approval'

/** Source: validateCertificateSigningRequestUpdate. */
export function updateProblems(subresource: Subresource) {
  return (next: KubeObject, old: KubeObject): FieldProblems => {
    const field = 'status.conditions'
    const count = (request: KubeObject, type: string): number =>
      conditionsOf(request).filter((condition) => condition['type'] === type).length
    const certificateOf = (request: KubeObject): string =>
      textAt(objectAt(request, 'status'), 'certificate')
    const isOther = certificateOf(next) !== certificateOf(old)
    const certificate = 'status.certificate'
    return [
      ...problemsOf(next, old),
      ...['Approved', 'Denied', 'Failed'].flatMap((type) =>
        problemIf(
          count(next, type) < count(old, type),
          forbiddenField(field, `updates may not remove a condition of type "${type}"`),
        ),
      ),
      ...(subresource === 'approval' ? [] : ['Approved', 'Denied']).flatMap((type) =>
        problemIf(
          count(next, type) > count(old, type),
          forbiddenField(field, `updates may not add a condition of type "${type}"`),
        ),
      ),
      ...(subresource === 'status'
        ? problemIf(
            isOther && certificateOf(old) !== '',
            forbiddenField(certificate, 'updates may not modify existing certificate content'),
          )
        : problemIf(
            isOther,
            forbiddenField(certificate, 'updates may not set certificate content'),
          )),
    ]
  }
}

/** The conditions of a type as they were, unless there are more or fewer now. Source: preserveConditionInstances. */
function withOldConditions(
  conditions: readonly JsonObject[],
  old: readonly JsonObject[],
  type: string,
): readonly JsonObject[] {
  const before = old.filter((condition) => condition['type'] === type)
  const now = conditions.filter((condition) => condition['type'] === type)
  if (before.length !== now.length) return conditions
  return conditions.map((condition) => before[now.indexOf(condition)] ?? condition)
}

/** Source: populateConditionTimestamps. */
export function withTimes(
  conditions: readonly JsonObject[],
  old: readonly JsonObject[],
  now: number,
): readonly JsonObject[] {
  return conditions.map((condition) => {
    const { type, status, reason, message, lastUpdateTime, lastTransitionTime, ...rest } = condition
    const before = old.find((one) => one['type'] === type && one['status'] === status)
    return {
      ...defined({ type, status, reason, message }),
      ...rest,
      lastUpdateTime: lastUpdateTime || toTimestamp(now),
      lastTransitionTime: lastTransitionTime || before?.['lastTransitionTime'] || toTimestamp(now),
    }
  })
}

function prepareForStatusUpdate(next: KubeObject, old: KubeObject, now: number): KubeObject {
  const before = conditionsOf(old)
  const kept = ['Approved', 'Denied'].reduce(
    (conditions, type) => withOldConditions(conditions, before, type),
    conditionsOf(next),
  )
  const conditions = withTimes(kept, before, now)
  const status = {
    ...objectAt(next, 'status'),
    ...(conditions.length === 0 ? {} : { conditions }),
  }
  return { ...withFieldOf(next, 'spec', old), status }
}

/** The request as its user may create it: the server knows who asks. Source: csrStrategy.PrepareForCreate. */
export function withRequester(
  request: KubeObject,
  { user, groups }: { readonly user: string; readonly groups: readonly string[] },
): KubeObject {
  const { uid: _uid, extra: _extra, ...spec } = objectAt(request, 'spec')
  return { ...request, spec: { ...spec, username: user, groups } }
}

/** Requests for certificates. Source: pkg/registry/certificates/certificates/strategy.go (v1.34). */
export const certificateRequestStrategy: ResourceStrategy = plainStrategy({
  nameRule: () => [],
  prepareForCreate: (request) => ({ ...request, status: {} }),
  createProblems: problemsOf,
  prepareForUpdate: (next, old) => withFieldOf(withFieldOf(next, 'spec', old), 'status', old),
  updateProblems: updateProblems(''),
  prepareForStatusUpdate,
  statusProblems: updateProblems('status'),
})
