import type { JsonObject } from '../../../shared/json.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import { schemaProblem } from '../../../shared/json-schema.ts'
import type { SchemaProblem } from '../../../shared/json-schema.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import schema from '../../nodes/control/control.schema.json'
import { readFaults } from '../../nodes/control/faults.ts'
import type { WaitCondition } from '../../nodes/control/wait-condition.ts'
import { locate } from '../../parsing/kubernetes-text.ts'
import { groupVersion } from '../../sandbox/registry/resource-type.ts'
import type { ResourceType } from '../../sandbox/registry/resource-type.ts'
import { resourceTypes } from '../../sandbox/registry/resource-types.ts'
import { problemAt, readDocuments } from '../../state/yaml-documents.ts'

export interface ScenarioNode {
  readonly name: string
  readonly manifests?: readonly { readonly file: string; readonly content: JsonObject }[]
}

/** A prepared situation, as the schema `scenario` has it. */
export interface Scenario {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly seed?: number
    readonly clock?: {
      readonly startAt?: string
      readonly paused?: boolean
      readonly speed?: number
    }
    readonly nodes?: readonly ScenarioNode[]
    readonly objects?: readonly JsonObject[]
    readonly behavior?: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly faults?: readonly JsonObject[]
    readonly stopAt?: { readonly after?: string; readonly until?: WaitCondition }
  }
}

/** The node of a scenario without nodes. */
export const defaultNodes: readonly ScenarioNode[] = [{ name: 'scope-node-1' }]

/** The sandbox's type of an object; undefined if it has none. */
export function typeOfObject(object: JsonObject): ResourceType | undefined {
  return resourceTypes.find(
    (type) => type.kind === object['kind'] && groupVersion(type) === object['apiVersion'],
  )
}

/** `default/web` of a pod. */
function podKey(object: JsonObject): string {
  const metadata = objectAt(object, 'metadata')
  return `${textAt(metadata, 'namespace') || 'default'}/${textAt(metadata, 'name')}`
}

/** What the schema cannot say. */
function meaningProblem({ spec }: Scenario): SchemaProblem | undefined {
  const { nodes = defaultNodes, objects = [], behavior = {}, faults = [], clock } = spec
  const names = nodes.map(({ name }) => name)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice !== -1) {
    const field = `spec.nodes[${twice}].name`
    return { field, message: `${field} is there twice: ${names[twice] ?? ''}.` }
  }
  for (const [index, object] of objects.entries()) {
    const field = `spec.objects[${index}].kind`
    if (typeOfObject(object) === undefined) {
      const kind = `${textAt(object, 'apiVersion')} ${textAt(object, 'kind')}`
      return { field, message: `${field} needs a kind that the sandbox has, not ${kind}.` }
    }
  }
  const pods = new Set(objects.filter(({ kind }) => kind === 'Pod').map(podKey))
  for (const pod of Object.keys(behavior))
    if (!pods.has(pod))
      return {
        field: 'spec.behavior',
        message: `spec.behavior has ${pod}, which is no pod of spec.objects.`,
      }
  if (clock?.startAt !== undefined && Number.isNaN(Date.parse(clock.startAt)))
    return { field: 'spec.clock.startAt', message: 'spec.clock.startAt is no date.' }
  const read = readFaults(faults, 'spec.faults', names)
  return read.ok ? undefined : read.error
}

/** Reads a scenario file. Error: a sentence with file, line and column. */
export function readScenario(file: string, text: string): Result<Scenario, string> {
  const documents = readDocuments(file, text)
  if (!documents.ok) return documents
  const [document, second] = documents.value
  if (document === undefined) return err(`${file}:1: There is no scenario in it.`)
  const { value, place, linesBefore } = document
  if (value['kind'] === 'State')
    return err(`${file}:1: This is a state file; it is opened with --import.`)
  if (second !== undefined) {
    const message = 'A scenario file has one document.'
    return err(problemAt(file, { ...second.place, message }, second.linesBefore))
  }
  const problem = schemaProblem(schema, value) ?? meaningProblem(value as unknown as Scenario)
  // The schema says so.
  if (problem === undefined) return ok(value as unknown as Scenario)
  const found = locate(place, problem.field)
  const at = found.line === null ? place : found
  return err(problemAt(file, { ...at, message: problem.message }, linesBefore))
}

/** The objects with the annotations of their behavior. */
export function scenarioObjects({ spec }: Scenario): readonly JsonObject[] {
  const { objects = [], behavior = {} } = spec
  return objects.map((object) => {
    const added = object['kind'] === 'Pod' ? behavior[podKey(object)] : undefined
    if (added === undefined) return object
    const metadata = objectAt(object, 'metadata')
    const { annotations } = metadata
    const own = isJsonObject(annotations) ? annotations : {}
    return { ...object, metadata: { ...metadata, annotations: { ...own, ...added } } }
  })
}
