import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('canonicalJson', () => {
  it('sorts keys at every depth, keeps arrays, drops what is undefined', () => {
    expect(canonicalJson({ b: [2, { d: 1, c: null }], a: undefined, A: 'x"' })).toBe(
      '{"A":"x\\"","b":[2,{"c":null,"d":1}]}',
    )
  })
})
