import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'

/** What the page shows of a condition. */
export interface ShownCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  /** ms; null where it is missing. */
  readonly since: number | null
}

function textOf(object: object, field: string): string {
  const value: unknown = Reflect.get(object, field)
  return typeof value === 'string' ? value : ''
}

/** The conditions in a status of the API; anything else is skipped. Pure. */
export function shownConditions(status: object | null): readonly ShownCondition[] {
  const conditions: unknown = status === null ? [] : Reflect.get(status, 'conditions')
  if (!Array.isArray(conditions)) return []
  return conditions.flatMap((condition: unknown): readonly ShownCondition[] => {
    if (typeof condition !== 'object' || condition === null) return []
    const type = textOf(condition, 'type')
    if (type === '') return []
    return [
      {
        type,
        status: textOf(condition, 'status'),
        reason: textOf(condition, 'reason'),
        message: textOf(condition, 'message'),
        since: timeOf(textOf(condition, 'lastTransitionTime')),
      },
    ]
  })
}
