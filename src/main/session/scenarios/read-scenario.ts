import type { JsonObject } from '../../../shared/json.ts'
import { textAt } from '../../../shared/json.ts'
import { schemaProblem } from '../../../shared/json-schema.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import schema from '../../nodes/control/control.schema.json'
import { locate } from '../../parsing/kubernetes-text.ts'
import { problemAt, readDocuments } from '../../state/yaml-documents.ts'
import type { Scenario } from './scenario.ts'
import { meaningProblem } from './scenario-meaning.ts'

/** A scenario with the places of its fields. */
export interface ReadScenario {
  readonly scenario: Scenario
  /** `FILE:3:7: sentence` about a field. */
  readonly problem: (field: string, message: string) => string
}

export const scenarioVersion = 'nodescope.dev/v1alpha1'

/** Why a document is no scenario of this version; undefined: it is one. */
function kindProblem(
  value: JsonObject,
): { readonly field: string; readonly message: string } | undefined {
  const apiVersion = textAt(value, 'apiVersion')
  if (value['kind'] === 'State')
    return {
      field: 'kind',
      message: 'This is a state file. Open it with --import, or with Import in the menu.',
    }
  if (
    value['kind'] === 'Scenario' &&
    apiVersion !== scenarioVersion &&
    apiVersion.startsWith('nodescope.dev/')
  )
    return {
      field: 'apiVersion',
      message: `This scenario is of ${apiVersion}, and this version of Nodescope reads ${scenarioVersion}. Open it with a newer Nodescope.`,
    }
  return undefined
}

/** Reads a scenario file. Error: a sentence with file, line and column. */
export function readScenario(file: string, text: string): Result<ReadScenario, string> {
  const documents = readDocuments(file, text)
  if (!documents.ok) return documents
  const [document, second] = documents.value
  if (document === undefined) return err(`${file}:1: There is no scenario in it.`)
  const { value, place, linesBefore } = document
  const problem = (field: string, message: string): string => {
    const found = locate(place, field)
    return problemAt(file, { ...(found.line === null ? place : found), message }, linesBefore)
  }
  const otherKind = kindProblem(value)
  if (otherKind !== undefined) return err(problem(otherKind.field, otherKind.message))
  if (second !== undefined) {
    const message = 'A scenario file has one document.'
    return err(problemAt(file, { ...second.place, message }, second.linesBefore))
  }
  // What the schema allows, the type has.
  const scenario = value as unknown as Scenario
  const found = schemaProblem(schema, value) ?? meaningProblem(scenario)
  return found === undefined ? ok({ scenario, problem }) : err(problem(found.field, found.message))
}
