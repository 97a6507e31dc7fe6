import { numberAt, objectAt, textAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import type { SelectableFields } from './field-selector.ts'

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

/** The fields that select objects of every kind. */
export const metaFields: SelectableFields<JsonObject> = new Map([
  ['metadata.name', at('metadata', 'name')],
  ['metadata.namespace', at('metadata', 'namespace')],
])

function fields(readers: Readonly<Record<string, ReadField>>): SelectableFields<JsonObject> {
  return new Map([...metaFields, ...Object.entries(readers)])
}

// The field label conversions of pkg/apis/core/v1.

export const podFields = fields({
  'spec.nodeName': at('spec', 'nodeName'),
  'spec.restartPolicy': at('spec', 'restartPolicy'),
  'spec.schedulerName': at('spec', 'schedulerName'),
  'spec.serviceAccountName': at('spec', 'serviceAccountName'),
  'spec.hostNetwork': orFalse(at('spec', 'hostNetwork')),
  'status.phase': at('status', 'phase'),
  'status.podIP': at('status', 'podIP'),
  'status.nominatedNodeName': at('status', 'nominatedNodeName'),
})

export const nodeFields = fields({ 'spec.unschedulable': orFalse(at('spec', 'unschedulable')) })

export const namespaceFields = fields({ 'status.phase': at('status', 'phase') })

export const certificateRequestFields = fields({ 'spec.signerName': at('spec', 'signerName') })

export const eventFields = fields({
  'involvedObject.kind': at('involvedObject', 'kind'),
  'involvedObject.namespace': at('involvedObject', 'namespace'),
  'involvedObject.name': at('involvedObject', 'name'),
  'involvedObject.uid': at('involvedObject', 'uid'),
  'involvedObject.apiVersion': at('involvedObject', 'apiVersion'),
  'involvedObject.resourceVersion': at('involvedObject', 'resourceVersion'),
  'involvedObject.fieldPath': at('involvedObject', 'fieldPath'),
  reason: at('reason'),
  reportingComponent: at('reportingComponent'),
  source: (event) => at('source', 'component')(event) || at('reportingComponent')(event),
  type: at('type'),
})

/** Of events.k8s.io/v1. */
export const newEventFields = fields({
  'regarding.kind': at('regarding', 'kind'),
  'regarding.namespace': at('regarding', 'namespace'),
  'regarding.name': at('regarding', 'name'),
  'regarding.uid': at('regarding', 'uid'),
  'regarding.apiVersion': at('regarding', 'apiVersion'),
  'regarding.resourceVersion': at('regarding', 'resourceVersion'),
  'regarding.fieldPath': at('regarding', 'fieldPath'),
  reason: at('reason'),
  reportingController: at('reportingController'),
  type: at('type'),
})

export const secretFields = fields({ type: at('type') })

export const serviceFields = fields({
  'spec.clusterIP': at('spec', 'clusterIP'),
  'spec.type': at('spec', 'type'),
})

function numberAtPath(parent: string, field: string): ReadField {
  return (object) => String(numberAt(objectAt(object, parent), field) ?? 0)
}

export const replicatedFields = fields({ 'status.replicas': numberAtPath('status', 'replicas') })

/** Source: pkg/apis/batch/v1/conversion.go. */
export const jobFields = fields({ 'status.successful': numberAtPath('status', 'succeeded') })
