import { objectAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ResourceType } from './resource-types.ts'

/** True for the objects that it selects. */
export type FieldMatcher = (object: JsonObject) => boolean

type ReadField = (object: JsonObject) => string

function at(...path: readonly string[]): ReadField {
  const parents = path.slice(0, -1)
  const last = path.at(-1) ?? ''
  return (object) => {
    const parent = parents.reduce<JsonObject>((value, field) => objectAt(value, field), object)
    const value = parent[last]
    return typeof value === 'boolean' ? String(value) : textAt(parent, last)
  }
}

function orFalse(read: ReadField): ReadField {
  return (object) => read(object) || 'false'
}

const metaFields: ReadonlyMap<string, ReadField> = new Map([
  ['metadata.name', at('metadata', 'name')],
  ['metadata.namespace', at('metadata', 'namespace')],
])

// What each kind can be selected by: the field label conversions of pkg/apis/core/v1.
const fieldsOfKind: ReadonlyMap<string, ReadonlyMap<string, ReadField>> = new Map(
  Object.entries({
    Pod: {
      'spec.nodeName': at('spec', 'nodeName'),
      'spec.restartPolicy': at('spec', 'restartPolicy'),
      'spec.schedulerName': at('spec', 'schedulerName'),
      'spec.serviceAccountName': at('spec', 'serviceAccountName'),
      'spec.hostNetwork': orFalse(at('spec', 'hostNetwork')),
      'status.phase': at('status', 'phase'),
      'status.podIP': at('status', 'podIP'),
      'status.nominatedNodeName': at('status', 'nominatedNodeName'),
    },
    Node: { 'spec.unschedulable': orFalse(at('spec', 'unschedulable')) },
    Namespace: { 'status.phase': at('status', 'phase') },
    Event: {
      'involvedObject.kind': at('involvedObject', 'kind'),
      'involvedObject.namespace': at('involvedObject', 'namespace'),
      'involvedObject.name': at('involvedObject', 'name'),
      'involvedObject.uid': at('involvedObject', 'uid'),
      'involvedObject.apiVersion': at('involvedObject', 'apiVersion'),
      'involvedObject.resourceVersion': at('involvedObject', 'resourceVersion'),
      'involvedObject.fieldPath': at('involvedObject', 'fieldPath'),
      reason: at('reason'),
      reportingComponent: at('reportingComponent'),
      source: at('source', 'component'),
      type: at('type'),
    },
  }).map(([kind, fields]) => [kind, new Map(Object.entries(fields))]),
)

function unsupported(type: ResourceType, field: string): string {
  return fieldsOfKind.has(type.kind)
    ? `field label not supported: ${field}`
    : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
}

function term(type: ResourceType, text: string): Result<FieldMatcher, string> {
  const match = /^([^!=]+)(!=|==|=)(.*)$/.exec(text)
  if (match === null) {
    return err(`invalid selector: '${text}'; can't understand '${text}'`)
  }
  const [, field = '', operator = '', value = ''] = match
  const read = metaFields.get(field) ?? fieldsOfKind.get(type.kind)?.get(field)
  if (read === undefined) return err(unsupported(type, field))
  return ok((object) => (read(object) === value) === (operator !== '!='))
}

/** Reads a field selector: `spec.nodeName=n,status.phase!=Failed`. The error is the sentence of the answer 400. */
export function fieldSelector(type: ResourceType, selector: string): Result<FieldMatcher, string> {
  const matchers: FieldMatcher[] = []
  for (const text of selector.split(',').filter((part) => part !== '')) {
    const matcher = term(type, text)
    if (!matcher.ok) return matcher
    matchers.push(matcher.value)
  }
  return ok((object) => matchers.every((matches) => matches(object)))
}
