import { objectAt, textAt } from '../../../../shared/json.ts'
import { ageColumn, column, nameColumn, tableOf } from './columns.ts'

/** Source: pkg/printers/internalversion printResourceQuota (v1.34). */
export const quotaTable = tableOf(
  [
    nameColumn,
    column('Request', 'request', 'What is used and what may be used.'),
    column('Limit', 'limit', 'The same for limits of containers.'),
    ageColumn,
  ],
  (quota) => {
    const status = objectAt(quota, 'status')
    const hard = Object.entries(objectAt(status, 'hard')).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const used = objectAt(status, 'used')
    const texts = (isLimit: boolean): string =>
      hard
        .filter(([name]) => name.startsWith('limits.') === isLimit)
        .map(([name, value]) => `${name}: ${textAt(used, name) || '0'}/${String(value)}`)
        .join(', ')
    return { request: texts(false), limit: texts(true) }
  },
)
