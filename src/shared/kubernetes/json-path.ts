import { isJsonObject } from '../json.ts'

/** The values at `{.status.conditions[?(@.type=="Ready")].status}`; also `[0]` and `[*]`. Undefined: not understood. */
export function jsonPathValues(path: string, value: unknown): readonly unknown[] | undefined {
  const text = /^\{?\s*(.*?)\s*\}?$/.exec(path)?.[1] ?? ''
  const steps = [
    ...text.matchAll(
      /\.([\w\-/]+)|\['([^']+)'\]|\[(\d+|\*)\]|\[\?\(@\.(\w+)==["']?([^"')]*)["']?\)\]/g,
    ),
  ]
  if (steps.map(([step]) => step).join('') !== text || steps.length === 0) return undefined
  let found: readonly unknown[] = [value]
  for (const [, field, quoted, index, key, wanted] of steps) {
    const name = field ?? quoted
    found = found.flatMap((one) => {
      if (name !== undefined) return isJsonObject(one) && name in one ? [one[name]] : []
      if (!Array.isArray(one)) return []
      if (index === '*') return one
      if (index !== undefined) return one.slice(Number(index), Number(index) + 1)
      return one.filter((item) => isJsonObject(item) && String(item[key ?? '']) === wanted)
    })
  }
  return found
}
