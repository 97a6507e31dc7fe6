import { isJsonObject, listAt, numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { unsupportedField } from '../../../shared/kubernetes/validation/field-problem.ts'
import { schemaNamed } from '../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../shared/kubernetes/schema/decode.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { badRequest, conflict, invalidOptions, serverError } from '../api-status.ts'
import { dryRunProblems } from './list-options.ts'
import type { Query } from './list-options.ts'
import type { ResourceType } from '../registry/resource-type.ts'

/** metav1.DeleteOptions, as far as it matters here. */
export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined
  /** Empty: not asked for. */
  readonly uid: string
  readonly resourceVersion: string
  readonly dryRun: boolean
}

// Dependents go by the garbage collector in any case: nothing here waits for them.
const propagationPolicies = ['', 'Background', 'Foreground', 'Orphan']

// How the original lists them.
const namedPolicies = ['Foreground', 'Background', 'Orphan', 'nil']

function optionsOf(body: JsonObject, dryRunInQuery: boolean): Result<DeleteOptions, KubeStatus> {
  const { error } = decodeAs(schemaNamed('meta.v1.DeleteOptions'), body)
  // Read outside the ways of objects: no reason and no words around it.
  if (error !== undefined) return err(serverError(error))
  const policy = textAt(body, 'propagationPolicy')
  const dryRun = listAt(body, 'dryRun')
  const problems = [
    ...dryRunProblems(dryRun),
    ...(propagationPolicies.includes(policy)
      ? []
      : [unsupportedField('propagationPolicy', policy, namedPolicies)]),
  ]
  if (problems.length > 0) return err(invalidOptions('DeleteOptions', problems))
  const preconditions = objectAt(body, 'preconditions')
  return ok({
    gracePeriodSeconds: numberAt(body, 'gracePeriodSeconds'),
    uid: textAt(preconditions, 'uid'),
    resourceVersion: textAt(preconditions, 'resourceVersion'),
    dryRun: dryRunInQuery || dryRun.length > 0,
  })
}

/** Reads the options of a deletion: from the body, or without one from the query. The error is the answer. */
export function deleteOptions(body: unknown, query: Query): Result<DeleteOptions, KubeStatus> {
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
  }
  return optionsOf(fromQuery, dryRun === 'All')
}

/** The conflict of a precondition that the object does not meet; `undefined` when it meets all. */
export function preconditionConflict(
  type: ResourceType,
  { metadata }: KubeObject,
  options: DeleteOptions,
): KubeStatus | undefined {
  // Named by its kind here, as the original does.
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
