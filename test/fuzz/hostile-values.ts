import type { RandomPicker } from '../random-picker.ts'

/** What JavaScript's objects inherit, and what parsers and matchers stumble over. */
export const hostileTexts: readonly string[] = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '%00',
  '%',
  '%zz',
  '\u0000',
  '\u001b[2J',
  '\r\nx: y',
  '\ud800',
  '🛰',
  'a'.repeat(300),
  '-',
  '0',
  '-1',
  '1e999',
  'NaN',
  'Infinity',
  '9223372036854775808',
  '$(A)$(A)',
  '{"a":1}',
  '[',
  '"',
  'null',
  'true',
  '2026-01-01T00:00:00Z',
  '100Mi',
  '1e-400',
]

function nested(depth: number, isList: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value }
  return value
}

/** A JSON value that hardly any field expects. */
export function hostileValue(pick: RandomPicker): unknown {
  switch (pick.below(9)) {
    case 0:
      return null
    case 1:
      return pick.of([0, -1, 1.5, 1e308, -0, 2 ** 53, 2 ** 63])
    case 2:
      return pick.percent(50)
    case 3:
      return []
    case 4:
      return {}
    case 5:
      return nested(
        pick.of([2, 3, 5, 10, pick.percent(3) ? pick.of([499, 600, 5000]) : 20]),
        pick.percent(50),
      )
    case 6:
      return JSON.parse(`{"${pick.of(['__proto__', 'constructor', 'valueOf'])}":{"polluted":1}}`)
    case 7:
      return Array.from({ length: pick.of([1, 2, pick.percent(2) ? 2000 : 10]) }, () =>
        pick.of(hostileTexts),
      )
    default:
      return pick.of(hostileTexts)
  }
}

type Fields = Record<string, unknown>

function ownField(object: Fields, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

/** A value with something in it changed, removed, added or put elsewhere; changes its argument. */
export function mutate(pick: RandomPicker, root: unknown): unknown {
  if (pick.percent(2)) return hostileValue(pick)
  let at = root
  for (;;) {
    if (typeof at !== 'object' || at === null) return root
    const object = at as Fields
    const keys = Object.keys(object)
    const key = keys.length === 0 ? 'x' : pick.of(keys)
    const inner = Object.hasOwn(object, key) ? object[key] : undefined
    if (typeof inner === 'object' && inner !== null && pick.percent(70)) {
      at = inner
      continue
    }
    switch (pick.below(4)) {
      case 0:
        delete object[key]
        return root
      case 1:
        ownField(object, pick.of(hostileTexts), hostileValue(pick))
        return root
      case 2:
        ownField(object, key, [inner, inner])
        return root
      default:
        ownField(object, key, hostileValue(pick))
        return root
    }
  }
}
