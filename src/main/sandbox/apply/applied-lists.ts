import { isJsonObject } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { pathOf, pathText } from './field-set.ts'
import type { PathElement } from './field-set.ts'
import { partsOf } from './typed-value.ts'
import type { Part, Shape } from './typed-value.ts'

type ListShape = Extract<Shape, { readonly kind: 'set' | 'list' }>

/** Why an element has no place in a list of its type; undefined: it has. */
function elementProblem(shape: ListShape, { element, value }: Part): string | undefined {
  if (shape.kind === 'set') {
    if (value === null)
      return "associative list without keys has an element that's an explicit null"
    if (Array.isArray(value)) return 'not supported: associative list with lists as elements'
    return isJsonObject(value)
      ? "associative list without keys has an element that's a map type"
      : undefined
  }
  if (value === null) return 'associative list with keys may not have a null element'
  if (!isJsonObject(value)) return 'associative list with keys may not have non-map elements'
  if (element !== 'k:{}') return undefined
  const keys = shape.keys.map((key) => JSON.stringify(key)).join(' ')
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`
}

/**
 * What is wrong with the lists of an applied configuration: two elements with the same key, or one without a key. Source:
 * structured-merge-diff typed validatingObjectWalker.
 */
export function listProblems(shape: Shape, configuration: JsonObject): readonly string[] {
  const visit = (value: unknown, own: Shape, elements: readonly PathElement[]): string[] => {
    const problems: string[] = []
    const add = (problem: string): void => {
      problems.push(`${pathText(pathOf(elements))}: ${problem}`)
    }
    const seen = new Set<PathElement>()
    for (const [index, part] of (partsOf(value, own) ?? []).entries()) {
      if (own.kind === 'set' || own.kind === 'list') {
        const problem = elementProblem(own, part)
        if (problem !== undefined) {
          add(`element ${index}: ${problem}`)
          break
        }
        const name = pathText(pathOf([part.element]))
        if (seen.has(part.element)) add(`duplicate entries for key ${name}`)
        seen.add(part.element)
      }
      problems.push(...visit(part.value, part.shape, [...elements, part.element]))
    }
    return problems
  }
  return visit(configuration, shape, [])
}
