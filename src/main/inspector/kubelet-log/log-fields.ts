import { isJsonObject, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** A Go string literal without its quotes; as it is written if it has escapes that JSON does not know. */
function unquoted(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? value : literal
  } catch {
    return literal.slice(1, -1)
  }
}

function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** The end of `[…]` or `{…}`. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfQuoted(text, at) - 1
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfQuoted(text, start)
  if (first === '[' || first === '{') return endOfBrackets(text, start)
  const space = text.indexOf(' ', start)
  return space === -1 ? text.length : space
}

/** The values of klog's ` key=value key=value`, without the quotes of strings. */
export function textFields(rest: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let at = 0
  while (at < rest.length) {
    if (rest[at] === ' ') {
      at++
      continue
    }
    const equals = rest.indexOf('=', at)
    if (equals === -1) break
    const end = endOfValue(rest, equals + 1)
    const value = rest.slice(equals + 1, end)
    fields.set(rest.slice(at, equals), value.startsWith('"') ? unquoted(value) : value)
    at = end
  }
  return fields
}

/** One value of a text without free text: the first ` key=`. */
export function quickField(rest: string, key: string): string {
  const found = rest.indexOf(` ${key}=`)
  if (found === -1) return ''
  const start = found + key.length + 2
  const value = rest.slice(start, endOfValue(rest, start))
  return value.startsWith('"') ? unquoted(value) : value
}

/** `{"name":"web","namespace":"default"}` as text has it: `default/web`. */
function inTextForm(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return JSON.stringify(value) ?? ''
  const name = textAt(value, 'name')
  if (name === '' || Object.keys(value).length > 2) return JSON.stringify(value)
  const namespace = textAt(value, 'namespace')
  return namespace === '' ? name : `${namespace}/${name}`
}

/** The values of an entry in JSON, as text writes them. */
export function jsonFields(line: string): ReadonlyMap<string, string> {
  let entry: JsonObject = {}
  try {
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) entry = value
  } catch {
    return new Map()
  }
  return new Map(
    Object.entries(entry).map(([key, value]) => [
      key,
      Array.isArray(value) ? JSON.stringify(value.map(inTextForm)) : inTextForm(value),
    ]),
  )
}

/** The strings of `["default/a","default/b"]`. */
export function listOf(value: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
  } catch {
    return []
  }
}
