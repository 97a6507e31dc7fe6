import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { fieldTerms } from '../../../shared/kubernetes/selectors/field-selector.ts'
import type { FieldTerm } from '../../../shared/kubernetes/selectors/field-selector.ts'
import { labelSelector } from '../../../shared/kubernetes/selectors/label-selector.ts'
import {
  invalidField,
  problemIf,
  problemUnless,
  requiredField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { operatorProblems, requirementProblems } from '../registry/selector-validation.ts'

const at = 'spec.resourceAttributes'
const labelOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist']

type Requirements = (requirement: JsonObject, field: string) => FieldProblems

function fieldRequirementProblems(requirement: JsonObject, field: string): FieldProblems {
  return [
    ...problemIf(
      textAt(requirement, 'key') === '',
      requiredField(`${field}.key`, 'must be specified'),
    ),
    ...operatorProblems(requirement, field, true),
  ]
}

function problemsOf(selector: unknown, field: string, problems: Requirements): FieldProblems {
  if (!isJsonObject(selector)) return []
  const raw = textAt(selector, 'rawSelector')
  const requirements = objectsAt(selector, 'requirements')
  const missing = `when ${field} is specified, requirements or rawSelector is required`
  return [
    ...problemIf(
      raw !== '' && requirements.length > 0,
      invalidField(
        `${field}.rawSelector`,
        raw,
        'may not specified at the same time as requirements',
      ),
    ),
    ...problemUnless(
      raw !== '' || requirements.length > 0,
      requiredField(`${field}.requirements`, missing),
    ),
    ...requirements.flatMap((requirement, index) =>
      problems(requirement, `${field}.requirements[${index}]`),
    ),
  ]
}

/** Problems of the selectors that a review asks about. Source: pkg/apis/authorization/validation (v1.34). */
export function selectorProblems({
  fieldSelector,
  labelSelector: labels,
}: JsonObject): FieldProblems {
  return [
    ...problemsOf(fieldSelector, `${at}.fieldSelector`, fieldRequirementProblems),
    ...problemsOf(labels, `${at}.labelSelector`, (requirement, field) =>
      requirementProblems(requirement, field, true),
    ),
  ]
}

/** A field selector supports `In` and `NotIn` with one value. */
function termOf(requirement: JsonObject): FieldTerm | undefined {
  const operator = textAt(requirement, 'operator')
  const [value, ...others] = listAt(requirement, 'values').map(String)
  if (value === undefined || others.length > 0 || !['In', 'NotIn'].includes(operator))
    return undefined
  return { field: textAt(requirement, 'key'), isNegated: operator === 'NotIn', value }
}

/** The terms of a field selector in a review, without those that cannot be parsed. */
export function askedFields(selector: JsonObject): {
  readonly terms: readonly FieldTerm[]
  readonly isComplete: boolean
} {
  const requirements = objectsAt(selector, 'requirements')
  if (requirements.length > 0) {
    const terms = requirements.map(termOf).filter((term) => term !== undefined)
    return { terms, isComplete: terms.length === requirements.length }
  }
  const parsed = fieldTerms(textAt(selector, 'rawSelector'))
  return { terms: parsed.ok ? parsed.value : [], isComplete: parsed.ok }
}

function askedLabels(selector: JsonObject): {
  readonly count: number
  readonly isComplete: boolean
} {
  const requirements = objectsAt(selector, 'requirements')
  const known = requirements.filter((one) => labelOperators.includes(textAt(one, 'operator')))
  const isParsed = requirements.length > 0 || labelSelector(textAt(selector, 'rawSelector')).ok
  return { count: known.length, isComplete: isParsed && known.length === requirements.length }
}

/** The selectors that are ignored. Source: pkg/registry/authorization/util BuildEvaluationError (v1.34). */
export function selectorErrors(asked: JsonObject): string {
  const fields = askedFields(objectAt(asked, 'fieldSelector'))
  const labels = askedLabels(objectAt(asked, 'labelSelector'))
  const selectors = [
    { name: 'fieldSelector', count: fields.terms.length, isComplete: fields.isComplete },
    { name: 'labelSelector', ...labels },
  ]
  return selectors
    .filter(({ isComplete }) => !isComplete)
    .map(({ name, count }) => {
      const how = count > 0 ? 'partially ignored' : 'ignored'
      return `${at}.${name} ${how} due to parse error`
    })
    .join('; ')
}
