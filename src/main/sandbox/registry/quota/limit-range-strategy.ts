import { objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from '../../../../shared/kubernetes/quantity.ts'
import type { Quantity } from '../../../../shared/kubernetes/quantity.ts'
import {
  duplicateField,
  forbiddenField,
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { qualifiedNameProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { canonicalQuantities } from '../quantities.ts'
import { plainStrategy } from '../strategy.ts'

const types = ['Container', 'PersistentVolumeClaim', 'Pod']
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const
const containerResources = ['cpu', 'memory', 'ephemeral-storage']

function typeProblems(type: string, field: string): FieldProblems {
  const malformed = invalidEach(field, type, qualifiedNameProblems(type))
  if (malformed.length > 0 || type.includes('/') || types.includes(type)) return malformed
  return [invalidField(field, type, 'must be a standard limit type or fully qualified')]
}

function nameProblems(type: string, name: string, field: string): FieldProblems {
  const malformed = invalidEach(field, name, qualifiedNameProblems(name))
  const isForPods = type === 'Pod' || type === 'Container'
  const isKnown = containerResources.includes(name) || name.startsWith('hugepages-')
  if (malformed.length > 0 || name.includes('/') || !isForPods || isKnown) return malformed
  const notStandard = 'must be a standard resource type or fully qualified'
  return [
    ...problemIf(name !== 'storage' && name !== 'pods', invalidField(field, name, notStandard)),
    invalidField(field, name, 'must be a standard resource for containers'),
  ]
}

function greater(a: Quantity | undefined, b: Quantity | undefined): boolean {
  return a !== undefined && b !== undefined && compareQuantities(a, b) > 0
}

/** Problems of the amounts of one resource, which must be in order. */
function orderProblems(item: JsonObject, resource: string, field: string): FieldProblems {
  const at = (list: string): Quantity | undefined => parseQuantity(objectAt(item, list)[resource])
  const [min, max, limit, request] = [at('min'), at('max'), at('default'), at('defaultRequest')]
  const ratio = at('maxLimitRequestRatio')
  const text = (value: Quantity | undefined): string =>
    value === undefined ? '' : formatQuantity(value)
  const problem = (
    list: string,
    shown: Quantity | undefined,
    low: readonly [string, Quantity | undefined],
    high: readonly [string, Quantity | undefined],
  ): FieldProblems =>
    problemIf(
      greater(low[1], high[1]),
      invalidField(
        `${field}.${list}[${resource}]`,
        text(shown),
        `${low[0]} value ${text(low[1])} is greater than ${high[0]} value ${text(high[1])}`,
      ),
    )
  const one = parseQuantity('1')
  return [
    ...problem('min', min, ['min', min], ['max', max]),
    ...problem('defaultRequest', request, ['min', min], ['default request', request]),
    ...problem('defaultRequest', request, ['default request', request], ['max', max]),
    ...problem('defaultRequest', request, ['default request', request], ['default limit', limit]),
    ...problem('default', min, ['min', min], ['default', limit]),
    ...problem('default', max, ['default', limit], ['max', max]),
    ...problemIf(
      greater(one, ratio),
      invalidField(
        `${field}.maxLimitRequestRatio[${resource}]`,
        text(ratio),
        `ratio ${text(ratio)} is less than 1`,
      ),
    ),
  ]
}

function itemProblems(item: JsonObject, field: string): FieldProblems {
  const type = textAt(item, 'type')
  const isPod = type === 'Pod'
  const checked = lists.filter(
    (list) => !isPod || (list !== 'default' && list !== 'defaultRequest'),
  )
  const names = new Set(checked.flatMap((list) => Object.keys(objectAt(item, list))))
  const hasStorage = ['min', 'max'].some((list) => objectAt(item, list)['storage'] !== undefined)
  const storage = 'either minimum or maximum storage value is required, but neither was provided'
  const notForPods = "may not be specified when `type` is 'Pod'"
  return [
    ...checked.flatMap((list) =>
      Object.keys(objectAt(item, list)).flatMap((name) =>
        nameProblems(type, name, `${field}.${list}[${name}]`),
      ),
    ),
    ...(isPod ? ['default', 'defaultRequest'] : []).flatMap((list) =>
      problemIf(
        Object.keys(objectAt(item, list)).length > 0,
        forbiddenField(`${field}.${list}`, notForPods),
      ),
    ),
    ...problemIf(
      type === 'PersistentVolumeClaim' && !hasStorage,
      requiredField(`${field}.limits`, storage),
    ),
    ...[...names].flatMap((name) => orderProblems(item, name, field)),
  ]
}

function limitRangeProblems(range: KubeObject): FieldProblems {
  const items = objectsAt(objectAt(range, 'spec'), 'limits')
  const found = items.map((item) => textAt(item, 'type'))
  return items.flatMap((item, index) => {
    const field = `spec.limits[${index}]`
    const type = found[index] ?? ''
    return [
      ...typeProblems(type, `${field}.type`),
      ...problemIf(found.indexOf(type) < index, duplicateField(`${field}.type`, type)),
      ...itemProblems(item, field),
    ]
  })
}

/** Source: pkg/apis/core/v1 SetDefaults_LimitRangeItem. */
function itemWithDefaults(item: JsonObject): JsonObject {
  const given = lists.filter((list) => Object.keys(objectAt(item, list)).length > 0)
  const canonical = Object.fromEntries(
    given.map((list) => [list, canonicalQuantities(objectAt(item, list))]),
  )
  const { default: _, defaultRequest: __, min: ___, max: ____, ...rest } = item
  const { maxLimitRequestRatio: _____, ...other } = rest
  const whole = { ...other, ...canonical }
  if (item['type'] !== 'Container') return whole
  const limit = { ...objectAt(whole, 'max'), ...objectAt(whole, 'default') }
  const request = { ...objectAt(whole, 'min'), ...limit, ...objectAt(whole, 'defaultRequest') }
  return {
    ...whole,
    ...(Object.keys(limit).length > 0 ? { default: limit } : {}),
    ...(Object.keys(request).length > 0 ? { defaultRequest: request } : {}),
  }
}

/** Limit ranges. Source: pkg/registry/core/limitrange/strategy.go, pkg/apis/core/validation ValidateLimitRange (v1.34). */
export const limitRangeStrategy = plainStrategy({
  withDefaults: (range) => {
    const items = objectsAt(objectAt(range, 'spec'), 'limits').map(itemWithDefaults)
    return { ...range, spec: { limits: items.length > 0 ? items : null } }
  },
  createProblems: limitRangeProblems,
  updateProblems: limitRangeProblems,
})
