import type { JsonObject } from '../../../shared/json.ts'
import {
  forbiddenField,
  unsupportedField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblem } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { badRequest, invalidOptions, serverError } from '../api-status.ts'
import { fieldSelector } from './field-selector.ts'
import { labelSelector } from './label-selector.ts'
import type { ResourceType } from '../registry/resource-type.ts'

export type Query = Readonly<Record<string, string>>

/** What a list or a watch asks for, read from its query. */
export interface ListOptions {
  readonly matches: (object: KubeObject) => boolean
  /** True when a selector leaves objects out: then nobody can say how many remain. */
  readonly isSelective: boolean
  /** 0: all at once. */
  readonly limit: number
  readonly continueToken: string
  /** As given: empty, `0`, or a version of ours. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly sendInitialEvents: boolean | undefined
  readonly allowWatchBookmarks: boolean
  readonly timeoutSeconds: number | undefined
}

/** A query's switch as Go reads it: there and not `0` or `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value !== 'false'
}

function integer(query: Query, name: string): Result<number | undefined, KubeStatus> {
  const text = query[name]
  if (text === undefined || text === '') return ok(undefined)
  const complaint = numberComplaint(text, { pattern: /^[-+]?\d+$/, largest: 2n ** 63n - 1n })
  if (complaint === undefined) return ok(Number(text))
  return err(badRequest(`strconv.ParseInt: parsing ${complaint}`))
}

/** What Go's strconv says of a text that is no such number, after its own name; the smallest is as far below zero. */
function numberComplaint(
  text: string,
  { pattern, largest }: { readonly pattern: RegExp; readonly largest: bigint },
): string | undefined {
  const shown = JSON.stringify(text)
  if (!pattern.test(text)) return `${shown}: invalid syntax`
  // Longer ones are none of 64 bits, and take their time to read.
  const digits = text.replace(/^[-+]?0*/, '')
  const isInRange = digits.length <= 20 && BigInt(digits || '0') <= largest
  return isInRange ? undefined : `${shown}: value out of range`
}

/** A resource version, 0 for none. The error is what Go says of a text that is none. */
export function parseResourceVersion(text: string): Result<number, string> {
  if (text === '') return ok(0)
  const complaint = numberComplaint(text, { pattern: /^\d+$/, largest: 2n ** 64n - 1n })
  return complaint === undefined ? ok(Number(text)) : err(`strconv.ParseUint: parsing ${complaint}`)
}

/** What kube-apiserver says of a resource version in a query that is none. */
export function unparsedVersion(text: string, complaint: string): string {
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${complaint}`
}

function matchProblems(options: ListOptions, isWatch: boolean): readonly FieldProblem[] {
  const match = options.resourceVersionMatch
  const field = 'resourceVersionMatch'
  if (isWatch && options.sendInitialEvents === undefined) {
    return match === ''
      ? []
      : [
          forbiddenField(
            field,
            `${field} is forbidden for watch unless sendInitialEvents is provided`,
          ),
        ]
  }
  if (options.sendInitialEvents !== undefined) {
    if (!isWatch) {
      return [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    }
    const detail = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    return [
      ...(match === 'NotOlderThan' ? [] : [forbiddenField(field, detail)]),
      ...(match === '' || match === 'NotOlderThan'
        ? []
        : [unsupportedField(field, match, ['NotOlderThan'])]),
    ]
  }
  return listMatchProblems(options)
}

function listMatchProblems(options: ListOptions): readonly FieldProblem[] {
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

function selectors(
  type: ResourceType,
  query: Query,
): Result<Pick<ListOptions, 'matches' | 'isSelective'>, KubeStatus> {
  const labels = labelSelector(query['labelSelector'] ?? '')
  if (!labels.ok) return err(badRequest(labels.error))
  const fields = fieldSelector(type, query['fieldSelector'] ?? '')
  if (!fields.ok) return err(badRequest(fields.error))
  return ok({
    matches: (object) =>
      labels.value(object.metadata.labels ?? {}) && fields.value(object as JsonObject),
    isSelective: Boolean(query['labelSelector']) || Boolean(query['fieldSelector']),
  })
}

function checkVersion(options: ListOptions, isWatch: boolean): KubeStatus | undefined {
  const text = options.resourceVersion
  const version = parseResourceVersion(text)
  if (version.ok) return undefined
  const message = unparsedVersion(text, version.error)
  return isWatch ? serverError(message) : badRequest(`invalid resource version: ${message}`)
}

/** Reads the query of a list or a watch; the error is the answer. */
export function listOptions(
  type: ResourceType,
  query: Query,
  kind: { readonly isWatch: boolean },
): Result<ListOptions, KubeStatus> {
  const selected = selectors(type, query)
  if (!selected.ok) return selected
  const limit = integer(query, 'limit')
  if (!limit.ok) return limit
  const timeoutSeconds = integer(query, 'timeoutSeconds')
  if (!timeoutSeconds.ok) return timeoutSeconds
  const options: ListOptions = {
    ...selected.value,
    // `0` takes what the server's cache has, and that comes whole.
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
  const unreadable = checkVersion(options, kind.isWatch)
  return unreadable === undefined ? ok(options) : err(unreadable)
}

/** What becomes of fields that a kind does not have: left out without a word, refused, or left out with a warning. */
export type FieldValidation = 'Ignore' | 'Strict' | 'Warn'

/** What a write asks for in its query. */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
}

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn']

function isFieldValidation(value: string): value is FieldValidation {
  return value === 'Ignore' || value === 'Strict' || value === 'Warn'
}

/** Reads the query of a create, update, patch or delete; `kind` names the options in a refusal. */
export function writeOptions(kind: string, query: Query): Result<WriteOptions, KubeStatus> {
  const dryRun = query['dryRun'] ?? ''
  const fieldValidation = query['fieldValidation'] ?? ''
  const problems = [
    ...dryRunProblems(dryRun === '' ? [] : [dryRun]),
    ...(fieldValidations.includes(fieldValidation)
      ? []
      : [unsupportedField('fieldValidation', fieldValidation, fieldValidations)]),
  ]
  if (problems.length > 0) return err(invalidOptions(kind, problems))
  return ok({
    dryRun: dryRun === 'All',
    fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation : 'Warn',
  })
}

/** Problems of a dryRun list: `All` is the only value there is. */
export function dryRunProblems(values: readonly unknown[]): readonly FieldProblem[] {
  return values.every((value) => value === 'All')
    ? []
    : [unsupportedField('dryRun', values, ['All'])]
}
