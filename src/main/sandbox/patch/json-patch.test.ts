import { describe, expect, it } from 'vitest'
import { freezeJson } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { jsonPatch, tooManyMoves } from './json-patch.ts'

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
    ['there is no value at /x/y', { op: 'replace', path: '/x/y', value: 1 }],
    ['there is no value at /a/zz', { op: 'remove', path: '/a/zz' }],
    ['there is no value at /a/toString', { op: 'remove', path: '/a/toString' }],
    ['there is no value at /list/3', { op: 'remove', path: '/list/3' }],
    ['there is no value at /list/4', { op: 'add', path: '/list/4', value: 1 }],
    ['there is no value at /list/x', { op: 'add', path: '/list/x', value: 1 }],
    ['there is no value at /a/b/c', { op: 'add', path: '/a/b/c', value: 1 }],
    ['the test of /a/b failed', { op: 'test', path: '/a/b', value: 2 }],
    ['unknown operation "foo"', { op: 'foo', path: '/a' }],
    ['the path a does not start with /', { op: 'add', path: 'a', value: 1 }],
    ['the whole document cannot be replaced', { op: 'add', path: '', value: {} }],
  ])('is refused: %s', (error, operation) => {
    expect(patched(operation)).toEqual({ error })
  })

  it.each<[string, readonly JsonObject[], unknown]>([
    [
      'counts an index below zero from the end',
      [
        { op: 'remove', path: '/list/-1' },
        { op: 'add', path: '/list/-1', value: 'n' },
      ],
      { ...original, list: ['x', 'y', 'n'] },
    ],
    [
      'copies and replaces a field that is not there',
      [
        { op: 'copy', from: '/nope', path: '/copy' },
        { op: 'replace', path: '/new', value: 1 },
      ],
      { ...original, copy: null, new: 1 },
    ],
  ])('%s, as kube-apiserver does', (_what, operations, expected) => {
    expect(patched(...operations)).toEqual(expected)
  })

  it('separates a copy from its source, and the patch from its result', () => {
    const value = { inner: [1] }
    const operations = [
      { op: 'add', path: '/v', value },
      { op: 'copy', from: '/v', path: '/w' },
      { op: 'add', path: '/v/inner/-', value: 2 },
      { op: 'move', from: '/w/inner', path: '/moved' },
    ]
    const expected = { ...original, v: { inner: [1, 2] }, w: {}, moved: [1] }
    expect(patched(...operations)).toEqual(expected)
    expect(value).toEqual({ inner: [1] })
    expect(patched(...operations)).toEqual(expected)
  })

  it('refuses copies that double their size without end', () => {
    const doubling = { op: 'copy', from: '/x', path: '/x/-' }
    const start = { op: 'add', path: '/x', value: ['a'.repeat(1000)] }
    expect(patched(start, ...Array<JsonObject>(24).fill(doubling))).toEqual({
      error: 'the copies of the patch are larger than 3145728 characters',
    })
  })

  it('refuses nesting without end', () => {
    const wrap = [
      { op: 'add', path: '/y', value: { c: null } },
      { op: 'move', from: '/x', path: '/y/c' },
      { op: 'move', from: '/y', path: '/x' },
    ]
    const times = (count: number): readonly JsonObject[] =>
      Array.from({ length: count }, () => wrap).flat()
    const start = { op: 'add', path: '/x', value: {} }
    expect(patched(start, ...times(400))).toHaveProperty('x')
    expect(patched(start, ...times(600))).toEqual({
      error: 'the patch nests maps and lists more than 500 levels deep',
    })
    const copy = { op: 'copy', from: '/x', path: '/z' }
    expect(jsonPatch(original, [start, ...times(20_000), copy])).toEqual({
      ok: false,
      error: 'the patch nests maps and lists too deeply',
    })
    expect(patched({ op: 'add', path: '/a'.repeat(501), value: 1 })).toEqual({
      error: 'the path has more than 500 parts',
    })
  })

  // It was quadratic: so many took five minutes, where a test has one.
  it('applies 40,000 operations to one map in time', () => {
    const operations = Array.from({ length: 40_000 }, (_, index) => {
      return { op: 'add', path: `/a/key-${index}`, value: 'v' }
    })
    const result = jsonPatch(original, operations)
    expect(result.ok && Object.keys(result.value['a'] as object)).toHaveLength(40_003)
  })

  // Four billion moves took 3.2 s.
  it.each([
    ['inserts at', { op: 'add', path: '/list/0', value: 'x' }],
    ['removes from', { op: 'remove', path: '/list/0' }],
  ])('gives up if it %s the front of a long list again and again', (_, operation) => {
    const long = { list: Array<string>(400_000).fill('') }
    expect(jsonPatch(long, Array<typeof operation>(10_000).fill(operation))).toEqual({
      ok: false,
      error: tooManyMoves,
    })
    expect(jsonPatch(long, Array<typeof operation>(200).fill(operation)).ok).toBe(true)
  })

  it('adds, reads and removes fields with the names of inherited properties', () => {
    for (const name of ['__proto__', 'constructor', 'valueOf', 'hasOwnProperty', 'toString']) {
      const added = patched({ op: 'add', path: `/a/${name}`, value: { x: 1 } })
      expect(added).toEqual(
        JSON.parse(JSON.stringify(original).replace('"b"', `"${name}":{"x":1},"b"`)),
      )
      expect(Object.getPrototypeOf((added as { a: object }).a)).toBe(Object.prototype)
      expect(patched({ op: 'add', path: `/a/${name}/polluted`, value: 1 })).toHaveProperty('error')
      expect(patched({ op: 'remove', path: `/a/${name}` })).toHaveProperty('error')
      expect(patched({ op: 'copy', from: `/a/${name}`, path: '/c' })).toHaveProperty('c', null)
    }
  })
})
