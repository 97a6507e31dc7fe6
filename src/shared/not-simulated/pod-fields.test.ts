import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { actedOn, notSimulatedRules, withoutEffect } from './pod-fields.ts'
import { schemaNamed } from '../kubernetes/schema/api-schema.ts'
import type { FieldType } from '../kubernetes/schema/api-schema.ts'

/** Paths of all fields below a type, `[*]` for the entries of a list; the keys of maps are values, not fields. */
function fieldsBelow(path: string, type: FieldType): readonly string[] {
  switch (type.kind) {
    case 'list':
      return fieldsBelow(`${path}[*]`, type.of)
    case 'struct':
      // What any object has, at the pod itself and at a claim inside of it.
      return fieldsOf(path, type.name)
    default:
      return [path]
  }
}

function fieldsOf(path: string, name: string): readonly string[] {
  const prefix = path === '' ? '' : `${path}.`
  return [...schemaNamed(name).fields].flatMap(([field, { type }]) =>
    fieldsBelow(prefix + field, type),
  )
}

const fields = fieldsOf('', 'core.v1.Pod')

function stands(path: string, field: string): boolean {
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[*]`)
}

const lists = new Map<string, string>([
  ...actedOn.map((path) => [path, 'acted on'] as const),
  ...Object.keys(withoutEffect).map((path) => [path, 'without effect'] as const),
  ...notSimulatedRules.flatMap((rule) => rule.fields.map((path) => [path, rule.id] as const)),
])

const gaps = readFileSync(new URL('../../../docs/gaps.md', import.meta.url), 'utf8')

/** Rules in the document's table: id and message. */
const documented = [...gaps.matchAll(/^\| `([a-z-]+)` .*\| (.+?) +\|$/gm)].map(([, id, text]) => [
  id,
  text,
])

describe('the lists of pod fields', () => {
  it('walks a schema with all parts of a pod', () => {
    expect(fields.length).toBeGreaterThan(700)
    expect(fields).toContain('spec.initContainers[*].lifecycle.preStop.exec.command[*]')
  })

  it.each(fields)('knows %s: acted on, named by a rule, or without effect on any node', (field) => {
    expect([...lists.keys()].filter((path) => stands(path, field))).not.toEqual([])
  })

  it.each([...lists.keys()])('names a field that pods have: %s', (path) => {
    expect(fields.filter((field) => stands(path, field))).not.toEqual([])
  })

  it('names each field once', () => {
    const named = [
      ...actedOn,
      ...Object.keys(withoutEffect),
      ...notSimulatedRules.flatMap((rule) => rule.fields),
    ]
    expect(named.filter((path, index) => named.indexOf(path) !== index)).toEqual([])
  })

  it('gives each rule an id of its own and a message short enough for kubectl', () => {
    expect(new Set(notSimulatedRules.map(({ id }) => id)).size).toBe(notSimulatedRules.length)
    for (const { message } of notSimulatedRules) expect(message.length).toBeLessThanOrEqual(120)
  })

  it('stands in docs/gaps.md, rule by rule with its message, and nothing else does', () => {
    expect(documented).toEqual(notSimulatedRules.map(({ id, message }) => [id, message]))
  })
})
