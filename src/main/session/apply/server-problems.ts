import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { cutText } from '../../../shared/untrusted-text.ts'
import type { ApplyProblem } from '../../../shared/model/apply/apply-yaml.ts'
import type { ProblemAt } from './apply-text.ts'

/** How messages without causes name a field. */
const fieldPatterns = [
  /unknown field "(?<field>[^"]+)"/g,
  /duplicate field "(?<field>[^"]+)"/g,
  /(?:^|: |, |\n)\.(?<field>[\w./[\]"=-]+): [^,\n]+/g,
  /Go struct field \w+\.(?<field>[\w.]+) of type/g,
] as const

/** Server-side apply writes `.spec.containers[name="web"].image` for an element of a list. */
function plainPath(field: string, value: JsonObject): string {
  let at: unknown = value
  const steps = [...field.replace(/^\./, '').matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)].map(
    ([, name, bracket = '']) => {
      if (name !== undefined) {
        at = objectAt({ at }, 'at')[name]
        return `.${name}`
      }
      if (/^\d*$/.test(bracket)) return `[${bracket}]`
      const keys = bracket.split(',').map((pair) => pair.split('='))
      const items = objectsAt({ at }, 'at')
      const index = items.findIndex((item) =>
        keys.every(([key = '', text = '']) => JSON.stringify(item[key]) === text),
      )
      at = items[index]
      return `[${index}]`
    },
  )
  return steps.join('').replace(/^\./, '')
}

/**
 * What a server has refused, each at the field that it names: the causes of a Status, or the fields in its message; else the
 * whole message without a field.
 */
export function serverProblems(
  status: JsonObject,
  value: JsonObject,
  problemAt: ProblemAt,
  otherwise: string,
): readonly ApplyProblem[] {
  const causes = objectsAt(objectAt(status, 'details'), 'causes')
  if (causes.length > 0)
    return causes.map((cause) => {
      const field = textAt(cause, 'field')
      const isConflict = textAt(cause, 'reason') === 'FieldManagerConflict'
      const said = cutText(textAt(cause, 'message'))
      const message = field === '' ? said : `${field.replace(/^\./, '')}: ${said}`
      return problemAt(plainPath(field, value), message, isConflict)
    })
  const message = textAt(status, 'message')
  const named = fieldPatterns.flatMap((pattern) =>
    [...message.matchAll(pattern)].map((match) => match.groups?.['field'] ?? ''),
  )
  const [field = ''] = named
  if (named.length <= 1) return [problemAt(plainPath(field, value), otherwise)]
  return named.map((one) => problemAt(plainPath(one, value), otherwise))
}
