import { describe, expect, it } from 'vitest'
import { strictErrors, strictPatchErrors } from './strict-errors.ts'

describe('a strict decoding error', () => {
  it('names each unknown field, up to a hundred', () => {
    expect(strictErrors(['spec.x', 'y'], undefined)).toEqual([
      'unknown field "spec.x"',
      'unknown field "y"',
    ])
    const many = Array.from({ length: 130 }, (_, index) => `u${index}`)
    expect(strictErrors(many, undefined)).toHaveLength(100)
  })

  it('names a repeated field once and in the order of the text, but not inside an unknown one', () => {
    const fields = ['a', 'b', 'a', 'a', 'z', 'z.x', 'z.x', 'z', 'b', 'u']
    expect(strictErrors(['z', 'u'], fields)).toEqual([
      'duplicate field "a"',
      'unknown field "z"',
      'duplicate field "b"',
      'unknown field "u"',
    ])
  })

  it('of a patch names every repeated field, then the unknown fields of the object', () => {
    const bodyFields = ['[0].op', '[0].op']
    expect(strictPatchErrors(['metadata.zz', 'bogus'], { type: 'json', bodyFields })).toEqual([
      'json patch duplicate field "[0].op"',
      'unknown field "bogus"',
      'unknown field "metadata.zz"',
    ])
    expect(strictPatchErrors([], { type: 'merge' })).toEqual([])
  })

  it('names the unknown fields of the operations of a JSON patch', () => {
    const body = [{ op: 'remove', path: '/a', why: 1 }, { OP: 'add' }]
    expect(strictPatchErrors([], { type: 'json', body })).toEqual([
      'json patch unknown field "[0].why"',
      'json patch unknown field "[1].OP"',
    ])
    expect(strictPatchErrors([], { type: 'merge', body: { why: 1 } })).toEqual([])
  })
})
