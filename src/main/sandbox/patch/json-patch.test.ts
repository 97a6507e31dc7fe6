import { describe, expect, it } from 'vitest'
import { freezeJson } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { jsonPatch } from './json-patch.ts'

const original: JsonObject = freezeJson({
  a: { b: 1, 'c/d': 2, 'e~f': 3 },
  list: ['x', 'y', 'z'],
  objects: [{ n: 1 }],
})

function patched(...operations: readonly JsonObject[]): unknown {
  const result = jsonPatch(original, operations)
  return result.ok ? result.value : { error: result.error }
}

// Cases of RFC 6902 appendix A, and paths as Kubernetes uses them.
describe('a JSON patch', () => {
  it.each<[string, readonly JsonObject[], unknown]>([
    ['adds a field', [{ op: 'add', path: '/new', value: 1 }], { ...original, new: 1 }],
    [
      'replaces a field by adding it',
      [{ op: 'add', path: '/a/b', value: 9 }],
      { ...original, a: { b: 9, 'c/d': 2, 'e~f': 3 } },
    ],
    [
      'inserts into a list',
      [{ op: 'add', path: '/list/1', value: 'n' }],
      { ...original, list: ['x', 'n', 'y', 'z'] },
    ],
    [
      'appends to a list',
      [{ op: 'add', path: '/list/-', value: 'n' }],
      { ...original, list: ['x', 'y', 'z', 'n'] },
    ],
    [
      'inserts at the end of a list',
      [{ op: 'add', path: '/list/3', value: 'n' }],
      { ...original, list: ['x', 'y', 'z', 'n'] },
    ],
    ['removes from a list', [{ op: 'remove', path: '/list/0' }], { ...original, list: ['y', 'z'] }],
    [
      'reads escaped names',
      [
        { op: 'remove', path: '/a/c~1d' },
        { op: 'remove', path: '/a/e~0f' },
      ],
      { ...original, a: { b: 1 } },
    ],
    [
      'replaces inside a list',
      [{ op: 'replace', path: '/objects/0/n', value: 2 }],
      { ...original, objects: [{ n: 2 }] },
    ],
    [
      'tests deeply, whatever the order of fields',
      [{ op: 'test', path: '/a', value: { 'e~f': 3, 'c/d': 2, b: 1 } }],
      original,
    ],
    ['copies', [{ op: 'copy', from: '/a/b', path: '/copy' }], { ...original, copy: 1 }],
    [
      'moves',
      [{ op: 'move', from: '/list/0', path: '/first' }],
      { ...original, list: ['y', 'z'], first: 'x' },
    ],
    [
      'moves inside a list',
      [{ op: 'move', from: '/list/0', path: '/list/2' }],
      { ...original, list: ['y', 'z', 'x'] },
    ],
    ['adds null where no value is given', [{ op: 'add', path: '/n' }], { ...original, n: null }],
  ])('%s', (_, operations, expected) => {
    expect(patched(...operations)).toEqual(expected)
  })

  it.each<[string, JsonObject]>([
    ['nothing is at /x/y', { op: 'replace', path: '/x/y', value: 1 }],
    ['nothing is at /a/zz', { op: 'remove', path: '/a/zz' }],
    ['nothing is at /a/toString', { op: 'remove', path: '/a/toString' }],
    ['nothing is at /list/3', { op: 'remove', path: '/list/3' }],
    ['nothing is at /list/4', { op: 'add', path: '/list/4', value: 1 }],
    ['nothing is at /list/01', { op: 'replace', path: '/list/01', value: 1 }],
    ['nothing is at /list/x', { op: 'add', path: '/list/x', value: 1 }],
    ['nothing is at /a/b/c', { op: 'add', path: '/a/b/c', value: 1 }],
    ['the test of /a/b failed', { op: 'test', path: '/a/b', value: 2 }],
    ['unknown operation "foo"', { op: 'foo', path: '/a' }],
    ['the path a does not start with /', { op: 'add', path: 'a', value: 1 }],
    ['the whole document cannot be replaced', { op: 'add', path: '', value: {} }],
  ])('is refused: %s', (error, operation) => {
    expect(patched(operation)).toEqual({ error })
  })
})
