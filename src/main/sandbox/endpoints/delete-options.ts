import { isJsonObject, listAt, numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  invalidField,
  problemIf,
  problemUnless,
  unsupportedField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import { schemaNamed } from '../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../shared/kubernetes/schema/decode.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { badRequest, conflict, invalidOptions, serverError } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { dryRunProblems } from './list-options.ts'
import type { Query } from './list-options.ts'

/** The fields of metav1.DeleteOptions that the sandbox uses. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined
  /** Empty: no precondition. */
  readonly uid: string
  readonly resourceVersion: string
  readonly dryRun: boolean
  /** `Foreground`, `Background`, `Orphan`; empty: not given. */
  readonly propagationPolicy: string
  /** The deprecated way to say the same. */
  readonly orphanDependents: boolean | undefined
}

// In upstream's order.
const namedPolicies = ['Foreground', 'Background', 'Orphan']

function optionsOf(body: JsonObject, dryRunInQuery: boolean): ApiResult<DeleteOptions> {
  const { error } = decodeAs(schemaNamed('meta.v1.DeleteOptions'), body)
  // Not decoded like an object: the error has no reason and no prefix.
  if (error !== undefined) return err(serverError(error))
  const policy = textAt(body, 'propagationPolicy')
  const dryRun = listAt(body, 'dryRun')
  const orphan = body['orphanDependents']
  const orphanDependents = typeof orphan === 'boolean' ? orphan : undefined
  const bothSet = 'orphanDependents and deletionPropagation cannot be both set'
  const problems = [
    ...dryRunProblems(dryRun),
    ...problemIf(
      policy !== '' && orphanDependents !== undefined,
      invalidField('propagationPolicy', policy, bothSet),
    ),
    ...problemUnless(
      policy === '' || namedPolicies.includes(policy),
      unsupportedField('propagationPolicy', policy, [...namedPolicies, 'nil']),
    ),
  ]
  if (problems.length > 0) return err(invalidOptions('DeleteOptions', problems))
  const preconditions = objectAt(body, 'preconditions')
  return ok({
    gracePeriodSeconds: numberAt(body, 'gracePeriodSeconds'),
    uid: textAt(preconditions, 'uid'),
    resourceVersion: textAt(preconditions, 'resourceVersion'),
    dryRun: dryRunInQuery || dryRun.length > 0,
    propagationPolicy: policy,
    orphanDependents,
  })
}

/** Parses the options of a deletion from the body, or from the query if there is no body. The error is the answer. */
export function deleteOptions(body: unknown, query: Query): ApiResult<DeleteOptions> {
  const dryRun = query['dryRun'] ?? ''
  const problems = dryRunProblems(dryRun === '' ? [] : [dryRun])
  if (problems.length > 0) return err(invalidOptions('DeleteOptions', problems))
  if (body !== undefined && body !== null) {
    if (!isJsonObject(body)) return err(badRequest('the options of a deletion must be an object'))
    const kind = textAt(body, 'kind')
    if (kind !== '' && kind !== 'DeleteOptions') {
      return err(badRequest(`the options of a deletion cannot be a ${kind}`))
    }
    return optionsOf(body, dryRun === 'All')
  }
  const grace = query['gracePeriodSeconds']
  if (grace !== undefined && !/^-?\d{1,15}$/.test(grace)) {
    const shown = JSON.stringify(grace)
    return err(badRequest(`strconv.ParseInt: parsing ${shown}: invalid syntax`))
  }
  const fromQuery = {
    ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }),
    propagationPolicy: query['propagationPolicy'] ?? '',
    ...(query['orphanDependents'] === undefined
      ? {}
      : { orphanDependents: query['orphanDependents'] === 'true' }),
  }
  return optionsOf(fromQuery, dryRun === 'All')
}

/** The conflict of a precondition that the object does not meet; `undefined` if it meets all. */
export function preconditionConflict(
  type: ResourceType,
  { metadata }: KubeObject,
  options: DeleteOptions,
): KubeStatus | undefined {
  // Upstream names the resource by its kind here.
  const kind = type.group === '' ? type.kind : `${type.kind}.${type.group}`
  if (options.uid !== '' && options.uid !== metadata.uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`
    return conflict(type, metadata.name, why, kind)
  }
  const version = options.resourceVersion
  if (version !== '' && version !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${version}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`
    return conflict(type, metadata.name, why, kind)
  }
  return undefined
}
