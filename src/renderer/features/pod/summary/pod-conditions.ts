import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'

/** A condition of the pod, as far as the page shows it. */
export interface ShownCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  /** ms; null where it is not told. */
  readonly since: number | null
}

function text(object: object, field: string): string {
  const value: unknown = Reflect.get(object, field)
  return typeof value === 'string' ? value : ''
}

/** The conditions in a status of the API, whatever else that holds; what is no condition is left out. Pure. */
export function shownConditions(status: object | null): readonly ShownCondition[] {
  const conditions: unknown = status === null ? [] : Reflect.get(status, 'conditions')
  if (!Array.isArray(conditions)) return []
  return conditions.flatMap((condition: unknown): readonly ShownCondition[] => {
    if (typeof condition !== 'object' || condition === null) return []
    const type = text(condition, 'type')
    if (type === '') return []
    return [
      {
        type,
        status: text(condition, 'status'),
        reason: text(condition, 'reason'),
        message: text(condition, 'message'),
        since: timeOf(text(condition, 'lastTransitionTime')),
      },
    ]
  })
}
