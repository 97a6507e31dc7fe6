import { describe, expect, it } from 'vitest'
import { freezeJson } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { mergePatch } from './merge-patch.ts'

// RFC 7396 appendix A.
describe('a JSON merge patch', () => {
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 'b' }, { a: { c: 1 } }, { a: { c: 1 } }],
  ])('turns %j with %j into %j', (original, patch, expected) => {
    expect(mergePatch(freezeJson(original), freezeJson(patch))).toEqual(expected)
  })
})
