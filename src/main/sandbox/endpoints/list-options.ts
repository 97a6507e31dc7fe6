import {
  enumProblems,
  forbiddenField,
  problemUnless,
  unsupportedField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { isOn, numberError, parseInteger } from '../../../shared/go/query.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import {
  fieldSelector,
  fieldTerms,
  selectedValue,
} from '../../../shared/kubernetes/selectors/field-selector.ts'
import { labelSelector } from '../../../shared/kubernetes/selectors/label-selector.ts'
import { metaFields } from '../../../shared/kubernetes/selectors/selectable-fields.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { badRequest, invalidOptions, serverError } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { isBuiltIn } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'

export type Query = Readonly<Record<string, string>>

/** The options of a list or a watch, from its query. */
export interface ListOptions {
  readonly matches: (object: KubeObject) => boolean
  /** True if there is a selector: then the server does not count the remaining objects. */
  readonly isSelective: boolean
  /** 0: no limit. */
  readonly limit: number
  readonly continueToken: string
  /** As given: empty, `0`, or a version of this server. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly sendInitialEvents: boolean | undefined
  readonly allowWatchBookmarks: boolean
  readonly timeoutSeconds: number | undefined
}

function integer(query: Query, name: string): ApiResult<number | undefined> {
  const text = query[name]
  if (text === undefined || text === '') return ok(undefined)
  const number = parseInteger(text)
  return number.ok ? number : err(badRequest(number.error))
}

/** A resource version, 0 for an empty text. The error is Go's. */
export function parseResourceVersion(text: string): Result<number, string> {
  if (text === '') return ok(0)
  const problem = numberError(text, { pattern: /^\d+$/, largest: 2n ** 64n - 1n })
  return problem === undefined ? ok(Number(text)) : err(`strconv.ParseUint: parsing ${problem}`)
}

/** kube-apiserver's error for an invalid resource version in a query. */
export function invalidVersionMessage(text: string, problem: string): string {
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${problem}`
}

function matchProblems(options: ListOptions, isWatch: boolean): FieldProblems {
  const match = options.resourceVersionMatch
  const field = 'resourceVersionMatch'
  if (isWatch && options.sendInitialEvents === undefined) {
    const detail = `${field} is forbidden for watch unless sendInitialEvents is provided`
    return problemUnless(match === '', forbiddenField(field, detail))
  }
  if (options.sendInitialEvents !== undefined) {
    if (!isWatch) {
      return [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    }
    const detail = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    return [
      ...problemUnless(match === 'NotOlderThan', forbiddenField(field, detail)),
      ...(match === '' ? [] : enumProblems(field, match, ['NotOlderThan'])),
    ]
  }
  return listMatchProblems(options)
}

function listMatchProblems(options: ListOptions): FieldProblems {
  const { resourceVersionMatch: match, resourceVersion, continueToken } = options
  const field = 'resourceVersionMatch'
  if (match === '') return []
  if (continueToken !== '') return [forbiddenField(field, `${field} is forbidden for continue`)]
  if (resourceVersion === '') {
    return [forbiddenField(field, `${field} is forbidden unless resourceVersion is provided`)]
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    return [unsupportedField(field, match, ['Exact', 'NotOlderThan', ''])]
  }
  if (match === 'Exact' && resourceVersion === '0') {
    return [forbiddenField(field, `${field} "Exact" is forbidden for resourceVersion "0"`)]
  }
  return []
}

/** Jobs have words of their own. Source: pkg/apis/batch/v1/conversion.go. */
function fieldError(type: ResourceType, error: string): string {
  const [, field] = /^field label not supported: (.*)$/.exec(error) ?? []
  return isBuiltIn(type, 'Job') && field !== undefined
    ? `field label ${JSON.stringify(field)} not supported for Job`
    : error
}

function selectors(
  type: ResourceType,
  query: Query,
  name: string,
): ApiResult<Pick<ListOptions, 'matches' | 'isSelective'>> {
  const labels = labelSelector(query['labelSelector'] ?? '')
  if (!labels.ok) return err(badRequest(labels.error))
  const fields = fieldSelector(
    query['fieldSelector'] ?? '',
    type.selectableFields ?? metaFields,
    type.selectableFields !== undefined,
  )
  if (!fields.ok) return err(badRequest(fieldError(type, fields.error)))
  const terms = fieldTerms(query['fieldSelector'] ?? '')
  const selected = terms.ok ? selectedValue(terms.value, 'metadata.name') : undefined
  if (name !== '' && Boolean(query['fieldSelector']) && selected !== name)
    return err(badRequest("fieldSelector metadata.name doesn't match requested name"))
  return ok({
    matches: (object) =>
      (name === '' || object.metadata.name === name) &&
      labels.value(object.metadata.labels ?? {}) &&
      fields.value(object as JsonObject),
    isSelective: Boolean(query['labelSelector']) || Boolean(query['fieldSelector']),
  })
}

function checkVersion(options: ListOptions, isWatch: boolean): KubeStatus | undefined {
  const text = options.resourceVersion
  const version = parseResourceVersion(text)
  if (version.ok) return undefined
  const message = invalidVersionMessage(text, version.error)
  return isWatch ? serverError(message) : badRequest(`invalid resource version: ${message}`)
}

/** Parses the query of a list or a watch. The error is the answer. */
export function listOptions(
  type: ResourceType,
  query: Query,
  kind: { readonly isWatch: boolean; readonly name?: string },
): ApiResult<ListOptions> {
  const selected = selectors(type, query, kind.name ?? '')
  if (!selected.ok) return selected
  const limit = integer(query, 'limit')
  if (!limit.ok) return limit
  const timeoutSeconds = integer(query, 'timeoutSeconds')
  if (!timeoutSeconds.ok) return timeoutSeconds
  const options: ListOptions = {
    ...selected.value,
    // `0` is answered from the server's cache, without paging.
    limit: query['resourceVersion'] === '0' ? 0 : Math.max(0, limit.value ?? 0),
    continueToken: query['continue'] ?? '',
    resourceVersion: query['resourceVersion'] ?? '',
    resourceVersionMatch: query['resourceVersionMatch'] ?? '',
    sendInitialEvents:
      query['sendInitialEvents'] === undefined ? undefined : isOn(query['sendInitialEvents']),
    allowWatchBookmarks: isOn(query['allowWatchBookmarks']),
    timeoutSeconds: timeoutSeconds.value,
  }
  const problems = matchProblems(options, kind.isWatch)
  if (problems.length > 0) return err(invalidOptions('ListOptions', problems))
  const invalid = checkVersion(options, kind.isWatch)
  return invalid === undefined ? ok(options) : err(invalid)
}

const fieldValidations = ['Ignore', 'Strict', 'Warn'] as const

/** Unknown fields are dropped silently, refused, or dropped with a warning. */
export type FieldValidation = (typeof fieldValidations)[number]

/** The options of a write, from its query. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
}

/** Parses the query of a create, update, patch or delete. `kind` names the options in errors. */
export function writeOptions(kind: string, query: Query): ApiResult<WriteOptions> {
  const dryRun = query['dryRun'] ?? ''
  const fieldValidation = query['fieldValidation'] ?? ''
  const problems = [
    ...dryRunProblems(dryRun === '' ? [] : [dryRun]),
    ...enumProblems('fieldValidation', fieldValidation, ['', ...fieldValidations]),
  ]
  if (problems.length > 0) return err(invalidOptions(kind, problems))
  return ok({
    dryRun: dryRun === 'All',
    fieldValidation: fieldValidations.find((one) => one === fieldValidation) ?? 'Warn',
  })
}

/** Problems of a dryRun list: `All` is the only valid value. */
export function dryRunProblems(values: readonly unknown[]): FieldProblems {
  const isValid = values.every((value) => value === 'All')
  return problemUnless(isValid, unsupportedField('dryRun', values, ['All']))
}
